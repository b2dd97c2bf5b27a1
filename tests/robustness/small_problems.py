"""Small problems at random, odd in every way that is allowed, and what a fit must make of them."""

from __future__ import annotations

import os
import time
import traceback
import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning

import drumlin.estimators
from tests.backends import HERE, running_on

KINDS = drumlin.estimators.__all__


@dataclass(frozen=True)
class Problem:
    """Training rows, new rows and weights."""

    X: np.ndarray
    y: np.ndarray
    X_new: np.ndarray
    weight: np.ndarray | None


@dataclass(frozen=True)
class Outcome:
    """What became of one problem: "fine", "refused", or what went wrong; seconds of CPU."""

    kind: str
    text: str
    warned: bool
    seconds: float


def draw(rng: np.random.Generator, *, classes: bool) -> Problem:
    """Draw a problem of 2-30 rows and 1-6 features."""
    n, d = int(rng.integers(2, 31)), int(rng.integers(1, 7))
    X = inputs(rng, n, d)
    if classes:
        n_classes = int(rng.integers(2, min(n, 6) + 1))
        y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    else:
        y = numbers(rng, n)
    if rng.random() < 0.3:  # equal rows, with equal or different targets
        copies = rng.integers(0, n, n)
        X = X[copies]
        y = y[copies] if not classes else y
    X_new = X[rng.integers(0, n, 8)] * rng.choice([1.0, 1.0, -2.0, 1e-8], 8)[:, None]
    return Problem(X, y, np.vstack([X, X_new]), weights(rng, n))


def inputs(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Columns of several kinds, on scales from 1e-300 to 1e300."""
    X = rng.standard_normal((n, d))
    if rng.random() < 0.3:
        X = np.round(X * rng.choice([1.0, 3.0]))  # few distinct values
    for i in range(d):
        odd = rng.random()
        if odd < 0.1:
            X[:, i] = X[0, i]
        elif odd < 0.2:
            X[:, i] = X[:, int(rng.integers(0, d))]
        elif odd < 0.3:
            X[int(rng.integers(0, n)), i] *= 1e6  # an outlier
        elif odd < 0.35:
            X[:, i] += 1e12  # an offset that hides it
    scale = rng.random()
    with np.errstate(over="ignore"):  # outliers of large columns, cut below
        if scale < 0.3:
            X *= 10.0 ** rng.uniform(-300.0, 299.0, d)
        elif scale < 0.4:
            X *= 10.0 ** rng.uniform(-300.0, 299.0)
    return np.clip(X, -1e300, 1e300)


def numbers(rng: np.random.Generator, n: int) -> np.ndarray:
    """Targets of a regression: noisy or not, few or many values, any unit."""
    y = rng.standard_normal(n)
    if rng.random() < 0.3:
        y = np.round(y)
    if rng.random() < 0.1:
        y[:] = y[0]
    if rng.random() < 0.3:
        y = y * 10.0 ** rng.uniform(-300.0, 299.0)
    return y + (0.0 if rng.random() < 0.8 else 1e3 * np.abs(y).max())


def weights(rng: np.random.Generator, n: int) -> np.ndarray | None:
    """None, counts, or numbers that are spread far."""
    kind = rng.random()
    if kind < 0.4:
        return None
    if kind < 0.5:
        weight = rng.integers(0, 4, n).astype(float)
    elif kind < 0.6:
        weight = np.full(n, 10.0 ** rng.uniform(-300.0, 300.0))
    elif kind < 0.8:
        weight = 10.0 ** rng.uniform(0.0, rng.choice([3.0, 8.0, 14.0]), n)
    else:
        weight = 10.0 ** rng.uniform(-300.0, 300.0, n)
    weight[int(rng.integers(0, n))] = weight.max() or 1.0
    return weight


def examine(name: str, number: int) -> Outcome:
    """Fit an estimator to a problem and ask it everything, on the backend of the number's turn."""
    rng = np.random.default_rng([KINDS.index(name), number])
    model = getattr(drumlin.estimators, name)()
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    problem = draw(rng, classes=is_classifier(model))
    begin, backend = time.process_time(), HERE[number % len(HERE)]
    with warnings.catch_warnings(record=True) as caught, running_on(backend):
        warnings.simplefilter("always")
        kind, text = verdict(model, problem)
    seconds = time.process_time() - begin
    other = [w for w in caught if not issubclass(w.category, ConvergenceWarning)]
    if kind in ("fine", "refused") and other:
        place = f"{os.path.basename(other[0].filename)}:{other[0].lineno}"
        kind, text = "warning", f"{other[0].category.__name__}: {other[0].message} at {place}"
    return Outcome(kind, f"{name} {number} ({backend}): {text}", bool(caught), seconds)


def verdict(model, problem: Problem) -> tuple[str, str]:
    """Fit and ask; the kind of outcome and what is to be told of it."""
    try:
        model.fit(problem.X, problem.y, problem.weight)
    except ValueError as error:
        if type(error) is ValueError and type(model).__name__ in str(error):
            return "refused", str(error)
        return type(error).__name__, last_lines(error)
    except Exception as error:
        return type(error).__name__, last_lines(error)
    try:
        return check_answers(model, problem)
    except Exception as error:
        return type(error).__name__, last_lines(error)


def last_lines(error: Exception) -> str:
    """Where it happened, in short."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "drumlin" in f.filename]
    where = " < ".join(f"{os.path.basename(f.filename)}:{f.lineno}" for f in frames[-1:-5:-1])
    return f"{type(error).__name__}: {str(error)[:200]} at {where}"


def is_number(answer: np.ndarray) -> np.ndarray:
    """Finite, or infinite because no number is large enough."""
    return ~np.isnan(answer)


def check_answers(model, problem: Problem) -> tuple[str, str]:
    """Return "fine", or the first answer that is not."""
    X = problem.X_new
    answers = {"predict": model.predict(X)}
    if is_classifier(model):
        answers |= {"predict_proba": model.predict_proba(X), "scores": model.decision_function(X)}
    elif type(model).__name__ == "DrumlinRegressor":
        answers["std"] = model.predict(X, return_std=True)[1]
    for question in ("novelty", "contributions", "gradient"):
        if hasattr(model, question):
            answers[question] = getattr(model, question)(X)
    if hasattr(model, "truncate") and model.n_nodes_ > 1:
        answers["truncate"] = model.truncate(1).predict(X)
    for question, answer in answers.items():
        good = np.isfinite if question != "gradient" else is_number  # targets of 1e299, tiny inputs
        if answer.dtype.kind == "f" and not good(answer).all():
            return "not finite", question
    if is_classifier(model):
        P = answers["predict_proba"]
        if (P < 0.0).any() or np.abs(P.sum(axis=1) - 1.0).max() > 1e-9:
            return "not probabilities", f"sums from {P.sum(axis=1).min()} to {P.sum(axis=1).max()}"
        if (model.classes_[P.argmax(axis=1)] != answers["predict"]).any():
            return "argmax", "predict_proba and predict disagree"
    return "fine", ""
