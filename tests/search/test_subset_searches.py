"""Laws of every registered search over subsets, and what is special to each."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn.base import clone

from drumlin.search import (
    SUBSET_SEARCHES,
    BitStrings,
    GeneticSearch,
    GreedySearch,
    SubsetCost,
)

N_BITS = 12


class Quadratic:
    """A cost with interactions; remembers every subset it is asked for."""

    def __init__(self, seed, n_bits=N_BITS):
        rng = np.random.default_rng(seed)
        self.linear = rng.normal(size=n_bits)
        self.pairs = np.triu(rng.normal(size=(n_bits, n_bits)), 1)
        self.asked: list = []

    def __call__(self, subsets):
        assert subsets.dtype == bool and subsets.ndim == 2
        self.asked.extend(row.tobytes() for row in subsets)
        x = subsets.astype(float)
        return x @ self.linear + np.einsum("bi,ij,bj->b", x, self.pairs, x)


class Guessing(SubsetCost):
    """Exact guesses of all neighbours; counts how many subsets are evaluated."""

    def __init__(self, cost):
        self.cost, self.n_evaluated = cost, 0

    def __call__(self, subsets):
        self.n_evaluated += len(subsets)
        return self.cost(subsets)

    def estimate_flips(self, subset):
        return self.cost(subset ^ np.eye(len(subset), dtype=bool))


def every_subset():
    return np.array(list(itertools.product([False, True], repeat=N_BITS)))


@pytest.fixture(params=sorted(SUBSET_SEARCHES))
def search(request):
    return SUBSET_SEARCHES[request.param]()


def minimize(search, cost, seed=0, **settings):
    return search.minimize(cost, BitStrings(N_BITS), np.random.RandomState(seed), **settings)


# ------------------------------------------------------------------ laws
def test_result_is_the_best_point_evaluated(search, seed):
    cost = Quadratic(seed)
    seen = []

    def watched(subsets):
        values = cost(subsets)
        seen.extend(values)
        return values

    result = minimize(search, watched)
    assert result.cost == min(seen)
    assert result.x.dtype == bool and result.x.shape == (N_BITS,)
    assert cost(result.x[None])[0] == pytest.approx(result.cost)
    assert result.n_evaluations == len(seen)


def test_same_seed_same_result(search, seed):
    a, b = (minimize(search, Quadratic(seed), 3) for _ in range(2))
    np.testing.assert_array_equal(a.x, b.x)
    assert a.costs == b.costs


def test_every_subset_is_evaluated_once(search, seed):
    cost = Quadratic(seed)
    minimize(search, cost)
    assert len(cost.asked) == len(set(cost.asked))


def test_costs_only_fall(search, seed):
    result = minimize(search, Quadratic(seed))
    assert (np.diff(result.costs) <= 0.0).all()
    assert result.costs[-1] == result.cost


def test_a_start_is_never_lost(search, seed):
    """From the best subset nothing better can be found."""
    cost = Quadratic(seed)
    every = every_subset()
    best = every[cost(every).argmin()]
    result = minimize(search, cost, start=best[None])
    np.testing.assert_array_equal(result.x, best)


def test_a_true_answer_ends_it(search, seed):
    results = []
    result = minimize(search, Quadratic(seed), on_iteration=lambda r: results.append(r) or True)
    assert len(results) == len(result.costs) == 1
    assert not result.interrupted


def test_interrupt_keeps_the_best(search, seed):
    seen = []

    def on_iteration(result):
        seen.append(result.cost)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return False

    result = minimize(search, Quadratic(seed), on_iteration=on_iteration)
    assert result.interrupted
    assert result.cost == seen[-1]


def test_interrupt_before_the_first_point_propagates(search):
    def cost(subsets):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minimize(search, cost)


def test_inadmissible_subsets(search):
    """Only subsets of one or two are allowed, and one of them is found."""

    def cost(subsets):
        sizes = subsets.sum(axis=1)
        allowed = (sizes == 1) | (sizes == 2)
        return np.where(allowed, -(subsets @ np.arange(N_BITS, dtype=float)), np.inf)

    result = minimize(search, cost)
    assert np.isfinite(result.cost)
    assert result.x.sum() in (1, 2)


def test_nothing_is_admissible(search):
    result = minimize(search, lambda subsets: np.full(len(subsets), np.inf))
    assert result.cost == np.inf
    assert result.x.shape == (N_BITS,)


def test_one_bit(search):
    result = search.minimize(
        lambda subsets: -subsets[:, 0].astype(float), BitStrings(1), np.random.RandomState(0)
    )
    assert result.x[0]


def test_search_is_a_part(search):
    before = search.get_params()
    minimize(clone(search), Quadratic(0))
    minimize(search, Quadratic(0))
    assert search.get_params() == before


# ------------------------------------------------------------------ greedy
def test_greedy_ends_where_no_flip_and_no_exchange_helps(seed):
    cost = Quadratic(seed)
    result = minimize(GreedySearch(n_exchanged=None), cost)
    flips = result.x ^ np.eye(N_BITS, dtype=bool)
    assert cost(flips).min() >= result.cost - 1e-7
    inside, outside = np.flatnonzero(result.x), np.flatnonzero(~result.x)
    for i, j in itertools.product(inside, outside):
        y = result.x.copy()
        y[[i, j]] ^= True
        assert cost(y[None])[0] >= result.cost - 1e-7  # smaller gains count as none


def test_guesses_save_evaluations(seed):
    blind, guided = Guessing(Quadratic(seed)), Guessing(Quadratic(seed))
    all_ = minimize(GreedySearch(n_trials=None), blind)
    few = minimize(GreedySearch(n_trials=1), guided)
    np.testing.assert_array_equal(few.x, all_.x)  # the guesses are exact here
    assert guided.n_evaluated < 0.5 * blind.n_evaluated


def test_patience_crosses_a_ridge():
    """Nothing helps alone; three things together do."""

    def cost(subsets):
        together = subsets[:, [2, 5, 7]].sum(axis=1)
        others = subsets.sum(axis=1) - together
        return others + np.where(together == 3, -5.0, 0.1 * together)

    assert minimize(GreedySearch(patience=1), cost).cost == 0.0
    result = minimize(GreedySearch(patience=3), cost)
    np.testing.assert_array_equal(np.flatnonzero(result.x), [2, 5, 7])


# ------------------------------------------------------------------ genetic
def test_genetic_finds_the_minimum_of_a_small_problem(seed):
    cost = Quadratic(seed)
    assert minimize(GeneticSearch(), cost).cost == pytest.approx(cost(every_subset()).min())


def test_genetic_defaults_are_those_of_the_paper():
    assert GeneticSearch().get_params() == {
        "population": 100,
        "n_generations": 100,
        "crossover": 0.5,
        "mutation": 0.25,
        "start_sizes": (3.0, 20.0),
    }


def test_first_individuals_have_the_sizes_wanted():
    sizes = []

    def cost(subsets):
        sizes.extend(subsets.sum(axis=1))
        return np.zeros(len(subsets))

    search = GeneticSearch(population=4000, n_generations=0)
    search.minimize(cost, BitStrings(1000), np.random.RandomState(0))
    # Expected sizes are uniform on (3, 20): mean 11.5, and none far above 20 + 4 sqrt(20).
    assert np.mean(sizes) == pytest.approx(11.5, abs=0.5)
    assert max(sizes) < 45


def test_selection_follows_equation_15():
    """Without crossover and mutation the next generation holds exp(-cost/2) shares."""
    costs = np.array([0.0, 1.0, 2.0, 30.0])
    individuals = np.repeat(np.eye(4, dtype=bool), 5000, axis=0)
    search = GeneticSearch(crossover=0.0, mutation=0.0)
    children = search._next(
        individuals, np.repeat(costs, 5000), individuals[0], np.random.RandomState(0)
    )
    shares = np.exp(-0.5 * costs) / np.exp(-0.5 * costs).sum()
    # Three standard deviations of a share in 20000 draws.
    np.testing.assert_allclose(children.mean(axis=0), shares, atol=0.011)


def test_crossover_swaps_tails():
    individuals = np.repeat(np.array([[False], [True]]), 8, axis=1)[[0, 1] * 500]
    search = GeneticSearch(crossover=1.0, mutation=0.0)
    children = search._next(individuals, np.zeros(1000), individuals[0], np.random.RandomState(0))
    changes = (np.diff(children.astype(int), axis=1) != 0).sum(axis=1)
    assert set(changes) == {0, 1}  # one point
    assert (changes == 1).mean() == pytest.approx(0.5, abs=0.06)  # pairs of unlike parents
    pairs = children[2:].reshape(-1, 2, 8).sum(axis=1)
    assert all(len(set(pair)) == 1 for pair in pairs)  # nothing is lost within a pair


def test_mutation_touches_one_gene():
    individuals = np.zeros((4000, 50), dtype=bool)
    search = GeneticSearch(crossover=0.0, mutation=0.25)
    children = search._next(individuals, np.zeros(4000), individuals[0], np.random.RandomState(0))
    assert set(children.sum(axis=1)) == {0, 1}
    assert children.any(axis=1).mean() == pytest.approx(0.125, abs=0.02)  # half draw the old bit
