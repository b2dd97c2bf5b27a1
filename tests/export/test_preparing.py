"""Steps before the network, followed column by column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from drumlin import DrumlinClassifier, export
from drumlin.export.python import reference


@pytest.mark.parametrize("fill", ["", "none"])
def test_an_empty_text_may_fill_gaps(fill):
    """Non-regression: "" was taken for no filling, so that gaps were categories of their own."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"deck": rng.choice(np.array(["A", "B", None], dtype=object), 90)})
    y = table["deck"].isna() ^ (rng.random(90) < 0.1)
    model = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=fill),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
        DrumlinClassifier(max_nodes=3),
    ).fit(table.where(table.notna(), np.nan), y)
    predict = reference(export.describe(model))
    for text in ("A", "B", np.nan, "Z", fill):
        row = pd.DataFrame({"deck": [text]}, dtype=object)
        wanted = model.predict_proba(row)[0]
        np.testing.assert_allclose(predict([text])["probabilities"], wanted, rtol=1e-12)


def test_a_pipeline_may_start_with_nothing():
    """Non-regression: "passthrough" was asked how many columns it has seen."""
    X = np.random.default_rng(0).normal(size=(60, 2))
    steps = [("first", "passthrough"), ("scale", StandardScaler()), ("none", None)]
    model = Pipeline([*steps, ("network", DrumlinClassifier(max_nodes=2))]).fit(X, X[:, 0] > 0.0)
    predict = reference(export.describe(model))
    wanted = model.predict_proba(X[:5])
    for row, probabilities in zip(X[:5].tolist(), wanted, strict=True):
        np.testing.assert_allclose(predict(row)["probabilities"], probabilities, rtol=1e-12)
