"""The flagship with many inputs for few samples: nodes on a projection."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import drumlin
from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.helpers import REFERENCE, assert_close


def shifted(seed, n_classes, n=80, d=300):
    """Classes that differ a little in every input."""
    rng = np.random.default_rng(seed)
    centers = 0.25 * rng.standard_normal((n_classes, d))
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n + 400 - n_classes)])
    X = 3.0 + centers[y] + rng.standard_normal((len(y), d))
    return X[:n], y[:n], X[n:], y[n:]


@pytest.fixture(params=[2, 3, 0], ids=["two classes", "three classes", "numbers"])
def case(request):
    """A fitted model, its training rows and new ones."""
    if request.param:
        X, y, X_new, y_new = shifted(0, request.param)
        return DrumlinClassifier().fit(X, y), X, X_new, y_new
    rng = np.random.default_rng(0)
    X = rng.standard_normal((580, 300))
    y = 5.0 + X[:, :30].sum(axis=1) + 0.5 * rng.standard_normal(580)
    return DrumlinRegressor().fit(X[:180], y[:180]), X[:180], X[180:], y[180:]


@pytest.mark.parametrize("n_classes", [2, 4])
def test_about_as_good_as_an_svm(n_classes):
    errors = []
    for seed in range(3):
        X, y, X_new, y_new = shifted(seed, n_classes, n=40 * n_classes)
        models = DrumlinClassifier(), make_pipeline(StandardScaler(), SVC())
        errors.append([1.0 - model.fit(X, y).score(X_new, y_new) for model in models])
    ours, theirs = np.mean(errors, axis=0)
    assert ours < theirs + 0.03
    assert ours < 0.25


def test_about_as_good_as_ridge_regression():
    """In the mean of draws: of 150 rows, one draw's leave-one-out error is off by a tenth."""
    told = []
    for seed in range(1, 9):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((650, 60))
        y = X[:, :10].sum(axis=1) + rng.standard_normal(650)
        ours = DrumlinRegressor().fit(X[:150], y[:150])
        ridge = RidgeCV(np.logspace(-2, 4, 13)).fit(X[:150], y[:150])
        errors = [np.sqrt(np.mean((m.predict(X[150:]) - y[150:]) ** 2)) for m in (ours, ridge)]
        assert errors[0] < 1.15 * errors[1]
        told.append(ours.loo_error_ / errors[0])
        mean, std = ours.predict(X[150:], return_std=True)
        assert 0.8 < np.mean(np.abs(mean - y[150:]) < 1.645 * std) < 0.97
    assert abs(np.mean(told) - 1.0) < 0.1


def test_leave_one_out_is_honest():
    """Training rows are seen by projections that did not know them."""
    X, y, X_new, y_new = shifted(2, 2)
    model = DrumlinClassifier().fit(X, y)
    assert abs(model.loo_error_ - (1.0 - model.score(X_new, y_new))) < 0.12


def test_everything_keeps_its_shape(case, tmp_path):
    model, _, X_new, _ = case
    matrix = model.network_.inputs.matrix
    assert matrix.shape[0] == 300
    assert matrix.shape[1] < 5
    assert model.n_nodes_ > 0
    assert model.centers_.shape == model.widths_.shape == (model.n_nodes_, 300)
    assert model.relevance_.shape == (300,)
    assert_close(model.relevance_.sum(), 1.0)
    assert_close(model.network_.mapped(model.centers_), model.network_.nodes.centers, REFERENCE)
    parts = model.contributions(X_new)
    assert_close(parts.sum(axis=1), model.network_(X_new))
    novelty = model.novelty(X_new)
    assert ((novelty >= 0.0) & (novelty <= 1.0)).all()
    path = tmp_path / "wide.drumlin"
    drumlin.save(model, path)
    np.testing.assert_array_equal(drumlin.load(path).predict(X_new), model.predict(X_new))
    smaller = model.truncate(1)
    assert smaller.n_nodes_ == 1
    assert np.isfinite(smaller.network_(X_new)).all()


def test_gradient(case):
    model, _, X_new, _ = case
    x = X_new[0]
    expected = approx_fprime(x, lambda x: model.network_(x[None])[0], 1e-6)
    assert_close(np.atleast_2d(model.gradient(x[None])[0]), np.atleast_2d(expected), 1e-4)


def test_copies_are_weights(case):
    """Integer weights equal repeated rows, also where the table is wide."""
    model, X, X_new, _ = case
    rng = np.random.default_rng(3)
    y = model.predict(X)
    if len(np.unique(y)) < 2:
        pytest.skip("one class only")
    times = rng.integers(1, 3, len(X))
    cls = type(model)
    weighted = cls().fit(X, y, sample_weight=times.astype(float))
    copied = cls().fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_array_equal(weighted.network_(X_new), copied.network_(X_new))


def test_thousands_of_inputs_take_no_time_for_covariances():
    """A covariance of 4000 inputs would take minutes, and memory for a million numbers a node."""
    X, y, X_new, y_new = shifted(4, 2, n=60, d=4000)
    model = DrumlinClassifier().fit(X, y)
    assert model.network_.inputs.matrix.shape == (4000, 1)
    assert model.score(X_new, y_new) > 0.95
