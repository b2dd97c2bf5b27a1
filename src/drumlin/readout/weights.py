"""Weights of fixed nodes: penalised logistic, softmax or squared loss. All convex.

Two classes: Newton with step halving. More: L-BFGS in variables whitened by one Cholesky factor of
Böhning's bound, which serves all classes. Numbers: one linear system.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.optimize import fmin_l_bfgs_b
from scipy.special import expit

from drumlin._kernels import LOGISTIC, SOFTMAX
from drumlin._kernels.refinement import Targets
from drumlin._typing import FloatArray
from drumlin.readout.factors import cholesky_factor

_TOLERANCE = 1e-6
_LEAST_CURVATURE = 1e-6


def fit_weights(
    Phi: FloatArray,
    targets: Targets,
    weight: FloatArray,
    loss: int,
    penalty: tuple[float, float],
) -> tuple[FloatArray, FloatArray]:
    """Minimise the summed loss plus half the penalised squares of the weights.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_nodes)
    targets : ndarray
        Labels of shape (n_samples,), or numbers of shape (n_samples, n_outputs).
    weight : ndarray of shape (n_samples,)
    loss : int
        A code of ``_kernels``.
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
    if loss == LOGISTIC:
        solution = _newton(H, targets, weight, penalties)[:, None]
    elif loss == SOFTMAX:
        solution = _softmax(H, targets, weight, penalties)
    else:
        solution = _ridge(H, targets, weight, penalties)
    return solution[1:], solution[0]


def _ridge(
    H: FloatArray, targets: Targets, weight: FloatArray, penalties: FloatArray
) -> FloatArray:
    weighted = H * weight[:, None]
    system = weighted.T @ H + np.diag(penalties)
    return np.asarray(cho_solve((cholesky_factor(system), True), weighted.T @ targets))


def _newton(
    H: FloatArray, labels: Targets, weight: FloatArray, penalties: FloatArray, max_iter: int = 20
) -> FloatArray:
    """Logistic weights, labels 0 and 1, starting from the class frequencies."""
    sign = np.where(labels > 0, 1.0, -1.0)
    rate = np.clip(weight @ (labels > 0) / weight.sum(), 1e-6, 1.0 - 1e-6)
    x = np.zeros(H.shape[1])
    x[0] = np.log(rate / (1.0 - rate))

    def value(x: FloatArray) -> float:
        return float(weight @ np.logaddexp(0.0, -sign * (H @ x)) + 0.5 * penalties @ (x * x))

    current = value(x)
    for _ in range(max_iter):
        p = expit(H @ x)
        gradient = H.T @ (weight * (p - (labels > 0))) + penalties * x
        curvature = weight * np.maximum(p * (1.0 - p), _LEAST_CURVATURE)
        system = (H * curvature[:, None]).T @ H + np.diag(penalties)
        step = cho_solve((cholesky_factor(system), True), gradient)
        for _ in range(8):
            new = value(x - step)
            if new <= current:
                break
            step = 0.5 * step
        else:
            return x
        x, gain, current = x - step, current - new, new
        if gain < _TOLERANCE * max(1.0, abs(current)):
            return x
    return x


def _softmax(
    H: FloatArray, labels: Targets, weight: FloatArray, penalties: FloatArray, max_iter: int = 20
) -> FloatArray:
    """Softmax weights (n_columns, n_classes), starting from the class frequencies."""
    n_classes = int(labels.max()) + 1
    samples = np.arange(len(labels))
    # Böhning's bound is 1/2 H'H per class; a typical p (1 - p) is smaller by this factor.
    typical = 2.0 / n_classes * (1.0 - 1.0 / n_classes)
    bound = 0.5 * typical * (H * weight[:, None]).T @ H + np.diag(penalties)
    jitter = 1e-10 * np.trace(bound) / len(bound)
    factor = np.linalg.cholesky(bound + jitter * np.eye(len(bound)))
    whitened = solve_triangular(factor, H.T, lower=True, check_finite=False).T
    frequencies = np.maximum(np.bincount(labels, weight), 1e-9) / weight.sum()
    start = np.log(frequencies) - np.log(frequencies).mean()

    def unwhiten(u: FloatArray) -> FloatArray:
        return np.asarray(solve_triangular(factor, u, lower=True, trans="T", check_finite=False))

    def objective(u: FloatArray) -> tuple[float, FloatArray]:
        u = u.reshape(H.shape[1], n_classes)
        x = unwhiten(u)
        scores = whitened @ u + start
        scores -= scores.max(axis=1, keepdims=True)
        own = scores[samples, labels]
        exponentials = np.exp(scores)
        norm = exponentials.sum(axis=1)
        slope = exponentials * (weight / norm)[:, None]
        slope[samples, labels] -= weight
        pull = penalties[:, None] * x
        gradient = whitened.T @ slope + solve_triangular(
            factor, pull, lower=True, check_finite=False
        )
        value = weight @ (np.log(norm) - own) + 0.5 * (pull * x).sum()
        return float(value), gradient.ravel()

    zero = np.zeros(H.shape[1] * n_classes)
    u, _, _ = fmin_l_bfgs_b(
        objective, zero, m=20, maxiter=max_iter, factr=_TOLERANCE / np.finfo(float).eps
    )
    x = unwhiten(u.reshape(H.shape[1], n_classes))
    x[0] += start
    return x
