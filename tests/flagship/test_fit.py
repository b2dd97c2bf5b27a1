"""The flagship as a whole: what it tells, limits with spare nodes, wide tables, stopping."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.accuracy.growth import of_three
from drumlin.flagship import Budget, Classes, Numbers, Recipe, Tell, fit_flagship
from drumlin.flagship.fit import as_network
from drumlin.flagship.smooth import Smooth
from drumlin.flagship.spreading import Spreading
from drumlin.refinement import Refined, rounds
from tests.helpers import EXACT, assert_close, sample_of
from tests.selection.problems import three_blobs, two_moons

RECIPE = Recipe()


def fit_of(sample, task, budget=None, tell=None):
    budget = Budget(sample.codes.shape[1]) if budget is None else budget
    return fit_flagship(sample, task, RECIPE, budget, Tell() if tell is None else tell)


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_the_network_is_that_of_the_solution_behind_its_view(problem, seed):
    X, labels = problem(seed)
    sample = sample_of(X, labels)
    fit = fit_of(sample, Classes(sample.n_classes))
    assert len(fit.support) == len(fit.network.nodes) == len(fit.solution.nodes().centers) > 0
    again = as_network(fit.solution, fit.network.inputs)
    np.testing.assert_array_equal(again(X), fit.network(X))
    assert_close(fit.network.inputs(X), fit.rows.X, EXACT)
    assert fit.noise == fit.solution.noise
    assert not fit.interrupted


def test_the_audience_hears_of_the_start_and_of_every_round(seed):
    X, labels = two_moons(seed)
    started, rounds = [], []

    def refined(network):
        rounds.append(network())
        return False

    tell = Tell(lambda: started.append(len(rounds)), refined)
    fit = fit_of(sample_of(X, labels), Classes(2), tell=tell)
    assert started == [0]
    assert 1 <= len(rounds) <= len(RECIPE.schedule.rounds)
    np.testing.assert_array_equal(rounds[-1](X), fit.network(X))


def test_a_true_answer_stops_both_refinements(seed):
    """A limit leaves spare nodes, from which a second network is refined; not after a stop."""
    X, labels = two_moons(seed, 300)
    budget, answers = Budget(1, max_nodes=2), []

    def stop(network):
        answers.append(network())
        return True

    free, told = [], fit_of(sample_of(X, labels), Classes(2), budget, Tell(refined=stop))
    assert told.start.n_spare > 0
    assert len(answers) == 1
    np.testing.assert_array_equal(answers[0](X), told.network(X))
    fit_of(sample_of(X, labels), Classes(2), budget, Tell(refined=lambda network: free.append(0)))
    assert len(free) > 2  # rounds of both


def test_a_stop_in_the_second_refinement_keeps_the_better_of_both(seed):
    X, labels = two_moons(seed, 300)
    sample, budget, free, seen = sample_of(X, labels), Budget(1, max_nodes=2), [], []
    fit_of(sample, Classes(2), budget, Tell(refined=lambda network: free.append(0)))

    def stop(network):
        seen.append(network())
        return len(seen) == len(free) - 1  # a round before the end

    told = fit_of(sample, Classes(2), budget, Tell(refined=stop))
    assert len(seen) == len(free) - 1
    taken = [network for network in seen if np.array_equal(network(X), told.network(X))]
    assert len(taken) == 1
    assert len(told.network.nodes) <= 2


@pytest.mark.parametrize("max_nodes", [1, 2, 4])
def test_a_limit_is_kept(max_nodes, seed):
    X, labels = two_moons(seed, 300)
    fit = fit_of(sample_of(X, labels), Classes(2), Budget(1, max_nodes=max_nodes))
    assert 0 < len(fit.network.nodes) <= max_nodes
    assert len(set(fit.support)) == len(fit.network.nodes)


@pytest.mark.parametrize(
    ("problem", "variables", "is_apart"),
    [(two_moons, 2000, False), (two_moons, 1, True), (three_blobs, 2000, True)],
    ids=["left out", "too many variables", "several classes"],
)
def test_rows_are_kept_apart_where_samples_left_out_cannot_judge(
    problem, variables, is_apart, seed
):
    X, labels = problem(seed, 300)
    sample = sample_of(X, labels)
    for rows, judged in ((250, is_apart), (400, False), (7, is_apart)):
        recipe = replace(
            RECIPE,
            schedule=replace(RECIPE.schedule, middling=rows),
            judge=replace(RECIPE.judge, class_variables=variables),
        )
        task = Classes(sample.n_classes)
        fit = fit_flagship(sample, task, recipe, Budget(sample.codes.shape[1]), Tell())
        assert (fit.judged is not None) == judged


@pytest.mark.parametrize("task", [Classes(2), Classes(3), Numbers()], ids=str)
def test_rows_that_come_twice_are_not_memorised(task, seed):
    """A copy that stays when the other is left out would know the answer."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((150, 4))
    signal = np.sin(2.0 * X[:, 0]) + X[:, 1] ** 2 + rng.standard_normal(150)
    targets = (signal - signal.mean()) / signal.std()
    if isinstance(task, Classes):
        shares = np.arange(1, task.n_classes) / task.n_classes
        targets = np.digitize(signal, np.quantile(signal, shares))
    twice = sample_of(X, targets, np.full(150, 2.0))
    assert len(fit_of(twice, task).network.nodes) < 30


def test_the_start_does_not_see_rows_that_may_be_kept_apart(seed):
    X, labels = three_blobs(seed, 300)
    sample = sample_of(X, labels)
    recipe = replace(RECIPE, schedule=replace(RECIPE.schedule, middling=200))
    fit = fit_flagship(sample, Classes(3), recipe, Budget(3), Tell())
    assert fit.judged is not None
    assert not set(fit.start.sample.index) & set(fit.judged.sample.index)


def test_an_interrupt_before_the_first_pruning_keeps_within_the_limit(seed, monkeypatch):
    """The start with spare nodes has more than the limit until it is pruned."""
    X, labels = two_moons(seed, 300)
    pruned, calls = rounds._pruned, []

    def interrupted(state, *others):
        calls.append(state.n_nodes)
        if state.n_nodes > 2:
            raise KeyboardInterrupt
        return pruned(state, *others)

    monkeypatch.setattr(rounds, "_pruned", interrupted)
    fit = fit_of(sample_of(X, labels), Classes(2), Budget(1, max_nodes=2))
    assert calls[-1] > 2
    assert fit.interrupted
    assert len(fit.network.nodes) <= 2


def test_wide_tables_are_projected_where_the_budget_allows_it(seed):
    """A projection to three scores takes more than a node of four classes."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 4, 100)
    X = rng.standard_normal((100, 200)) + 0.5 * np.repeat(np.eye(4), 50, axis=1)[labels]
    sample = sample_of(X, labels)
    wide = fit_of(sample, Classes(4))
    assert wide.network.inputs.matrix.shape == (200, 3)
    assert wide.rows.n_features == 3
    too_little = Budget(4, max_bytes=8 * (4 + 400 + 404))  # one plain node, but no matrix
    assert fit_of(sample, Classes(4), too_little).network.inputs.matrix is None


def test_inputs_that_do_not_vary_give_a_constant(seed):
    y = np.random.default_rng(seed).standard_normal(50)
    fit = fit_of(sample_of(np.ones((50, 2)), y - y.mean()), Numbers())
    assert fit.start is fit.solution is None
    assert fit.noise == 1.0
    assert_close(fit.network(np.zeros((3, 2))), np.zeros((3, 1)))


def test_nothing_is_looked_for_after_a_stop(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (120, 2))
    y = X[:, :1] * X[:, 1:] + 0.1 * rng.standard_normal((120, 1))
    sample, looked = sample_of(X, (y - y.mean()) / y.std()), []
    rivals = Spreading.rivals
    monkeypatch.setattr(Spreading, "rivals", lambda self: looked.append(1) or rivals(self))
    stopped = fit_of(sample, Numbers(), tell=Tell(refined=lambda network: True))
    assert isinstance(stopped.solution, Refined)
    assert not looked
    assert isinstance(fit_of(sample, Numbers()).solution, Smooth)
    assert looked


def test_an_interrupt_while_choosing_keeps_what_was_refined(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (120, 1))
    y = np.sin(2.0 * X) + 0.1 * rng.standard_normal((120, 1))
    sample, rounds = sample_of(X, (y - y.mean()) / y.std()), []

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("drumlin.flagship.fit.best_rival", interrupt)
    tell = Tell(refined=lambda network: rounds.append(network()))
    fit = fit_of(sample, Numbers(), tell=tell)
    assert fit.interrupted
    assert len(fit.network.nodes)
    assert any(np.array_equal(network(X), fit.network(X)) for network in rounds)


def test_outliers_are_told_by_the_noise_of_the_network_not_of_the_start(seed):
    """The start explains little of a wave with many humps: its noise would hide the outliers."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (300, 1))
    truth = np.sin(9.0 * X)
    y = truth + 0.02 * rng.standard_normal((300, 1))
    y[::10] += rng.choice([-5.0, 5.0], (30, 1))
    shift, scale = y.mean(), y.std()
    seen, task = [], Numbers(robust=True)
    loss = Numbers.loss

    def spy(self, noise):
        seen.append(noise)
        return loss(self, noise)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Numbers, "loss", spy)
        fit = fit_of(sample_of(X, (y - shift) / scale), task)
    assert min(seen) < 0.2 * seen[0]
    errors = scale * fit.network(X) + shift - truth
    assert np.sqrt(np.mean(errors**2)) < 0.1


def test_without_signal_a_robust_constant_is_the_median(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((101, 2)), rng.standard_normal((101, 1))
    y[:10] = 100.0
    y = (y - y.mean()) / y.std()
    fit = fit_of(sample_of(X, y), Numbers(robust=True))
    assert len(fit.network.nodes) == 0
    assert_close(fit.network.intercept[0], np.median(y), EXACT)


def test_several_classes_grow_too():
    """Round nodes see all inputs alike: few that matter are found by a network that knows them."""
    X, labels = of_three(1000, 1)
    few = replace(RECIPE, judge=replace(RECIPE.judge, several_variables=0))
    sizes = [
        fit_flagship(sample_of(X, labels), Classes(3), recipe, Budget(3), Tell()).solution.n_nodes
        for recipe in (few, RECIPE)
    ]
    assert sizes[1] > sizes[0]
