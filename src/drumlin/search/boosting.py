"""Repeated weighted boosting search: the predecessor of the swarm that chen2010 compares with."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval

from drumlin._typing import FloatArray
from drumlin.search.base import PopulationSearch
from drumlin.search.spaces import Box
from drumlin.search.tracking import Tracker


class BoostingSearch(PopulationSearch):
    r"""A population whose worst point gives way to a weighted mean of all, or its mirror image.

    In every generation the best point so far is joined by random ones. Then, again and again,
    weights :math:`\delta_i` move to points of low cost as in AdaBoost: with
    :math:`\bar J_i = J_i / \sum_j J_j` and :math:`\beta = \xi/(1 - \xi)`,
    :math:`\xi = \sum_i \delta_i \bar J_i`,

    .. math:: \delta_i \leftarrow \delta_i \beta^{\bar J_i} \; (\beta \le 1), \qquad
              \delta_i \leftarrow \delta_i \beta^{1 - \bar J_i} \; (\beta > 1),

    normalised; the better of :math:`m = \sum_i \delta_i u_i` and of its mirror image
    :math:`2 u_{best} - m`, kept inside the box, takes the place of the worst point [1]_. Reference
    [9] of chen2010, by which its references [7] and [8] found their nodes.

    Parameters
    ----------
    n_particles : int, default=10
        Size of the population, at least 3.
    n_generations : int, default=20
        Generations.
    n_boosts : int, default=20
        Most replacements in a generation.
    closeness : float, default=1e-3
        A generation ends where the mean and its mirror image are nearer than this part of the box
        in every coordinate.

    References
    ----------
    .. [1] S. Chen, X. X. Wang, C. J. Harris, "Experiments with repeating weighted boosting search
       for optimization in signal processing applications", IEEE Trans. SMC B 35(4), 2005.

    See Also
    --------
    SwarmSearch
    DifferentialEvolution

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import BoostingSearch, Box
    >>> box = Box(np.zeros(2), np.ones(2))
    >>> found = BoostingSearch().minimize(
    ...     lambda points: ((points - 0.3) ** 2).sum(axis=1), box, rng=np.random.RandomState(0)
    ... )
    >>> found.cost < 1e-3
    True
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_particles": [Interval(Integral, 3, None, closed="left")],
        "n_generations": [Interval(Integral, 1, None, closed="left")],
        "n_boosts": [Interval(Integral, 1, None, closed="left")],
        "closeness": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        n_particles: int = 10,
        n_generations: int = 20,
        *,
        n_boosts: int = 20,
        closeness: float = 1e-3,
    ) -> None:
        self.n_particles = n_particles
        self.n_generations = n_generations
        self.n_boosts = n_boosts
        self.closeness = closeness

    @property
    def n_iterations(self) -> int:  # type: ignore[override]
        """Most batches after the first points: pairs, and points of new generations."""
        return self.n_generations * (self.n_boosts + 1) - 1

    def check(self) -> None:
        """See ``Search.check``."""
        self._validate_params()

    def _search(
        self, tracker: Tracker, space: Box, rng: np.random.RandomState, start: FloatArray | None
    ) -> None:
        """All generations; the best point and random ones begin each but the first."""
        points = self._first_points(space, rng, start)
        costs = tracker.evaluate(points).copy()
        for generation in range(self.n_generations):
            if generation:
                points = np.vstack([tracker.result.x, space.sample(self.n_particles - 1, rng)])
                costs = np.append(tracker.result.cost, tracker.evaluate(points[1:]))
            if tracker.end_iteration() or self._boost_(points, costs, tracker, space):
                return

    def _boost_(self, points: FloatArray, costs: FloatArray, tracker: Tracker, space: Box) -> bool:
        """Replace the worst point again and again, in place; True where the search shall end."""
        weights = np.full(len(points), 1.0 / len(points))
        for _ in range(self.n_boosts):
            weights = boosted(weights, costs)
            mean = space.clip(weights @ points)  # a mean may round to outside
            mirrored = space.clip(2.0 * points[np.argmin(costs)] - mean)
            pair = np.stack([mean, mirrored])
            new = tracker.evaluate(pair)
            best, worst = int(np.argmin(new)), int(np.argmax(costs))
            points[worst], costs[worst] = pair[best], new[best]
            if tracker.end_iteration():
                return True
            if (np.abs(mean - mirrored) <= self.closeness * space.span).all():
                break
        return False


def boosted(weights: FloatArray, costs: FloatArray) -> FloatArray:
    """Weights (n,) after one boost by the costs (n,) of their points.

    Costs are taken from the least one where they may be negative, and infinite ones as twice the
    largest: only ratios matter.
    """
    finite = np.isfinite(costs)
    if not finite.any():
        return weights
    J = np.where(finite, costs, 0.0)
    J = J - min(float(J.min()), 0.0)
    J[~finite] = 2.0 * J.max()
    total = J.sum()
    if not total > 0.0:  # all equally good
        return weights
    J = J / total
    xi = min(float(weights @ J), 1.0 - np.finfo(float).eps)
    beta = max(xi, np.finfo(float).tiny) / (1.0 - xi)
    grown = weights * beta ** (J if beta <= 1.0 else 1.0 - J)
    return np.asarray(grown / grown.sum())
