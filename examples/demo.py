"""Our model beside the usual ones, on data that ship with scikit-learn.

Run with ``make demo``. One table per data set: test error, log-loss, size, and the times of
fit and predict. To compare another model, add one line to ``models``.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, zero_one_loss
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from drumlin import DrumlinClassifier, ForwardRBFClassifier

N_SPLITS = 5
N_PREDICTS = 15
GRID = {"svc__C": [0.1, 1, 10, 100], "svc__gamma": [0.001, 0.01, 0.1, 1]}


class Model(NamedTuple):
    name: str
    estimator: Any
    unit: str
    size: Callable[[Any], int]


class Score(NamedTuple):
    error: float
    log_loss: float
    size: float
    fit_ms: float
    predict_ms: float


def standardized(estimator: Any) -> Pipeline:
    return make_pipeline(StandardScaler(), estimator)


def chosen(fitted: Any) -> Any:
    """Return what a grid search chose, or the model itself."""
    return getattr(fitted, "best_estimator_", fitted)


def n_support(fitted: Any) -> int:
    return int(chosen(fitted)[-1].n_support_.sum())


def n_coefficients(fitted: Any) -> int:
    return np.count_nonzero(chosen(fitted)[-1].coef_)


def l1_logistic(n_classes: int) -> Pipeline:
    """Return the regression with the faster solver that allows the number of classes."""
    solver = "liblinear" if n_classes == 2 else "saga"
    return standardized(LogisticRegression(l1_ratio=1, solver=solver, max_iter=10_000))


def models(n_classes: int) -> list[Model]:
    tuned_svc = GridSearchCV(standardized(SVC()), GRID, cv=5)
    return [
        Model("DrumlinClassifier", DrumlinClassifier(), "nodes", lambda m: m.n_nodes_),
        Model("ForwardRBFClassifier", ForwardRBFClassifier(), "nodes", lambda m: m.n_nodes_),
        Model("SVC", standardized(SVC()), "support vectors", n_support),
        Model("SVC + GridSearchCV", tuned_svc, "support vectors", n_support),
        Model("L1 logistic regression", l1_logistic(n_classes), "coefficients", n_coefficients),
    ]


def load_digits_3_8() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    keep = (y == 3) | (y == 8)
    return X[keep], y[keep]


DATA = {
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "digits 3 against 8": load_digits_3_8,
    "moons": lambda: make_moons(1000, noise=0.3, random_state=0),
}


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    start = perf_counter()
    result = call()
    return result, 1000 * (perf_counter() - start)


def with_probabilities(fitted: Any, X: np.ndarray, y: np.ndarray) -> Any:
    """Return the model itself, or a calibrated copy if it gives no probabilities."""
    if hasattr(fitted, "predict_proba"):
        return fitted
    return CalibratedClassifierCV(clone(chosen(fitted)), ensemble=False).fit(X, y)


def score_split(model: Model, X: np.ndarray, y: np.ndarray, seed: int) -> Score:
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, test_size=0.5, stratify=y, random_state=seed
    )
    fitted, fit_ms = timed(lambda: clone(model.estimator).fit(X_train, y_train))
    predictions = [timed(lambda: fitted.predict(X_test)) for _ in range(N_PREDICTS)]
    probabilities = with_probabilities(fitted, X_train, y_train).predict_proba(X_test)
    return Score(
        error=100 * zero_one_loss(y_test, predictions[0][0]),
        log_loss=log_loss(y_test, probabilities, labels=fitted.classes_),
        size=model.size(fitted),
        fit_ms=fit_ms,
        predict_ms=float(np.median([ms for _, ms in predictions])),
    )


def score(model: Model, X: np.ndarray, y: np.ndarray) -> Score:
    """Mean accuracy and size, and median times, over the splits."""
    score_split(model, X, y, seed=0)  # warm up: compilation is not part of the times
    scores = np.array([score_split(model, X, y, seed) for seed in range(N_SPLITS)])
    return Score(*scores[:, :3].mean(axis=0), *np.median(scores[:, 3:], axis=0))


def print_table(name: str, X: np.ndarray, y: np.ndarray) -> None:
    n_classes = np.unique(y).size
    print(f"\n{name}: {X.shape[0]} rows, {X.shape[1]} features, {n_classes} classes")
    print(f"{'':24}{'error %':>8}{'log-loss':>10}{'fit ms':>10}{'predict ms':>12}{'size':>9}")
    for model in models(n_classes):
        s = score(model, X, y)
        print(
            f"{model.name:24}{s.error:8.1f}{s.log_loss:10.3f}{s.fit_ms:10.1f}{s.predict_ms:12.3f}"
            f"{s.size:9.1f} {model.unit}"
        )


def main() -> None:
    print(
        f"Means over {N_SPLITS} seeded 50/50 splits; times are medians, after one fit that is not\n"
        "counted (it compiles our kernels). Models without probabilities are calibrated for the\n"
        "log-loss by CalibratedClassifierCV(ensemble=False), which is not in their times."
    )
    for name, load in DATA.items():
        print_table(name, *load())


if __name__ == "__main__":
    main()
