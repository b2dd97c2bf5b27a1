"""What a search is: a batch cost and a space in, the best point seen out.

A search moves points and knows no network: the cost may be anything that takes a batch of points
and returns one number for each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._typing import BoolArray, FloatArray

BatchCost = Callable[[Any], FloatArray]
"""Costs (m,) of m points; infinite where a point is not admissible, never NaN."""


class SubsetCost(ABC):
    """A batch cost of subsets that can also guess, cheaply, what its neighbours cost.

    Searches may use a plain ``BatchCost`` everywhere; with this one they can evaluate promising
    neighbours only.
    """

    @abstractmethod
    def __call__(self, subsets: BoolArray) -> FloatArray:
        """Costs (m,) of m subsets, the rows of an array of shape (m, n_bits)."""

    @abstractmethod
    def estimate_flips(self, subset: BoolArray) -> FloatArray:
        """Guess the costs (n_bits,) of a subset with each bit flipped; infinite: never try it."""


@dataclass(frozen=True)
class Box:
    """Points between two corners, each coordinate by itself.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_dimensions,)
        ``lower <= upper``; where they are equal the coordinate is fixed.
    """

    lower: FloatArray
    upper: FloatArray

    @property
    def n_dimensions(self) -> int:
        """Coordinates of a point."""
        return len(self.lower)

    @property
    def span(self) -> FloatArray:
        """Edges of the box."""
        return self.upper - self.lower

    def sample(self, n: int, rng: np.random.RandomState) -> FloatArray:
        """Points (n, n_dimensions) drawn uniformly."""
        return self.lower + rng.uniform(size=(n, self.n_dimensions)) * self.span

    def clip(self, points: FloatArray) -> FloatArray:
        """Nearest points of the box."""
        return np.clip(points, self.lower, self.upper)


@dataclass(frozen=True)
class BitStrings:
    """Subsets of ``n_bits`` things, as rows of booleans.

    Parameters
    ----------
    n_bits : int
    """

    n_bits: int

    def sample(self, sizes: FloatArray, rng: np.random.RandomState) -> BoolArray:
        """Subsets (len(sizes), n_bits) of given expected sizes, every thing by itself."""
        chance = np.minimum(sizes / self.n_bits, 1.0)
        return np.asarray(rng.uniform(size=(len(sizes), self.n_bits)) < chance[:, None])


@dataclass
class SearchResult:
    """What a search has found, while it runs and when it ends.

    Attributes
    ----------
    x : ndarray of shape (n_dimensions,)
        Best point evaluated.
    cost : float
        Its cost.
    costs : list of float
        Best cost so far after every iteration, starting with the first points.
    n_evaluations : int
        Points whose cost was computed.
    interrupted : bool
        Whether the user broke off; the best so far stands.
    """

    x: Any
    cost: float = np.inf
    costs: list[float] = field(default_factory=list)
    n_evaluations: int = 0
    interrupted: bool = False

    def consider(self, points: Any, costs: FloatArray) -> None:
        """Count a batch of evaluated points and keep the best; of equal ones the first."""
        self.n_evaluations += len(costs)
        best = int(np.argmin(costs))
        if costs[best] < self.cost or not self.n_evaluations - len(costs):
            self.x, self.cost = points[best].copy(), float(costs[best])


class Search(BaseEstimator, ABC):
    """A minimiser of batch costs.

    The result depends on the cost, the space, the start and ``rng`` alone.

    Attributes
    ----------
    follows_a_path : bool
        Whether it moves from small subsets to larger ones, so that two runs which have reached the
        same size can be compared.
    """

    follows_a_path = False

    @abstractmethod
    def minimize(
        self,
        cost: BatchCost,
        space: Any,
        rng: np.random.RandomState,
        *,
        start: Any = None,
        on_iteration: Callable[[SearchResult], bool] | None = None,
    ) -> SearchResult:
        """Look for the point of least cost.

        Parameters
        ----------
        cost : callable
            From m points to their m costs.
        space : Box or BitStrings
        rng : RandomState
            The only source of randomness.
        start : ndarray of shape (n, n_dimensions) or None
            Points to begin with; the search draws its own where it wants more.
        on_iteration : callable or None
            Called after every iteration with the result so far; a true answer ends the search.

        Returns
        -------
        SearchResult
            Never worse than any point evaluated. A KeyboardInterrupt after the first iteration
            ends the search and keeps the best so far.
        """
