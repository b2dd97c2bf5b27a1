"""Fitted models of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris

import drumlin
from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.io.models import MODELS, POWERED, encoded_table, fit, mixed_table, table_pipeline


@pytest.fixture(scope="session")
def table():
    pytest.importorskip("pandas")
    return mixed_table()


@pytest.fixture(scope="session")
def table_model(table):
    """A pipeline from a mixed table to classes."""
    X, y = table
    return table_pipeline().fit(X, y)


@pytest.fixture(scope="session")
def encoded():
    """A model behind a ``TableEncoder``, and its rows."""
    return encoded_table()


@pytest.fixture(scope="session", params=[*MODELS, *POWERED])
def fitted(request):
    """A fitted model and inputs to ask it about."""
    name = request.param
    return POWERED[name]() if name in POWERED else fit(MODELS[name])


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
