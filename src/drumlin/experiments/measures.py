"""Error, log-loss, paired differences and times: one number from a few arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")


def error_rate(predicted: np.ndarray, y: np.ndarray) -> float:
    """Wrong predictions in percent."""
    return 100.0 * float(np.mean(predicted != y))


def log_loss(probabilities: np.ndarray, classes: np.ndarray, y: np.ndarray) -> float:
    """Mean of -log p(true class); a class not seen in training has the least probability."""
    of_truth = np.where(classes == y[:, None], probabilities, 0.0).sum(axis=1)
    return float(-np.log(np.maximum(of_truth, np.finfo(float).eps)).mean())


def paired(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """Mean difference and its standard error (NaN for one pair)."""
    difference = np.subtract(ours, theirs)
    n = len(difference)
    spread = difference.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return float(difference.mean()), float(spread)


def over_sets(differences: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Mean of paired differences over sets, the sets taken as given."""
    means, errors = np.array(differences).T
    return float(means.mean()), float(np.sqrt((errors**2).sum()) / len(errors))


def timed(function: Callable[[], T]) -> tuple[T, float]:
    """Result and CPU seconds: on one thread the wall time, were nothing else running."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start
