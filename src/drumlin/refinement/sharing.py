"""From the slopes of several scores, which share their nodes, to the variables, and back."""

from __future__ import annotations

import numpy as np

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray
from drumlin.laplace.shared import SharedSlopes
from drumlin.laplace.slopes import Slopes
from drumlin.refinement.variables import Variables, by_variables


def shared_slopes(Z: FloatArray, nodes: NodeParameters) -> SharedSlopes:
    """Derivatives of all scores in their weights, and in centers (in widths) and log-widths."""
    own = Slopes.of(Z, nodes.centers, nodes.inv_widths, np.ones((len(nodes.centers), 1)))
    activations = np.column_stack([np.ones(len(Z)), own.weights])
    return SharedSlopes(activations, np.concatenate(own[1:], axis=2), nodes.coef)


def curvature_of_variables(variables: Variables, v: FloatArray, H: FloatArray) -> FloatArray:
    """Curvature (n_variables, n_variables) in the variables at v, by the chain rule.

    Parameters
    ----------
    variables : Variables
    v : ndarray of shape (n_variables,)
    H : ndarray of shape (n_slopes, n_slopes)
        Curvature in the weights of every score and the moves of every node (``SharedSlopes``).
    """
    return _of_variables(variables, v, _of_variables(variables, v, H).T)


def covariance_of_slopes(variables: Variables, v: FloatArray, inverse: FloatArray) -> FloatArray:
    """Covariance (n_slopes, n_slopes) of weights and moves, that of the variables being given.

    Parameters
    ----------
    variables : Variables
    v : ndarray of shape (n_variables,)
    inverse : ndarray of shape (n_variables, n_variables)
        Inverse of their curvature.
    """
    return _of_slopes(variables, v, _of_slopes(variables, v, inverse).T)


def _shift(variables: Variables, v: FloatArray) -> FloatArray:
    """What a unit of the shifts is in widths of the nodes (n_nodes, n_features)."""
    return np.asarray(variables.width * variables.nodes(v).inv_widths)


def _of_variables(variables: Variables, v: FloatArray, rows: FloatArray) -> FloatArray:
    """Turn derivatives (n_rows, n_slopes) in slopes into those in variables."""
    (m, d), k, n = variables.centers.shape, variables.n_outputs, len(rows)
    cut = k * (m + 1)
    weights, moved = rows[:, :cut].reshape(n, k, m + 1), rows[:, cut:].reshape(n, m, 2, d)
    slopes = Slopes(weights[:, :, 1:].transpose(0, 2, 1), moved[:, :, 0], moved[:, :, 1])
    return by_variables(weights[:, :, 0], slopes, _shift(variables, v))


def _of_slopes(variables: Variables, v: FloatArray, rows: FloatArray) -> FloatArray:
    """Turn moves (n_rows, n_variables) of variables into those of weights, centers and widths."""
    n = len(rows)
    groups = np.split(rows, variables.cuts[:-1], axis=1)
    b, W, u, S, a, T = (
        group.reshape(n, *shape) for group, shape in zip(groups, variables.shapes, strict=True)
    )
    weights = np.concatenate([b[:, :, None], W.transpose(0, 2, 1)], axis=2)
    log_widths = S[:, :, None] + a[:, None, :] + T
    moved = np.stack([u * _shift(variables, v), log_widths], axis=2)
    return np.concatenate([weights.reshape(n, -1), moved.reshape(n, -1)], axis=1)
