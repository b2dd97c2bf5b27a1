"""One run: a method on one realisation of a set, and what is recorded of it.

There are two stages. A method with a search is first *tuned* on the training parts of the first
realisations; then every method is *fitted* on every realisation, a tuned one with the medians of
what its searches chose. Nothing but training rows is shown to a method.
"""

from __future__ import annotations

import json
import pickle
import platform
import signal
import threading
import traceback
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import parent_process
from typing import Any

import numpy as np
from sklearn.datasets import make_classification
from threadpoolctl import threadpool_limits

from drumlin.evaluation.measures import error_rate, timed
from drumlin.evaluation.methods import Method, Shape
from drumlin.experiments.problems import Problem, ProblemSet

TUNE, FIT = "tune", "fit"
DONE, FAILED = "done", "failed"
TUNING_REALISATIONS = range(1, 6)
"""The benchmark's own protocol: hyperparameters from the first five training realisations."""

PACKAGES = (
    "drumlin", "numpy", "scipy", "scikit-learn", "numba",
    "fastrvm", "catboost", "lightgbm", "interpret-core", "xrfm", "pytabkit", "torch",
)  # fmt: skip


@dataclass(frozen=True)
class Task:
    """What is to be run; the key of its record."""

    stage: str
    method: str
    dataset: str
    realisation: int


@dataclass(frozen=True)
class Record:
    """What became of a task.

    Parameters
    ----------
    stage, method, dataset : str
    realisation : int
    status : {"done", "failed"}
    error : float
        Wrong test predictions in percent.
    log_loss : float or None
        On the test rows; of a calibrated copy where the method has no probabilities.
    nodes : int or None
    fit_seconds, predict_seconds : float
        CPU seconds on one thread; of the whole search for the stage "tune".
    original : bool
        Whether the split is a published one.
    seed : int
        Where the method is random.
    settings, versions : str
        JSON: the estimator, bytes of its pickle, what was chosen, its warnings; versions of the
        packages.
    message, traceback : str or None
        Why it failed.
    finished : str
        Time of day, UTC.
    """

    stage: str
    method: str
    dataset: str
    realisation: int
    status: str = DONE
    error: float | None = None
    log_loss: float | None = None
    nodes: int | None = None
    fit_seconds: float | None = None
    predict_seconds: float | None = None
    original: bool | None = None
    seed: int | None = None
    settings: str | None = None
    versions: str | None = None
    message: str | None = None
    traceback: str | None = None
    finished: str | None = None

    @property
    def task(self) -> Task:
        """The task it belongs to."""
        return Task(self.stage, self.method, self.dataset, self.realisation)


def execute(
    task: Task, method: Method, problems: ProblemSet, chosen: Sequence[dict[str, float]] = ()
) -> Record:
    """Run a task; whatever goes wrong becomes part of the record.

    Parameters
    ----------
    task : Task
    method : Method
    problems : ProblemSet
    chosen : sequence of dict
        What the searches of a tuned method chose.

    Returns
    -------
    Record
    """
    _leave_interrupts_to_the_parent()
    start = Record(
        task.stage,
        task.method,
        task.dataset,
        task.realisation,
        seed=task.realisation,
        versions=json.dumps(_versions()),
    )
    try:
        problem = problems.problem(task.realisation)
        with threadpool_limits(1), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if task.stage == TUNE:
                results, settings = _tuned(method, problem)
            else:
                results, settings = _fitted(method, problem, chosen, task.realisation)
        told = sorted({str(w.message)[:200] for w in caught})
        settings |= {"warnings": told} if told else {}
        record = replace(start, original=problem.original, settings=json.dumps(settings), **results)
    except Exception as error:  # any failure of a method is a result
        record = replace(
            start,
            status=FAILED,
            message=f"{type(error).__name__}: {error}",
            traceback=traceback.format_exc(),
        )
    return replace(record, finished=datetime.now(UTC).isoformat(timespec="seconds"))


def fit_model(
    method: Method, problem: Problem, chosen: Sequence[dict[str, float]], seed: int
) -> tuple[Any, float]:
    """Fit a method to the training rows of a problem.

    Returns
    -------
    model : estimator
    seconds : float
        CPU seconds.
    """
    estimator = method.seeded(problem.shape, seed)
    if method.search is not None:
        estimator.set_params(**medians(method, chosen))
    return timed(lambda: estimator.fit(problem.X, problem.y))


def search_parameters(method: Method, problem: Problem) -> tuple[dict[str, float], float]:
    """What the method's search chooses on the training rows, and its CPU seconds."""
    if method.search is None:
        raise ValueError(f"The 'method' parameter must have a search. Got {method.name!r}.")
    search = method.search(problem.shape)
    _, seconds = timed(lambda: search.fit(problem.X, problem.y))
    return {name: float(value) for name, value in search.best_params_.items()}, seconds


def medians(method: Method, chosen: Sequence[dict[str, float]]) -> dict[str, float]:
    """Median of every parameter over the searches."""
    if not chosen:
        raise RuntimeError(
            f"No search of {method.name!r} on this set succeeded: see the records of its stage "
            f"{TUNE!r}."
        )
    return {name: float(np.median([choice[name] for choice in chosen])) for name in chosen[0]}


def _tuned(method: Method, problem: Problem) -> tuple[dict[str, Any], dict[str, Any]]:
    choice, seconds = search_parameters(method, problem)
    return {"fit_seconds": seconds}, {"chosen": choice}


def _fitted(
    method: Method, problem: Problem, chosen: Sequence[dict[str, float]], seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Results on the test rows, and the settings."""
    if method.kind != "rival":
        _compile(method, min(problem.shape.n_classes, 3))
    model, fit_seconds = fit_model(method, problem, chosen, seed)
    predicted, predict_seconds = timed(lambda: model.predict(problem.X_test))
    results = {
        "error": 100.0 * error_rate(predicted, problem.y_test),
        "log_loss": method.log_loss(model, problem.X, problem.y, problem.X_test, problem.y_test),
        "nodes": None if method.size is None else method.size(model),
        "fit_seconds": fit_seconds,
        "predict_seconds": predict_seconds,
    }
    tuned = {} if method.search is None else {"chosen": medians(method, chosen)}
    return results, _settings(model) | tuned


def _settings(model: Any) -> dict[str, Any]:
    """Return the estimator as code, its size, and the width where it chose one."""
    settings: dict[str, Any] = {"estimator": " ".join(repr(model).split())}
    settings["bytes"] = len(pickle.dumps(model))
    width = getattr(model, "width_", None)
    if width is not None and np.isfinite(width):
        settings["width"] = float(width)
    return settings


def _compile(method: Method, n_classes: int) -> None:
    """Once a process and method: compilation shall not be timed."""
    if (method.name, n_classes) in _compiled:
        return
    X, y = make_classification(
        60, 4, n_informative=4, n_redundant=0, n_classes=n_classes, random_state=0
    )
    method.build(Shape("", 4, n_classes)).fit(X, y).predict(X)
    _compiled.add((method.name, n_classes))


_compiled: set[tuple[str, int]] = set()
"""What this process has compiled; by name, for a method that was sent here is never the same."""


@cache
def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _leave_interrupts_to_the_parent() -> None:
    """Ctrl-C reaches a whole process group; a worker's fit would end early and look finished."""
    if parent_process() is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
