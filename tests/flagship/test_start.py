"""The flagship's start: deterministic samples, metrics, widths, size, and no node for noise."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.flagship.start import (
    StartProblem,
    find_start,
    node_caps,
    node_price,
    squared_distances,
    systematic_sample,
    weighted_median,
    whitener,
)
from tests.helpers import IDENTITY, assert_close
from tests.selection.problems import codes, three_blobs, two_moons


def make_problem(X, labels, weight=None):
    weight = np.ones(len(X)) if weight is None else weight
    return StartProblem(X, codes(labels), labels, weight, int(labels.max()) + 1)


def test_systematic_sample_does_not_depend_on_the_order_of_rows(seed):
    X, labels = two_moons(seed, 301)
    order = np.random.default_rng(seed).permutation(301)
    sample = systematic_sample(X, labels, 60)
    shuffled = systematic_sample(X[order], labels[order], 60)
    np.testing.assert_array_equal(np.sort(order[shuffled]), sample)
    assert len(np.unique(sample)) == 60


def test_systematic_sample_is_proportional_in_the_classes(seed):
    rng = np.random.default_rng(seed)
    labels = (rng.random(1000) < 0.2).astype(int)
    sample = systematic_sample(rng.standard_normal((1000, 2)), labels, 100)
    assert abs(labels[sample].sum() - labels.sum() / 10) <= 1


def test_whitener_whitens_within_classes(seed):
    X, labels = three_blobs(seed)
    X = X @ np.array([[3.0, 1.0, 0.0], [0.0, 1.0, 0.2], [0.0, 0.0, 0.1]])
    problem = make_problem(X, labels)
    Y = X @ whitener(problem, 0.0)
    within = np.concatenate([Y[labels == k] - Y[labels == k].mean(axis=0) for k in range(3)])
    assert_close(within.T @ within / len(X), np.eye(3))
    round_one = whitener(problem, 1.0)
    assert_close(round_one, round_one[0, 0] * np.eye(3))
    assert whitener(make_problem(np.ones_like(X), labels), 0.5) is None


def test_weighted_median_counts_weights_as_copies(seed):
    rng = np.random.default_rng(seed)
    values, counts = rng.random(20), rng.integers(1, 5, 20)
    expected = np.median(np.repeat(values, counts))
    assert_close(weighted_median(values, counts.astype(float)), expected)
    assert weighted_median(values, np.ones(20)) == np.median(values)


def test_distances_by_one_product(seed):
    A, B = np.random.default_rng(seed).random((2, 6, 3))
    expected = ((A[:, None] - B) ** 2).sum(axis=2)
    assert_close(squared_distances(A, B), expected)


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_start_explains_the_data(problem, seed):
    X, labels = problem(seed, 200)
    start = find_start(make_problem(X, labels))
    m = len(start.centers)
    assert 1 <= m <= node_caps(make_problem(X, labels))[1]
    assert start.squared_error < 0.7 * start.variance
    assert_close(start.metric(X)[start.rows], start.centers)
    squares = ((codes(labels) - start.loo_predictions) ** 2).sum(axis=1).mean()
    assert_close(squares, start.squared_error)


def test_size_limit(seed):
    X, labels = two_moons(seed, 200)
    start = find_start(make_problem(X, labels), lambda metric: 2)
    assert len(start.centers) <= 2


def test_noise_gets_no_node():
    empty = 0
    for draw in range(20):
        rng = np.random.default_rng(draw)
        labels = rng.integers(0, 2, 200)
        start = find_start(make_problem(rng.standard_normal((200, 5)), labels))
        empty += len(start.centers) == 0
    assert empty >= 18


def test_constant_inputs_have_no_start():
    labels = np.arange(20) % 2
    assert find_start(make_problem(np.zeros((20, 2)), labels)) is None


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_integer_weights_are_repeated_rows(problem, seed):
    X, labels = problem(seed, 90)
    counts = np.random.default_rng(seed).integers(1, 4, 90)
    rows = np.repeat(np.arange(90), counts)
    weighted = find_start(make_problem(X, labels, counts.astype(float)))
    repeated = find_start(make_problem(X[rows], labels[rows]))
    assert_close(weighted.centers, repeated.centers)
    assert_close(weighted.width, repeated.width)
    assert_close(weighted.squared_error, repeated.squared_error, IDENTITY)


def test_price_of_a_node_when_fewer_rows_were_used(seed):
    problem = make_problem(*two_moons(seed, 200))
    assert_close(node_price(problem, 200.0), np.log(200) / 200)
    assert node_price(problem, 100.0) < node_price(problem, 200.0)
