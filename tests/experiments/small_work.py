"""Methods and sets that take milliseconds; other processes import this module too."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.utils import Bunch

from drumlin.evaluation.methods import Method
from drumlin.experiments.problems import ProblemSet
from drumlin.experiments.runner import Plan, Workers, run
from drumlin.experiments.store import Store


class Slow(DummyClassifier):
    """The most frequent class, after two milliseconds."""

    def fit(self, X, y):
        time.sleep(0.002)
        return super().fit(X, y)


class Broken(ClassifierMixin, BaseEstimator):
    """Fails on odd realisations."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        if self.random_state % 2:
            raise ZeroDivisionError("no pivot")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Stubborn(DummyClassifier):
    """Is told Ctrl-C while it fits, and keeps its best so far, as our estimators do."""

    def fit(self, X, y):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5.0)
        except KeyboardInterrupt:
            pass
        return super().fit(X, y)


def load(offset: int, realisation: int) -> Bunch:
    rng = np.random.default_rng([offset, realisation])
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0.0).astype(int)
    return Bunch(X=X, y=y, train=np.arange(40), test=np.arange(40, 60), original=realisation < 3)


def load_first(realisation: int) -> Bunch:
    return load(1, realisation)


def load_second(realisation: int) -> Bunch:
    return load(2, realisation)


def line_search(shape) -> GridSearchCV:
    return GridSearchCV(LogisticRegression(), {"C": [0.001, 0.01, 0.1, 2.0, 10.0]}, cv=3)


def broken_search(shape) -> GridSearchCV:
    raise ArithmeticError("no grid")


SETS = {
    "first": ProblemSet("first", load_first),
    "second": ProblemSet("second", load_second, n_realisations=2),
}
SLOW = Method("slow", "", "rival", lambda shape: Slow())
TUNED = Method(
    "tuned",
    "",
    "rival",
    lambda shape: LogisticRegression(),
    size=lambda model: model.coef_.size,
    search=line_search,
)
BROKEN = Method("broken", "", "rival", lambda shape: Broken())
UNTUNED = Method("untuned", "", "rival", lambda shape: LogisticRegression(), search=broken_search)
STUBBORN = Method("stubborn", "", "rival", lambda shape: Stubborn())


def plan(*methods: Method, last: int) -> Plan:
    return Plan({method.name: method for method in methods}, SETS, range(1, last + 1))


def work(path: Path, last: int, jobs: int = 1) -> None:
    """What the processes do that are killed, or that share a store."""
    with Store(path) as store:
        run(plan(SLOW, TUNED, BROKEN, last=last), store, Workers(jobs))
