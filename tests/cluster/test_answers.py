"""Answers for Dask collections: lazy, of the right shape, and those for rows in memory."""

from __future__ import annotations

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from drumlin import DrumlinClassifier, DrumlinRegressor, NadarayaWatsonClassifier
from drumlin.estimators.table import fitted_models
from tests.helpers import EXACT, assert_close
from tests.small import make_table

QUESTIONS = (
    "predict", "predict_proba", "predict_log_proba", "decision_function", "novelty",
    "contributions", "gradient", "score_samples",
)  # fmt: skip


def rows():
    return make_table("numbers", 90)[0]


@pytest.fixture(scope="module")
def models():
    X, y, _ = make_table("classes", 120)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    return {
        "classifier": DrumlinClassifier(max_nodes=4).fit(frame, y),
        "regressor": DrumlinRegressor(max_nodes=4).fit(frame, X[:, 0]),
        "several": DrumlinRegressor(max_nodes=4).fit(frame, X[:, :2]),
        "smoother": NadarayaWatsonClassifier(bandwidth=1.0).fit(frame, y),
    }


def unknown(X):
    """An array whose chunk sizes are not known; all rows."""
    return X[X[:, 0] > -np.inf]


@pytest.mark.parametrize("name", ["classifier", "regressor", "several", "smoother"])
def test_answers_are_lazy_and_the_same(models, name):
    model, frame = models[name], pd.DataFrame(rows(), columns=["a", "b", "c"])
    lazy = dd.from_pandas(frame, npartitions=3)
    for question in (q for q in QUESTIONS if hasattr(model, q)):
        expected = getattr(model, question)(frame)
        answer = getattr(model, question)(lazy)
        assert isinstance(answer, da.Array), question
        assert answer.dtype == expected.dtype
        assert np.isnan(answer.shape[0])
        assert answer.shape[1:] == expected.shape[1:]
        assert_equal(answer.compute(), expected)


@pytest.mark.parametrize("name", ["classifier", "several"])
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_arrays_keep_their_chunks(models, name):
    model, X = models[name], da.from_array(rows(), chunks=(40, 2))
    for question in ("predict", "contributions", "gradient", "novelty"):
        expected = getattr(model, question)(rows())
        answer = getattr(model, question)(X)
        assert answer.chunks[0] == (40, 40, 10)
        assert answer.shape == expected.shape
        assert_equal(answer.compute(), expected)
        assert_equal(getattr(model, question)(unknown(X)).compute(), expected)


def test_standard_deviations_come_too(models):
    frame = pd.DataFrame(rows(), columns=["a", "b", "c"])
    lazy = models["regressor"].predict(dd.from_pandas(frame, npartitions=2), return_std=True)
    for ours, theirs in zip(lazy, models["regressor"].predict(frame, return_std=True), strict=True):
        assert_equal(ours.compute(), theirs)


def test_empty_partitions_have_empty_answers(models):
    frame = pd.DataFrame(rows(), columns=["a", "b", "c"])
    lazy = dd.from_pandas(frame, npartitions=3)
    answer = models["classifier"].predict_proba(lazy[lazy["a"] > 1e9])
    assert answer.compute().shape == (0, 3)


def test_wrong_columns_are_refused_before_anything_is_computed(models):
    lazy = dd.from_pandas(pd.DataFrame(rows(), columns=["a", "b", "d"]), npartitions=3)
    with pytest.raises(ValueError, match="feature names"):
        models["classifier"].predict(lazy)


def test_other_estimators_say_what_else_can_be_done():
    X, y = da.zeros((10, 2), chunks=(5, 2)), da.arange(10, chunks=5) % 2
    for name, model in fitted_models().items():
        if name.startswith(("Drumlin", "ForwardRBF", "RBFNetwork")):
            continue
        with pytest.raises(TypeError, match=rf"{name} needs all rows in memory"):
            model.fit(X, y)


def assert_equal(ours, theirs):
    if theirs.dtype.kind == "f":
        assert_close(ours, theirs, EXACT)
    else:
        np.testing.assert_array_equal(ours, theirs)
