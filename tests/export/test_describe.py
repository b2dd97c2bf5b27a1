"""What ``describe``, and with it every export function, says of what it cannot take."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from drumlin import DrumlinClassifier, export
from tests.export.models import bend

TARGETS = ["describe", "to_c", "to_javascript", "to_onnx", "to_python", "to_sql"]
X = np.random.default_rng(0).normal(size=(40, 2))
Y = X[:, 0] > 0.0


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "model",
    [None, 3, "model.drumlin", {}, DrumlinClassifier, SVC().fit(X, Y),
     make_pipeline(StandardScaler(), SVC()).fit(X, Y)],
)  # fmt: skip
def test_what_is_no_model_of_drumlin(target, model):
    with pytest.raises(TypeError, match=r"The 'model' parameter must be a fitted model .* Got"):
        getattr(export, target)(model)


def test_powers_decide_the_fingerprint_where_there_are_any():
    """What has no powers keeps the fingerprint that it had before there were any."""
    model = DrumlinClassifier(max_nodes=2).fit(X, Y)
    plain = export.describe(model)
    other, same = (export.describe(bend(model, X, np.array([power, 1.0]))) for power in (0.5, 1.0))
    assert other.fingerprint() != plain.fingerprint()
    assert plain.mapping.scalings[-1].power is None and not plain.bent.any()
    assert other.bent.tolist() == [True, False] and not same.bent.any()


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_not_fitted(target):
    with pytest.raises(NotFittedError, match="not fitted"):
        getattr(export, target)(DrumlinClassifier())
