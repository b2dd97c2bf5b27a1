"""Models taken apart: names and units after preprocessing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, OneHotEncoder, StandardScaler

from drumlin import DrumlinClassifier, ForwardRBFClassifier
from drumlin.estimators.fitted import FittedNetwork
from tests.helpers import assert_close

PLAIN = {"standardize": False, "max_nodes": 3}


@pytest.fixture
def table(moons):
    X, y = moons
    table = pd.DataFrame({"size": 100.0 * X[:, 0], "word": np.where(y, "a", "b"), "age": X[:, 1]})
    table.loc[:4, "age"] = np.nan
    return table, y


def test_scalers_are_undone_exactly(moons):
    X, y = moons
    X = X * [3.0, 1000.0] + [5.0, -7.0]
    model = make_pipeline(MinMaxScaler(), StandardScaler(), ForwardRBFClassifier(**PLAIN)).fit(X, y)
    centers, low, high = FittedNetwork.of(model).node_ranges()
    rows = X[model[-1].support_]
    assert_close(centers, rows)  # nodes stand on training rows
    scale = model[0].data_range_ * model[1].scale_
    assert_close(high - low, 2.0 * model[-1].widths_ * scale)


def test_mixed_tables_have_names_and_units(table):
    X, y = table
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    before = ColumnTransformer(
        [("n", numbers, ["size", "age"]), ("c", OneHotEncoder(), ["word"])],
        verbose_feature_names_out=False,
    )
    model = make_pipeline(before, ForwardRBFClassifier(**PLAIN)).fit(X, y)
    fitted = FittedNetwork.of(model)
    assert fitted.names == ("size", "age", "missingindicator_age", "word_a", "word_b")
    rows = X.iloc[model[-1].support_]
    centers, _, _ = fitted.node_ranges()
    assert_close(centers[:, 0], rows["size"])
    assert_close(centers[:, 2], rows["age"].isna())
    assert_close(centers[:, 3], rows["word"] == "a")


def test_units_go_back_no_further_than_they_can(moons):
    X, y = moons
    model = make_pipeline(
        StandardScaler(), PCA(2), StandardScaler(), ForwardRBFClassifier(**PLAIN)
    ).fit(X, y)
    centers, _, _ = FittedNetwork.of(model).node_ranges()
    rows = X[model[-1].support_]
    assert_close(centers, model[1].transform(model[0].transform(rows)))
    assert FittedNetwork.of(model).names == ("pca0", "pca1")


def test_infinite_widths_stay_infinite(moons):
    X, y = moons
    X = np.column_stack([X, np.ones(len(X))])
    model = make_pipeline(StandardScaler(), ForwardRBFClassifier(max_nodes=3)).fit(X, y)
    centers, low, high = FittedNetwork.of(model).node_ranges()
    assert np.isfinite(centers).all()
    assert np.isinf(high[:, 2]).all()
    assert np.isinf(low[:, 2]).all()


def test_steps_without_names(moons):
    X, y = moons
    model = make_pipeline(FunctionTransformer(np.tanh), DrumlinClassifier()).fit(X, y)
    assert FittedNetwork.of(model).names == ("x0", "x1")


def test_wrong_columns_are_told(moons):
    flagship = DrumlinClassifier().fit(*moons)
    with pytest.raises(ValueError, match=r"'X' parameter must have 2 columns, as in fit. Got 1"):
        FittedNetwork.of(flagship).inputs(moons[0][:, :1])
    with pytest.raises(ValueError, match=r"NaN"):
        FittedNetwork.of(flagship).inputs(np.full((3, 2), np.nan))
