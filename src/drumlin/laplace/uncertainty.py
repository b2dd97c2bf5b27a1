r"""How uncertain a fitted network is, in little memory: what a model keeps of its quadratic model.

A score that moves by B with weights, centers and widths (``slopes``) has the variance
:math:`B \Sigma B'`. With :math:`\sigma` the standard deviations of these variables,

.. math:: \Sigma = \mathrm{diag}(\sigma) \, R R' \, \mathrm{diag}(\sigma)

has a triangle R with rows of length one, kept in as few bits per entry as standard deviations of
new targets allow. A few leading directions instead would not do: where a variance matters, nearly
all directions are in it (docs/model-files.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.basis import Nodes
from drumlin.laplace.quadratic import LocalFit
from drumlin.laplace.rounding import LEAST_BITS, MOST_BITS, RoundedTriangle
from drumlin.laplace.slopes import Slopes
from drumlin.laplace.solution import Solution

TOLERANCE = 0.005
"""Part by which no standard deviation (of noise and network) of a row drawn may change."""

_FIRST_BITS = 8
_AT_ONCE = 500_000
"""Derivatives computed at once."""


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
        slopes = _slopes(nodes, coef, local.sample.X).rows(shared=shared)
        half = solve_triangular(local.model.factor, solution.chain().T, lower=True)
        scale = np.maximum(np.linalg.norm(half, axis=0), np.finfo(np.float32).tiny)
        single = scale.astype(np.float32)
        likely = slopes * single * np.sqrt(local.sample.weight)[:, None]
        order = np.argsort(-np.einsum("np,np->p", likely, likely), kind="stable")
        _, upper = np.linalg.qr((half / scale)[:, order])
        triangle = np.ascontiguousarray(upper.T)
        exact = cls(nodes, coef, shared, single, order.astype(np.int16), triangle)
        return exact._rounded(likely[:, order], local)

    def _rounded(self, likely: FloatArray, local: LocalFit) -> Uncertainty:
        """Return it in as few bits as do; itself where none do."""
        assert isinstance(self.factor, np.ndarray)
        X, noise = local.sample.X, local.sample.noise
        floor = np.finfo(float).tiny
        total = np.maximum(local.variance + noise, floor)
        bits, best, tried = _FIRST_BITS, self, set[int]()
        while LEAST_BITS <= bits <= MOST_BITS and bits not in tried:
            rounded = self._with(RoundedTriangle.of(self.factor, likely, bits))
            change = np.abs(np.sqrt((rounded.variances(X) + noise) / total) - 1.0).max()
            tried.add(bits)
            if change <= TOLERANCE:
                best, bits = rounded, bits - 1
            else:
                bits += 1
        return best

    def _with(self, factor: RoundedTriangle) -> Uncertainty:
        return Uncertainty(self.nodes, self.coef, self.shared, self.scale, self.order, factor)

    def variances(self, Z: FloatArray) -> FloatArray:
        """Variances (n_samples,) of the scores at mapped samples (n_samples, n_features)."""
        factor = self.factor.matrix() if isinstance(self.factor, RoundedTriangle) else self.factor
        step = max(1, _AT_ONCE // max(1, self.nodes.centers.size))
        variance = np.empty(len(Z))
        for start in range(0, len(Z), step):
            rows = slice(start, start + step)
            slopes = _slopes(self.nodes, self.coef, Z[rows]).rows(shared=self.shared)
            moved = (slopes * self.scale)[:, self.order] @ factor
            variance[rows] = np.einsum("nk,nk->n", moved, moved)
        return variance


def _slopes(nodes: Nodes, coef: FloatArray, Z: FloatArray) -> Slopes:
    return Slopes.of(Z, nodes.centers, 1.0 / nodes.widths, coef)
