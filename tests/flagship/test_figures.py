"""What a fitted network is worth: figures without nodes, beyond the quadratic model, relevance."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn.metrics import log_loss

from drumlin.basis import Gaussian, InputMap, Nodes, Standardizer
from drumlin.flagship import (
    Budget,
    Classes,
    ClassFigures,
    NumberFigures,
    Numbers,
    Recipe,
    Tell,
    fit_behind,
    fit_flagship,
)
from drumlin.flagship.crossing import cross_fit
from drumlin.flagship.figures import (
    APART,
    DECIDED,
    REFINED,
    TOO_LARGE,
    deciding_rows,
)
from drumlin.flagship.own_nodes import scores_left_out
from drumlin.laplace import LocalFit, loo_scores_of_several, network_scores
from drumlin.losses import Logistic, Softmax, Squared, winners
from drumlin.losses import log_loss as mean_log_loss
from drumlin.network import Network
from drumlin.refinement import Schedule
from drumlin.relevance import relevance
from tests.helpers import assert_close, sample_of
from tests.selection.problems import three_blobs, two_moons

RECIPE = Recipe()
RULE = RECIPE.judge


def fit_of(sample, task):
    n_outputs = sample.codes.shape[1]
    view = task.view(sample, RECIPE)
    return fit_behind(view, sample, task, RECIPE, Budget(n_outputs), Tell())


def regression(seed, n=120):
    X, _ = two_moons(seed, n)
    y = X[:, 0] + 0.3 * np.random.default_rng(seed).standard_normal(n)
    return sample_of(X, (y - y.mean()) / y.std())


def test_two_classes_are_judged_by_the_quadratic_model(seed):
    X, labels = two_moons(seed)
    fit = fit_of(sample_of(X, labels), Classes(2))
    figures = ClassFigures.of(fit, RULE)
    scores = loo_scores_of_several(fit.solution, fit.rows, Logistic())[:, 0]
    assert figures.note == REFINED
    assert_close(figures.loo_error, np.mean((scores > 0.0) != fit.rows.labels))
    p = 1.0 / (1.0 + np.exp(-scores))
    assert_close(figures.loo_log_loss, log_loss(fit.rows.labels, p))
    # With more variables: by Gauss-Newton, in single precision.
    many = ClassFigures.of(fit, replace(RULE, most_variables=0))
    straight = LocalFit.of(fit.solution, fit.rows, Logistic()).loo_scores()
    p = 1.0 / (1.0 + np.exp(-straight))
    assert_close(many.loo_log_loss, log_loss(fit.rows.labels, p), 1e-4)  # single precision


def test_rows_that_decide_have_long_steps_and_most_of_the_loss():
    losses, steps = np.full(100, 0.01), np.full(100, 0.1)
    assert not len(deciding_rows(losses, steps, RULE))
    steps[[7, 3]] = 3.0, 5.0
    assert not len(deciding_rows(losses, steps, RULE))  # a fiftieth of the loss
    losses[7] = 2.0
    np.testing.assert_array_equal(deciding_rows(losses, steps, RULE), [3, 7])
    steps[7] = RULE.longest_step
    assert not len(deciding_rows(losses, steps, RULE))  # the step is to be trusted
    steps[:50], losses[:50] = np.arange(50) + 3.0, 1.0
    np.testing.assert_array_equal(deciding_rows(losses, steps, RULE), [])  # too many for so few
    few = RULE.most_refitted
    losses[50 - few : 50] = 9.0
    found = deciding_rows(losses, steps, RULE)
    np.testing.assert_array_equal(found, np.arange(49, 49 - few, -1))


def nearly_separable(seed):
    """Two classes far apart, but for three samples of the rarer one."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((125, 2))
    X[100:, 0] += 8.0
    return np.vstack([X, [[0.0, 5.0], [0.0, -5.0], [-5.0, 0.0]]]), np.repeat([0, 1], [100, 28])


def test_few_rows_that_decide_are_told_by_refits(seed):
    """By brute force: what a network says of a sample that was fitted without it."""
    rule = replace(RULE, longest_step=0.7)
    X, labels = nearly_separable(seed)
    rows = sample_of(X, labels)
    fit = fit_of(rows, Classes(2))
    crossing = partial(cross_fit, rows, Classes(2), RECIPE, Budget(1))
    figures = ClassFigures.of(fit, rule, crossing)
    scores = loo_scores_of_several(fit.solution, fit.rows, Logistic())
    steps = np.abs(scores - network_scores(fit.solution, fit.rows.X))[:, 0]
    few = deciding_rows(Logistic().values(labels, scores), steps, rule)
    assert 1 <= len(few) <= rule.most_refitted
    assert figures.note == DECIDED
    for i in few:
        rest = np.arange(len(X)) != i
        scores[i] = fit_of(sample_of(X[rest], labels[rest]), Classes(2)).network(X[[i]])[0]
    assert_close(figures.loo_log_loss, mean_log_loss(scores, labels, np.ones(len(X)), 1.0))
    assert_close(figures.loo_error, np.mean(winners(scores) != labels))
    # Where no rows are at hand the quadratic model tells.
    assert ClassFigures.of(fit, rule).note == REFINED


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_of_networks_that_are_too_large_nothing_is_told(problem, seed):
    """The start would mislead: its errors may be twice those of the refined network."""
    X, labels = problem(seed)
    fit = fit_of(sample_of(X, labels), Classes(int(labels.max()) + 1))
    figures = ClassFigures.of(fit, replace(RULE, last_variables=0, several_work=0.0))
    assert figures.note == TOO_LARGE
    assert np.isnan(figures.loo_error)
    assert np.isnan(figures.loo_log_loss)
    assert figures.calibration is None


def test_several_classes_are_judged_by_their_quadratic_model(seed):
    X, labels = three_blobs(seed)
    fit = fit_of(sample_of(X, labels), Classes(3))
    figures = ClassFigures.of(fit, RULE)
    assert figures.note == REFINED
    scores = loo_scores_of_several(fit.solution, fit.rows, Softmax(3))
    assert_close(figures.loo_error, np.mean(winners(scores) != fit.rows.labels))
    weight = fit.rows.weight
    assert_close(figures.loo_log_loss, mean_log_loss(scores, fit.rows.labels, weight, 1.0))


def test_numbers_are_judged_by_the_quadratic_model(seed):
    fit = fit_of(regression(seed), Numbers())
    figures = NumberFigures.of(fit, RULE)
    local = LocalFit.of(fit.solution, fit.rows.with_noise(fit.noise), Squared())
    scores = scores_left_out(fit.solution, fit.support, local)
    squares = (scores - fit.rows.codes[:, 0]) ** 2
    assert_close(figures.loo_errors[0], np.sqrt(squares.mean()))
    assert figures.noise == fit.noise
    variances = local.model.variances(fit.solution.jacobian(fit.rows.X))
    found = np.sqrt(fit.noise + figures.uncertainty.variances(fit.rows.X))
    assert_close(found, np.sqrt(fit.noise + variances), 0.01)  # it is rounded
    # With more variables than are kept: the mean variance, in single precision.
    many = NumberFigures.of(fit, replace(RULE, most_variables=0))
    assert_close(many.loo_errors, figures.loo_errors, 1e-5)
    assert_close(many.uncertainty.variances(fit.rows.X[:3]), np.full(3, variances.mean()), 1e-5)
    # With more than any quadratic model has: nothing.
    most = NumberFigures.of(fit, replace(RULE, most_variables=0, last_variables=0))
    assert most.uncertainty is None
    assert np.isnan(most.loo_errors).all()
    assert (most.note, most.calibration) == (TOO_LARGE, None)


@pytest.mark.parametrize("task", [Classes(2), Classes(3), Numbers()])
def test_large_tables_are_judged_by_rows_kept_apart(seed, task):
    """By the network as it was before those rows were given back."""
    table = regression(seed, 400)
    if isinstance(task, Classes):
        cuts = np.quantile(table.codes[:, 0], np.arange(1, task.n_classes) / task.n_classes)
        table = sample_of(table.X, np.digitize(table.codes[:, 0], cuts))
    smooth = replace(Recipe().smooth, tried=())  # none
    recipe = replace(Recipe(), schedule=replace(Schedule(), large=300), smooth=smooth)
    n_outputs = 3 if task == Classes(3) else 1
    fit = fit_flagship(table, task, recipe, Budget(n_outputs), Tell())
    apart, scores = fit.judged.sample, fit.judged.scores
    assert 38 <= apart.n_rows <= 40
    assert_close(scores, network_scores(fit.judged.state, apart.X))
    if isinstance(task, Classes):
        few = replace(RULE, most_variables=0, least_apart=apart.n_rows)
        assert ClassFigures.of(fit, RULE).note == REFINED  # few rows are a noisy figure
        figures = ClassFigures.of(fit, few)
        assert figures.note == APART
        assert ClassFigures.of(fit, replace(few, least_apart=apart.n_rows + 1)).note == REFINED
        assert_close(figures.loo_error, np.mean(winners(scores) != apart.labels))
        assert_close(figures.loo_log_loss, mean_log_loss(scores, apart.labels, apart.weight, 1.0))
        return
    for most in (10_000, 0):
        figures = NumberFigures.of(fit, replace(RULE, most_variables=0, last_variables=most))
        assert_close(figures.loo_errors[0], np.sqrt(np.mean((scores - apart.codes) ** 2)))
    assert_close(figures.uncertainty.variance, max(figures.loo_errors[0] ** 2 - fit.noise, 0.0))


def test_without_nodes_the_mean_is_judged_by_leaving_out(seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 4, 60)
    y = rng.standard_normal(60)
    y -= np.average(y, weights=counts)
    sample = sample_of(np.zeros((60, 2)), y, counts.astype(float))
    figures = NumberFigures.of(fit_of(sample, Numbers()), RULE)
    copies = np.repeat(y, counts)
    left_out = (copies.sum() - copies) / (len(copies) - 1)
    assert_close(figures.loo_errors[0], np.sqrt(np.mean((copies - left_out) ** 2)))
    assert_close(figures.noise, np.mean(copies**2))
    assert figures.uncertainty is None


def test_without_nodes_classes_have_their_frequencies(seed):
    labels = np.array([0] * 50 + [1] * 30 + [2] * 20)
    figures = ClassFigures.of(fit_of(sample_of(np.zeros((100, 2)), labels), Classes(3)), RULE)
    p = np.array([0.5, 0.3, 0.2])
    assert_close(figures.loo_error, 0.5)
    assert_close(figures.loo_log_loss, -(p @ np.log(p)))


def test_relevance_is_the_mean_slope_times_the_spread(seed):
    """Of one wide node far away: a plane, whose slopes are known up to a common factor."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((200, 3)) * [1.0, 2.0, 5.0]
    inputs = InputMap(Standardizer.identity(3), clip=np.inf)
    nodes = Nodes(np.array([[1e3, 2e3, 0.0]]), np.full((1, 3), 1e3), Gaussian())
    network = Network(nodes, np.ones((1, 1)), np.zeros(1), inputs)
    power = np.array([1e3, 2e3, 0.0]) * X.std(axis=0)
    found = relevance(network, sample_of(X, X[:, 0]))
    assert_close(found, power / power.sum(), 0.01)  # nearly a plane
    empty = Network(nodes.take(slice(0)), np.empty((0, 1)), np.zeros(1), inputs)
    np.testing.assert_array_equal(relevance(empty, sample_of(X, X[:, 0])), np.zeros(3))


def test_relevance_forgets_a_shift_of_all_scores(seed):
    """Three outputs that move together mean nothing."""
    X = np.random.default_rng(seed).standard_normal((50, 2))
    inputs = InputMap(Standardizer.identity(2), clip=3.0)
    nodes = Nodes(
        np.array([[0.5, 0.0], [0.0, 0.5]]), np.array([[1.0, 1e9], [1e9, 1.0]]), Gaussian()
    )
    coef = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0]])
    network, labels = Network(nodes, coef, np.zeros(3), inputs), np.arange(50) % 3
    found = relevance(network, sample_of(X, labels))
    assert_close(found, [0.0, 1.0])
