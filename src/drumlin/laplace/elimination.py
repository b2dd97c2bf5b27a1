r"""Backward elimination of nodes by the quadratic model of the loss around its minimum.

Dropping node j and letting the other weights follow raises the penalised loss by

.. math:: \tfrac12 \sum_k W_{jk}^2 / (H_k^{-1})_{jj}

with H_k the Hessian of output k in (W, b). Exact for the quadratic; every removal is a rank-one
downdate of the inverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray, IntArray
from drumlin.basis.nodes import gaussian_blocks
from drumlin.laplace.quadratic import LEAST_CURVATURE, gauss_newton_factor
from drumlin.laplace.solution import Solution
from drumlin.linear.least_squares import LeastSquares
from drumlin.losses import Loss
from drumlin.sample import Sample


@dataclass
class Elimination:
    """Nodes that can be dropped one after the other.

    Parameters
    ----------
    weights : ndarray of shape (n_nodes + 1, n_outputs)
        Weights of the nodes, then the intercept; updated as nodes go.
    inverse : ndarray of shape (n_hessians, n_nodes + 1, n_nodes + 1)
        Inverse Hessians: one per output, or one for all.
    """

    weights: FloatArray
    inverse: FloatArray

    def __post_init__(self) -> None:
        self.alive = np.ones(len(self.weights) - 1, dtype=bool)

    @classmethod
    def of(
        cls, solution: Solution, sample: Sample, loss: Loss, *, shared: bool = False
    ) -> Elimination:
        """Set up the quadratic model of fitted weights.

        Parameters
        ----------
        solution : Solution
        sample : Sample
        loss : Loss
        shared : bool
            One Hessian with the mean curvature for all outputs (less to store).
        """
        nodes, penalties = solution.nodes(), solution.weight_penalties()
        blocks = _curved_blocks(solution, sample, loss)
        if shared:
            mean = ((H, weight * curvature.mean(axis=1)) for H, weight, curvature in blocks)
            inverse = [_inverse(mean, penalties)]
        else:
            inverse = _inverses(list(blocks), penalties)
        return cls(np.vstack([nodes.coef, nodes.intercept]), np.array(inverse))

    @classmethod
    def of_least_squares(cls, posterior: LeastSquares) -> Elimination:
        """Set up the model of least squares: quadratic itself, one Hessian for all outputs."""
        covariance = np.pad(posterior.P, (0, 1))
        if posterior.fit_intercept:  # it is the mean target minus that of the nodes' sum
            mean = posterior.factor.mean
            covariance[-1, :-1] = covariance[:-1, -1] = -posterior.P @ mean
            covariance[-1, -1] = mean @ posterior.P @ mean + 1.0 / posterior.factor.totals[0]
        return cls(np.vstack([posterior.coef, posterior.intercept]), covariance[None])

    def cheapest(self) -> tuple[int, float]:
        """Return the node whose loss costs least, and that cost."""
        diagonal = np.einsum("kjj->jk", self.inverse)[:-1]
        with np.errstate(over="ignore"):  # what has next to no variance may cost any number
            rise = 0.5 * (self.weights[:-1] ** 2 / np.maximum(diagonal, 1e-300)).sum(axis=1)
        left = np.flatnonzero(self.alive)  # even where all their costs overflow
        j = int(left[rise[left].argmin()])
        return j, float(rise[j])

    def drop(self, j: int) -> None:
        """Drop node j; the other weights move to the minimum without it."""
        columns = self.inverse[:, :, j] / self.inverse[:, j, j][:, None]
        self.weights = self.weights - columns.T * self.weights[j]
        for inverse, column in zip(self.inverse, columns, strict=True):
            inverse -= np.outer(column, inverse[j])
        self.weights[j] = 0.0
        self.inverse[:, j, :] = self.inverse[:, :, j] = 0.0
        self.alive[j] = False

    def until(self, *, price: float = np.inf, n_nodes: int = 1) -> float:
        """Drop the cheapest node while it costs less than the price and more than n remain.

        Returns
        -------
        float
            What the dropped nodes cost.
        """
        cost = 0.0
        while self.alive.sum() > n_nodes:
            j, rise = self.cheapest()
            if rise >= price:
                break
            self.drop(j)
            cost += rise
        return cost

    def prune(self, price: float, max_nodes: int | None) -> IntArray:
        """Drop nodes that are not worth their price, then those beyond a limit; return the rest."""
        self.until(price=price)
        if max_nodes is not None:
            self.until(n_nodes=max_nodes)
        return np.flatnonzero(self.alive)

    def reduced(self, n_nodes: int) -> tuple[IntArray, Elimination, float]:
        """Nodes that matter most, the model of their weights, and the loss of the others.

        This model is unchanged.
        """
        rest = Elimination(self.weights, self.inverse.copy())
        cost = rest.until(n_nodes=n_nodes)
        kept = np.flatnonzero(rest.alive)
        left = np.append(kept, len(self.weights) - 1)
        return kept, Elimination(rest.weights[left], rest.inverse[:, left][:, :, left]), cost


class _Curved(NamedTuple):
    """A block of rows: activations and ones, weights, and curvatures by output."""

    H: FloatArray
    weight: FloatArray
    curvature: FloatArray


def _curved_blocks(solution: Solution, sample: Sample, loss: Loss) -> Iterator[_Curved]:
    nodes = solution.nodes()
    for rows, Phi in gaussian_blocks(sample.X, nodes.centers, nodes.inv_widths):
        curvature = loss.curvatures(Phi @ nodes.coef + nodes.intercept)
        H = np.column_stack([Phi, np.ones(len(Phi))])
        yield _Curved(H, sample.loss_weight[rows], np.maximum(curvature, LEAST_CURVATURE))


def _inverses(blocks: list[_Curved], penalties: FloatArray) -> list[FloatArray]:
    """Inverse Hessians of the outputs."""
    n_outputs = blocks[0].curvature.shape[1]
    return [
        _inverse(((H, weight * curvature[:, k]) for H, weight, curvature in blocks), penalties)
        for k in range(n_outputs)
    ]


def _inverse(blocks: Iterable[tuple[FloatArray, FloatArray]], penalties: FloatArray) -> FloatArray:
    """Inverse of ``H' diag(curvature) H`` plus penalties."""
    factor = gauss_newton_factor(blocks, penalties)
    half = solve_triangular(factor, np.eye(len(factor)), lower=True, check_finite=False)
    return np.asarray(half.T @ half)
