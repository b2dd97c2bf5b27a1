"""Selection of subsets by BIC: batches, memory, warm starts, the grid."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from drumlin.basis import Gaussian
from drumlin.linear.logistic import LogisticProblem
from drumlin.search import SUBSET_SEARCHES, GeneticSearch, GreedySearch
from drumlin.selection import subset, subset_cost
from drumlin.selection.subset import SubsetPlan, select_subset
from drumlin.selection.subset_cost import KernelColumns, SubsetBIC
from tests.helpers import REFERENCE, assert_close

QUICK = {"greedy": GreedySearch(), "genetic": GeneticSearch(20, 10, start_sizes=(1.0, 4.0))}


def make_data(seed, n_classes=2, n=40):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2))
    angle = np.arctan2(Z[:, 1], Z[:, 0]) + 0.3 * rng.normal(size=n)
    labels = ((angle + np.pi) // (2.0 * np.pi / n_classes)).astype(np.int64) % n_classes
    return Z, LogisticProblem(labels, np.ones(n), n_classes)


def make_cost(Z, problem, rows, alpha=0.01, max_nodes=100, width=1.0):
    columns = KernelColumns.of_width(Z, rows, width, Gaussian())
    return SubsetBIC(columns, problem, np.full(problem.n_contrasts, alpha), max_nodes)


def make_plan(Z, rows=None, **settings):
    rows = np.arange(len(Z)) if rows is None else rows
    given = {"widths": [2.0, 1.0], "alphas": [0.1, 0.01], "full": False, "max_nodes": 100}
    return SubsetPlan(Z, rows, **(given | settings))


def random_subsets(seed, m, n):
    return np.random.default_rng(seed).uniform(size=(m, n)) < 0.2


@pytest.fixture(params=[2, 3])
def n_classes(request):
    return request.param


@pytest.fixture(params=sorted(SUBSET_SEARCHES))
def search(request):
    return QUICK[request.param]


# ------------------------------------------------------------------ the cost
def test_a_batch_equals_one_by_one(seed, n_classes, monkeypatch):
    """Subsets of all sizes, the empty one included, whatever the size of the batches."""
    Z, problem = make_data(seed, n_classes)
    subsets = random_subsets(seed, 30, 12)
    subsets[0] = False
    rows = np.arange(12)
    batch = make_cost(Z, problem, rows)(subsets)
    single = [make_cost(Z, problem, rows)(subsets[i : i + 1])[0] for i in range(30)]
    assert_close(batch, single, REFERENCE)
    monkeypatch.setattr(subset_cost, "_BATCH", 1)
    assert_close(make_cost(Z, problem, rows)(subsets), single, REFERENCE)


def test_other_penalties_are_other_costs(seed, n_classes):
    Z, problem = make_data(seed, n_classes)
    members = np.array([1, 4, 7])
    alphas = np.array([[0.001], [0.1], [3.0]]) * np.arange(1, n_classes)
    together = make_cost(Z, problem, np.arange(12)).with_penalties(members, alphas)
    for alpha, value in zip(alphas, together, strict=True):
        columns = KernelColumns.of_width(Z, np.arange(12), 1.0, Gaussian())
        assert_close(SubsetBIC(columns, problem, alpha, 9).fit([members])[2][0], value, REFERENCE)


def test_large_subsets_are_refused(seed):
    Z, problem = make_data(seed)
    subsets = random_subsets(seed, 30, 12)
    costs = make_cost(Z, problem, np.arange(12), max_nodes=2)(subsets)
    np.testing.assert_array_equal(np.isfinite(costs), subsets.sum(axis=1) <= 2)


def test_guesses_rank_the_neighbours(seed, n_classes):
    """The true best addition and the true best removal are among the first three guesses."""
    Z, problem = make_data(seed, n_classes)
    cost = make_cost(Z, problem, np.arange(40))
    subset = np.zeros(40, dtype=bool)
    subset[[2, 5, 11, 30]] = True
    guesses = cost.estimate_flips(subset)
    true = cost(subset ^ np.eye(40, dtype=bool))
    for bits in (np.flatnonzero(subset), np.flatnonzero(~subset)):
        best = bits[true[bits].argmin()]
        assert best in bits[np.argsort(guesses[bits])[:3]]
    assert np.corrcoef(guesses, true)[0, 1] > 0.9


def test_guesses_respect_the_largest_size(seed):
    Z, problem = make_data(seed)
    subset = np.zeros(12, dtype=bool)
    subset[:3] = True
    guesses = make_cost(Z, problem, np.arange(12), max_nodes=3).estimate_flips(subset)
    np.testing.assert_array_equal(np.isfinite(guesses), subset)


@pytest.mark.parametrize("prior", ["kinds", "sizes", np.array([0.0, -1.0, -5.0, -2.0])])
def test_priors_are_added(prior, seed):
    """To every subset, one by one or with other penalties, and to the guesses."""
    Z, problem = make_data(seed, 3)
    plain = make_cost(Z, problem, np.arange(12))
    cost = dataclasses.replace(plain, prior=prior)
    subsets = random_subsets(seed, 20, 12)
    subsets[0] = False
    expected = plain(subsets) + cost.surprise[subsets.sum(axis=1)]
    np.testing.assert_allclose(cost(subsets), expected, rtol=REFERENCE)
    members = np.array([1, 4])
    alphas = np.array([[0.01, 0.02]])
    gained = cost.with_penalties(members, alphas) - plain.with_penalties(members, alphas)
    assert_close(gained, cost.surprise[2], REFERENCE)
    x = np.zeros(12, dtype=bool)
    x[members] = True
    change = cost.estimate_flips(x) - plain.estimate_flips(x)
    assert_close(change, np.where(x, cost.surprise[1], cost.surprise[3]), REFERENCE)


def test_the_best_of_a_batch_is_remembered(seed, n_classes):
    """Its fit is that of a batch of one, filled up or not."""
    Z, problem = make_data(seed, n_classes)
    cost, again = (make_cost(Z, problem, np.arange(12)) for _ in range(2))
    subsets = random_subsets(seed, 10, 12)
    costs = cost(subsets)
    for members in map(np.flatnonzero, (subsets[np.argmin(costs)], subsets[0])):
        known, fresh = cost.fit([members]), again.fit([members])
        assert known[0].columns.shape == fresh[0].columns.shape
        assert_close(known[2], fresh[2], REFERENCE)
        assert_close(known[1].scores, fresh[1].scores, REFERENCE)


def test_many_classes_are_scouted(seed, monkeypatch):
    """Where fits are dear nothing is polished; the search that was given stays as it was."""
    monkeypatch.setattr(subset, "_FEW_CONTRASTS", 1)
    Z, problem = make_data(seed, 3)
    search = GreedySearch()
    quick = select_subset(problem, make_plan(Z), search, np.random.RandomState(0))
    monkeypatch.setattr(subset, "_FEW_CONTRASTS", 2)
    whole = select_subset(problem, make_plan(Z), search, np.random.RandomState(0))
    evaluations = [sum(r.result.n_evaluations for r in s.runs) for s in (quick, whole)]
    assert 2 * evaluations[0] < evaluations[1]
    assert search.polish
    assert quick.best.result.cost < 1.2 * abs(whole.best.result.cost)


def test_a_full_grid_ends_with_a_penalty_per_contrast(search, seed):
    """No step of one contrast along the grid lowers the BIC of the best subset."""
    Z, _ = make_data(seed, n=80)
    noise = np.random.default_rng(seed).uniform(size=80) < 0.5
    problem = LogisticProblem(np.where(Z[:, 0] > 0.0, 2, noise), np.ones(80), 3)
    grid = np.array([0.1, 0.01, 1e-3, 1e-4])
    plan = make_plan(Z, full=True, per_contrast=True, alphas=grid.tolist(), widths=[2.0])
    selection = select_subset(problem, plan, search, np.random.RandomState(0))
    best = selection.best
    for k, alpha in itertools.product(range(2), grid):
        near = best.cost.alphas.copy()
        near[k] = alpha
        steps = np.abs(np.subtract(*np.searchsorted(-grid, [-near, -best.cost.alphas])))
        if steps.max() <= 1:
            assert best.cost.with_penalties(best.members, near[None])[0] >= best.result.cost - 1e-5
    assert plan.n_runs is None
    assert [set(run.cost.alphas) for run in selection.runs[:4]] == [{alpha} for alpha in grid]


# ------------------------------------------------------------------ the selection
def brute_force(Z, problem, rows, widths, alphas):
    every = np.array(list(itertools.product([False, True], repeat=len(rows))))
    costs = [
        make_cost(Z, problem, rows, alpha, width=width)(every).min()
        for width, alpha in itertools.product(widths, alphas)
    ]
    return min(costs)


@pytest.mark.parametrize("full", [False, True])
def test_greedy_finds_the_least_bic_of_all_subsets(full, seed):
    Z, problem = make_data(seed)
    rows = np.arange(0, 40, 5)
    plan = make_plan(Z, rows, full=full)
    selection = select_subset(problem, plan, GreedySearch(), np.random.RandomState(0))
    least = brute_force(Z, problem, rows, plan.widths, plan.alphas)
    assert selection.best.result.cost == pytest.approx(least, abs=1e-6)


def test_every_point_of_a_full_grid_is_searched(search, seed):
    Z, problem = make_data(seed, 3)
    plan = make_plan(Z, full=True)
    selection = select_subset(problem, plan, search, np.random.RandomState(0))
    points = [(run.width, *run.cost.alphas) for run in selection.runs]
    assert points == [(w, a, a) for w in sorted(plan.widths) for a in plan.alphas]
    assert len(points) == plan.n_runs


def test_adaptive_penalties_are_locally_best(search, seed):
    """No step of one contrast along the grid lowers the BIC of the subset found."""
    Z, problem = make_data(seed, 3)
    grid = np.array([1.0, 0.3, 0.1, 0.03, 0.01])
    plan = make_plan(Z, widths=[1.0], alphas=grid.tolist())
    selection = select_subset(problem, plan, search, np.random.RandomState(0))
    best = selection.best
    index = np.searchsorted(-grid, -best.cost.alphas)
    for k, step in itertools.product(range(2), (-1, 1)):
        near = index.copy()
        near[k] = np.clip(near[k] + step, 0, 4)
        value = best.cost.with_penalties(best.members, grid[near][None])[0]
        assert value >= best.result.cost - 1e-5


def test_later_searches_start_from_what_was_found(search, seed):
    """Within a width BIC can only fall from one penalty to the next."""
    Z, problem = make_data(seed, 3)
    plan = make_plan(Z, widths=[1.0], alphas=[1.0, 0.3, 0.1, 0.03, 0.01, 0.003])
    selection = select_subset(problem, plan, search, np.random.RandomState(0))
    costs = [run.result.cost for run in selection.runs]
    assert (np.diff(costs) < 0.0).all()
    assert selection.best is selection.runs[-1]


def test_widths_between_those_of_the_grid(search, seed):
    """They start from the best subset, so BIC can only fall; none lies outside the grid."""
    Z, problem = make_data(seed, 3)
    coarse, fine = (
        select_subset(
            problem,
            make_plan(Z, widths=[0.5, 2.0, 8.0], between=between),
            search,
            np.random.RandomState(0),
        )
        for between in (False, True)
    )
    tried = {run.width for run in fine.runs}
    assert {run.width for run in coarse.runs} < tried
    assert 0.5 <= min(tried) < max(tried) <= 8.0
    assert fine.best.result.cost <= coarse.best.result.cost
    steps = np.abs(np.log2(np.array(sorted(tried)) / coarse.best.width))
    assert np.isclose(steps, 0.25).any()


def test_widths_far_behind_are_given_up(seed):
    """Only by searches that can be compared at equal size, and never on a full grid."""
    Z, problem = make_data(seed, 3)
    widths = [1.0, 50.0]

    def last_run(search, full):
        plan = make_plan(Z, widths=widths, alphas=[0.01], full=full)
        return select_subset(problem, plan, search, np.random.RandomState(0)).runs[-1]

    given_up, whole = (last_run(GreedySearch(), full) for full in (False, True))
    assert given_up.width == whole.width == 50.0
    assert len(given_up.sizes) < len(whole.sizes)
    genetic = GeneticSearch(20, 10)
    assert len(last_run(genetic, False).sizes) == 11


def test_the_path_is_told(search, seed):
    Z, problem = make_data(seed)
    told = []
    plan = make_plan(Z, full=True)
    selection = select_subset(
        problem,
        plan,
        search,
        np.random.RandomState(0),
        on_iteration=lambda run: told.append((run.number, run.sizes[-1])) and False,
    )
    for run in selection.runs:
        assert len(run.sizes) == len(run.result.costs)
        assert [size for number, size in told if number == run.number] == run.sizes
        assert run.sizes[-1] == len(run.members)


def test_time_limit(search, seed):
    Z, problem = make_data(seed)
    plan = make_plan(Z, time_limit=1e-9)
    selection = select_subset(problem, plan, search, np.random.RandomState(0))
    assert selection.out_of_time
    assert len(selection.runs) == len(selection.runs[0].sizes) == 1
    assert np.isfinite(selection.best.result.cost)


def test_a_true_answer_ends_the_selection(search, seed):
    Z, problem = make_data(seed)
    selection = select_subset(
        problem, make_plan(Z), search, np.random.RandomState(0), on_run=lambda run: True
    )
    assert len(selection.runs) == 1
    assert not selection.interrupted
    assert not selection.out_of_time


def test_interrupt_in_a_later_search_keeps_the_best(search, seed):
    Z, problem = make_data(seed)

    def on_iteration(run):
        if run.number == 1:
            raise KeyboardInterrupt
        return False

    plan = make_plan(Z, full=True)
    selection = select_subset(
        problem, plan, search, np.random.RandomState(0), on_iteration=on_iteration
    )
    assert selection.interrupted
    assert len(selection.runs) == 2
    whole = select_subset(problem, plan, search, np.random.RandomState(0))
    assert selection.runs[0].result.cost == whole.runs[0].result.cost
