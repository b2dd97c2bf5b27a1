"""Partial dependence in closed form, against scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.inspection import partial_dependence

from drumlin import DrumlinClassifier, DrumlinRegressor, NadarayaWatsonRegressor
from drumlin.trust.shapley import has_products
from tests.helpers import IDENTITY, assert_close


@pytest.fixture(scope="module")
def table(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((150, 3)) * [1.0, 10.0, 1.0]
    X[:, 2] = np.round(X[:, 2])  # few values
    return X, np.sin(2.0 * X[:, 0]) + X[:, 1] / 10.0 * X[:, 2]


def models(table):
    X, y = table
    regressor = DrumlinRegressor().fit(X, y)
    classifier = DrumlinClassifier().fit(X, np.digitize(y, [-1.0, 1.0]))
    local = NadarayaWatsonRegressor().fit(X, y)  # normalised: no product
    assert has_products(regressor.network_)
    assert not has_products(local.network_)
    return regressor, classifier, local


def test_as_scikit_learn_has_it(table):
    X, _ = table
    for model in models(table):
        for features in ([0], [2], [0, 2]):
            ours = model.partial_dependence(X, features, grid_resolution=12)
            theirs = partial_dependence(
                model, X, features, grid_resolution=12, method="brute",
                response_method="decision_function" if hasattr(model, "classes_") else "auto",
            )  # fmt: skip
            for mine, other in zip(ours.grid_values, theirs["grid_values"], strict=True):
                assert_close(mine, other, IDENTITY)
            assert_close(ours.average, theirs["average"], IDENTITY)


def test_rows_in_parts(table, monkeypatch):
    X, y = table
    model = DrumlinRegressor().fit(X, y)
    whole = model.partial_dependence(X, 0)
    monkeypatch.setattr("drumlin.trust.dependence._AT_ONCE", 100)
    assert_close(model.partial_dependence(X, 0).average, whole.average, IDENTITY)


def test_bad_questions(table):
    X, y = table
    model = DrumlinRegressor(max_nodes=2).fit(X, y)
    for features in (3, [0, 0], [0, 1, 2], "age"):
        with pytest.raises(ValueError, match=r"'features' parameter of DrumlinRegressor must"):
            model.partial_dependence(X, features)
    with pytest.raises(ValueError, match=r"'grid_resolution' .* int >= 2"):
        model.partial_dependence(X, 0, grid_resolution=1)
    with pytest.raises(ValueError, match=r"'percentiles'"):
        model.partial_dependence(X, 0, percentiles=(0.5, 2.0))
