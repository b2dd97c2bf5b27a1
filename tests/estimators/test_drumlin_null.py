"""Tables without signal."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor

from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.estimators.tables import scores_of
from tests.helpers import EXACT, assert_close


@pytest.fixture(params=["two", "four", "number"])
def null(request, seed):
    """Models of noise, with their training data."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 5))
    if request.param == "number":
        y = 3.0 + 2.0 * rng.normal(size=200)
        return DrumlinRegressor().fit(X, y), (X, y)
    y = np.arange(200) % (3 if request.param == "two" else 5)
    y[y > (1 if request.param == "two" else 3)] = 0
    return DrumlinClassifier().fit(X, y), (X, y)


@pytest.mark.parametrize("n_classes", [1, 2, 4])
def test_noise_gets_no_node(n_classes):
    none = 0
    for draw in range(20):
        rng = np.random.default_rng(draw)
        X = rng.normal(size=(200, 5))
        if n_classes == 1:
            model = DrumlinRegressor().fit(X, rng.normal(size=200))
        else:
            model = DrumlinClassifier().fit(X, rng.integers(0, n_classes, 200))
        none += model.n_nodes_ == 0
    assert none >= 18


def test_the_null_model_predicts_frequencies(null):
    model, (X, y) = null
    assert model.n_nodes_ == 0
    far = np.vstack([X, 1e6 + X])
    if is_regressor(model):
        assert_close(model.predict(far), y.mean())
        assert_close(model.predict(far, return_std=True)[1], y.std(), 0.01)
        assert_close(model.noise_std_, y.std())
        assert_close(model.loo_error_, y.std() * 200 / 199)
    else:
        p = np.tile(np.bincount(y) / len(y), (len(far), 1))
        assert_close(model.predict_proba(far), p)
        assert_close(model.loo_error_, 1.0 - p[0].max())
        assert_close(model.loo_log_loss_, -(p[0] @ np.log(p[0])))


def test_the_null_model_can_do_everything(null):
    model, (X, _) = null
    k, d = scores_of(model, X).shape[1], X.shape[1]
    assert model.centers_.shape == model.widths_.shape == (0, d)
    assert model.support_.shape == (0,)
    assert_close(model.relevance_, np.zeros(d), EXACT)
    parts = model.contributions(X)
    assert parts.shape == (200, 1, k)
    assert_close(parts.sum(axis=1), scores_of(model, X), EXACT)
    gradient = model.gradient(X)
    assert gradient.shape == ((200, k, d) if is_classifier(model) else (200, d))
    assert not gradient.any()
    assert not model.novelty(X).any()  # nothing is known, so nothing is new
    if is_classifier(model):
        np.testing.assert_array_equal(model.predict(X, reject=0.0), model.predict(X))
        assert set(model.predict(X, reject=1.0)) == {None}
    with pytest.raises(
        ValueError, match=r"'n_nodes' parameter .* it has no nodes: it is a constant. Got 1"
    ):
        model.truncate(1)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
