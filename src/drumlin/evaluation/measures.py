"""Error, log-loss, paired differences and times: one number from a few arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn import metrics

from drumlin._typing import FloatArray
from drumlin.evaluation.costs import Decision, mean_cost

T = TypeVar("T")

COST = "cost per row"
"""What the mean cost of answers is called."""


def error_rate(predicted: Any, y: Any) -> float:
    """Share of wrong predictions.

    Parameters
    ----------
    predicted, y : ndarray of shape (n_samples,)
        Predictions may be a column, as CatBoost's of several classes are.
    """
    return float(np.mean(np.reshape(predicted, np.shape(y)) != y))


def log_loss(probabilities: FloatArray, classes: Any, y: Any) -> float:
    """Mean of -log p(true class); a class not seen in training has the least probability.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
    classes : ndarray of shape (n_classes,)
    y : ndarray of shape (n_samples,)
    """
    of_truth = np.where(classes == y[:, None], probabilities, 0.0).sum(axis=1)
    return float(-np.log(np.maximum(of_truth, np.finfo(float).eps)).mean())


def class_measures(
    probabilities: FloatArray, answers: Any, codes: Any, decision: Decision | None = None
) -> dict[str, float]:
    """Everything about predicted classes, by name.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
    answers, codes : ndarray of shape (n_samples,)
        Predicted and true classes, by their index.
    decision : Decision or None
        What else is asked.

    Returns
    -------
    dict
        error, balanced error (over the classes that occur), log-loss; for two classes also the
        Brier score; where every class occurs, the area under the ROC curve and the average
        precision (of the second of two classes; the mean of each against the rest of more); the
        cost per row and the recall at a precision, where they are asked for.
    """
    decision = decision or Decision()
    n_classes, present = probabilities.shape[1], np.unique(codes)
    found = metrics.recall_score(codes, answers, labels=present, average="macro")
    measures = {
        "error": error_rate(answers, codes),
        "balanced error": 1.0 - float(found),
        "log-loss": log_loss(probabilities, np.arange(n_classes), codes),
    }
    if n_classes == 2:
        measures["Brier score"] = float(((probabilities[:, 1] - codes) ** 2).mean())
    if decision.costs is not None:
        measures[COST] = mean_cost(answers, codes, decision.costs)
    if len(present) < n_classes:
        return measures
    return measures | ranking_measures(probabilities, codes, decision.precision)


def ranking_measures(
    probabilities: FloatArray, codes: Any, precision: float | None = None
) -> dict[str, float]:
    """How well probabilities order the rows of classes that all occur, by name.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
    codes : ndarray of shape (n_samples,)
    precision : float or None
        Where given, the recall at this precision is told, too.
    """
    n_classes = probabilities.shape[1]
    judged = [1] if n_classes == 2 else range(n_classes)
    ranked = [(codes == k, probabilities[:, k]) for k in judged]

    def mean(measure: Callable[..., float]) -> float:
        return float(np.mean([measure(*pair) for pair in ranked]))

    measures = {
        "area under ROC curve": mean(metrics.roc_auc_score),
        "average precision": mean(metrics.average_precision_score),
    }
    if precision is not None:
        found = mean(lambda true, p: operating_point(true, p, precision)[0])
        measures[recall_name(precision)] = found
    return measures


def operating_point(true: Any, probability: FloatArray, precision: float) -> tuple[float, float]:
    """Largest recall at a precision of at least so much, and the threshold that has it.

    Parameters
    ----------
    true : ndarray of bool of shape (n_samples,)
    probability : ndarray of shape (n_samples,)
        Rows are announced from the threshold on.
    precision : float

    Returns
    -------
    recall, threshold : float
        Zero and infinity where no threshold is precise enough: nothing is announced.
    """
    precisions, recalls, thresholds = metrics.precision_recall_curve(true, probability)
    enough = np.flatnonzero(precisions[:-1] >= precision)  # the last point announces nothing
    if not len(enough):
        return 0.0, float("inf")
    best = enough[recalls[enough].argmax()]
    return float(recalls[best]), float(thresholds[best])


def recall_name(precision: float) -> str:
    """Return what the recall at a precision is called."""
    return f"recall at precision {precision:g}"


def constant_class(codes: Any, n_classes: int, decision: Decision | None = None) -> int:
    """Return the class, by index, that is best said of every row."""
    shares = np.bincount(codes, minlength=n_classes) / len(codes)
    return int((decision or Decision()).answers(shares[None])[0])


def best_constant(
    codes: Any, n_classes: int | None, decision: Decision | None = None
) -> dict[str, float]:
    """Measures of the best answer that knows no input: the baseline of these very rows.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        True classes by their index, or targets.
    n_classes : int or None
        None for numbers.
    decision : Decision or None
        What else is asked of classes.

    Returns
    -------
    dict
        Of the most frequent class (the one of least cost, where costs are given) with the shares
        of the classes, or of the mean.
    """
    if n_classes is None:
        return number_measures(np.broadcast_to(codes.mean(axis=0), codes.shape), codes)
    shares = np.bincount(codes, minlength=n_classes) / len(codes)
    answers = np.full(len(codes), constant_class(codes, n_classes, decision))
    return class_measures(np.tile(shares, (len(codes), 1)), answers, codes, decision)


def number_measures(answers: FloatArray, targets: FloatArray) -> dict[str, float]:
    """Everything about predicted numbers, by name.

    Parameters
    ----------
    answers, targets : ndarray of shape (n_samples,) or (n_samples, n_outputs)
    """
    return {
        "R²": float(metrics.r2_score(targets, answers)) if len(targets) > 1 else float("nan"),
        "root mean squared error": float(metrics.root_mean_squared_error(targets, answers)),
        "mean absolute error": float(metrics.mean_absolute_error(targets, answers)),
        "largest absolute error": float(np.abs(targets - answers).max()),
    }


def mean_and_error(values: Any) -> tuple[float, float]:
    """Mean and its standard error (NaN for one value)."""
    values = np.asarray(values, dtype=np.float64)
    n = len(values)
    spread = values.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return float(values.mean()), float(spread)


def paired(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """Mean difference and its standard error (NaN for one pair)."""
    return mean_and_error(np.subtract(ours, theirs))


def over_sets(differences: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Mean of paired differences over sets, the sets taken as given."""
    means, errors = np.array(differences).T
    return float(means.mean()), float(np.sqrt((errors**2).sum()) / len(errors))


def timed(function: Callable[[], T]) -> tuple[T, float]:
    """Result and CPU seconds: on one thread the wall time, were nothing else running."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start
