"""Weights far beyond what counts can be: only their ratios mean something, and nothing breaks."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import is_classifier

import drumlin.estimators
from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.sample.copies import LARGEST_COUNT, without_extremes

ESTIMATORS = [getattr(drumlin.estimators, name) for name in drumlin.estimators.__all__]


def table(kind, n=24):
    """A small problem for a kind of estimator."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 2))
    score = X[:, 0] + np.sin(2.0 * X[:, 1])
    return X, (score > 0.0).astype(int) if is_classifier(kind()) else score


def answers(model, X):
    return model.predict_proba(X) if is_classifier(model) else model.predict(X)


@pytest.mark.parametrize("exponent", [1 - LARGEST_COUNT, 0, LARGEST_COUNT - 3])
def test_weights_that_may_be_counts_stay_as_they_are(exponent):
    weight = np.ldexp(np.array([0.0, 1.0, 1.5, 3.0, 7.0]), exponent)
    np.testing.assert_array_equal(without_extremes(weight), weight)


@pytest.mark.parametrize("exponent", [-1000, -LARGEST_COUNT - 4, LARGEST_COUNT, 1000])
def test_ratios_stay_exact(exponent):
    weight = np.array([0.0, 1.0, 1.5, 3.0, 7.0])
    scaled = without_extremes(np.ldexp(weight, exponent))
    np.testing.assert_array_equal(scaled / scaled[1], weight)
    assert abs(np.log2(scaled.max())) <= LARGEST_COUNT + 1


def test_ratios_beyond_rounding_are_cut():
    weight = without_extremes(np.array([0.0, 1e-300, 1e-10, 1.0]))
    np.testing.assert_array_equal(weight, [0.0, np.finfo(float).eps, 1e-10, 1.0])


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_huge_weights_are_relative(kind):
    X, y = table(kind)
    weight = np.random.default_rng(1).integers(1, 4, len(y)).astype(float)
    found = [
        answers(kind().fit(X, y, np.ldexp(weight, exponent)), X)
        for exponent in (LARGEST_COUNT, 500, 1000)
    ]
    assert np.isfinite(found[0]).all()
    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])


@pytest.mark.parametrize("n", [2, 24])
def test_samples_of_opposite_weight(n):
    X, y = np.arange(n, dtype=float)[:, None], np.arange(n) % 2
    model = DrumlinClassifier().fit(X, y, np.where(y == 0, 1e300, 1e-300))
    probabilities = model.predict_proba(X)
    assert (probabilities[:, 0] > 1.0 - 1e-12).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)


def test_class_weights_of_any_size():
    X, y = table(DrumlinClassifier)
    model = DrumlinClassifier(class_weight={0: 1e300, 1: 1e-300}).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("spread", [0.0, 7.0, 14.0])
@pytest.mark.parametrize("scale", [1.0, 1e6])
def test_regression_without_noise(spread, scale):
    """Gauss-Newton matrices that are singular to rounding: weights over next to no noise."""
    rng = np.random.default_rng(2)
    X = rng.uniform(-2.0, 2.0, (40, 2))
    y = np.sin(X[:, 0]) + X[:, 1]
    weight = scale * 10.0 ** rng.uniform(0.0, spread, len(y)) if spread else np.full(40, scale)
    mean, std = DrumlinRegressor().fit(X, y, weight).predict(X, return_std=True)
    assert np.isfinite(std).all()
    assert np.average((mean - y) ** 2, weights=weight) < 0.01 * y.var()
