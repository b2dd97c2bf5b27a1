"""A small network that imitates another model: ``drumlin.compress``."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from drumlin._warnings import warn
from drumlin.compression.checking import check_numbers, checked_rows, checked_targets
from drumlin.compression.imitation import difference, lessons, more_rows
from drumlin.compression.reduced import reduced_sets, rows_between
from drumlin.compression.teacher import Teacher
from drumlin.estimators import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators.compressed import CompressedClassifier

__all__ = ["CompressedClassifier", "compress"]

_HELD = 0.2
"""Part of the rows that only judge."""


JUDGES = 4000
"""Further rows that judge."""


def compress(
    model: Any,
    X: Any = None,
    *,
    max_error: float = 0.01,
    max_nodes: int | None = None,
    y: Any = None,
    random_state: int = 0,
) -> Any:
    """Return a small network that imitates a fitted classifier or regressor.

    Parameters
    ----------
    model : estimator
        Fitted, with ``decision_function``, ``predict_proba`` or ``predict``.
    X : array-like of shape (n_samples, n_features) or None, default=None
        Rows like those that it will see; no labels are needed. None is for an ``SVC`` with an RBF
        kernel and two classes, whose reduced set needs no data.
    max_error : float, default=0.01
        Part of rows that may get another class; for numbers, the root mean squared difference
        over the standard deviation. Measured on a fifth of X that is not learned from, and on
        rows like them.
    max_nodes : int or None, default=None
        Most nodes; None allows 160.
    y : array-like of shape (n_samples,) or None, default=None
        True targets, where known: a fit to them is compared, and you are warned if it is better.
    random_state : int, default=0

    Returns
    -------
    CompressedClassifier or DrumlinRegressor
        The smallest tried that is good enough, or else the best, with a warning. Labels and the
        columns of probabilities are those of the model's ``classes_``; a class that it never
        gives has a probability of nothing. ``compression_`` says error (on rows kept apart, which
        also chose the size), n_nodes, n_bytes, original_bytes, original_vectors and, with ``y``,
        errors of it and of the fit to the targets.

    See Also
    --------
    drumlin.export : Networks in other languages.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.svm import SVC
    >>> from drumlin.compression import compress
    >>> X, y = make_moons(500, noise=0.2, random_state=0)
    >>> small = compress(SVC(gamma=2.0).fit(X, y), X, max_nodes=10)
    >>> small.compression_["error"] <= 0.01 and small.n_nodes_ <= 10
    True
    """
    check_numbers(max_error, max_nodes, random_state)
    rng = np.random.default_rng(random_state)
    if X is None:
        teacher = Teacher(model)
        checked_targets(y, None, are_classes=True)
        made = reduced_sets(teacher, max_nodes, rng)
        judges = rows_between(model.support_vectors_, JUDGES, rng)
        best, error = _first_good(teacher, made, judges, max_error)
        best.compression_ = _facts(teacher, best, error)
        return best
    rows, names = checked_rows(X)
    teacher = Teacher(model, names if hasattr(model, "feature_names_in_") else None)
    y = checked_targets(y, len(rows), are_classes=teacher.is_classifier)
    held, rest = np.split(rng.permutation(len(rows)), [max(2, int(_HELD * len(rows)))])
    # A fifth of few rows is a coarse judge: others like them are asked about too.
    judges = np.vstack([rows[held], more_rows(rows[held], JUDGES, rng)])
    made = lessons(teacher, rows[rest], max_nodes, rng)
    best, error = _first_good(teacher, made, judges, max_error)
    if names is not None:
        best.feature_names_in_ = np.array(names, dtype=object)
    best.compression_ = _facts(teacher, best, error)
    if y is not None:
        best.compression_ |= _against_labels(best, rows, y, rest, held)
    return best


def _first_good(teacher: Teacher, made: Any, held: Any, max_error: float) -> tuple[Any, float]:
    best, least = None, np.inf
    for imitation in made:
        error = difference(teacher, imitation, held)
        if error < least or best is None:
            best, least = imitation, error
        if error <= max_error:
            return best, least
    if best is None:
        raise ValueError(
            "The 'model' parameter of compress must have more support vectors than 5 and than "
            f"'max_nodes', where there is no 'X'. Got {teacher.n_vectors}."
        )
    warn(
        f"The imitation of {type(teacher.model).__name__} has an error of {least:.4g} with "
        f"{best.n_nodes_} nodes, above 'max_error' ({max_error:g}); allow more nodes.",
        ConvergenceWarning,
    )
    return best, least


def _facts(teacher: Teacher, made: Any, error: float) -> dict[str, Any]:
    return {
        "error": error,
        "n_nodes": len(made.network_.nodes),
        "n_bytes": made.n_bytes_,
        "original_bytes": teacher.n_bytes,
        "original_vectors": teacher.n_vectors,
    }


def _against_labels(made: Any, X: Any, y: Any, rest: Any, held: Any) -> dict[str, Any]:
    """Compare with a network of the same size that is fitted to the targets."""
    is_class = isinstance(made, CompressedClassifier)
    rival = (DrumlinClassifier if is_class else DrumlinRegressor)(max_nodes=made.n_nodes_)
    rival = clone(rival).fit(X[rest], y[rest])
    given = X[held] if not hasattr(made, "feature_names_in_") else _table(X[held], made)
    ours, theirs = made.predict(given), rival.predict(X[held])
    if is_class:
        errors = float((ours != y[held]).mean()), float((theirs != y[held]).mean())
    else:
        errors = float(((ours - y[held]) ** 2).mean()), float(((theirs - y[held]) ** 2).mean())
    if errors[1] < errors[0]:
        warn(
            f"A {type(rival).__name__} of {rival.n_nodes_} nodes fitted to 'y' has an error of "
            f"{errors[1]:.4g} on rows held out, this imitation {errors[0]:.4g}: refit to 'y'.",
            UserWarning,
        )
    return {"target_error": errors[0], "refit_error": errors[1]}


def _table(rows: Any, made: Any) -> Any:
    from drumlin._optional import pandas as pd

    return pd.DataFrame(rows, columns=made.feature_names_in_)
