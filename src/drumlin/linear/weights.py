"""Weights of fixed nodes: penalised logistic, softmax or squared loss. All convex.

Two classes: Newton's method, that of ``logistic`` with one subset. More: L-BFGS in variables
whitened by one Cholesky factor of Böhning's bound, which serves all classes. Numbers: one linear
system.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.optimize import fmin_l_bfgs_b

from drumlin._kernels.refinement import Targets
from drumlin._typing import FloatArray
from drumlin.linear.factors import cholesky_factor
from drumlin.linear.logistic import LogisticProblem
from drumlin.linear.newton import fit_logistic
from drumlin.losses import Logistic, Loss, Softmax

LEAST_WEIGHT = 1e-9
"""Weight of a class that has none in a sample."""

_TOLERANCE, _MAX_ITER = 1e-6, 20  # the refinement goes on from here


def fit_weights(
    Phi: FloatArray,
    targets: Targets,
    weight: FloatArray,
    loss: Loss,
    penalty: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """Minimise the summed loss plus half the penalised squares of the weights.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_nodes)
    targets : ndarray
        Labels of shape (n_samples,), or numbers of shape (n_samples, n_outputs).
    weight : ndarray of shape (n_samples,)
    loss : Loss
    penalty : tuple of float
        Of the intercept and of the weights.

    Returns
    -------
    coef : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    """
    H = np.column_stack([np.ones(len(Phi)), Phi])
    penalties = np.full(H.shape[1], penalty[1])
    penalties[0] = penalty[0]
    if isinstance(loss, Logistic):
        return _logistic(Phi, targets, weight, penalty[1])
    if isinstance(loss, Softmax):
        solution = _softmax(H, targets, weight, penalties, loss)
    else:
        solution = _ridge(H, targets, weight, penalties)
    return solution[1:], solution[0]


def _logistic(
    Phi: FloatArray, labels: Targets, weight: FloatArray, penalty: float
) -> tuple[FloatArray, FloatArray]:
    """Logistic weights by Newton's method; the intercept is free."""
    columns = np.vstack([np.ones(len(Phi)), Phi.T])[None]
    problem = LogisticProblem(np.asarray(labels), weight, n_classes=2)
    coef = fit_logistic(columns, problem, np.array([[penalty]])).coef[0]
    return coef[:, 1:].T, coef[:, 0]


def _ridge(
    H: FloatArray, targets: Targets, weight: FloatArray, penalties: FloatArray
) -> FloatArray:
    weighted = H * weight[:, None]
    system = weighted.T @ H + np.diag(penalties)
    return np.asarray(cho_solve((cholesky_factor(system), True), weighted.T @ targets))


def _softmax(
    H: FloatArray, labels: Targets, weight: FloatArray, penalties: FloatArray, loss: Softmax
) -> FloatArray:
    """Softmax weights (n_columns, n_classes), starting from the class frequencies."""
    n_classes = loss.n_classes
    # Böhning's bound is 1/2 H'H per class; a typical p (1 - p) is smaller by this factor.
    typical = 2.0 / n_classes * (1.0 - 1.0 / n_classes)
    bound = 0.5 * typical * (H * weight[:, None]).T @ H + np.diag(penalties)
    jitter = 1e-10 * np.trace(bound) / len(bound)
    factor = np.linalg.cholesky(bound + jitter * np.eye(len(bound)))
    whitened = solve_triangular(factor, H.T, lower=True, check_finite=False).T
    rates = np.maximum(loss.sums(labels, weight), LEAST_WEIGHT) / weight.sum()
    start = loss.constant(rates)

    def unwhiten(u: FloatArray) -> FloatArray:
        return np.asarray(solve_triangular(factor, u, lower=True, trans="T", check_finite=False))

    def objective(u: FloatArray) -> tuple[float, FloatArray]:
        u = u.reshape(H.shape[1], n_classes)
        x = unwhiten(u)
        scores = whitened @ u + start
        pull = penalties[:, None] * x
        slopes = weight[:, None] * loss.slopes(labels, scores)
        gradient = whitened.T @ slopes + solve_triangular(
            factor, pull, lower=True, check_finite=False
        )
        value = weight @ loss.values(labels, scores) + 0.5 * (pull * x).sum()
        return float(value), gradient.ravel()

    zero = np.zeros(H.shape[1] * n_classes)
    u, _, _ = fmin_l_bfgs_b(
        objective, zero, m=20, maxiter=_MAX_ITER, factr=_TOLERANCE / np.finfo(float).eps
    )
    x = unwhiten(u.reshape(H.shape[1], n_classes))
    x[0] += start
    return x
