"""Pipelines of scikit-learn that end in our estimators, converted by skl2onnx."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.export.models import bend
from tests.export.test_onnx import session
from tests.helpers import IDENTITY, assert_close

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    skl2onnx = pytest.importorskip("skl2onnx")
    from skl2onnx.common.data_types import DoubleTensorType

    from drumlin.export.skl2onnx import register

X, Y = load_iris(return_X_y=True)


@pytest.fixture(scope="module", autouse=True)
def registered():
    register()


def convert(model, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return session(
            skl2onnx.convert_sklearn(
                model,
                initial_types=[("X", DoubleTensorType([None, 4]))],
                target_opset=18,
                **options,
            )
        )


@pytest.mark.parametrize(
    "names", [np.array(["a", "b", "c"]), np.arange(3), np.array([1.0, 2.0, 4.0])]
)
def test_a_classifier_in_a_pipeline(names):
    model = make_pipeline(StandardScaler(), DrumlinClassifier(max_nodes=4)).fit(X, names[Y])
    made = convert(model, options={"zipmap": False})
    labels, probabilities = made.run(None, {"X": X})
    assert labels.tolist() == model.predict(X).tolist()
    assert_close(probabilities, model.predict_proba(X), IDENTITY)


def test_truth_values_as_classes():
    """Non-regression: the converter said Int64 where the graph has truth values."""
    model = DrumlinClassifier(max_nodes=4).fit(X, Y == 1)
    labels, _ = convert(model, options={"zipmap": False}).run(None, {"X": X})
    assert labels.dtype == bool
    assert (labels == model.predict(X)).all()


def test_inputs_with_powers():
    model = DrumlinClassifier(max_nodes=4).fit(X, Y)
    model = bend(model, X, np.array([0.0, 0.4, 1.6, 2.0]))
    labels, probabilities = convert(model, options={"zipmap": False}).run(None, {"X": X})
    assert (labels == model.predict(X)).all()
    assert_close(probabilities, model.predict_proba(X), IDENTITY)


def test_a_regressor_in_a_pipeline():
    model = make_pipeline(StandardScaler(), DrumlinRegressor(max_nodes=4)).fit(X, X[:, 0] * X[:, 1])
    (values,) = convert(model).run(None, {"X": X})
    assert_close(values[:, 0], model.predict(X), IDENTITY)
