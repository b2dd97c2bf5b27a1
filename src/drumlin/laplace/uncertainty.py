r"""How uncertain a fitted network is, in little memory: what a model keeps of its quadratic model.

A score that moves by B with weights, centers and widths (``slopes``) has the variance
:math:`B \Sigma B'`. With :math:`\sigma` the standard deviations of these variables,

.. math:: \Sigma = \mathrm{diag}(\sigma) \, R R' \, \mathrm{diag}(\sigma)

has a triangle R with rows of length one, kept in as few bits per entry as standard deviations of
new targets allow. A few leading directions instead would not do: where a variance matters, nearly
all directions are in it (docs/model-files.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.basis import Nodes
from drumlin.laplace.quadratic import LocalFit
from drumlin.laplace.rounding import LEAST_BITS, MOST_BITS, RoundedTriangle, compensation
from drumlin.laplace.slopes import Slopes
from drumlin.laplace.solution import Solution

TOLERANCE = 0.005
"""Part by which no standard deviation (of noise and network) of a row drawn may change."""

_FIRST_BITS = 7
_ROWS = 500
"""Rows that are enough to judge a rounding by."""
_AT_ONCE = 500_000
"""Derivatives computed at once."""


@dataclass(frozen=True)
class MeanVariance:
    """How uncertain a network with too many variables is in the mean.

    Parameters
    ----------
    variance : float
        Of its scores.
    """

    variance: float

    def variances(self, Z: FloatArray) -> FloatArray:
        """Variances (n_samples,) of the scores at mapped samples (n_samples, n_features)."""
        return np.full(len(Z), self.variance)


@dataclass(frozen=True)
class Uncertainty:
    """Covariance of the variables of a network with one output.

    Parameters
    ----------
    nodes : Nodes
        As they were when it was formed; a truncated model has fewer.
    coef : ndarray of shape (n_nodes, 1)
    shared : bool
        Whether widths that all nodes share are uncertain, else centers and widths of each.
    scale : ndarray of float32 of shape (n_slopes,)
        Standard deviations of the variables.
    order : ndarray of int16 of shape (n_slopes,)
        Which variable every row of the factor belongs to.
    factor : RoundedTriangle or ndarray of shape (n_slopes, n_directions)
        Of the correlations of the variables.
    """

    nodes: Nodes
    coef: FloatArray
    shared: bool
    scale: NDArray[np.float32]
    order: NDArray[np.int16]
    factor: RoundedTriangle | FloatArray

    @classmethod
    def of(cls, solution: Solution, nodes: Nodes, local: LocalFit) -> Uncertainty:
        """Keep what is known of a solution.

        Parameters
        ----------
        solution : Solution
        nodes : Nodes
            Its nodes.
        local : LocalFit
            Its quadratic model, and the rows that it was formed on.
        """
        coef, shared = solution.nodes().coef, solution.shares_widths
        half = solve_triangular(local.model.factor, solution.chain().T, lower=True)
        exact = np.maximum(np.linalg.norm(half, axis=0), np.finfo(np.float32).tiny)
        scale = exact.astype(np.float32)
        some = local.sample.draw(_ROWS)
        likely = _slopes(nodes, coef, some.X).rows(shared=shared) * scale
        order = np.argsort(-(some.weight @ likely**2), kind="stable")
        triangle = np.asarray(np.linalg.qr((half / exact)[:, order], mode="r")).T
        factor = _rounded(triangle, likely[:, order], local.sample.noise)
        return cls(nodes, coef, shared, scale, order.astype(np.int16), factor)

    def variances(self, Z: FloatArray) -> FloatArray:
        """Variances (n_samples,) of the scores at mapped samples (n_samples, n_features)."""
        factor = self.factor.matrix() if isinstance(self.factor, RoundedTriangle) else self.factor
        step = max(1, _AT_ONCE // max(1, self.nodes.centers.size))
        variance = np.empty(len(Z))
        for start in range(0, len(Z), step):
            rows = slice(start, start + step)
            slopes = _slopes(self.nodes, self.coef, Z[rows]).rows(shared=self.shared)
            variance[rows] = _squares((slopes * self.scale)[:, self.order] @ factor)
        return variance


def _rounded(
    triangle: FloatArray, likely: FloatArray, noise: float
) -> RoundedTriangle | FloatArray:
    """Round a factor to as few bits as do for likely rows; return itself where none do."""
    total = np.maximum(_squares(likely @ triangle) + noise, np.finfo(float).tiny)
    shift = compensation(likely)
    bits, step, tried = _FIRST_BITS, 1, set[int]()
    best: RoundedTriangle | FloatArray = np.ascontiguousarray(triangle)
    while step and LEAST_BITS <= bits <= MOST_BITS and bits not in tried:
        tried.add(bits)
        rounded = RoundedTriangle.of(triangle, shift, bits)
        ratio = (_squares(likely @ rounded.matrix()) + noise) / total
        change = np.fmin(np.abs(np.sqrt(ratio) - 1.0).max() / TOLERANCE, 2.0**MOST_BITS)
        excess = np.log2(change + 2.0**-MOST_BITS)
        step = math.ceil(excess + 0.3)  # every bit halves the error, or does a little more
        if excess <= 0.0:
            best, step = rounded, min(step, 0)
        bits = max(LEAST_BITS, bits + step)
    return best


def _squares(moved: FloatArray) -> FloatArray:
    """Squared lengths (n_rows,) of rows."""
    return np.asarray(np.einsum("nk,nk->n", moved, moved))


def _slopes(nodes: Nodes, coef: FloatArray, Z: FloatArray) -> Slopes:
    return Slopes.of(Z, nodes.centers, 1.0 / nodes.widths, coef)
