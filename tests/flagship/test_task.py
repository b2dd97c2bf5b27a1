"""What is to be learned: losses, views, noise and penalties of classes and of numbers."""

from __future__ import annotations

from dataclasses import astuple, replace

import numpy as np
import pytest

from drumlin._kernels import HUBER_DELTA
from drumlin.basis import gaussian_activations
from drumlin.flagship import Classes, Numbers, Recipe
from drumlin.flagship.start import find_start
from drumlin.flagship.task import robust_variances
from drumlin.laplace import loo_scores_of_several, network_scores
from drumlin.losses import Huber, Logistic, Softmax, Squared
from drumlin.refinement import Objective, Penalties, refine
from tests.helpers import assert_close, sample_of
from tests.refinement.problems import PENALTIES
from tests.selection.problems import three_blobs, two_moons

RECIPE = Recipe()


def numbers(seed, n=200, outliers=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (n, 2))
    y = np.sin(2.0 * X[:, 0]) + 0.2 * rng.standard_normal(n)
    y = (y - y.mean()) / y.std()
    y[:outliers] = 1e3
    return sample_of(X, y)


def start_of(sample, task):
    return find_start(task.for_start(sample, RECIPE), RECIPE.start)


def test_losses():
    assert Classes(2).loss(0.3) == Logistic()
    assert Classes(4).loss(0.3) == Softmax(4)
    assert Numbers().loss(0.25) == Squared()
    assert Numbers(robust=True).loss(0.25) == Huber(0.5 * HUBER_DELTA)


def test_only_squares_are_also_tried_smooth():
    assert Numbers().smooth
    assert not Numbers(robust=True).smooth
    assert not Classes(2).smooth


def test_classes_are_clipped_everywhere_and_numbers_where_there_are_outliers(seed):
    sample = numbers(seed)
    assert Classes(2).view(sample, RECIPE).clip == RECIPE.view.clip
    np.testing.assert_array_equal(Numbers().view(sample, RECIPE).clip, [np.inf, np.inf])


def robust_variance(errors, weight):
    (variance,) = robust_variances(errors[:, None], weight)
    return variance


def test_robust_variance_is_that_of_normal_errors(seed):
    errors = 3.0 * np.random.default_rng(seed).standard_normal(20_000)
    assert_close(robust_variance(errors, np.ones(20_000)), 9.0, 0.05)
    errors[:2000] = 1e6
    assert robust_variance(errors, np.ones(20_000)) < 15.0
    counts = np.random.default_rng(seed).integers(1, 4, 100)
    copies = robust_variance(np.repeat(errors[-100:], counts), np.ones(counts.sum()))
    assert_close(robust_variance(errors[-100:], counts.astype(float)), copies)


def test_only_robust_starts_cut_outliers(seed):
    sample = numbers(seed, outliers=5)
    assert Numbers().for_start(sample, RECIPE) is sample
    cut = Numbers(robust=True).for_start(sample, RECIPE).codes[:, 0]
    np.testing.assert_array_equal(cut[5:], sample.codes[5:, 0])
    assert cut.max() < 10.0
    constant = sample.with_codes(np.ones((200, 1)))
    same = Numbers(robust=True).for_start(constant, RECIPE)
    np.testing.assert_array_equal(same.codes, constant.codes)


def test_the_first_noise_is_that_of_the_start_or_of_the_bulk(seed):
    sample = numbers(seed)
    start = start_of(sample, Numbers())
    assert Classes(2).first_noise(start) == 1.0
    assert Numbers().first_noise(start) == start.squared_error
    robust = Numbers(robust=True)
    errors = (sample.codes - start.loo_predictions)[:, 0]
    expected = min(start.squared_error, robust_variance(errors, sample.weight))
    assert_close(robust.first_noise(start), expected)


def test_a_refined_network_knows_the_noise(seed):
    """Residuals over the degrees of freedom left; classes have none."""
    sample, task = numbers(seed, 400), Numbers()
    start = start_of(sample, task)

    def penalties(n_nodes, total):
        return task.penalties(start, n_nodes, total, RECIPE.penalties)

    objective = Objective(lambda noise: Squared(), penalties, lambda total: 0.1)
    rows = sample.with_noise(task.first_noise(start))
    state = refine(start.variables(), rows, objective, RECIPE.schedule)
    truth = (0.2 / np.hypot(0.2, np.sqrt(0.5))) ** 2  # of a sine with that noise, of variance 1
    rule = RECIPE.judge
    assert_close(task.noise(state, rows, rule) / truth, 1.0, 0.3)
    assert Classes(2).noise(state, rows, rule) == state.noise
    # Too many variables for a quadratic model: as if all were free, until the last figures.
    small = replace(rule, most_variables=0)
    squares = sample.weight @ (network_scores(state, sample.X) - sample.codes) ** 2
    expected = min(state.noise, squares.item() / (sample.total - state.size))
    assert_close(task.noise(state, rows, small), expected)
    last = task.noise(state, rows, small, last=True)
    assert_close(last / task.noise(state, rows, rule), 1.0, 1e-5)  # in single precision


def test_errors_left_out_are_those_of_the_quadratic_model(seed):
    """A linear network leaves rows out exactly: its errors over one minus the leverages."""
    sample, task, rule = numbers(seed, 120), Numbers(), RECIPE.judge
    start = start_of(sample, task)
    fixed = Penalties(1e-6, 0.5, 1e12, 1e12, 1e12, 1e12)  # only weights move
    objective = Objective(lambda noise: Squared(), lambda n_nodes, total: fixed, lambda total: 0.0)
    rows = sample.with_noise(0.1)
    state = refine(start.variables(), rows, objective, RECIPE.schedule)
    nodes = state.nodes()
    Phi = gaussian_activations(sample.X, nodes.centers, nodes.inv_widths)
    columns = np.column_stack([np.ones(len(Phi)), Phi])
    ridge = state.noise * np.diag(np.roll(state.weight_penalties(), 1))
    leverages = np.diag(columns @ np.linalg.solve(columns.T @ columns + ridge, columns.T))
    errors = (sample.codes - network_scores(state, sample.X))[:, 0] / (1.0 - leverages)
    judged, scores = task.left_out(state, rows, rule)
    assert judged.noise == rows.noise  # one yardstick for all networks
    assert_close((judged.codes - scores)[:, 0], errors, 1e-6)
    few = {"last_variables": state.size - 1, "class_variables": state.size - 1}
    for other in (Numbers(), Numbers(robust=True), Classes(2)):
        assert other.left_out(state, rows, rule) is not None
        assert other.left_out(state, rows, replace(rule, **few)) is None
    several = of_two_outputs(state)
    assert task.left_out(several, rows.with_codes(two_codes(rows)), rule) is not None
    assert task.left_out(several, rows, replace(rule, several_variables=state.size)) is None


def two_codes(rows):
    return np.column_stack([rows.codes, rows.X[:, 0]])


@pytest.mark.parametrize("task", [Numbers(n_outputs=2), Numbers(robust=True, n_outputs=2)], ids=str)
def test_scores_of_several_outputs_left_out_are_those_of_their_quadratic_model(task, seed):
    """Rows go with all their copies; a loss that is not squares has no bends of its own."""
    sample = numbers(seed, 60)
    rows = replace(sample, codes=two_codes(sample), weight=sample.weight + 1.0).with_noise(0.1)
    start = start_of(rows, task)
    objective = Objective(task.loss, lambda n, total: PENALTIES, lambda total: 0.0)
    state = refine(start.variables(), rows, objective, RECIPE.schedule)
    sample, scores = task.left_out(state, rows, RECIPE.judge)
    expected = loo_scores_of_several(
        state, sample.with_noise(state.noise), Squared(), bent=not task.robust, whole=True
    )
    np.testing.assert_array_equal(scores, expected)


def of_two_outputs(state):
    """A network with a second output."""
    _, W, *others = state.variables.split(state.vector)
    variables = replace(state.variables, n_outputs=2)
    vector = variables.pack(np.zeros(2), np.zeros((len(W), 2)), *others)
    return replace(state, variables=variables, vector=vector)


@pytest.mark.parametrize(
    ("total", "two", "many"), [(100.0, 30.0, 30.0), (1000.0, 5.0, 10 / 3), (1e6, 2.0, 3.0)]
)
def test_individual_widths_are_freer_the_more_samples(seed, total, two, many):
    one, other = (start_of(sample_of(*p(seed)), Classes(2)) for p in (two_moons, three_blobs))
    rule = RECIPE.penalties
    assert_close(Classes(2).penalties(one, 5, total, rule).deviation, two)
    assert_close(Classes(3).penalties(other, 5, total, rule).deviation, many)
    assert_close(Numbers().penalties(one, 5, total, rule).deviation, 2.0 * two)


def test_penalties_are_those_of_the_recipe(seed):
    one, other = (start_of(sample_of(*p(seed)), Classes(2)) for p in (two_moons, three_blobs))
    rule, total = RECIPE.penalties, 1000.0
    two = Classes(2).penalties(one, 5, total, rule)
    assert_close(astuple(two), (1e-6, 0.4 * one.squared_error, 3.0, 3.0, 30.0, 5.0))
    three = Classes(3).penalties(other, 5, total, rule)
    unexplained = other.squared_error / other.variance
    assert_close(astuple(three), (1e-6, 0.4 * unexplained, 1.0, 3.0, 3.0, 10 / 3))
    assert_close(
        astuple(Numbers().penalties(one, 5, total, rule)), (1e-6, 1.0, 6.0, 6.0, 30.0, 10.0)
    )
    crowded = Classes(3).penalties(other, 90, total, rule)
    assert_close(crowded.coef, three.coef * 10.0**0.7)  # ten times three nodes per class
