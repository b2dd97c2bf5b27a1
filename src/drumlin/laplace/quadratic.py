r"""The quadratic model around an optimum with one output: leave-one-out and uncertainty.

With J the derivatives of the score in all variables, q the curvature of the loss in the score and
:math:`H = J' \mathrm{diag}(s q) J + \Lambda` the Gauss-Newton matrix, a sample left out moves its
own score by one Newton step,

.. math:: f^{(-i)} = f_i + \frac{h_i \, \ell'_i}{1 - q_i h_i}, \qquad h_i = s_i J_i H^{-1} J_i'

and a prediction has variance :math:`J H^{-1} J'` beside the noise. For squared loss and fixed nodes
both are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.basis.nodes import gaussian_blocks
from drumlin.laplace.solution import Solution
from drumlin.linear.factors import cholesky_factor
from drumlin.losses import Loss
from drumlin.sample import Sample

LEAST_CURVATURE = 1e-9
"""Curvature of a row whose probabilities are certain to rounding: it must still be divided by."""

LEAST_FREEDOM = 0.05
"""Least ``1 - leverage``: a Newton step is not trusted where one sample decides its own score."""


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
        return cls(gauss_newton_factor([(J, curvature)], penalties))

    def variances(self, J: FloatArray) -> FloatArray:
        """Return ``diag(J H^-1 J')``."""
        factor = self.factor.astype(J.dtype, copy=False)
        X = solve_triangular(factor, J.T, lower=True, check_finite=False)
        return np.einsum("pn,pn->n", X, X).astype(np.float64, copy=False)


@dataclass(frozen=True)
class LocalFit:
    """The quadratic model of a solution, and how it does on the rows it was formed on.

    Parameters
    ----------
    sample : Sample
    loss : Loss
    model : QuadraticModel
    scores : ndarray of shape (n_rows,)
    variance : ndarray of shape (n_rows,)
        Of the scores.
    """

    sample: Sample
    loss: Loss
    model: QuadraticModel
    scores: FloatArray
    variance: FloatArray

    @classmethod
    def of(cls, solution: Solution, sample: Sample, loss: Loss) -> LocalFit:
        """Form the model of a solution with one output on a sample, in its precision."""
        scores, J = network_scores(solution, sample.X), solution.jacobian(sample.X)
        J = J.astype(np.float32) if sample.single else J
        curvature = np.maximum(loss.curvatures(scores)[:, 0], LEAST_CURVATURE)
        model = QuadraticModel.fit(J, sample.loss_weight * curvature, solution.precision())
        return cls(sample, loss, model, scores[:, 0], model.variances(J))

    @property
    def errors(self) -> FloatArray:
        """Scores minus targets (n_rows,) of a regression."""
        return self.scores - self.sample.codes[:, 0]

    @property
    def used(self) -> float:
        """Degrees of freedom that the solution uses, per sample."""
        return float(self.sample.loss_weight @ self.variance) / (
            self.sample.stands_for * self.sample.total
        )

    def loo_variance(self) -> FloatArray:
        """Variances (n_rows,) of the scores of samples left out: squares, or a bound of them."""
        used = self.sample.left_out / self.sample.noise * self.variance
        return np.asarray(self.variance / np.maximum(1.0 - used, LEAST_FREEDOM))

    def loo_scores(self, *, whole: bool = False) -> FloatArray:
        """Scores (n_rows,) of samples left out, by one Newton step each.

        Parameters
        ----------
        whole : bool
            Whether a row is left out with all its copies: one that stays would know the answer.
        """
        scores = self.scores[:, None]
        slope = self.loss.slopes(self.sample.targets, scores)[:, 0]
        curvature = np.maximum(self.loss.curvatures(scores)[:, 0], LEAST_CURVATURE)
        left = (self.sample.weight if whole else self.sample.left_out) / self.sample.noise
        return loo_scores(self.scores, slope, curvature, self.variance, left)


def network_scores(solution: Solution, Z: FloatArray) -> FloatArray:
    """Scores (n_rows, n_outputs) of a solution's network."""
    nodes = solution.nodes()
    scores = np.empty((len(Z), len(nodes.intercept)))
    for rows, Phi in gaussian_blocks(Z, nodes.centers, nodes.inv_widths):
        scores[rows] = Phi @ nodes.coef + nodes.intercept
    return scores


def gauss_newton_factor(
    blocks: Iterable[tuple[FloatArray, FloatArray]], penalties: FloatArray
) -> FloatArray:
    """Lower Cholesky factor of ``J' diag(curvature) J`` plus penalties.

    Parameters
    ----------
    blocks : iterable of (ndarray, ndarray)
        Rows of J (n_rows, n_variables) and their curvatures (n_rows,), block by block.
    penalties : ndarray of shape (n_variables,) or (n_variables, n_variables)
        A diagonal, or a matrix. A matrix may be nearly singular, so variables are whitened by it.
    """
    if penalties.ndim == 1:
        roots = (J * np.sqrt(curvature)[:, None] for J, curvature in blocks)
        return cholesky_factor(penalized(roots, penalties))
    L, system = cholesky_factor(penalties), 0.0
    for J, curvature in blocks:
        U = solve_triangular(L, J.T, lower=True, check_finite=False).T
        system = system + (U * curvature[:, None]).T @ U
    return np.asarray(L @ cholesky_factor(system + np.eye(len(L))))


def penalized(blocks: Iterable[FloatArray], penalties: FloatArray) -> FloatArray:
    """Return ``R' R`` plus a diagonal, in double precision whatever the blocks of R are in.

    Summed in single precision it would not be positive definite where variables are many, and
    its factor would be tried again and again.
    """
    doubles = (R.astype(np.float64, copy=False) for R in blocks)
    H = np.asarray(sum(R.T @ R for R in doubles))
    H[np.diag_indices(len(H))] += penalties
    return H


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
    return np.asarray(scores + h * slope / np.maximum(1.0 - curvature * h, LEAST_FREEDOM))
