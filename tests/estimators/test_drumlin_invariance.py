"""Nothing is random; order, threads, units and names do not matter."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from threadpoolctl import threadpool_limits

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.refinement import Schedule
from tests.estimators.tables import ROUNDING, bump, scores_of
from tests.helpers import assert_close


@pytest.mark.parametrize("random_state", [None, 0, 7])
def test_the_seed_does_not_matter(random_state, classes, fitted_to):
    X, y = classes
    plain = fitted_to("two" if y.max() == 1 else "four")
    again = DrumlinClassifier(random_state=random_state).fit(X, y)
    np.testing.assert_array_equal(plain.decision_function(X), again.decision_function(X))


def test_the_order_of_rows_does_not_matter(fitted, seed):
    model, (X, y) = fitted
    order = np.random.default_rng(seed).permutation(len(X))
    other = clone(model).fit(X[order], y[order])
    np.testing.assert_array_equal(scores_of(model, X), scores_of(other, X))
    np.testing.assert_array_equal(order[other.support_], model.support_)
    np.testing.assert_array_equal(other.novelty(X), model.novelty(X))


def test_refitting_forgets(moons, blobs, fitted_to):
    model = DrumlinClassifier().fit(*blobs).fit(*moons)
    once = fitted_to("two")
    np.testing.assert_array_equal(model.predict_proba(moons[0]), once.predict_proba(moons[0]))


@pytest.fixture(scope="module")
def large(seed):
    """More rows than are refined in double precision."""
    X, y = make_moons(Schedule().large + 500, noise=0.25, random_state=seed)
    return X, y, DrumlinClassifier().fit(X, y)


def test_large_tables_do_not_depend_on_threads_or_order(large, seed):
    X, y, model = large
    assert model.score(X, y) > 0.9
    order = np.random.default_rng(seed).permutation(len(X))
    for threads, rows in [(1, order), (2, slice(None))]:
        with threadpool_limits(threads):
            other = DrumlinClassifier().fit(X[rows], y[rows])
        np.testing.assert_array_equal(model.decision_function(X), other.decision_function(X))


def test_large_tables_hardly_depend_on_units(large):
    X, y, model = large
    Z = X * [3.0, -7.0] + [5.0, -100.0]
    p = DrumlinClassifier().fit(Z, y).predict_proba(Z)
    assert np.abs(p - model.predict_proba(X)).mean() < 0.01  # single precision, other samples


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_matter(threads, fitted):
    model, (X, y) = fitted
    with threadpool_limits(threads):
        other = clone(model).fit(X, y)
    np.testing.assert_array_equal(scores_of(model, X), scores_of(other, X))


@pytest.mark.parametrize("units", [(1e3, 1e-3), (-1.0, 1.0), (1e-9, -1e9)], ids=str)
def test_units_do_not_matter(units, moons, fitted_to):
    X, y = moons
    model = fitted_to("two")
    Z = X * units + [7.0 * units[0], -3.0 * units[1]]
    other = DrumlinClassifier().fit(Z, y)
    assert_close(other.predict_proba(Z), model.predict_proba(X), ROUNDING)
    assert_close(other.relevance_, model.relevance_, ROUNDING)
    assert_close(other.novelty(Z), model.novelty(X), 0.02)  # steps of one sample of 80


def test_neither_do_columns_or_names_of_classes(moons, fitted_to):
    X, y = moons
    model = fitted_to("two")
    swapped = DrumlinClassifier().fit(X[:, ::-1], y)
    assert_close(swapped.predict_proba(X[:, ::-1]), model.predict_proba(X), ROUNDING)
    flipped = DrumlinClassifier().fit(X, 1 - y)
    assert_close(flipped.predict_proba(X)[:, ::-1], model.predict_proba(X), ROUNDING)


@pytest.mark.parametrize("shift, scale", [(0.0, 1e-9), (1e3, 1.0), (-5.0, -1e6)], ids=str)
def test_units_of_targets_do_not_matter(shift, scale, seed, fitted_to):
    X, y = bump(seed)
    mean, std = fitted_to("squares").predict(X, return_std=True)
    other = DrumlinRegressor().fit(X, shift + scale * y)
    moved, spread = other.predict(X, return_std=True)
    # Long runs in flat valleys amplify rounding beyond ROUNDING.
    assert np.abs((moved - shift) / scale - mean).mean() < 0.01 * y.std()
    assert np.abs(spread / abs(scale) - std).mean() < 0.01 * y.std()


def test_backends_agree(fitted, monkeypatch):
    pytest.importorskip("numba")
    model, (X, y) = fitted
    scores = []
    for backend in ("numpy", "numba"):
        monkeypatch.setenv("DRUMLIN_BACKEND", backend)
        scores.append(scores_of(clone(model).fit(X, y), X))
    assert np.abs(scores[0] - scores[1]).mean() < 0.01 * scores[0].std()  # amplified rounding
