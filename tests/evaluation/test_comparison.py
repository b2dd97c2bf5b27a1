"""Methods beside each other on one table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_validate
from sklearn.svm import SVC

from drumlin._errors import ParameterError
from drumlin.evaluation import Method, compare, contenders
from drumlin.evaluation.methods import LOGISTIC, fit_balanced, rival
from drumlin.evaluation.rivals import logistic, svc
from drumlin.tables import read_labelled
from tests.helpers import EXACT, assert_close

SEED = 3


@pytest.fixture(scope="module")
def frame():
    return load_iris(as_frame=True).frame


@pytest.fixture(scope="module")
def data(frame):
    return read_labelled(frame, "target")


def test_means_over_folds_are_those_of_scikit_learn(frame, data):
    (row,) = compare(data, [LOGISTIC], folds=3, seed=SEED)
    folds = StratifiedKFold(3, shuffle=True, random_state=SEED)
    X, y = frame.drop(columns="target").to_numpy(), frame["target"].to_numpy()
    scores = cross_validate(logistic(), X, y, cv=folds, scoring=("accuracy", "neg_log_loss"))
    errors = 1.0 - scores["test_accuracy"]
    assert_close(row["error"], errors.mean(), EXACT)
    assert_close(row["± error"], errors.std(ddof=1) / np.sqrt(3.0), EXACT)
    assert_close(row["log-loss"], -scores["test_neg_log_loss"].mean(), EXACT)
    assert row["size"] is None


def test_numbers(frame):
    frame = frame.drop(columns="target")
    data = read_labelled(frame, "petal width (cm)")
    (row,) = compare(data, [rival("ridge", "", Ridge)], folds=3, seed=SEED)
    folds = KFold(3, shuffle=True, random_state=SEED)
    X, y = frame.drop(columns="petal width (cm)").to_numpy(), frame["petal width (cm)"].to_numpy()
    scores = cross_validate(Ridge(), X, y, cv=folds, scoring=("r2", "neg_root_mean_squared_error"))
    assert_close(row["R²"], scores["test_r2"].mean(), EXACT)
    assert_close(row["RMSE"], -scores["test_neg_root_mean_squared_error"].mean(), EXACT)


def test_progress_passes_the_results_on(data):
    told = []

    def progress(results, *, total):
        for done, result in enumerate(results, 1):
            told.append((done, total, result[0]))
            yield result

    methods = [LOGISTIC, rival("constant", "", DummyClassifier, size=lambda model: 1)]
    rows = compare(data, methods, folds=2, progress=progress)
    assert [row["method"] for row in rows] == ["logistic", "constant"]
    names = ["logistic", "logistic", "constant", "constant"]  # one method after the other
    assert told == [(i + 1, 4, name) for i, name in enumerate(names)]
    assert rows[1]["size"] == 1.0


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers the rows it was shown."""

    shown: list = []

    def __init__(self, power=1):
        self.power = power

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.shown.append(len(X))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return np.full((len(X), 3), 1.0 / 3.0)


def test_searches_see_training_rows_only(data):
    Recorder.shown.clear()
    tuned = Method(
        "tuned",
        "",
        "rival",
        lambda shape: Recorder(),
        search=lambda shape: GridSearchCV(Recorder(), {"power": [1, 2]}, cv=2),
    )
    compare(data, [tuned], folds=3)
    assert Recorder.shown == [50, 50, 50, 50, 100] * 3


def test_columns_are_understood_by_the_training_rows_of_a_fold():
    n = 60
    frame = pd.DataFrame({"a": np.arange(n) ** 1.5, "b": ["x"] * n, "y": ["p", "q"] * (n // 2)})
    frame.loc[n - 1, "b"] = "only here"
    rows = compare(read_labelled(frame, "y"), [rival("constant", "", DummyClassifier)], folds=2)
    assert rows[0]["error"] == 0.5


class Weighed(ClassifierMixin, BaseEstimator):
    """Keeps the weights of its rows."""

    def fit(self, X, y, sample_weight=None):
        self.weight_, self.y_ = sample_weight, y
        return self


def test_classes_count_alike_by_a_parameter_or_by_rows(data):
    rows = np.append(np.flatnonzero(data.y == 0), np.flatnonzero(data.y == 1)[:10])
    X, y = data.frame.to_numpy()[rows], np.asarray(data.y)[rows]
    by_rows = fit_balanced(Weighed(), X, y)
    assert_close(by_rows.weight_[y == 0].sum(), by_rows.weight_[y == 1].sum())
    assert fit_balanced(logistic(), X, y)[-1].class_weight == "balanced"
    search = GridSearchCV(logistic(), {"logisticregression__C": [1.0, 2.0]}, cv=2)
    assert fit_balanced(search, X, y).best_estimator_[-1].class_weight == "balanced"


@pytest.mark.parametrize("kernel", [svc, lambda: SVC(kernel="linear")])
def test_probabilities_of_balanced_copies_are_balanced(kernel):
    """Non-regression: calibrated on rows as they come, of 1 in 10, beside balanced others."""
    rng = np.random.default_rng(0)
    y = np.arange(300) % 10 == 0
    X = rng.standard_normal((300, 2)) + y[:, None]
    method, weight = rival("bare", "", kernel, calibrated=True), np.where(y, 0.9, 0.1)
    fitted = fit_balanced(kernel(), X, y)
    balanced = method.with_probabilities(fitted, X, y, balanced=True).predict_proba(X)[:, 1]
    plain = method.with_probabilities(fitted, X, y).predict_proba(X)[:, 1]
    assert abs(np.average(balanced, weights=weight) - 0.5) < 0.05
    assert np.average(plain, weights=weight) < 0.3


def test_comparisons_ask_for_balanced_copies():
    y = np.arange(300) % 15 == 0
    X = np.random.default_rng(0).standard_normal((300, 2)) + y[:, None]
    data = read_labelled(pd.DataFrame(X, columns=["a", "b"]).assign(y=np.where(y, "p", "q")), "y")
    methods = [rival("svc", "", svc, calibrated=True)]
    (plain,) = compare(data, methods, folds=2)
    (balanced,) = compare(data, methods, folds=2, class_weight="balanced")
    assert balanced["log-loss"] > plain["log-loss"] + 0.2  # that of half positives


@pytest.mark.parametrize(("asked", "message"), [
    ({"class_weight": "odd"}, "'class_weight' parameter must be 'balanced' or None. Got 'odd'"),
    ({"class_weight": "balanced", "costs": [1, 1, 2]}, "'costs' .* None where classes have"),
])  # fmt: skip
def test_class_weights_that_cannot_be(asked, message, data):
    with pytest.raises(ParameterError, match=message):
        compare(data, [LOGISTIC], folds=2, **asked)


@pytest.mark.parametrize(("folds", "message"), [
    (1, "'folds' parameter must be between 2 and the number of rows, 150. Got 1"),
    (151, "'folds' parameter must be between 2 and the number of rows, 150. Got 151"),
    (51, "'folds' parameter must be at most 50, the rows of the rarest class"),
])  # fmt: skip
def test_folds_that_cannot_be(folds, message, data):
    with pytest.raises(ParameterError, match=message):
        compare(data, folds=folds)


def test_contenders_begin_with_ours():
    names = [method.name for method in contenders("forward", "regression")]
    assert names[:6] == ["forward", "constant", "SVR", "SVR tuned", "ridge", "boosting"]
    assert {*names[6:]} <= {"CatBoost", "LightGBM", "EBM"}  # where they are installed
    with pytest.raises(ParameterError, match=r"'method' parameter must be one of \[.*\] for regr"):
        contenders("logistic", "regression")
