"""Backend, memory mode, block size and threads change the time, never the selection."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from drumlin._kernels import threads
from drumlin.criteria import CRITERIA
from drumlin.selection import recomputed
from tests.helpers import assert_close
from tests.selection.problems import DEGENERATE, chosen, run, three_blobs, two_moons

# A few chunks of rows each; one candidate a block makes calls as the square of their number.
ORDINARY = {
    "two_moons": functools.partial(two_moons, n=80),
    "three_blobs": functools.partial(three_blobs, n=90),
}
PROBLEMS = ORDINARY | DEGENERATE
VARIANTS = {
    "numba": ("numba", {}),  # what the others are compared with
    "numpy": ("numpy", {}),
    "recompute": ("numba", {"store": "recompute"}),
    "numpy recompute": ("numpy", {"store": "recompute"}),
    "one candidate a block": ("numba", {"store": "recompute", "block": 1}),
    "threads": ("numba", {"n_threads": 3}),
    "threads recompute": ("numba", {"store": "recompute", "n_threads": 3, "block": 5}),
}
OTHERS = [name for name in VARIANTS if name != "numba"]


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    """Let small problems be cut into chunks and given to threads as large ones are."""
    pytest.importorskip("numba")
    monkeypatch.setattr(recomputed, "ROWS", 16)
    monkeypatch.setattr(threads, "MIN_WORK", 1)


def select(variant, problem, seed, *, weighted=False, **settings):
    backend, options = VARIANTS[variant]
    X, labels = PROBLEMS[problem](seed)
    if weighted:
        settings["weight"] = np.random.default_rng(seed).uniform(0.2, 3.0, len(X))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRUMLIN_BACKEND", backend)
        return run(X, labels, **settings, **options)[0]


@functools.lru_cache(maxsize=1)
def expected_selection(problem, seed, **settings):
    """The compiled backend's, once for all variants: they follow each other."""
    return select("numba", problem, seed, **settings)


@pytest.mark.parametrize("variant", OTHERS)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_selection(problem, criterion, variant, seed):
    selection = select(variant, problem, seed, criterion=criterion)
    expected = expected_selection(problem, seed, criterion=criterion)
    assert chosen(selection) == chosen(expected)
    assert selection.size == expected.size
    assert_close(selection.costs, expected.costs)


@pytest.mark.parametrize("variant", OTHERS)
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("problem", ORDINARY)
def test_same_selection_with_weights_and_evidence(problem, criterion, variant, seed):
    settings = {"criterion": criterion, "regularizer": "stage_evidence", "weighted": True}
    selection = select(variant, problem, seed, **settings)
    expected = expected_selection(problem, seed, **settings)
    assert chosen(selection) == chosen(expected)
    assert_close(selection.costs, expected.costs)


@pytest.mark.parametrize("variant", ["numpy", "recompute", "numpy recompute"])
@pytest.mark.parametrize("criterion", ["misclassification", "mutual_information"])
@pytest.mark.parametrize("width", [0.05, 0.2, 0.35])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_same_selection_of_narrow_nodes(problem, width, criterion, variant, seed):
    """Most samples far from most nodes, no constant: signs of tiny scores decide."""
    settings = {"criterion": criterion, "width": width, "fit_intercept": False, "max_nodes": 8}
    selection = select(variant, problem, seed, **settings)
    expected = expected_selection(problem, seed, **settings)
    assert chosen(selection) == chosen(expected)
    assert_close(selection.costs, expected.costs)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_losing_candidates_are_abandoned_early(criterion, seed):
    """Counting criteria look at a part of the rows only; and the answer is still the same."""
    rng = np.random.default_rng(seed)
    X, labels = two_moons(seed, 400)
    labels = np.where(rng.random(400) < 0.2, 1 - labels, labels)  # errors that nobody can avoid
    settings = {"criterion": criterion, "ties": "first", "max_nodes": 6, "block": 8}
    selection, candidates = run(X, labels, store="recompute", **settings)
    assert chosen(selection) == chosen(run(X, labels, **settings)[0])
    assert candidates.rows_scored <= (1.0 if criterion == "squared_error" else 0.8)


def test_a_criterion_without_statistic_is_scored_by_its_definition(seed):
    """A user's own criterion, equal to a built-in one, selects the same nodes."""
    from drumlin.criteria import Criterion, LOOMisclassification

    class Own(Criterion):
        def cost(self, targets, predictions, labels, weight):
            wrong = targets[:, 0] * predictions[:, 0] <= 1e-12
            return float(weight @ wrong / weight.sum())

    X, labels = PROBLEMS["two_moons"](seed)
    expected, _ = run(X, labels, criterion=LOOMisclassification())
    for store in ("inplace", "recompute"):
        selection, _ = run(X, labels, criterion=Own(), store=store)
        assert chosen(selection) == chosen(expected)
