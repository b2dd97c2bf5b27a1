"""NumPy backend of the joint refinement: the readable truth, in blocks of rows.

Formulas and array layouts are in ``refinement``. Distances are sums of squared differences and not
the expanded product of (z^2, z, 1) with node constants: that would be one matrix product, but it
loses all digits where a center is many widths from the origin.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from drumlin._kernels.door import guarded
from drumlin._kernels.refinement import (
    HUBER_DELTA,
    LOGISTIC,
    SOFTMAX,
    SQUARED,
    Columns,
    Gradient,
    NodeParameters,
    Targets,
    exponent_floor,
)
from drumlin._typing import FloatArray

_ELEMENTS = 1 << 15  # activations handled at once, so that temporaries stay in cache


@guarded
def value_and_gradient(
    columns: Columns,
    targets: Targets,
    weight: FloatArray,
    nodes: NodeParameters,
    loss: int,
    *,
    delta: float = HUBER_DELTA,
    reach: FloatArray | None = None,
) -> tuple[float, Gradient]:
    """Weighted sum of losses and its gradient; see ``refinement`` for the formulas.

    Parameters
    ----------
    columns : ndarray of shape (d, n)
        Inputs, feature-major, C-contiguous, float64 or float32.
    targets : ndarray of shape (n,) or (n, K)
        Labels (int64) for ``LOGISTIC`` and ``SOFTMAX``, values (float64) for the other losses.
    weight : ndarray of shape (n,)
        Weight of every row.
    nodes : NodeParameters
        Centers, inverse widths, coefficients and intercept.
    loss : int
        ``LOGISTIC``, ``SOFTMAX``, ``SQUARED`` or ``HUBER``.
    delta : float
        Threshold of ``HUBER``.
    reach : ndarray of shape (d,) or None
        Largest absolute value of every input, if it is known: the compiled backend needs it.

    Returns
    -------
    tuple of float and Gradient
        The value, and the gradient in float64.
    """
    gradient = Gradient.zeros(nodes)
    dtype: Any = columns.dtype
    nodes = NodeParameters(*[field.astype(dtype) for field in nodes])
    step = max(1, _ELEMENTS // (len(nodes.coef) + 1))
    value = 0.0
    for start in range(0, len(weight), step):
        rows = slice(start, start + step)
        z = columns[:, rows]
        phi = _activations(z, nodes)
        scores = (nodes.coef.T @ phi + nodes.intercept[:, None]).astype(np.float64)
        losses, slopes = _losses(scores, targets[rows], loss, delta)
        value += float(losses @ weight[rows])
        residuals = (slopes * weight[rows]).astype(dtype)
        gradient.intercept[...] += residuals.sum(axis=1)
        gradient.coef[...] += phi @ residuals.T
        _add_node_gradient_(z, nodes, phi * (nodes.coef @ residuals), gradient)
    return value, gradient


def _activations(z: Columns, nodes: NodeParameters) -> FloatArray:
    """Gaussians of one block, (M, rows); exactly zero below the floor."""
    exponent = np.zeros((len(nodes.centers), z.shape[1]), dtype=z.dtype)
    for x, center, inv_width in zip(z, nodes.centers.T, nodes.inv_widths.T, strict=True):
        with np.errstate(over="ignore"):  # infinitely far is far
            exponent -= 0.5 * ((x - center[:, None]) * inv_width[:, None]) ** 2
    floor = exponent_floor(z)
    return np.where(exponent < floor, 0.0, np.exp(np.maximum(exponent, floor))).astype(z.dtype)


def _add_node_gradient_(
    z: Columns, nodes: NodeParameters, g: FloatArray, gradient: Gradient
) -> None:
    """Add one block's derivatives by centers and log-widths; ``g (M, rows)``."""
    for i, x in enumerate(z):
        inv_width = nodes.inv_widths[:, i]
        t = (x - nodes.centers[:, i, None]) * inv_width[:, None]
        gt = g * t
        gradient.centers[:, i] += inv_width * gt.sum(axis=1)
        gradient.log_widths[:, i] += np.einsum("jr,jr->j", gt, t)


def _losses(
    scores: FloatArray, targets: Targets, loss: int, delta: float
) -> tuple[FloatArray, FloatArray]:
    """Loss of every row, and its derivatives by the scores (K, rows)."""
    if loss == LOGISTIC:
        sign = np.where(targets == 1, 1.0, -1.0)
        margin = sign * scores[0]
        return np.logaddexp(0.0, -margin), -(sign * expit(-margin))[None]
    if loss == SOFTMAX:
        own = (targets, np.arange(len(targets)))
        scores = scores - scores.max(axis=0)
        exponentials = np.exp(scores)
        total = exponentials.sum(axis=0)
        slopes = exponentials / total
        slopes[own] -= 1.0
        return np.log(total) - scores[own], slopes
    error = scores - targets.T
    clipped = error if loss == SQUARED else np.clip(error, -delta, delta)
    return (clipped * (error - 0.5 * clipped)).sum(axis=0), clipped
