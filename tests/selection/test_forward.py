"""Forward selection is naive greedy search, with rules for ties, the first stage and the end."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import Gaussian, Nodes
from drumlin.criteria import CRITERIA, LOOMisclassification, LOOSquaredError
from drumlin.linear import FixedRegularizer, OrthogonalRegression
from drumlin.selection import Proposal, Proposals, Scoring, Stopping, select_forward
from drumlin.selection.ties import tied
from tests.helpers import assert_close
from tests.selection.problems import chosen, codes, run, three_blobs, two_moons


def brute_force_loo(columns, targets, weight, alpha):
    """Leave-one-out predictions by n refits; penalises the coordinates in the full basis."""
    model = OrthogonalRegression(targets, weight, fit_intercept=False)
    for column in columns:
        model.append(*model.basis.orthogonalize(model.root * column), alpha=alpha)
    A = model.basis.A
    penalty = alpha * A.T @ A
    Phi, n = columns.T, len(targets)
    predictions = np.empty_like(targets)
    for i in range(n):
        keep = np.arange(n) != i
        weighted = (weight[:, None] * Phi)[keep]
        coef = np.linalg.solve(weighted.T @ Phi[keep] + penalty, weighted.T @ targets[keep])
        predictions[i] = Phi[i] @ coef
    return predictions


def naive_greedy(Phi, targets, labels, weight, criterion, alpha, n_stages, first=None):
    """Refit everything from scratch for every candidate of every stage."""
    first = LOOSquaredError() if first is None else first
    picked, costs = [], []
    for stage in range(n_stages):
        rule = criterion if stage else first
        scores = []
        for j in range(len(Phi)):
            if j in picked:
                scores.append((np.inf, np.inf, j))
                continue
            predictions = brute_force_loo(Phi[[*picked, j]], targets, weight, alpha)
            main = rule.cost(targets, predictions, labels, weight)
            tie = LOOSquaredError().cost(targets, predictions, labels, weight)
            scores.append((round(main, 9), round(tie, 9), j))
        best = min(scores)
        picked.append(best[2])
        predictions = brute_force_loo(Phi[picked], targets, weight, alpha)
        costs.append(criterion.cost(targets, predictions, labels, weight))
    return picked, costs


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_selection_is_naive_greedy_search(problem, criterion, weighted, seed):
    X, labels = problem(seed, 24)
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, 24) if weighted else np.ones(24)
    Phi = Nodes(X, np.ones_like(X), Gaussian()).activate(X)
    part = CRITERIA[criterion]()
    expected, costs = naive_greedy(Phi, codes(labels), labels, weight, part, 1e-3, 3)
    selection, _ = run(
        X, labels, criterion=criterion, weight=weight, fit_intercept=False, max_nodes=3
    )
    assert chosen(selection) == expected
    assert_close(selection.costs, costs)


def test_regression_path_is_press(seed):
    """LOO-MSE along the path equals naive refits, for numbers as for classes."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (30, 1))
    targets = np.c_[np.sin(X), np.cos(2 * X)]
    labels = np.zeros(30, dtype=np.int64)
    settings = {"criterion": "squared_error", "fit_intercept": False, "max_nodes": 4}
    selection, _ = run(X, labels, targets=targets, **settings)
    Phi = Nodes(X, np.ones_like(X), Gaussian()).activate(X)
    expected, costs = naive_greedy(Phi, targets, labels, np.ones(30), LOOSquaredError(), 1e-3, 4)
    assert chosen(selection) == expected
    assert_close(selection.costs, costs)
    assert_close(selection.squared_errors, costs)


@pytest.mark.parametrize("criterion", ["misclassification", "mutual_information"])
def test_the_first_node_is_chosen_by_squared_error(criterion, seed):
    X, labels = two_moons(seed)
    by_counts, _ = run(X, labels, criterion=criterion, max_nodes=1)
    by_squares, _ = run(X, labels, criterion="squared_error", max_nodes=1)
    assert chosen(by_counts) == chosen(by_squares)


@pytest.mark.parametrize("criterion", ["misclassification", "mutual_information"])
def test_or_by_the_criterion_itself(criterion, seed):
    """hong2008 and chen2010 print the criterion for all stages."""
    X, labels = two_moons(seed, 24)
    weight, Phi = np.ones(24), Nodes(X, np.ones_like(X), Gaussian()).activate(X)
    part, settings = CRITERIA[criterion](), {"fit_intercept": False, "max_nodes": 3}
    expected, costs = naive_greedy(Phi, codes(labels), labels, weight, part, 1e-3, 3, part)
    literal, _ = run(X, labels, criterion=criterion, first="criterion", **settings)
    assert chosen(literal) == expected
    assert_close(literal.costs, costs)
    usual, _ = run(X, labels, criterion=criterion, **settings)
    assert literal.costs[0] <= usual.costs[0]
    assert usual.squared_errors[0] <= literal.squared_errors[0]


def test_tie_rules(seed):
    """Equal rates: the literal rule takes the first, ours the least squared error."""
    X, labels = two_moons(seed, 60)
    first, _ = run(X, labels, ties="first", max_nodes=2)
    finer, _ = run(X, labels, ties="squared_error", max_nodes=2)
    assert first.costs[1] == pytest.approx(finer.costs[1])
    assert chosen(first)[1] <= chosen(finer)[1]
    assert finer.squared_errors[1] <= first.squared_errors[1] + 1e-12


def test_tied():
    assert tied(np.array([3.0, 1.0, 1.0 + 1e-13, 2.0])).tolist() == [1, 2]
    assert tied(np.array([0.5, -0.2, -0.2])).tolist() == [1, 2]
    assert tied(np.full(3, np.inf)).tolist() == []
    assert tied(np.empty(0)).tolist() == []


class Script(Proposals):
    """Proposes random columns whose costs follow a script (the criterion reads them off)."""

    def __init__(self, n_samples, limit=np.inf):
        self.rng, self.n_samples, self.limit, self.n = np.random.default_rng(0), n_samples, limit, 0

    def best(self, scoring, regression, alpha):
        if self.n >= self.limit:
            return None
        self.n += 1
        node = Nodes(np.zeros((1, 1)), np.ones((1, 1)), Gaussian())
        return Proposal(node, self.rng.random(self.n_samples), self.n - 1)


def scripted(costs, *, min_nodes=1, max_nodes=100, patience=1, on_stage=None, limit=np.inf):
    from drumlin.criteria import Criterion

    class Scripted(Criterion):
        stage = -1

        def cost(self, targets, predictions, labels, weight):
            Scripted.stage += 1
            return costs[Scripted.stage]

    n = 200
    regression = OrthogonalRegression(np.ones((n, 1)), np.ones(n), fit_intercept=False)
    scoring = Scoring(Scripted(), np.zeros(n, dtype=np.int64), np.ones(n))
    stopping = Stopping(min_nodes, max_nodes, patience)
    proposals = Script(n, limit)
    return select_forward(proposals, scoring, regression, FixedRegularizer(), stopping, on_stage)


@pytest.mark.parametrize(
    ("rules", "stages", "size"),
    [
        ({}, 3, 2),  # stop at the first stage that does not improve
        ({"patience": 2}, 6, 4),  # survive one bad stage
        ({"patience": 4}, 10, 6),
        ({"max_nodes": 3, "patience": 9}, 3, 2),
        ({"min_nodes": 3}, 4, 3),  # the best prefix is not below the minimum
        ({"min_nodes": 8}, 8, 8),
        ({"limit": 2, "min_nodes": 5}, 2, 2),  # candidates ran out before the minimum
    ],
)
def test_stopping(rules, stages, size):
    costs = [5.0, 4.0, 4.5, 3.0, 3.0, 2.0, 9.0, 9.0, 9.0, 9.0, 1.0]
    if rules == {"patience": 2}:
        costs = [5.0, 4.0, 4.5, 3.0, 3.0, 3.5, 1.0]
    if rules == {"min_nodes": 3}:
        costs = [5.0, 4.0, 4.5, 4.6, 3.0]
    if rules == {"min_nodes": 8}:
        costs = [1.0, *[5.0] * 20]
        stages = 9
    selection = scripted(costs, **rules)
    assert len(selection.costs) == stages
    assert selection.size == size


def test_equal_costs_keep_the_smaller_network():
    assert scripted([3.0, 2.0, 2.0, 2.0, 2.0], patience=3).size == 2


def test_a_callback_stops_the_growth():
    selection = scripted([5.0, 4.0, 3.0, 2.0], on_stage=lambda s: len(s.costs) == 2)
    assert (len(selection.costs), selection.size, selection.interrupted) == (2, 2, False)


def test_an_interrupt_keeps_the_best_prefix():
    def on_stage(selection):
        if len(selection.costs) == 3:
            raise KeyboardInterrupt

    selection = scripted([5.0, 3.0, 4.0, 2.0], patience=5, on_stage=on_stage)
    assert selection.interrupted
    assert selection.size == 2
    assert selection.best_regression().n_nodes == 2


def test_an_interrupt_before_the_first_node_is_an_interrupt():
    class Broken(Proposals):
        def best(self, scoring, regression, alpha):
            raise KeyboardInterrupt

    regression = OrthogonalRegression(np.ones((5, 1)), np.ones(5), fit_intercept=False)
    scoring = Scoring(LOOMisclassification(), np.zeros(5, dtype=np.int64), np.ones(5))
    with pytest.raises(KeyboardInterrupt):
        select_forward(Broken(), scoring, regression, FixedRegularizer(), Stopping(1, 9, 1))


def test_a_node_is_never_chosen_twice_and_dependent_ones_never(seed):
    X, labels = two_moons(seed, 30)
    X = np.vstack([X, X])
    selection, _ = run(X, np.tile(labels, 2), max_nodes=40, criterion="squared_error")
    points = {tuple(X[j]) for j in chosen(selection)}
    assert len(points) == len(selection.proposals) <= 30
