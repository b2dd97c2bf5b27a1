"""A model judged on data."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import confusion_matrix

from drumlin import DrumlinRegressor, ForwardRBFClassifier, NadarayaWatsonRegressor
from drumlin.evaluation import judge
from tests.helpers import assert_close


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def classifier(iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])
    return ForwardRBFClassifier(max_nodes=5).fit(X[::2], names[y[::2]]), X[1::2], names[y[1::2]]


def test_classes_are_judged(classifier):
    model, X, y = classifier
    judged = judge(*classifier)
    assert judged.measures["error"] == np.mean(model.predict(X) != y)
    np.testing.assert_array_equal(judged.confusion, confusion_matrix(y, model.predict(X)))
    assert judged.distances is None
    assert judged.data_name == "test data"
    assert judge(*classifier, seen=True).data_name == "training data"


def test_classes_that_never_occur_have_rows_too(classifier):
    model, X, y = classifier
    judged = judge(model, X[y == "setosa"], y[y == "setosa"])
    assert judged.confusion.shape == (3, 3)
    assert judged.confusion[0].sum() == (y == "setosa").sum()


def test_numbers_are_judged(iris):
    X = iris[0]
    judged = judge(NadarayaWatsonRegressor().fit(X[:, :3], X[:, 3]), X[:, :3], X[:, 3])
    assert 0.5 < judged.measures["R²"] < 1.0
    assert judged.distances is None


def test_distances_are_in_standard_deviations(iris):
    X = iris[0]
    model = DrumlinRegressor(max_nodes=3).fit(X[:, :3], X[:, 3])
    mean, std = model.predict(X[:, :3], return_std=True)
    assert_close(judge(model, X[:, :3], X[:, 3]).distances, np.abs(X[:, 3] - mean) / std)


@pytest.mark.parametrize(("change", "message"), [
    (lambda X, y: (X[0], y), "'X' parameter must be a table with rows"),
    (lambda X, y: (X[:0], y[:0]), "'X' parameter must be a table with rows"),
    (lambda X, y: (X[:, :2], y), "must have 4 columns"),
    (lambda X, y: (X, y[1:]), "one entry per row of X, 75"),
    (lambda X, y: (X, np.full(len(X), "rose")), "must hold classes of the model"),
])  # fmt: skip
def test_errors_name_the_parameter(change, message, classifier):
    model, X, y = classifier
    with pytest.raises(ValueError, match=message):
        judge(model, *change(X, y))
