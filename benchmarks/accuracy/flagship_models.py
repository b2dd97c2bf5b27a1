"""Our estimators as the benchmark sees them: the flagship, or a stand-in for development."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification
from sklearn.exceptions import ConvergenceWarning

import drumlin
from benchmarks.accuracy.flagship_measures import rmse
from drumlin.evaluation.measures import error_rate, log_loss, timed
from drumlin.experiments.problems import Problem

MODELS = ("drumlin", "forward")
Z90 = 1.6448536269514722  # half-width of the central 90 % of a normal distribution


def classifier(model: str) -> BaseEstimator:
    """A new classifier, without any setting for the flagship."""
    if model == "drumlin":
        return drumlin.DrumlinClassifier()
    return drumlin.ForwardRBFClassifier(candidates=100, max_nodes=30, random_state=0)


def regressor(model: str) -> BaseEstimator:
    """A new regressor, without any setting for the flagship."""
    if model == "drumlin":
        return drumlin.DrumlinRegressor()
    return drumlin.ForwardRBFRegressor(candidates=100, max_nodes=30, random_state=0)


def fitted(estimator: BaseEstimator, X: np.ndarray, y: np.ndarray) -> tuple[BaseEstimator, float]:
    """The fitted estimator and its CPU seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return timed(lambda: estimator.fit(X, y))


def warm_up(model: str) -> None:
    """Compile what two classes, three classes and predictions need."""
    for n_classes in (2, 3):
        X, y = make_classification(
            300, 5, n_informative=4, n_redundant=0, n_classes=n_classes, random_state=0
        )
        fitted(classifier(model), X, y)[0].predict_proba(X)


def classify(model: str, problem: Problem) -> dict:
    """Error, log-loss, size and time of our classifier, and p of the second of two classes."""
    estimator, seconds = fitted(classifier(model), problem.X, problem.y)
    result = scores(estimator, problem)
    return result | {"nodes": int(estimator.n_nodes_), "seconds": seconds}


def scores(estimator: BaseEstimator, problem: Problem) -> dict:
    """Error and log-loss on the test rows, and p of the second of two classes."""
    probabilities = estimator.predict_proba(problem.X_test)
    return {
        "error": 100.0 * error_rate(estimator.predict(problem.X_test), problem.y_test),
        "log_loss": log_loss(probabilities, estimator.classes_, problem.y_test),
        "p": probabilities[:, 1] if probabilities.shape[1] == 2 else None,
    }


def regress(model: str, problem: Problem) -> dict:
    """RMSE, size, time, and how often the 90 % interval holds (None without ``return_std``)."""
    estimator, seconds = fitted(regressor(model), problem.X, problem.y)
    result = {"nodes": int(estimator.n_nodes_), "seconds": seconds, "coverage": None}
    if model == "drumlin":
        predicted, deviation = estimator.predict(problem.X_test, return_std=True)
        inside = np.abs(problem.y_test - predicted) <= Z90 * deviation
        result["coverage"] = 100.0 * float(inside.mean())
    else:
        predicted = estimator.predict(problem.X_test)
    return result | {"rmse": rmse(predicted, problem.y_test)}
