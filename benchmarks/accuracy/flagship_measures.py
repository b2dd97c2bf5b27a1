"""Error, log-loss, calibration, paired differences and times."""

from __future__ import annotations

import time
from collections.abc import Callable
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


def calibration_error(probability: np.ndarray, positive: np.ndarray, n_bins: int = 10) -> float:
    """Expected calibration error over bins of equal mass; equal probabilities share a bin."""
    edges = np.unique(np.quantile(probability, np.linspace(0.0, 1.0, n_bins + 1)[1:-1]))
    bins = np.searchsorted(edges, probability, side="left")
    gaps = np.bincount(bins, weights=probability - positive)
    return float(np.abs(gaps).sum() / len(probability))


def rmse(predicted: np.ndarray, y: np.ndarray) -> float:
    """Root of the mean squared error."""
    return float(np.sqrt(np.mean((predicted - y) ** 2)))


def paired(ours: list[float], theirs: list[float]) -> tuple[float, float]:
    """Mean difference and its standard error (NaN for one pair)."""
    difference = np.subtract(ours, theirs)
    n = len(difference)
    spread = difference.std(ddof=1) / np.sqrt(n) if n > 1 else np.nan
    return float(difference.mean()), float(spread)


def over_sets(differences: list[tuple[float, float]]) -> tuple[float, float]:
    """Mean of paired differences over sets, the sets taken as given."""
    means, errors = np.array(differences).T
    return float(means.mean()), float(np.sqrt((errors**2).sum()) / len(errors))


def timed(function: Callable[[], T]) -> tuple[T, float]:
    """Result and CPU seconds: on one thread the wall time, were nothing else running."""
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def latency(functions: list[Callable[[], object]], repeats: int = 500) -> list[float]:
    """Median wall seconds of each, called in turn."""
    seconds = np.empty((repeats, len(functions)))
    for row in seconds:
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            row[i] = time.perf_counter() - start
    return np.median(seconds, axis=0).tolist()
