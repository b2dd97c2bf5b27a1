"""What a search is: a batch cost and a space in, the best point seen out.

A search moves points and knows no network: the cost may be anything that takes a batch of points
and returns one number for each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._typing import BoolArray, FloatArray
from drumlin.search.spaces import Box
from drumlin.search.tracking import BatchCost, Listener, SearchResult, Tracker


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

    def check(self) -> None:
        """Refuse parameters that break their rules; ``minimize`` does so first."""

    @abstractmethod
    def minimize(
        self,
        cost: BatchCost,
        space: Any,
        rng: np.random.RandomState,
        *,
        start: Any = None,
        on_iteration: Listener | None = None,
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


class TrackedSearch(Search):
    """A search whose evaluations and iterations are counted, told of and kept by a tracker."""

    def minimize(
        self,
        cost: BatchCost,
        space: Any,
        rng: np.random.RandomState,
        *,
        start: Any = None,
        on_iteration: Listener | None = None,
    ) -> SearchResult:
        """Look for the point of least cost; see ``Search.minimize``."""
        self.check()
        tracker = Tracker(cost, on_iteration)
        with tracker.surviving_interrupt():
            self._search(tracker, space, rng, start)
        return tracker.result

    @abstractmethod
    def _search(self, tracker: Tracker, space: Any, rng: np.random.RandomState, start: Any) -> None:
        """Evaluate and move points, until the last iteration or an end of the tracker's."""


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


class PopulationSearch(TrackedSearch, BoxSearch):
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
