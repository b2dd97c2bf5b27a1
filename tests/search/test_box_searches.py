"""Laws of every search of a box, and what the swarm does in particular."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from drumlin.search import (
    BOX_SEARCHES,
    BoostingSearch,
    Box,
    DifferentialEvolution,
    PolishedSearch,
    SwarmSearch,
)
from drumlin.search.boosting import boosted
from tests.helpers import assert_close

BOX = Box(np.array([-3.0, -1.0, 2.0]), np.array([5.0, 4.0, 9.0]))
LOWEST = np.array([1.0, 0.5, 3.0])


class Witness:
    """A cost that remembers what it was asked."""

    def __init__(self, cost, at_call=lambda n: None):
        self.cost = cost
        self.at_call = at_call
        self.points, self.costs = [], []

    def __call__(self, points):
        self.at_call(len(self.points))
        costs = self.cost(points)
        self.points.append(points.copy())
        self.costs.append(costs)
        return costs

    @property
    def all_points(self):
        return np.vstack(self.points)


def sphere(points):
    return ((points - LOWEST) ** 2).sum(axis=1)


def rastrigin(points):
    """Hundreds of local minima; the lowest, 0, is at LOWEST."""
    away = points - LOWEST
    return (away**2 + 10.0 * (1.0 - np.cos(2.0 * np.pi * away))).sum(axis=1)


class Bowl:
    """The sphere with its gradient."""

    def __call__(self, points):
        return sphere(points)

    def value_and_gradient(self, x):
        return float(sphere(x[None])[0]), 2.0 * (x - LOWEST)


@pytest.fixture(params=BOX_SEARCHES)
def search(request):
    return BOX_SEARCHES[request.param]()


def minimize(search, cost, *, seed=0, box=BOX, **settings):
    return search.minimize(cost, box, np.random.RandomState(seed), **settings)


# ------------------------------------------------------------------ laws
def test_stays_inside_and_returns_the_best_it_saw(search):
    cost = Witness(rastrigin)
    result = minimize(search, cost)
    assert (cost.all_points >= BOX.lower).all()
    assert (cost.all_points <= BOX.upper).all()
    assert result.cost == np.concatenate(cost.costs).min()
    assert result.cost == rastrigin(result.x[None])[0]
    assert result.n_evaluations == len(cost.all_points)


def test_course_falls_to_the_best(search):
    result = minimize(search, rastrigin)
    assert result.costs == sorted(result.costs, reverse=True)
    assert result.costs[-1] == result.cost
    assert len(result.costs) <= search.n_iterations + 1


def test_course_starts_with_the_first_points(search):
    cost = Witness(rastrigin)
    result = minimize(search, cost)
    assert result.costs[0] == cost.costs[0].min()
    assert result.costs[1] == np.concatenate(cost.costs[:2]).min()


def test_may_end_after_the_first_points(search):
    result = minimize(search, rastrigin, on_iteration=lambda result: len(result.costs) == 1)
    assert result.n_evaluations <= 2 * search.n_starts  # SciPy asks after a generation only


def test_seed_decides(search):
    first, again, other = (minimize(search, rastrigin, seed=seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first.x, again.x)
    assert first.costs == again.costs
    assert (first.x != other.x).any()


def test_leaves_its_parameters_alone(search):
    before = clone(search).get_params()
    minimize(search, sphere)
    assert repr(search.get_params()) == repr(before)


@pytest.mark.parametrize("n", [1, 5, 50])
def test_begins_at_the_given_points(search, n):
    start = BOX.sample(n, np.random.RandomState(1))
    cost = Witness(sphere)
    minimize(search, cost, start=start)
    first = cost.points[0]
    assert len(first) == search.n_starts
    expected = start[: search.n_starts]
    assert_close(np.sort(first[: len(expected)], axis=0), np.sort(expected, axis=0))


def test_fixed_coordinate_stays(search):
    box = Box(np.array([-3.0, 0.5, 2.0]), np.array([5.0, 0.5, 9.0]))
    cost = Witness(sphere)
    minimize(search, cost, box=box)
    assert (cost.all_points[:, 1] == 0.5).all()


def test_nothing_admissible(search):
    result = minimize(search, lambda points: np.full(len(points), np.inf))
    assert result.cost == np.inf


def test_some_points_inadmissible(search):
    def cost(points):
        return np.where(points[:, 0] > 1.5, np.inf, sphere(points))

    result = minimize(search, cost)
    assert result.cost < 0.5
    assert result.x[0] <= 1.5


def test_a_true_answer_ends_it(search):
    result = minimize(search, sphere, on_iteration=lambda result: len(result.costs) == 3)
    plain = minimize(search, sphere)
    assert result.n_evaluations < plain.n_evaluations
    assert not result.interrupted


def test_interrupt_keeps_the_best_so_far(search):
    def at_call(n):
        if n == 4:
            raise KeyboardInterrupt

    cost = Witness(rastrigin, at_call)
    result = minimize(search, cost)
    assert result.interrupted
    assert result.cost == np.concatenate(cost.costs).min()


def test_interrupt_before_anything_was_found(search):
    def cost(points):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimize(search, cost)


# ------------------------------------------------------------------ how good they are
@pytest.mark.parametrize("name", BOX_SEARCHES)
def test_finds_the_minimum_of_the_sphere(name, seed):
    long = {"n_generations" if name == "boosting" else "n_iterations": 150}
    if name == "polished_swarm":
        search = PolishedSearch(SwarmSearch(**long))
    else:
        search = BOX_SEARCHES[name](**long)
    result = minimize(search, sphere, seed=seed)
    assert_close(result.x, LOWEST, 0.05)


@pytest.mark.parametrize("search", [SwarmSearch(60, 300), DifferentialEvolution(100, 300)])
def test_finds_the_lowest_of_many_minima(search, seed):
    result = minimize(search, rastrigin, seed=seed)
    assert_close(result.x, LOWEST, 0.1)


# ------------------------------------------------------------------ polish
def test_polish_reaches_the_minimum():
    rough = minimize(SwarmSearch(n_iterations=3), Bowl())
    result = minimize(PolishedSearch(SwarmSearch(n_iterations=3)), Bowl())
    assert result.cost < 1e-10 < rough.cost
    assert result.costs[:-1] == rough.costs


def test_polish_stays_inside():
    box = Box(LOWEST + 1.0, LOWEST + 3.0)
    result = minimize(PolishedSearch(), Bowl(), box=box)
    np.testing.assert_array_equal(result.x, box.lower)


def test_without_a_gradient_nothing_is_polished():
    plain, polished = (minimize(search, sphere) for search in (SwarmSearch(), PolishedSearch()))
    np.testing.assert_array_equal(plain.x, polished.x)


def test_interrupted_polish_keeps_the_swarm():
    class Stubborn(Bowl):
        def value_and_gradient(self, x):
            raise KeyboardInterrupt

    result = minimize(PolishedSearch(), Stubborn())
    assert result.interrupted
    assert result.cost == minimize(SwarmSearch(), sphere).cost


# ------------------------------------------------------------------ the swarm's equations
@pytest.mark.parametrize("kind", [SwarmSearch, DifferentialEvolution])
def test_no_iteration_only_evaluates(kind):
    cost = Witness(sphere)
    result = minimize(kind(n_particles=9, n_iterations=0), cost)
    assert len(cost.all_points) == 9
    assert len(result.costs) == 1


@pytest.mark.parametrize("limit", [0.5, 0.01])
def test_moves_are_limited(limit):
    """Eqs. (34), (37): no coordinate moves more than the limit."""
    cost = Witness(rastrigin)
    minimize(SwarmSearch(velocity_limit=limit), cost)
    moves = np.abs(np.diff(np.array(cost.points), axis=0))
    assert moves.max() > 0.0
    assert (moves <= limit * BOX.span * (1.0 + 1e-12)).all()


def test_standing_particles_are_kicked():
    """Eq. (35): a swarm gathered in one point still moves, by less than kick times the limit."""
    start = np.tile(BOX.lower + 0.5 * BOX.span, (20, 1))
    search = SwarmSearch(n_iterations=1)
    cost = Witness(sphere)
    minimize(search, cost, start=start)
    moves = np.abs(cost.points[1] - start)
    assert (moves > 0.0).all()
    assert (moves <= 0.1 * 0.5 * BOX.span).all()
    still = Witness(sphere)
    minimize(SwarmSearch(n_iterations=1, kick=0.0), still, start=start)
    np.testing.assert_array_equal(still.points[1], start)


def test_first_move_is_along_the_straight_line_to_the_best():
    """Eq. (32) from rest: each particle's own best is where it stands, so only gb pulls."""
    cost = Witness(sphere)
    literal = {"straight": True, "kick": 0.0, "velocity_limit": 10.0}
    minimize(SwarmSearch(n_particles=6, n_iterations=1, **literal), cost)
    first, second = cost.points
    best = first[np.argmin(sphere(first))]
    moved, pull = second - first, best - first
    others = np.abs(pull).max(axis=1) > 0.0
    ratio = moved[others] / pull[others]
    assert_close(ratio, np.tile(ratio[:, :1], 3))
    assert ((ratio >= 0.0) & (ratio <= 0.5)).all()  # c2 starts at .5


@pytest.mark.parametrize("inertia", [0.0, 0.3, "random"])
def test_every_inertia_finds_the_minimum(inertia, seed):
    search = SwarmSearch(n_particles=60, n_iterations=200, inertia=inertia)
    assert minimize(search, sphere, seed=seed).cost < 0.05


@pytest.mark.parametrize("n_iterations", [0, 1, 20])
def test_the_first_swarm_is_evaluated_too(n_iterations):
    """(I_max + 1) S evaluations, where eq. (38) counts I_max S."""
    cost = Witness(sphere)
    result = minimize(SwarmSearch(n_particles=10, n_iterations=n_iterations), cost)
    assert len(cost.all_points) == result.n_evaluations == 10 * (n_iterations + 1)


# ------------------------------------------------------------------ boosting
def test_boosts_as_printed():
    """Chen, Wang and Harris 2005: normalised costs, beta, and weights, line by line."""
    costs = np.array([3.0, 1.0, 6.0])
    weights = np.array([0.2, 0.5, 0.3])
    J = costs / 10.0
    xi = weights @ J  # .29, so that beta < 1
    expected = weights * (xi / (1.0 - xi)) ** J
    assert_close(boosted(weights, costs), expected / expected.sum())
    worst = np.array([0.01, 0.01, 0.98])
    xi = worst @ J
    expected = worst * (xi / (1.0 - xi)) ** (1.0 - J)
    assert_close(boosted(worst, costs), expected / expected.sum())


@pytest.mark.parametrize("costs", [[0.0, 0.0, 0.0], [np.inf] * 3, [-1.0, np.inf, 2.0], [0, 0, 1]])
def test_boosts_of_any_costs_are_weights(costs):
    weights = boosted(np.full(3, 1.0 / 3.0), np.array(costs, dtype=float))
    assert_close(weights.sum(), 1.0)
    assert (weights >= 0.0).all()
    if np.isfinite(costs).any():
        assert weights[np.argmin(costs)] == weights.max()


def test_a_generation_gathers_at_the_best():
    """The first pair is the plain mean of all, boosted once, and its image in the best point."""
    cost = Witness(sphere)
    minimize(BoostingSearch(n_particles=5, n_generations=2, n_boosts=1), cost)
    first, pair, fresh, _ = cost.points
    mean = boosted(np.full(5, 0.2), sphere(first)) @ first
    best = first[np.argmin(sphere(first))]
    assert_close(pair, np.stack([mean, BOX.clip(2.0 * best - mean)]))
    assert len(fresh) == 4  # the best so far is kept and known


# ------------------------------------------------------------------ bad parameters
@pytest.mark.parametrize(
    "search, name",
    [
        (SwarmSearch(n_particles=0), "n_particles"),
        (SwarmSearch(n_particles="many"), "n_particles"),
        (SwarmSearch(n_iterations=-1), "n_iterations"),
        (SwarmSearch(inertia="none"), "inertia"),
        (SwarmSearch(velocity_limit=0.0), "velocity_limit"),
        (SwarmSearch(cognitive=(1.0,)), "cognitive"),
        (SwarmSearch(social=(1.0, np.inf)), "social"),
        (SwarmSearch(kick=-0.1), "kick"),
        (DifferentialEvolution(n_particles=4), "n_particles"),
        (DifferentialEvolution(recombination=1.5), "recombination"),
        (DifferentialEvolution(mutation=(0.5, 2.0)), "mutation"),
        (DifferentialEvolution(mutation=(0.5,)), "mutation"),
        (DifferentialEvolution(mutation=("a", 1.0)), "mutation"),
        (BoostingSearch(n_particles=2), "n_particles"),
        (BoostingSearch(n_boosts=0), "n_boosts"),
        (PolishedSearch(search="swarm"), "search"),
        (PolishedSearch(n_polish=0), "n_polish"),
        (PolishedSearch(SwarmSearch(n_particles=0)), "n_particles"),
    ],
)
def test_bad_parameter_is_named(search, name):
    with pytest.raises(ValueError, match=f"The '{name}' parameter of .* Got "):
        minimize(search, sphere)
