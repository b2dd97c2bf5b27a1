"""The estimators among scikit-learn's tools: search, pipelines, routing, tables, pickles."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import ForwardRBFClassifier, ForwardRBFRegressor, presets
from drumlin.criteria import LOOMutualInformation
from drumlin.linear import EvidenceRegularizer


def quick(**settings):
    return ForwardRBFClassifier(**({"width": 1.0, "max_nodes": 6} | settings))


def test_kinds():
    assert is_classifier(ForwardRBFClassifier())
    assert is_regressor(ForwardRBFRegressor())


def test_pickle(classes):
    X, y = classes
    model = quick().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.truncate(1).predict(X), model.truncate(1).predict(X))


def test_pickle_holds_no_training_data(moons):
    """A model is as large as its nodes and its path, not as its samples.

    What prediction sets are calibrated by grows with the logarithm of their number: by less than
    a kilobyte for thirty times as many.
    """
    X, y = moons
    sizes = []
    for copies in (1, 30, 900):
        many = np.tile(X, (copies, 1)), np.tile(y, copies)
        sizes.append(len(pickle.dumps(quick(candidates=X[:6], min_nodes=6).fit(*many))))
    assert max(np.diff(sizes)) < 1024


def test_clone_is_unfitted_and_equal(moons):
    model = quick(criterion=LOOMutualInformation(signed=False)).fit(*moons)
    copy = clone(model)
    assert not hasattr(copy, "network_")
    assert copy.criterion is not model.criterion
    assert repr(copy) == repr(model)
    assert copy.criterion.signed is False


@pytest.mark.parametrize("citation", ["hong2008", "hong2014"])
def test_presets_are_ordinary_estimators(citation, moons):
    scores = cross_val_score(presets(citation), *moons, cv=3, error_score="raise")
    assert scores.mean() > 0.7


def test_grid_search_over_parts(moons):
    search = GridSearchCV(
        quick(criterion=LOOMutualInformation(), regularizer=EvidenceRegularizer()),
        {"criterion__signed": [True, False], "regularizer__max_iter": [1, 10], "max_nodes": [2, 5]},
        cv=3,
        error_score="raise",
    ).fit(*moons)
    assert search.best_params_.keys() == {
        "criterion__signed",
        "regularizer__max_iter",
        "max_nodes",
    }
    assert search.best_score_ > 0.7


def test_cross_validation(classes, wave):
    X, y = classes
    assert cross_val_score(ForwardRBFClassifier(), X, y, cv=3, error_score="raise").mean() > 0.45
    p = cross_val_predict(quick(), X, y, cv=3, method="predict_proba")
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert cross_val_score(ForwardRBFRegressor(), *wave, cv=3, error_score="raise").mean() > 0.8


def test_meta_estimators(classes, seed):
    X, y = classes
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    calibrated = CalibratedClassifierCV(quick(), cv=3).fit(X, y, sample_weight=weight)
    bagged = BaggingClassifier(quick(), n_estimators=3, random_state=seed).fit(X, y)
    stacked = StackingClassifier([("rbf", quick())], cv=3).fit(X, y)
    for meta in (calibrated, bagged, stacked):
        assert meta.score(X, y) > 0.5  # of two or four classes


def test_routing_of_weights_through_a_pipeline(moons, seed):
    X, y = moons
    weight = np.random.default_rng(seed).uniform(0.0, 2.0, len(y))
    expected = quick().fit(StandardScaler().fit_transform(X), y, weight)
    with sklearn.config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = make_pipeline(scaler, quick().set_fit_request(sample_weight=True))
        routed.fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(routed[-1].coef_, expected.coef_)


def test_table_in_names_out(moons):
    pandas = pytest.importorskip("pandas")
    X, y = moons
    table = pandas.DataFrame(X, columns=["length", "height"])
    model = quick().fit(table, pandas.Series(y))
    np.testing.assert_array_equal(model.feature_names_in_, ["length", "height"])
    plain = quick().fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(table), plain.predict_proba(X))
    np.testing.assert_array_equal(model.truncate(1).feature_names_in_, ["length", "height"])
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[["height", "length"]])


def test_table_of_candidates(moons):
    pandas = pytest.importorskip("pandas")
    X, y = moons
    table = pandas.DataFrame(X[:4], columns=["length", "height"])
    given = quick(candidates=table).fit(X, y)
    np.testing.assert_array_equal(given.coef_, quick(candidates=X[:4]).fit(X, y).coef_)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.int64, np.float64])
def test_any_real_array(dtype, order, moons):
    X, y = moons
    Z = np.asarray(np.round(100 * X), dtype=dtype, order=order)
    Z.flags.writeable = False
    expected = quick().fit(np.round(100 * X), y)
    np.testing.assert_array_equal(quick().fit(Z, y).predict(Z), expected.predict(Z))


def test_html_and_text(moons):
    model = quick(criterion=LOOMutualInformation()).fit(*moons)
    assert "LOOMutualInformation" in repr(model)
    assert "ForwardRBFClassifier" in model._repr_html_()
