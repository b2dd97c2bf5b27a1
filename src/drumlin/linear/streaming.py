r"""Weights learned from a stream: recursive least squares (section 5.6 of haykin5), LMS, blocks.

A learner is a state: it takes a batch and returns the next state with the prior errors (5.38),
which are errors of predictions that did not know the sample. How a stream is cut into batches does
not matter to the first two: samples are learned one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from drumlin._kernels import Factor, backend
from drumlin._typing import FloatArray
from drumlin.linear.least_squares import LeastSquares

CURVE_ROWS = 50
"""Samples whose errors make one point of the learning curve."""


class Learner(Protocol):
    """Weights that samples are added to: a state, never changed in place."""

    @property
    def coef(self) -> FloatArray:
        """Weights (n_nodes, n_outputs)."""

    @property
    def intercept(self) -> FloatArray:
        """Constants (n_outputs,)."""

    @property
    def posterior(self) -> LeastSquares | None:
        """What is known of their uncertainty."""

    def learn(
        self, Phi: FloatArray, targets: FloatArray, weight: FloatArray
    ) -> tuple[Learner, FloatArray]:
        """Return the state after a batch, and the prior errors (n_samples, n_outputs)."""


@dataclass(frozen=True)
class PosteriorWeights:
    """Weights whose uncertainty is known.

    Parameters
    ----------
    posterior : LeastSquares
    """

    posterior: LeastSquares

    @property
    def coef(self) -> FloatArray:
        """Weights (n_nodes, n_outputs)."""
        return self.posterior.coef

    @property
    def intercept(self) -> FloatArray:
        """Constants (n_outputs,)."""
        return self.posterior.intercept


@dataclass(frozen=True)
class RecursiveLeastSquares(PosteriorWeights):
    r"""Recursive least squares, eqs. (5.44)-(5.48) of haykin5 in square-root form.

    The state minimises

    .. math:: \sum_i \lambda^{n-i} s_i (d_i - b - w'\phi_i)^2 + w' D w

    exactly. Without forgetting :math:`D = \alpha I`: this is ridge regression. With forgetting the
    penalty of every weight is renewed in turn, so D stays between :math:`\lambda^K \alpha` and
    :math:`\alpha`, and P stays bounded where samples stop to excite a node (see the kernel).

    Parameters
    ----------
    posterior : LeastSquares
    alpha : float
    forgetting : float
        :math:`\lambda`, in (0, 1]. Every sample counts as one step, whatever its weight.
    """

    alpha: float
    forgetting: float = 1.0

    def learn(
        self, Phi: FloatArray, targets: FloatArray, weight: FloatArray
    ) -> tuple[RecursiveLeastSquares, FloatArray]:
        """Return the state after a batch, and the prior errors (n_samples, n_outputs)."""
        state = self.posterior
        factor = Factor(*[field.copy() for field in state.factor])
        errors = np.empty(targets.shape)
        backend().rls_(
            np.ascontiguousarray(Phi),
            np.ascontiguousarray(targets),
            weight,
            self.forgetting,
            self.alpha,
            state.fit_intercept,
            factor,
            errors,
        )
        return replace(self, posterior=replace(state, factor=factor)), errors


@dataclass(frozen=True)
class BlockLeastSquares(PosteriorWeights):
    """Ridge regression, a batch at a time by QR decomposition: fast, one step per batch.

    Parameters
    ----------
    posterior : LeastSquares
    """

    def learn(
        self, Phi: FloatArray, targets: FloatArray, weight: FloatArray
    ) -> tuple[BlockLeastSquares, FloatArray]:
        """Return the state after a batch, and the errors before it (n_samples, n_outputs)."""
        errors = targets - (Phi @ self.coef + self.intercept)
        return BlockLeastSquares(self.posterior.absorb(Phi, targets, weight)), errors


@dataclass(frozen=True)
class LeastMeanSquares:
    r"""The least-mean-square algorithm with an annealed rate (Problem 5.11 of haykin5).

    .. math:: w \leftarrow w + \eta \, e \, \phi / \|\phi\|^2

    The step is normalised by the squared activations (the intercept's 1 included): a rate below 2
    is stable for any basis functions, and 1 removes the sample's error at once. The plain step of
    the book, :math:`w \leftarrow w + \eta e \phi`, is stable only while
    :math:`\eta \|\phi\|^2 < 2`. A sample of weight s moves as s copies in a row would: with
    :math:`1 - (1 - \rho)^s` in the place of the part :math:`\rho` of its error that one step
    removes.

    Parameters
    ----------
    coef : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    fit_intercept : bool
    rates : tuple of float
        First and last rate.
    annealing : int
        Samples over which the rate falls linearly from the first to the last; then it stays.
    n_seen : int
    normalized : bool
        Whether steps are normalised.
    posterior : None
        Nothing is known of the uncertainty of the weights.
    """

    coef: FloatArray
    intercept: FloatArray
    fit_intercept: bool
    rates: tuple[float, float]
    annealing: int
    n_seen: int = 0
    normalized: bool = True
    posterior: None = None

    @classmethod
    def start(
        cls,
        n_nodes: int,
        n_outputs: int,
        rates: tuple[float, float],
        annealing: int,
        *,
        fit_intercept: bool,
        normalized: bool = True,
    ) -> LeastMeanSquares:
        """Return zero weights before the first sample."""
        zeros = np.zeros((n_nodes, n_outputs))
        none = np.zeros(n_outputs)
        return cls(zeros, none, fit_intercept, rates, annealing, normalized=normalized)

    def learn(
        self, Phi: FloatArray, targets: FloatArray, weight: FloatArray
    ) -> tuple[LeastMeanSquares, FloatArray]:
        """Return the state after a batch, and the prior errors (n_samples, n_outputs)."""
        coef, intercept, errors = self.coef.copy(), self.intercept.copy(), np.empty(targets.shape)
        done = (self.n_seen + np.arange(len(Phi))) / max(self.annealing - 1, 1)
        first, last = self.rates
        removed = first + np.minimum(done, 1.0) * (last - first)
        if not self.normalized:
            removed = removed * (np.einsum("ij,ij->i", Phi, Phi) + self.fit_intercept)
        rates = _repeated(removed, weight)
        with np.errstate(over="ignore", invalid="ignore"):  # plain steps may run away
            backend().lms_(
                np.ascontiguousarray(Phi),
                np.ascontiguousarray(targets),
                rates,
                float(self.fit_intercept),
                coef,
                intercept,
                errors,
            )
        state = replace(self, coef=coef, intercept=intercept, n_seen=self.n_seen + len(Phi))
        return state, errors


def _repeated(removed: FloatArray, weight: FloatArray) -> FloatArray:
    """Part of an error that s equal steps remove, of which each removes a given part."""
    left = 1.0 - removed
    # A plain step may overshoot: then copies alternate, and fractions of a copy cannot.
    return np.asarray(1.0 - np.sign(left) ** np.round(weight) * np.abs(left) ** weight)


def learning_curve(errors: FloatArray, weight: FloatArray) -> list[float]:
    """Weighted means of squared errors (n_samples, n_outputs) of every ``CURVE_ROWS`` samples."""
    starts = np.arange(0, len(errors), CURVE_ROWS)
    with np.errstate(over="ignore"):  # targets near 1e200 have squares that no number can hold
        squares = np.add.reduceat(weight * (errors**2).mean(axis=1), starts)
    return list(squares / np.add.reduceat(weight, starts))
