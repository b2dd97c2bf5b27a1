"""What inputs tell alone: polynomials left out by brute force, and which inputs count."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.flagship import Recipe
from drumlin.flagship import screen as module
from drumlin.flagship.metric import screened
from drumlin.flagship.screen import gains_of_inputs, loo_errors_of_degrees
from drumlin.flagship.start import find_start_in, node_price
from tests.helpers import EXACT, assert_close, sample_of
from tests.selection.problems import codes, three_blobs

RULE = Recipe().start


def brute_force(z, targets, weight, degree):
    """Leave-one-out squared error of one polynomial, every row left out with one copy."""
    total, errors = weight.sum(), 0.0
    for i in range(len(z)):
        rest = weight.copy()
        rest[i] = max(rest[i] - 1.0, 0.0)
        root = np.sqrt(rest)[:, None]
        columns = np.vander(z, degree + 1)
        coef = np.linalg.lstsq(root * columns, root * targets, rcond=None)[0]
        errors += weight[i] * ((columns[i] @ coef - targets[i]) ** 2).sum()
    return errors / total


@pytest.mark.parametrize("weighted", [False, True])
def test_errors_left_out_are_those_of_fits_without_each_row(weighted, seed):
    X, labels = three_blobs(seed, 40)
    weight = np.random.default_rng(seed).choice([0.5, 1.0, 3.0], 40) if weighted else np.ones(40)
    sample = sample_of(X, labels, weight)
    errors = loo_errors_of_degrees(sample, sample.X, 4)
    for degree in range(5):
        for i in range(sample.n_features):
            expected = brute_force(X[:, i], codes(labels), weight, degree)
            assert_close(errors[degree, i], expected)


def test_few_values_have_few_degrees(seed):
    rng = np.random.default_rng(seed)
    Z = np.column_stack([np.ones(30), rng.integers(0, 2, 30), rng.integers(0, 3, 30)]).astype(float)
    errors = loo_errors_of_degrees(sample_of(Z, rng.standard_normal(30)), Z, 4)
    assert_close(errors[:, 0], np.full(5, errors[0, 0]))
    assert_close(errors[1:, 1], np.full(4, errors[1, 1]))
    assert_close(errors[2:, 2], np.full(3, errors[2, 2]))
    assert errors[1, 1] != errors[0, 1]


def test_inputs_that_matter_gain_and_blocks_do_not(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((300, 8))
    y = np.sin(2.0 * Z[:, 2]) + 0.5 * Z[:, 5] + 0.5 * rng.standard_normal(300)
    sample = sample_of(Z, y)
    gains = gains_of_inputs(sample, 5, node_price(sample))
    assert set(np.argsort(gains)[-2:]) == {2, 5}
    assert gains[[2, 5]].min() > 0.1
    assert np.median(gains) == 0.0
    monkeypatch.setattr(module, "_BLOCK", 700)
    assert_close(gains_of_inputs(sample, 5, node_price(sample)), gains, EXACT)


def test_nodes_of_a_screened_metric_start_wide_along_other_inputs(seed):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((200, 6))
    sample = sample_of(Z, (Z[:, 1] > 0.0).astype(np.int64))
    metrics = list(screened(sample, RULE))
    assert len(metrics) == len(RULE.least_factors)
    for metric, least in zip(metrics, RULE.least_factors, strict=True):
        start = find_start_in(metric, sample, RULE, lambda metric: 3)
        assert start.metric.matrix is start.metric.factors is None
        assert 1 <= start.n_nodes <= 3
        assert start.width.argmin() == 1
        assert_close(start.width.max(), start.width[1] / least)
        assert_close(Z[start.support], start.centers)
        nodes = start.variables().nodes(np.zeros(start.variables().size))
        assert_close(1.0 / nodes.inv_widths[0], start.width)


def test_nothing_is_screened_where_no_input_tells_anything():
    labels = np.arange(40) % 2
    assert not list(screened(sample_of(np.ones((40, 3)), labels), RULE))
