"""The flagship's start: deterministic candidates, widths, size, and no node for noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.flagship import Recipe
from drumlin.flagship import start as module
from drumlin.flagship.start import (
    find_start,
    node_caps,
    node_price,
    spread_rows,
    squared_distances,
    variance,
)
from tests.helpers import IDENTITY, assert_close, sample_of
from tests.selection.problems import codes, three_blobs, two_moons

RULE = Recipe().start


def start_of(X, labels, weight=None, limit=lambda metric: None, rule=RULE):
    sample = sample_of(X, labels, weight)
    return find_start(sample, rule, limit)


def test_spread_rows_do_not_depend_on_the_order_of_rows(seed):
    X, labels = two_moons(seed, 301)
    order = np.random.default_rng(seed).permutation(301)
    rows = spread_rows(X, labels, 60)
    shuffled = spread_rows(X[order], labels[order], 60)
    np.testing.assert_array_equal(np.sort(order[shuffled]), rows)
    assert len(np.unique(rows)) == 60


def test_spread_rows_are_proportional_in_the_classes(seed):
    rng = np.random.default_rng(seed)
    labels = (rng.random(1000) < 0.2).astype(int)
    rows = spread_rows(rng.standard_normal((1000, 2)), labels, 100)
    assert abs(labels[rows].sum() - labels.sum() / 10) <= 1


def test_distances_by_one_product(seed):
    A, B = np.random.default_rng(seed).random((2, 6, 3))
    expected = ((A[:, None] - B) ** 2).sum(axis=2)
    assert_close(squared_distances(A, B), expected)


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_start_explains_the_data(problem, seed):
    X, labels = problem(seed, 200)
    start = start_of(X, labels)
    m = len(start.centers)
    assert m == start.n_nodes
    assert not start.n_spare
    assert 1 <= m <= node_caps(200.0, 200, int(labels.max()) + 1, RULE)[1]
    assert start.squared_error < 0.7 * start.variance
    assert_close(start.metric(X)[start.support], start.centers)
    squares = ((codes(labels) - start.loo_predictions) ** 2).sum(axis=1).mean()
    assert_close(squares, start.squared_error)


@pytest.mark.parametrize("n_classes", [1, 2, 5])
def test_heavy_rows_do_not_buy_nodes_without_end(n_classes):
    """Weights are copies, but paths over as many nodes as there are rows take for ever."""
    usual, heavy, heavier = (node_caps(w * 3000, 3000, n_classes, RULE) for w in (1, 1e4, 1e12))
    assert usual < heavy == heavier == node_caps(64 * 3000, 3000, n_classes, RULE)
    assert node_caps(3000, 300, n_classes, RULE) == usual  # copies as such count


def test_size_limit(seed):
    X, labels = two_moons(seed, 200)
    start = start_of(X, labels, limit=lambda metric: 2)
    assert start.n_nodes <= 2
    assert len(start.variables().centers) == start.n_nodes


def test_spare_nodes_are_those_that_the_limit_keeps_out(seed):
    """Without a limit there are none; with one, all that would have been taken are there."""
    X, labels = two_moons(seed, 200)
    free = start_of(X, labels)
    limited = start_of(X, labels, limit=lambda metric: 1)
    assert free.n_nodes > 2  # or the test is empty
    assert limited.n_nodes == 1
    assert limited.n_spare == len(limited.centers) - 1 > 0
    assert len(limited.variables(spare=True).centers) == len(limited.centers)
    assert_close(limited.metric(X)[limited.support], limited.centers)


def test_noise_gets_no_node():
    empty = 0
    for draw in range(20):
        rng = np.random.default_rng(draw)
        labels = rng.integers(0, 2, 200)
        start = start_of(rng.standard_normal((200, 5)), labels)
        empty += len(start.centers) == 0
        assert (start.n_nodes == 0) == (len(start.centers) == 0)
    assert empty >= 18


def test_constant_inputs_have_no_start():
    labels = np.arange(20) % 2
    assert start_of(np.zeros((20, 2)), labels) is None


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_integer_weights_are_repeated_rows(problem, seed):
    X, labels = problem(seed, 90)
    counts = np.random.default_rng(seed).integers(1, 4, 90)
    rows = np.repeat(np.arange(90), counts)
    weighted = start_of(X, labels, counts.astype(float))
    repeated = start_of(X[rows], labels[rows])
    assert_close(weighted.centers, repeated.centers)
    assert_close(weighted.width, repeated.width)
    assert_close(weighted.squared_error, repeated.squared_error, IDENTITY)


def test_the_price_of_a_node_is_that_of_the_samples_that_tell_something(seed):
    X, labels = two_moons(seed, 200)
    assert_close(node_price(sample_of(X, labels)), np.log(200) / 200)
    rare = np.arange(200) < 10
    n = 4 * 10 * 190 / 200
    assert_close(node_price(sample_of(X, rare.astype(int))), np.log(n) / n)


def test_the_variance_is_that_of_the_codes(seed):
    X, labels = three_blobs(seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(X))
    mean = np.average(codes(labels), axis=0, weights=weight)
    expected = np.average(((codes(labels) - mean) ** 2).sum(axis=1), weights=weight)
    assert_close(variance(sample_of(X, labels, weight)), expected)


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_the_ladder_of_widths_is_one_exponential_each(problem, seed, monkeypatch):
    """Every path sees the activations of its own width."""
    seen = []

    def judged(basis, Phi, *others):
        seen.append((basis, Phi.copy()))
        return original(basis, Phi, *others)

    original = module._judged
    monkeypatch.setattr(module, "_judged", judged)
    start_of(*problem(seed, 90))
    assert len(seen) > len(RULE.widths)
    for basis, Phi in seen:
        assert_close(Phi, basis.activations())
    plain = [basis.width for basis, _ in seen if basis.metric.matrix is None]
    ratios = np.divide(plain[: len(RULE.widths)], plain[0])
    assert_close(ratios, np.divide(RULE.widths, RULE.widths[0]))


def test_more_rows_than_are_scanned_are_used_for_the_final_path(seed):
    X, labels = two_moons(seed, 400)
    start = start_of(X, labels, rule=replace(RULE, scan_rows=150))
    assert start.sample.n_rows == len(start.loo_predictions) == 400
    assert start.squared_error < 0.7 * start.variance
