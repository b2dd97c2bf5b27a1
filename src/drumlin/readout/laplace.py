r"""The quadratic model around a refined network with one output: leave-one-out and uncertainty.

With J the derivatives of the score in all variables, q the curvature of the loss in the score and
:math:`H = J' \mathrm{diag}(s q) J + \Lambda` the Gauss-Newton matrix, a sample left out moves its
own score by one Newton step,

.. math:: f^{(-i)} = f_i + \frac{h_i \, \ell'_i}{1 - q_i h_i}, \qquad h_i = s_i J_i H^{-1} J_i'

and a prediction has variance :math:`J H^{-1} J'` beside the noise. For squared loss and fixed nodes
both are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.readout.factors import cholesky_factor

_LEAST_FREEDOM = 0.05  # a Newton step is not trusted where one sample decides its own score


@dataclass(frozen=True)
class QuadraticModel:
    """Cholesky factor of the Gauss-Newton matrix.

    Parameters
    ----------
    factor : ndarray of shape (n_variables, n_variables)
        Lower triangular.
    """

    factor: FloatArray

    @classmethod
    def fit(cls, J: FloatArray, curvature: FloatArray, penalties: FloatArray) -> QuadraticModel:
        """Factor ``J' diag(curvature) J`` plus penalties."""
        return cls(gauss_newton_factor(J, curvature, penalties))

    def variances(self, J: FloatArray) -> FloatArray:
        """Return ``diag(J H^-1 J')``."""
        X = solve_triangular(self.factor, J.T, lower=True, check_finite=False)
        return np.asarray(np.einsum("pn,pn->n", X, X))


def gauss_newton_factor(J: FloatArray, curvature: FloatArray, penalties: FloatArray) -> FloatArray:
    """Lower Cholesky factor of ``J' diag(curvature) J`` plus penalties.

    Parameters
    ----------
    J : ndarray of shape (n_samples, n_variables)
    curvature : ndarray of shape (n_samples,)
    penalties : ndarray of shape (n_variables,) or (n_variables, n_variables)
        A diagonal, or a matrix. A matrix may be nearly singular, so variables are whitened by it.
    """
    if penalties.ndim == 1:
        H = (J * curvature[:, None]).T @ J
        H[np.diag_indices(len(H))] += penalties
        return cholesky_factor(H)
    L = cholesky_factor(penalties)
    U = solve_triangular(L, J.T, lower=True, check_finite=False).T
    return np.asarray(L @ cholesky_factor((U * curvature[:, None]).T @ U + np.eye(len(L))))


def loo_scores(
    scores: FloatArray,
    slope: FloatArray,
    curvature: FloatArray,
    variance: FloatArray,
    left: FloatArray,
) -> FloatArray:
    """Scores of samples left out, by one Newton step.

    Parameters
    ----------
    scores : ndarray of shape (n_samples,)
    slope, curvature : ndarray of shape (n_samples,)
        First and second derivative of the loss of one unit of weight.
    variance : ndarray of shape (n_samples,)
        ``J H^-1 J'``.
    left : ndarray of shape (n_samples,)
        Weight that is left out.
    """
    h = left * variance
    return np.asarray(scores + h * slope / np.maximum(1.0 - curvature * h, _LEAST_FREEDOM))
