"""Particle swarm with time-varying acceleration: section III of chen2010."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from drumlin._typing import FloatArray
from drumlin.search.base import PopulationSearch
from drumlin.search.spaces import Box
from drumlin.search.tracking import Tracker


class SwarmSearch(PopulationSearch):
    r"""Particles drawn to the best points that they, and all of them, have seen.

    .. math::
        v \leftarrow w_I v + r_1 c_1 (pb - u) + r_2 c_2 (gb - u), \qquad u \leftarrow u + v

    (eqs. 32, 33 of chen2010), with velocities limited (34, 37), standing coordinates kicked (35)
    and positions kept inside the box. The coefficient :math:`c_1` falls and :math:`c_2` rises with
    time (36): particles explore first and gather later. Particles start at rest.

    Parameters
    ----------
    n_particles : int, default=20
        Size S of the swarm.
    n_iterations : int, default=40
        Moves of the swarm; 0 only evaluates the first positions. So a search evaluates
        ``n_particles * (n_iterations + 1)`` points; the count I_max S of the paper, eq. (38), is
        without the first positions (it prints 760 for 3.8 nodes, 20 iterations, 10 particles).
    cognitive : tuple of two floats, default=(2.5, 0.5)
        First and last :math:`c_1`, the pull of a particle's own best.
    social : tuple of two floats, default=(0.5, 2.5)
        First and last :math:`c_2`, the pull of the swarm's best.
    inertia : "random" or float, default="random"
        :math:`w_I`: drawn anew from [0, 1) for every particle and move, or constant.
    velocity_limit : float, default=0.5
        Largest move in a coordinate, as part of the box (eq. 37).
    kick : float, default=0.1
        Largest velocity of a coordinate that stood still, as part of the limit: :math:`\gamma`.
    straight : bool, default=False
        Whether :math:`r_1` and :math:`r_2` are one number for a particle, as eq. (32) is printed,
        or one for every coordinate. Straight pulls keep particles on lines between good points: a
        swarm of 60 then misses the lowest minimum of three in four multimodal problems that it
        otherwise solves (Rastrigin's function in three dimensions).

    See Also
    --------
    DifferentialEvolution
    BoostingSearch

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import Box, SwarmSearch
    >>> box = Box(np.zeros(2), np.ones(2))
    >>> found = SwarmSearch().minimize(
    ...     lambda points: ((points - 0.3) ** 2).sum(axis=1), box, rng=np.random.RandomState(0)
    ... )
    >>> found.cost < 1e-3, found.n_evaluations
    (True, 820)
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "n_particles": [Interval(Integral, 1, None, closed="left")],
        "n_iterations": [Interval(Integral, 0, None, closed="left")],
        "cognitive": [tuple, list],
        "social": [tuple, list],
        "inertia": [StrOptions({"random"}), Interval(Real, 0, None, closed="left")],
        "velocity_limit": [Interval(Real, 0, None, closed="neither")],
        "kick": [Interval(Real, 0, None, closed="left")],
        "straight": ["boolean"],
    }

    def __init__(
        self,
        n_particles: int = 20,
        n_iterations: int = 40,
        *,
        cognitive: tuple[float, float] = (2.5, 0.5),
        social: tuple[float, float] = (0.5, 2.5),
        inertia: str | float = "random",
        velocity_limit: float = 0.5,
        kick: float = 0.1,
        straight: bool = False,
    ) -> None:
        self.n_particles = n_particles
        self.n_iterations = n_iterations
        self.cognitive = cognitive
        self.social = social
        self.inertia = inertia
        self.velocity_limit = velocity_limit
        self.kick = kick
        self.straight = straight

    def check(self) -> None:
        """See ``Search.check``."""
        self._validate_params()
        for name in ("cognitive", "social"):
            self._check_pair(name, np.inf, "the first and the last")

    def _search(
        self, tracker: Tracker, space: Box, rng: np.random.RandomState, start: FloatArray | None
    ) -> None:
        """Evaluate and move the swarm until the last iteration."""
        points = self._first_points(space, rng, start)
        velocity = np.zeros_like(points)
        own, own_costs = points.copy(), tracker.evaluate(points).copy()
        for iteration in range(self.n_iterations):
            if tracker.end_iteration():
                return
            time = iteration / self.n_iterations
            velocity = self._velocity(
                velocity, own - points, tracker.result.x - points, time, space, rng
            )
            points = space.clip(points + velocity)
            costs = tracker.evaluate(points)
            better = costs < own_costs
            own[better], own_costs[better] = points[better], costs[better]
        tracker.end_iteration()

    def _velocity(
        self,
        velocity: FloatArray,
        to_own: FloatArray,
        to_best: FloatArray,
        time: float,
        space: Box,
        rng: np.random.RandomState,
    ) -> FloatArray:
        """Eqs. (32), (34)-(37); ``time`` runs from 0 to 1."""
        c1 = (1.0 - time) * self.cognitive[0] + time * self.cognitive[1]
        c2 = (1.0 - time) * self.social[0] + time * self.social[1]
        one_each = (len(velocity), 1)
        shape = one_each if self.straight else velocity.shape
        drawn = isinstance(self.inertia, str)
        velocity = velocity * (rng.uniform(size=one_each) if drawn else float(self.inertia))
        velocity = velocity + rng.uniform(size=shape) * c1 * to_own
        velocity = velocity + rng.uniform(size=shape) * c2 * to_best
        limit = self.velocity_limit * space.span
        kicked = rng.uniform(-1.0, 1.0, size=velocity.shape) * self.kick * limit
        return np.where(velocity == 0.0, kicked, np.clip(velocity, -limit, limit))
