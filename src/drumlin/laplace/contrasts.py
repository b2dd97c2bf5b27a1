r"""Leave-one-out scores of a logistic regression with several contrasts of classes.

As in ``quadratic``, a sample left out moves its own scores by one Newton step, but the contrasts
pull at each other: with A the covariance :math:`J H^{-1} J'` of its scores, g and W slope and
curvature of its loss and s the weight left out,

.. math:: f^{(-i)} = f_i + (I - s A_i W_i)^{-1} \, s A_i g_i
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.laplace.elimination import Elimination
from drumlin.laplace.several import curvatures_of, moves_left_out
from drumlin.linear.factors import cholesky
from drumlin.linear.logistic import LogisticFits, LogisticProblem, class_rates, hessian
from drumlin.linear.whitening import Whitened

BLOCK = 1 << 22
"""Numbers computed at once."""


def loo_contrasts(
    columns: FloatArray,
    problem: LogisticProblem,
    penalties: FloatArray,
    scores: FloatArray,
    rows: IntArray,
    weight: FloatArray,
) -> FloatArray:
    """Contrasts (n_rows, n_contrasts) of samples left out.

    Parameters
    ----------
    columns : ndarray of shape (n_columns, n_samples)
    problem : LogisticProblem
    penalties : ndarray of shape (n_contrasts,)
    scores : ndarray of shape (n_contrasts, n_samples)
        At the optimum.
    rows : ndarray of shape (n_rows,)
        Samples to be left out.
    weight : ndarray of shape (n_rows,)
        How much of each: one copy, or all where it is less.
    """
    H = hessian(columns[None], problem, penalties[None], class_rates(scores)[None])
    half = np.linalg.inv(cholesky(H)[0][0])
    k, size = len(scores), len(half)
    half = half.reshape(size, k, -1)
    step = max(1, BLOCK // (size * k))
    parts = [slice(start, start + step) for start in range(0, len(rows), step)]
    return np.concatenate(
        [_left_out(half, columns, problem, scores, rows[p], weight[p]) for p in parts]
    )


def _left_out(
    half: FloatArray,
    columns: FloatArray,
    problem: LogisticProblem,
    scores: FloatArray,
    rows: IntArray,
    weight: FloatArray,
) -> FloatArray:
    moves = np.einsum("skc,cn->nsk", half, columns[:, rows], optimize=True)
    A = weight[:, None, None] * (moves.transpose(0, 2, 1) @ moves)
    p = class_rates(scores[:, rows])[1:].T
    slope = p - problem.indicators[:, rows].T
    return scores[:, rows].T + moves_left_out(A, curvatures_of(p), slope)


def contrast_elimination(
    whitened: Whitened, fits: LogisticFits, problem: LogisticProblem, penalties: FloatArray
) -> Elimination:
    """Quadratic model of every contrast in the weights of the kernels and, last, the intercept.

    Parameters
    ----------
    whitened : Whitened
        Columns of a single subset.
    fits : LogisticFits
        Of that subset.
    problem : LogisticProblem
    penalties : ndarray of shape (n_contrasts,)
    """
    weights = np.vstack([whitened.original(fits.coef)[0].T, fits.coef[0, :, 0]])
    H = hessian(whitened.columns, problem, penalties[None], class_rates(fits.scores))[0]
    k, n_columns = fits.coef.shape[1:]
    own = H.reshape(k, n_columns, k, n_columns)[np.arange(k), :, np.arange(k)]
    half = np.linalg.inv(cholesky(own)[0])
    back = np.zeros((n_columns, n_columns))  # from (intercept, whitened) to (kernels, intercept)
    back[0, -1] = 1.0
    back[1:, :-1] = whitened.transform[0]
    half = half @ back
    return Elimination(weights, half.transpose(0, 2, 1) @ half)
