"""Fitted models of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import drumlin
from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.io.models import MODELS, fit


def mixed_table(n_rows=80):
    """Numbers, categories and truth values, with missing entries, and a class for every row."""
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(7)
    table = pd.DataFrame(
        {
            "age": rng.normal(40.0, 12.0, n_rows),
            "fare": rng.exponential(30.0, n_rows),
            "sex": rng.choice(["male", "female"], n_rows),
            "deck": rng.choice(["A", "B", None], n_rows),
            "class": rng.integers(1, 4, n_rows),
            "alone": rng.random(n_rows) < 0.5,
        }
    )
    table.loc[::7, "age"] = np.nan
    survived = (table["sex"] == "female") ^ (rng.random(n_rows) < 0.2)
    return table, np.where(survived, "yes", "no")


def preprocessing():
    """What ``drumlin fit`` puts before an estimator."""
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="missing"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    return ColumnTransformer(
        [
            ("numbers", numbers, ["age", "fare"]),
            ("categories", categories, ["sex", "deck"]),
            ("kept", "passthrough", ["class", "alone"]),
        ]
    )


@pytest.fixture(scope="session")
def table():
    return mixed_table()


@pytest.fixture(scope="session")
def table_model(table):
    """A pipeline from a mixed table to classes."""
    X, y = table
    return make_pipeline(preprocessing(), DrumlinClassifier(max_nodes=4)).fit(X, y)


@pytest.fixture(scope="session", params=list(MODELS))
def fitted(request):
    """A fitted model and inputs to ask it about."""
    return fit(MODELS[request.param])


@pytest.fixture(scope="session")
def classifier():
    """A small fitted classifier of three classes with a shared metric, and its data."""
    X, y = load_iris(return_X_y=True)
    return DrumlinClassifier(max_nodes=3).fit(X, y), X


@pytest.fixture(scope="session")
def regressor():
    """A small fitted regressor, and its data."""
    X = np.random.default_rng(0).uniform(-2.0, 2.0, size=(60, 2))
    return DrumlinRegressor(max_nodes=3).fit(X, np.sin(2.0 * X[:, 0]) + X[:, 1]), X


@pytest.fixture
def saved(classifier, tmp_path):
    """Path of a saved classifier."""
    path = tmp_path / "model.drumlin"
    drumlin.save(classifier[0], path)
    return path
