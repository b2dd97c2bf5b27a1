"""Activations of Gaussian nodes with widths of their own, and derivatives of the score."""

from __future__ import annotations

import numpy as np

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray


def activations(Z: FloatArray, centers: FloatArray, inv_widths: FloatArray) -> FloatArray:
    """Gaussian activations (n_samples, n_nodes) by two products."""
    p2 = inv_widths * inv_widths
    exponent = (Z * Z) @ p2.T - 2.0 * (Z @ (p2 * centers).T) + (p2 * centers * centers).sum(axis=1)
    return np.asarray(np.exp(-0.5 * np.maximum(exponent, 0.0)))


def jacobian(Z: FloatArray, nodes: NodeParameters, width: float) -> FloatArray:
    """Derivatives (n_samples, n_variables) of the single score in ``[b, W, u, S, a, T]``."""
    Phi = activations(Z, nodes.centers, nodes.inv_widths)
    pull = Phi * nodes.coef[:, 0]
    distance = (Z[:, None, :] - nodes.centers) * nodes.inv_widths
    shift = pull[:, :, None] * distance
    log_width = shift * distance
    shift = shift * (width * nodes.inv_widths)
    n = len(Z)
    return np.concatenate(
        [
            np.ones((n, 1)),
            Phi,
            shift.reshape(n, -1),
            log_width.sum(axis=2),
            log_width.sum(axis=1),
            log_width.reshape(n, -1),
        ],
        axis=1,
    )
