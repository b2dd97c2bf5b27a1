"""Tuned support vector machines and boosting, with a cache of what they gave.

The SVM is tuned on the training rows alone by scikit-learn's own grid search (its default,
unshuffled folds); C and gamma times the number of inputs span six values each, the inputs are
standardised. Where probabilities are wanted the best one is calibrated by Platt's method.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from benchmarks.accuracy.flagship_measures import rmse
from benchmarks.accuracy.flagship_models import scores
from drumlin.evaluation.measures import error_rate, timed
from drumlin.evaluation.rivals import FOLDS, svm_search
from drumlin.experiments.problems import Problem

SVR_C = np.logspace(-1.0, 3.0, 5)
SVR_GAMMA_TIMES_INPUTS = 4.0 ** np.arange(-4, 2)
SVR_EPSILON = np.array([0.03, 0.1, 0.3, 0.6])  # of a standardised target
SVC_SETTINGS = f"svc 6 C .1-1000, 6 gamma*d 1/64-16, {FOLDS} folds, sigmoid"
SVR_SETTINGS = f"svr 5 C .1-1000, 6 gamma*d 1/256-4, 4 epsilon .03-.6, {FOLDS} folds"
BOOSTING_SETTINGS = "boosting defaults"
PENALISED_SETTINGS = "boosting l2_regularization 1"


class Cache:
    """Results of rivals, one JSON file per data set; ``fresh`` forgets those of earlier runs."""

    folder = Path(__file__).parent / ".cache"

    def __init__(self, *, fresh: bool = False):
        self.fresh = fresh
        self._new: dict[tuple[str, str], dict] = {}

    def get(self, problem: Problem, settings: str, compute: Callable[[Problem], dict]) -> dict:
        """Return the stored result, computed first where there is none."""
        key = f"{problem.key}; {settings}; scikit-learn {sklearn.__version__}"
        known = self._new.get((problem.name, key))
        if known is None and not self.fresh:
            known = self._read(problem.name).get(key)
        if known is None:
            print(f"... {problem.name}, {key}", file=sys.stderr, flush=True)
            known = compute(problem)
            self._write(problem.name, key, known)
        return known

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _read(self, name: str) -> dict:
        path = self._path(name)
        return json.loads(path.read_text()) if path.is_file() else {}

    def _write(self, name: str, key: str, result: dict) -> None:
        self._new[name, key] = result
        self.folder.mkdir(exist_ok=True)
        new = self._path(name).with_suffix(f".{os.getpid()}.tmp")
        new.write_text(json.dumps(self._read(name) | {key: result}))
        new.replace(self._path(name))


def tuned_svm(problem: Problem) -> dict:
    """Error, size and search time of the tuned SVM; log-loss and p of its calibrated version."""
    search, seconds = timed(lambda: svm_search(problem.X.shape[1]).fit(problem.X, problem.y))
    best = search.best_estimator_
    calibrated = CalibratedClassifierCV(clone(best), ensemble=False, cv=FOLDS)
    measured = scores(calibrated.fit(problem.X, problem.y), problem)
    return {
        "error": 100.0 * error_rate(search.predict(problem.X_test), problem.y_test),
        "vectors": int(best[-1].n_support_.sum()),
        "seconds": seconds,
        "best": _best(search),
        "on_edge": _on_edge(search),
        "calibrated_error": measured["error"],
        "log_loss": measured["log_loss"],
        "p": None if measured["p"] is None else np.round(measured["p"], 6).tolist(),
    }


def boosting(problem: Problem, **parameters: float) -> dict:
    """Error, log-loss and fit time of gradient boosting, by default with its defaults."""
    estimator = HistGradientBoostingClassifier(random_state=0, **parameters)
    _, seconds = timed(lambda: estimator.fit(problem.X, problem.y))
    measured = scores(estimator, problem)
    return {"error": measured["error"], "log_loss": measured["log_loss"], "seconds": seconds}


def penalised_boosting(problem: Problem) -> dict:
    """Boosting with a penalty: without one it can diverge on classes of a few rows."""
    return boosting(problem, l2_regularization=1.0)


def tuned_svr(problem: Problem) -> dict:
    """RMSE, size and search time of the tuned SVR, inputs and target standardised."""
    machine = TransformedTargetRegressor(
        make_pipeline(StandardScaler(), SVR()), transformer=StandardScaler()
    )
    grid = {
        "regressor__svr__C": SVR_C,
        "regressor__svr__gamma": SVR_GAMMA_TIMES_INPUTS / problem.X.shape[1],
        "regressor__svr__epsilon": SVR_EPSILON,
    }
    search = GridSearchCV(machine, grid, cv=FOLDS, scoring="neg_mean_squared_error")
    _, seconds = timed(lambda: search.fit(problem.X, problem.y))
    return {
        "rmse": rmse(search.predict(problem.X_test), problem.y_test),
        "vectors": len(search.best_estimator_.regressor_[-1].support_),
        "seconds": seconds,
        "best": _best(search),
        "on_edge": _on_edge(search),
    }


def _best(search: GridSearchCV) -> dict[str, float]:
    """What a search chose."""
    return {name.rpartition("__")[2]: float(v) for name, v in search.best_params_.items()}


def _on_edge(search: GridSearchCV) -> list[str]:
    """Parameters whose best value is the least or greatest of the grid."""
    return [
        f"{name.rpartition('__')[2]} {'least' if best == values[0] else 'greatest'}"
        for name, values in search.param_grid.items()
        if (best := search.best_params_[name]) in (values[0], values[-1])
    ]
