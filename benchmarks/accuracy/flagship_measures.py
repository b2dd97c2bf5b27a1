"""Calibration, squared error and latency, beside what `drumlin.experiments` measures."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np


def calibration_error(probability: np.ndarray, positive: np.ndarray, n_bins: int = 10) -> float:
    """Expected calibration error over bins of equal mass; equal probabilities share a bin."""
    edges = np.unique(np.quantile(probability, np.linspace(0.0, 1.0, n_bins + 1)[1:-1]))
    bins = np.searchsorted(edges, probability, side="left")
    gaps = np.bincount(bins, weights=probability - positive)
    return float(np.abs(gaps).sum() / len(probability))


def rmse(predicted: np.ndarray, y: np.ndarray) -> float:
    """Root of the mean squared error."""
    return float(np.sqrt(np.mean((predicted - y) ** 2)))


def latency(functions: list[Callable[[], object]], repeats: int = 500) -> list[float]:
    """Median wall seconds of each, called in turn."""
    seconds = np.empty((repeats, len(functions)))
    for row in seconds:
        for i, function in enumerate(functions):
            start = time.perf_counter()
            function()
            row[i] = time.perf_counter() - start
    return np.median(seconds, axis=0).tolist()
