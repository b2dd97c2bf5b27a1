"""The weights of a subset that was found: its BIC, its scores, its samples left out."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import Gaussian, Nodes
from drumlin.search import GreedySearch
from drumlin.selection.subset import select_subset
from drumlin.selection.subset_fit import SubsetFit
from tests.helpers import IDENTITY, REFERENCE, assert_close
from tests.selection.test_subset import make_data, make_plan


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_is_the_fit_that_the_search_judged(seed, n_classes):
    Z, problem = make_data(seed, n_classes)
    selection = select_subset(problem, make_plan(Z), GreedySearch(), np.random.RandomState(seed))
    best = selection.best
    fit = SubsetFit.of(best)
    assert_close(fit.bic, best.result.cost, REFERENCE)
    centers = Z[best.members]
    Phi = Nodes(centers, np.full_like(centers, best.width), Gaussian()).activate(Z).T
    scores = Phi @ fit.weights[:-1] + fit.weights[-1]
    nothing, rows = np.zeros(len(Z)), np.arange(len(Z))
    assert_close(fit.loo_scores(rows, nothing), scores, REFERENCE)
    left, some = fit.loo_scores(rows, nothing + 1.0), rows[::3]
    assert_close(fit.loo_scores(some, nothing[some] + 1.0), left[some], IDENTITY)


def test_what_searches_found_is_told_in_order(seed):
    Z, problem = make_data(seed)
    selection = select_subset(
        problem, make_plan(Z, full=True), GreedySearch(), np.random.RandomState(seed)
    )
    grid, best = selection.grid, selection.best
    assert grid["width"].tolist() == [1.0, 1.0, 2.0, 2.0]
    assert_close(grid["alpha"], [0.1, 0.01, 0.1, 0.01])
    assert grid["bic"].min() == best.path["bic"][-1] == best.result.cost
    assert grid["n_nodes"][best.number] == best.path["n_nodes"][-1] == len(best.members)
