"""Means and spreads of the inputs of all rows, by sums over parts of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from drumlin._typing import FloatArray
from drumlin.sample.memory import Sample
from drumlin.sample.rows import Rows


def _inputs(part: Sample) -> FloatArray:
    return np.asarray(part.X, dtype=np.float64)


def input_moments(
    rows: Rows, seen: Callable[[Sample], FloatArray] = _inputs
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weighted mean and standard deviation of every column over its largest entry, and that entry.

    What ``stable_moments`` gives for rows in memory, by three passes.

    Parameters
    ----------
    rows : Rows
    seen : callable
        From a part to its columns.
    """
    total = rows.total
    largest = rows.largest(lambda part: np.abs(seen(part)).max(axis=0))
    largest[largest == 0.0] = 1.0
    (mean,) = rows.sum(lambda part: ((part.weight / total) @ (seen(part) / largest),))
    (variance,) = rows.sum(
        lambda part: ((part.weight / total) @ (seen(part) / largest - mean) ** 2,)
    )
    return mean, np.sqrt(variance), largest
