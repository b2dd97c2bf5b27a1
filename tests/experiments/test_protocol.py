"""One run: what is recorded, and that nothing but training rows is shown to a method."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification, make_moons
from sklearn.metrics import log_loss
from sklearn.utils import Bunch

from drumlin.evaluation import Method
from drumlin.experiments import methods as registry
from drumlin.experiments.methods import METHODS, PAPERS, methods_of
from drumlin.experiments.problems import SETS, USUAL, Problem, ProblemSet, drawn
from drumlin.experiments.protocol import (
    DONE,
    FIT,
    TUNE,
    Task,
    execute,
    fit_model,
    medians,
    search_parameters,
)
from drumlin.search import GeneticSearch
from tests.experiments.small_work import TUNED
from tests.helpers import IDENTITY, assert_close


@pytest.fixture(scope="module", params=[2, 3], ids=["two", "three"])
def data(request):
    X, y = make_classification(
        75, 5, n_informative=4, n_redundant=0, n_classes=request.param, random_state=0
    )
    return Bunch(X=X, y=y, train=np.arange(36), test=np.arange(36, 75))


@pytest.fixture
def problem(data):
    return ProblemSet("blobs", lambda realisation: data).problem(1)


def permuted(problem: Problem) -> Problem:
    """The same problem with other test labels."""
    order = np.random.default_rng(0).permutation(len(problem.y_test))
    assert (problem.y_test[order] != problem.y_test).any()
    return replace(problem, y_test=problem.y_test[order])


FEWER = {"ando2004": {"search": GeneticSearch(20, 5)}, "boosting": {"max_iter": 10}}
"""Settings that only save time: what is shown to a method is the same."""


def quick(method):
    """Return the method with fewer iterations, and a search of two folds."""
    search = method.search and (lambda shape: method.search(shape).set_params(cv=2))
    settings = FEWER.get(method.name, {})
    return replace(method, search=search, build=lambda s: method.build(s).set_params(**settings))


@pytest.mark.parametrize("name", methods_of("all"))
def test_no_method_sees_test_labels(name, problem):
    """With other test labels the searches choose the same and the fitted models are the same."""
    method = quick(METHODS[name])
    models = []
    for seen in (problem, permuted(problem)):
        chosen = [] if method.search is None else [search_parameters(method, seen)[0]]
        models.append(fit_model(method, seen, chosen, seed=7)[0])
    assert joblib.hash(vars(models[0])) == joblib.hash(vars(models[1]))
    np.testing.assert_array_equal(*(model.predict(problem.X_test) for model in models))


def test_models_differ_with_other_training_labels(problem):
    """The comparison above can fail."""
    method = METHODS["DrumlinClassifier"]
    other = replace(problem, y=np.roll(problem.y, 1))
    models = [fit_model(method, seen, [], seed=7)[0] for seen in (problem, other)]
    assert joblib.hash(vars(models[0])) != joblib.hash(vars(models[1]))


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers what it was shown; answers the first class."""

    shown: list = []

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.shown.append((X, y, self.random_state))
        return self

    def predict(self, X):
        self.shown.append(X)
        return np.full(len(X), self.classes_[0])


def test_fit_is_shown_the_training_rows_and_predict_the_test_inputs(data):
    Recorder.shown.clear()
    method = Method("recorder", "", "rival", lambda shape: Recorder(), size=lambda model: 3)
    record = execute(Task(FIT, "recorder", "blobs", 4), method, ProblemSet("b", lambda k: data))
    (X, y, seed), X_test = Recorder.shown
    np.testing.assert_array_equal(X, data.X[data.train])
    np.testing.assert_array_equal(y, data.y[data.train])
    np.testing.assert_array_equal(X_test, data.X[data.test])
    assert seed == record.seed == 4
    assert record.status == DONE
    assert record.nodes == 3
    assert record.log_loss is None
    assert record.error == 100.0 * np.mean(data.y[data.test] != 0)


def test_record_holds_what_it_should(data):
    sets = ProblemSet("blobs", lambda realisation: Bunch(**data, original=False))
    record = execute(Task(FIT, "DrumlinClassifier", "blobs", 1), METHODS["DrumlinClassifier"], sets)
    model = fit_model(METHODS["DrumlinClassifier"], sets.problem(1), [], 1)[0]
    X, y = data.X[data.test], data.y[data.test]
    assert_close(record.error, 100.0 * (1.0 - model.score(X, y)), IDENTITY)
    assert_close(record.log_loss, log_loss(y, model.predict_proba(X)), IDENTITY)
    assert record.nodes == model.n_nodes_
    assert record.fit_seconds > 0.0
    assert record.original is False
    assert "DrumlinClassifier(" in json.loads(record.settings)["estimator"]
    versions = json.loads(record.versions)
    assert {"python", "drumlin", "numpy", "scikit-learn"} <= set(versions)
    assert record.message is None


def test_log_loss_of_an_svm_is_that_of_a_calibrated_one(data):
    task, sets = Task(FIT, "svm", "blobs", 1), ProblemSet("blobs", lambda realisation: data)
    record = execute(task, METHODS["svm"], sets)
    plain = fit_model(METHODS["svm"], sets.problem(1), [], 1)[0]
    calibrated = CalibratedClassifierCV(plain, ensemble=False, cv=5)
    calibrated.fit(data.X[data.train], data.y[data.train])
    X, y = data.X[data.test], data.y[data.test]
    assert_close(record.log_loss, log_loss(y, calibrated.predict_proba(X)), IDENTITY)
    assert_close(record.error, 100.0 * (1.0 - plain.score(X, y)), IDENTITY)
    assert record.nodes == plain[-1].n_support_.sum()


def test_search_is_recorded(data):
    sets = ProblemSet("b", lambda realisation: data)
    record = execute(Task(TUNE, "tuned", "b", 2), TUNED, sets)
    chosen, _ = search_parameters(TUNED, sets.problem(2))
    assert json.loads(record.settings)["chosen"] == chosen
    assert record.fit_seconds > 0.0


def test_warnings_are_recorded(data):
    method = Method("warning", "", "rival", lambda shape: Warner())
    record = execute(Task(FIT, "w", "b", 1), method, ProblemSet("b", lambda realisation: data))
    assert json.loads(record.settings)["warnings"] == ["too few rows"]


class Warner(Recorder):
    def fit(self, X, y):
        import warnings

        for _ in range(2):
            warnings.warn("too few rows", stacklevel=2)
        return super().fit(X, y)


def test_missing_data_are_a_failure(monkeypatch, tmp_path):
    monkeypatch.setenv("DRUMLIN_DATA", str(tmp_path))
    record = execute(Task(FIT, "svm", "vowel", 1), METHODS["svm"], SETS["vowel"])
    assert record.message.startswith("FileNotFoundError: The data folder must hold 'vowel.npz'")


def test_medians():
    chosen = [{"C": c, "gamma": g} for c, g in [(1, 4), (100, 2), (10, 1), (1, 1), (1000, 8)]]
    assert medians(METHODS["svm-tuned"], chosen) == {"C": 10.0, "gamma": 2.0}
    with pytest.raises(RuntimeError, match="No search of 'svm-tuned' on this set succeeded"):
        medians(METHODS["svm-tuned"], [])


def test_method_without_a_search(problem):
    with pytest.raises(ValueError, match=r"'method' parameter must have a search\. Got 'svm'"):
        search_parameters(METHODS["svm"], problem)


# ------------------------------------------------------------------------------- the registries


@pytest.mark.parametrize("paper", PAPERS)
def test_methods_of_a_paper(paper):
    names = list(methods_of(paper))
    ours = {paper, PAPERS[paper].__name__, "DrumlinClassifier"}
    assert set(names) == ours | {method.name for method in registry.RIVALS if method.is_available}
    assert set(names) <= set(methods_of("all"))


def test_sets_of_one_split_have_one_realisation():
    assert SETS["synth"].numbers(range(1, 21)) == [1]
    assert SETS["heart"].numbers(range(3, 6)) == [3, 4, 5]
    assert set(USUAL) <= set(SETS)


def test_drawn_sets_are_seeded_by_the_realisation():
    moons = drawn("moons", partial(make_moons, noise=0.2), 30, 50)
    first, again, other = moons.problem(4), moons.problem(4), moons.problem(5)
    assert (first.X.shape, first.X_test.shape) == ((30, 2), (50, 2))
    np.testing.assert_array_equal(first.X, again.X)
    assert not np.isin(first.X, other.X).any()
    assert not first.original
    X, _ = make_moons(80, noise=0.2, random_state=4)
    np.testing.assert_array_equal(np.vstack([first.X, first.X_test]), X)


@pytest.mark.usefixtures("needs_data")
def test_problems_are_the_loaders_splits():
    problem = SETS["breast"].problem(11)
    assert (problem.name, problem.split, problem.original) == ("breast", 11, False)
    assert (problem.X.shape, problem.X_test.shape) == ((200, 9), (77, 9))
    assert SETS["breast"].problem(1).original
    assert SETS["vowel"].problem(1).shape.n_classes == 11
