r"""Greedy selection in Gram space: one product of all columns, then O(L) work per node.

The same orthogonal least squares as ``forward``, for the case where every candidate column is at
hand and the criterion is the drop of the (regularised) squared error: the deflated inner products
are all that is needed, no column is touched again. Constant and alphas as in
``OrthogonalRegression`` with an intercept; leave-one-out errors of every prefix come out exactly.

Here a sample is left out with weight 1, or with all it has if that is less. So integer weights are
repeated rows in everything, leave-one-out included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray, IntArray
from drumlin.linear import DEPENDENT

LEAST_ETA = 1e-3
"""Least ``eta = 1 - leverage`` of a linear regression: one sample must not decide a size."""


@dataclass(frozen=True)
class GramPath:
    """A sequence of columns and what each prefix of it is worth.

    Parameters
    ----------
    order : ndarray of shape (m,)
        Columns in the order in which they joined.
    squared_errors : ndarray of shape (m + 1,)
        Leave-one-out mean squared error (summed over outputs) of 0, 1, ..., m columns.
    W : ndarray of shape (n_samples, m)
        The orthogonal columns.
    g : ndarray of shape (m, n_outputs)
        Their weights.
    scale : ndarray of shape (m,)
        Their squared norms plus the penalty.
    """

    order: IntArray
    squared_errors: FloatArray
    W: FloatArray
    g: FloatArray
    scale: FloatArray

    def loo_predictions(
        self, targets: FloatArray, weight: FloatArray, left_out: FloatArray, m: int
    ) -> FloatArray:
        """Predictions (n_samples, n_outputs) of m columns, some weight of each row left out."""
        total = weight.sum()
        mean = weight @ targets / total
        eta = 1.0 - left_out * (1.0 / total + (self.W[:, :m] ** 2) @ (1.0 / self.scale[:m]))
        residual = targets - mean - self.W[:, :m] @ self.g[:m]
        return np.asarray(targets - residual / np.maximum(eta, LEAST_ETA)[:, None])


def gram_path(
    Phi: FloatArray, targets: FloatArray, weight: FloatArray, max_nodes: int, alpha: float
) -> GramPath:
    """Add the column with the largest drop of the regularised squared error, again and again.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_candidates)
    targets : ndarray of shape (n_samples, n_outputs)
    weight : ndarray of shape (n_samples,)
    max_nodes : int
    alpha : float
        Penalty of every orthogonal column.
    """
    total = weight.sum()
    centered = targets - weight @ targets / total
    mean = weight @ Phi / total
    root = np.sqrt(weight)[:, None]
    weighted = Phi * root if (weight != 1.0).any() else Phi
    gram = weighted.T @ weighted  # of one array with itself: half the work
    gram -= np.outer(total * mean, mean)  # the constant is projected out
    dots = weighted.T @ (root * centered)
    order, rows, g = _greedy(gram, dots, min(max_nodes, len(Phi) - 1), alpha, total)
    norms2 = rows[np.arange(len(order)), order]
    A = rows[:, order] / norms2[:, None]
    W = Phi[:, order] - mean[order]
    if len(order):
        W = solve_triangular(A, W.T, trans="T", unit_diagonal=True, check_finite=False).T
    scale = norms2 + alpha
    return GramPath(order, _loo_errors(W, g, centered, weight, scale), W, g, scale)


def _greedy(
    gram: FloatArray, dots: FloatArray, max_nodes: int, alpha: float, total: float
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Order of the columns, their deflated rows of the Gram matrix, and orthogonal weights."""
    norms2 = np.diag(gram).copy()
    # Relative to the column, and above what rounding leaves after centering.
    floor = DEPENDENT * np.maximum(norms2, DEPENDENT * total)
    rows = np.empty((min(max_nodes, len(gram)), len(gram)))
    g = np.empty((len(rows), dots.shape[1]))
    order: list[int] = []
    while len(order) < len(rows):
        m = len(order)
        gain = np.where(norms2 > floor, (dots * dots).sum(axis=1) / (norms2 + alpha), -1.0)
        j = int(gain.argmax())
        if gain[j] <= 0.0:
            break
        done = rows[:m]
        row = gram[j] - (done[:, j] / done[np.arange(m), order]) @ done
        if row[j] <= floor[j]:
            norms2[j] = 0.0
            continue
        rows[m], g[m] = row, dots[j] / (row[j] + alpha)
        dots = dots - np.outer(row / row[j], dots[j])
        norms2 = norms2 - row * row / row[j]
        norms2[j] = 0.0
        order.append(j)
    return np.array(order, dtype=np.int64), rows[: len(order)], g[: len(order)]


def _loo_errors(
    W: FloatArray, g: FloatArray, targets: FloatArray, weight: FloatArray, scale: FloatArray
) -> FloatArray:
    """Leave-one-out squared error of every prefix of orthogonal columns."""
    total, left = weight.sum(), np.minimum(weight, 1.0)
    eta = 1.0 - left / total
    residual = targets.T.copy()
    errors = np.empty(len(g) + 1)
    for m in range(len(g) + 1):
        if m:
            w = W[:, m - 1]
            eta = eta - left * w * w / scale[m - 1]
            residual -= np.outer(g[m - 1], w)
        squares = np.einsum("kn,kn->n", residual, residual)
        errors[m] = weight @ (squares / np.maximum(eta, LEAST_ETA) ** 2) / total
    return errors
