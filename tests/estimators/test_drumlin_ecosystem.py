"""The flagship among scikit-learn's tools."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.estimators.tables import scores_of


def test_kinds():
    assert is_classifier(DrumlinClassifier())
    assert is_regressor(DrumlinRegressor())


def test_pickle_and_clone(fitted):
    model, (X, _) = fitted
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(scores_of(again, X), scores_of(model, X))
    np.testing.assert_array_equal(again.novelty(X), model.novelty(X))
    np.testing.assert_array_equal(scores_of(again.truncate(1), X), scores_of(model.truncate(1), X))
    assert not hasattr(clone(model), "network_")
    assert clone(model).get_params() == model.get_params()


def test_pickle_holds_no_training_data():
    sizes = [
        len(pickle.dumps(DrumlinClassifier(2).fit(*make_blobs(n, centers=2, random_state=0))))
        for n in (100, 3000)
    ]
    assert sizes[1] < sizes[0] + 5_000


def test_table_in_names_out(moons, fitted_to):
    pandas = pytest.importorskip("pandas")
    X, y = moons
    table = pandas.DataFrame(X, columns=["length", "height"])
    model = DrumlinClassifier().fit(table, pandas.Series(y).map({0: "no", 1: "yes"}))
    np.testing.assert_array_equal(model.feature_names_in_, ["length", "height"])
    plain = fitted_to("two")
    np.testing.assert_array_equal(model.predict_proba(table), plain.predict_proba(X))
    np.testing.assert_array_equal(model.gradient(table), plain.gradient(X))
    np.testing.assert_array_equal(model.novelty(table), plain.novelty(X))
    np.testing.assert_array_equal(model.truncate(1).feature_names_in_, ["length", "height"])
    with pytest.raises(ValueError, match="feature names"):
        model.novelty(table[["height", "length"]])


def test_grid_search_over_sizes(classes, wave):
    search = GridSearchCV(DrumlinClassifier(), {"max_nodes": [1, 4]}, cv=3, error_score="raise")
    assert search.fit(*classes).best_score_ > 0.5
    search = GridSearchCV(
        DrumlinRegressor(), {"loss": ["huber", "squared_error"]}, cv=3, error_score="raise"
    )
    assert search.fit(*wave).best_score_ > 0.8


def test_routing_of_weights_and_rejection_through_a_pipeline(moons, seed):
    X, y = moons
    weight = np.random.default_rng(seed).uniform(0.0, 2.0, len(y))
    Z = StandardScaler().fit_transform(X)
    expected = DrumlinClassifier().fit(Z, y, weight)
    with sklearn.config_context(enable_metadata_routing=True):
        model = DrumlinClassifier().set_fit_request(sample_weight=True)
        model.set_predict_request(reject=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, model).fit(X, y, sample_weight=weight)
        answers = routed.predict(X, reject=0.9)
    np.testing.assert_array_equal(answers, expected.predict(Z, reject=0.9))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.float64])
def test_any_real_array(dtype, order, moons):
    X, y = moons
    Z = np.asarray(np.round(100 * X), dtype=dtype, order=order)
    Z.flags.writeable = False
    expected = DrumlinClassifier().fit(np.round(100 * X), y)
    np.testing.assert_array_equal(
        DrumlinClassifier().fit(Z, y).predict_proba(Z), expected.predict_proba(Z)
    )


def test_html_and_text(moons):
    model = DrumlinClassifier(3).fit(*moons)
    assert repr(model) == "DrumlinClassifier(max_nodes=3)"
    assert "DrumlinClassifier" in model._repr_html_()
