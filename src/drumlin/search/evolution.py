"""Differential evolution: SciPy's, behind our interface."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy.optimize import differential_evolution
from sklearn.utils._param_validation import Interval

from drumlin._typing import FloatArray
from drumlin.search.base import PopulationSearch
from drumlin.search.spaces import Box
from drumlin.search.tracking import Tracker

INADMISSIBLE = 1e100
"""Stands for an infinite cost: SciPy's convergence test takes means and deviations."""


class DifferentialEvolution(PopulationSearch):
    """SciPy's ``differential_evolution``, a whole generation at a time.

    Parameters
    ----------
    n_particles : int, default=20
        Size of the population, at least 5 (SciPy's rule).
    n_iterations : int, default=40
        Generations after the first.
    mutation : tuple of two floats, default=(0.5, 1.0)
        Range from which the differential weight of a generation is drawn, below 2 (SciPy's rule).
    recombination : float, default=0.7
        Crossover probability.

    See Also
    --------
    SwarmSearch
    BoostingSearch

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import Box, DifferentialEvolution
    >>> box = Box(np.zeros(2), np.ones(2))
    >>> found = DifferentialEvolution().minimize(
    ...     lambda points: ((points - 0.3) ** 2).sum(axis=1), box, rng=np.random.RandomState(0)
    ... )
    >>> found.cost < 1e-3
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_particles": [Interval(Integral, 5, None, closed="left")],
        "n_iterations": [Interval(Integral, 0, None, closed="left")],
        "mutation": [tuple, list],
        "recombination": [Interval(Real, 0, 1, closed="both")],
    }

    def __init__(
        self,
        n_particles: int = 20,
        n_iterations: int = 40,
        *,
        mutation: tuple[float, float] = (0.5, 1.0),
        recombination: float = 0.7,
    ) -> None:
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.mutation = mutation
        self.recombination = recombination

    def check(self) -> None:
        """See ``Search.check``."""
        self._validate_params()
        self._check_pair("mutation", 2.0, "the least and the largest")

    def _search(
        self, tracker: Tracker, space: Box, rng: np.random.RandomState, start: FloatArray | None
    ) -> None:
        """Let SciPy move the points; costs that are infinite are very high ones for it."""
        points = self._first_points(space, rng, start)
        ends: list[bool] = []  # whether the search shall end with the first points

        def finite_costs(columns: FloatArray) -> FloatArray:
            costs = tracker.evaluate(space.clip(columns.T))
            if not tracker.result.costs:  # SciPy does not tell of the first points
                ends.append(tracker.end_iteration())
            return np.minimum(costs, INADMISSIBLE)

        def end_generation(intermediate_result: Any) -> bool:
            return tracker.end_iteration() or any(ends)

        differential_evolution(
            finite_costs,
            np.stack([space.lower, space.upper], axis=1),
            maxiter=self.n_iterations,
            init=points,
            mutation=tuple(self.mutation),
            recombination=self.recombination,
            rng=np.random.default_rng(rng.randint(2**31)),
            polish=False,
            vectorized=True,
            updating="deferred",
            callback=end_generation,
        )
