"""What a search is: a batch cost and a space in, the best point seen out.

A search moves points and knows no network: the cost may be anything that takes a batch of points
and returns one number for each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
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

    See Also
    --------
    GreedySearch

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import BitStrings, GreedySearch, SubsetCost
    >>> class Wanted(SubsetCost):
    ...     wanted = np.arange(8) % 2 == 0
    ...     def __call__(self, subsets):
    ...         return (subsets != self.wanted).sum(axis=1).astype(float)
    ...     def estimate_flips(self, subset):
    ...         return np.where(subset != self.wanted, -1.0, 1.0)
    >>> rng = np.random.RandomState(0)
    >>> GreedySearch(n_trials=1).minimize(Wanted(), BitStrings(8), rng).cost
    0.0
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

    See Also
    --------
    BitStrings

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import Box
    >>> Box(np.zeros(2), np.array([1.0, 2.0])).clip(np.array([[0.5, 3.0]]))
    array([[0.5, 2. ]])
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

    See Also
    --------
    Box

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import BitStrings
    >>> BitStrings(5).sample(np.array([0.0, 5.0]), np.random.RandomState(0)).sum(axis=1)
    array([0, 5])
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

    See Also
    --------
    Search

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import SearchResult
    >>> result = SearchResult(np.zeros(1))
    >>> result.consider(np.array([[3.0], [1.0]]), np.array([9.0, 1.0]))
    >>> result.cost, result.n_evaluations
    (1.0, 2)
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


class Tracker:
    """Evaluates batches and keeps the best point seen.

    Parameters
    ----------
    cost : callable
    on_iteration : callable or None
        Called by ``end_iteration``.

    Attributes
    ----------
    result : SearchResult

    See Also
    --------
    SearchResult

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import Tracker
    >>> tracker = Tracker(lambda points: points[:, 0] ** 2)
    >>> tracker.evaluate(np.array([[2.0], [-1.0]]))
    array([4., 1.])
    >>> tracker.result.cost
    1.0
    """

    def __init__(
        self, cost: BatchCost, on_iteration: Callable[[SearchResult], bool] | None = None
    ) -> None:
        self.cost = cost
        self.on_iteration = on_iteration
        self.result = SearchResult(None)

    def evaluate(self, points: Any) -> FloatArray:
        """Costs of some points, the first of equally good ones kept."""
        costs = self.cost(points)
        self.result.consider(points, costs)
        return costs

    def end_iteration(self) -> bool:
        """Note the best cost so far; True where somebody wants the search to end."""
        self.result.costs.append(self.result.cost)
        return self.on_iteration is not None and bool(self.on_iteration(self.result))

    @contextmanager
    def surviving_interrupt(self) -> Iterator[None]:
        """Keep what was found when the user breaks off; where nothing was, raise."""
        try:
            yield
        except KeyboardInterrupt:
            if self.result.x is None:
                raise
            self.result.interrupted = True


class Search(BaseEstimator, ABC):
    """A minimiser of batch costs.

    The result depends on the cost, the space, the start and ``rng`` alone.

    Attributes
    ----------
    follows_a_path : bool
        Whether it moves from small subsets to larger ones, so that two runs which have reached the
        same size can be compared.

    See Also
    --------
    SwarmSearch
    GeneticSearch
    GreedySearch

    Examples
    --------
    >>> from drumlin.search import GreedySearch, Search, SwarmSearch
    >>> [isinstance(search, Search) for search in (SwarmSearch(), GreedySearch())]
    [True, True]
    """

    follows_a_path = False

    def scout(self) -> Search:
        """Return a search that is quicker and good enough to compare problems with; itself."""
        return self

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


class BoxSearch(Search):
    """A search over a box that begins with a known number of points.

    Attributes
    ----------
    n_starts : int
    n_iterations : int
        Most iterations after the first points.

    See Also
    --------
    SwarmSearch
    DifferentialEvolution
    BoostingSearch

    Examples
    --------
    >>> from drumlin.search import BoxSearch, SwarmSearch
    >>> isinstance(SwarmSearch(), BoxSearch), SwarmSearch().n_starts
    (True, 20)
    """

    n_iterations: int

    @property
    @abstractmethod
    def n_starts(self) -> int:
        """Points the search begins with."""

    @abstractmethod
    def check(self) -> None:
        """Refuse parameters that break their rules; ``minimize`` does so first."""

    def _check_pair(self, name: str, below: float, meaning: str) -> None:
        """Refuse a parameter that is not two numbers from 0 to less than ``below``."""
        value = getattr(self, name)
        good = len(value) == 2 and all(
            isinstance(c, Real) and 0.0 <= float(c) < below for c in value
        )
        if not good:
            raise ValueError(
                f"The {name!r} parameter of {type(self).__name__} must be two numbers in the "
                f"range [0, {below:g}), {meaning}. Got {value!r}."
            )

    def _first_points(
        self, space: Box, rng: np.random.RandomState, start: FloatArray | None
    ) -> FloatArray:
        """Given points first, random ones to fill up."""
        given = np.empty((0, space.n_dimensions)) if start is None else start[: self.n_starts]
        return np.vstack([space.clip(given), space.sample(self.n_starts - len(given), rng)])


class PopulationSearch(BoxSearch):
    """A search over a box that moves a population of points.

    Attributes
    ----------
    n_particles : int
        Size of the population.

    See Also
    --------
    SwarmSearch
    DifferentialEvolution

    Examples
    --------
    >>> from drumlin.search import DifferentialEvolution, PopulationSearch
    >>> isinstance(DifferentialEvolution(), PopulationSearch)
    True
    """

    n_particles: int

    @property
    def n_starts(self) -> int:
        """Points the search begins with."""
        return self.n_particles

    def minimize(
        self,
        cost: BatchCost,
        space: Box,
        rng: np.random.RandomState,
        *,
        start: FloatArray | None = None,
        on_iteration: Callable[[SearchResult], bool] | None = None,
    ) -> SearchResult:
        """See ``Search.minimize``."""
        self.check()
        tracker = Tracker(cost, on_iteration)
        with tracker.surviving_interrupt():
            self._search(tracker, space, rng, self._first_points(space, rng, start))
        return tracker.result

    @abstractmethod
    def _search(
        self, tracker: Tracker, space: Box, rng: np.random.RandomState, points: FloatArray
    ) -> None:
        """Evaluate and move points, until the last iteration or an end of the tracker's."""
