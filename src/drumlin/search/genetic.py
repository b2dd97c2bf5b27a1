r"""The genetic search of ando2004 (section 3.3).

Individuals are subsets. A generation draws parents with probability proportional to
:math:`\exp(-\mathrm{cost}/2)`, eq. (15), swaps tails of pairs, replaces single genes by random ones
and keeps the best individual (elitism, which the paper does not mention but needs). The whole
population moves in a few array operations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.search.base import TrackedSearch
from drumlin.search.spaces import BitStrings
from drumlin.search.tracking import Tracker


class GeneticSearch(TrackedSearch):
    """Genetic search over subsets; the defaults are the settings of ando2004.

    Parameters
    ----------
    population : int, default=100
        Individuals in a generation.
    n_generations : int, default=100
        Generations after the first.
    crossover, mutation : float, default=0.5 and 0.25
        Chance that a pair swaps tails; that one gene of an individual becomes a random one.
    start_sizes : tuple of float, default=(3, 20)
        Range of the expected sizes of the first individuals. Much larger ones stall: their costs
        differ so much that a single one becomes the parent of all.

    See Also
    --------
    GreedySearch

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import BitStrings, GeneticSearch
    >>> wanted = np.arange(8) % 2 == 0
    >>> found = GeneticSearch(30, 30).minimize(
    ...     lambda subsets: (subsets != wanted).sum(axis=1).astype(float),
    ...     BitStrings(8),
    ...     rng=np.random.RandomState(0),
    ... )
    >>> int(found.x.sum()), found.cost
    (4, 0.0)
    """

    def __init__(
        self,
        population: int = 100,
        n_generations: int = 100,
        *,
        crossover: float = 0.5,
        mutation: float = 0.25,
        start_sizes: tuple[float, float] = (3.0, 20.0),
    ):
        self.population = population
        self.n_generations = n_generations
        self.crossover = crossover
        self.mutation = mutation
        self.start_sizes = start_sizes

    def _search(
        self,
        tracker: Tracker,
        space: BitStrings,
        rng: np.random.RandomState,
        start: BoolArray | None,
    ) -> None:
        """Evaluate generation after generation."""
        tracker.remember()
        individuals = space.sample(rng.uniform(*self.start_sizes, size=self.population), rng)
        if start is not None:
            individuals[: len(start)] = start[: self.population]
        for _ in range(self.n_generations + 1):
            costs = tracker.evaluate(individuals)
            if tracker.end_iteration():
                return
            individuals = self._next(individuals, costs, tracker.result.x, rng)

    def _next(
        self, individuals: BoolArray, costs: FloatArray, best: Any, rng: np.random.RandomState
    ) -> BoolArray:
        """Selection, crossover, mutation; the best individual so far comes first."""
        n, n_bits = individuals.shape
        least = costs.min() if np.isfinite(costs.min()) else 0.0
        fitness = np.exp(-0.5 * (costs - least))  # eq. (15)
        total = fitness.sum()
        children = individuals[rng.choice(n, n, p=fitness / total if total > 0.0 else None)]
        # The draw is independent, so neighbours are random pairs.
        mothers, fathers = children[: n // 2 * 2 : 2], children[1::2]
        cut = rng.randint(1, max(n_bits, 2), size=len(mothers))
        crossed = rng.uniform(size=len(mothers)) < self.crossover
        tail = (np.arange(n_bits) >= cut[:, None]) & crossed[:, None] & (mothers != fathers)
        mothers ^= tail
        fathers ^= tail
        mutants = np.flatnonzero(rng.uniform(size=n) < self.mutation)
        genes = rng.randint(n_bits, size=len(mutants))
        children[mutants, genes] = rng.randint(2, size=len(mutants)).astype(bool)
        children[0] = best
        return np.asarray(children)
