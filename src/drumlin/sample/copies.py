"""Weights as numbers of copies: none of them extreme, equal rows as one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.sample.order import merge_rows

AnyArray = np.ndarray[Any, Any]

LARGEST_COUNT = 40
"""Weights are numbers of copies up to the power of two with this exponent, and down to its inverse.

Beyond, only their ratios mean something."""


class Extremes(NamedTuple):
    """Weights as they are, unless no count could be so large, so small or so different.

    If the largest is above ``2 ** LARGEST_COUNT`` or below its inverse, all are multiplied by the
    power of two that brings it there. Positive ones below the rounding error of the largest are
    raised to it: they cannot matter in a sum, but their logarithms, ratios and inverses could.

    Parameters
    ----------
    power : int
        Of two, that weights are multiplied by.
    least : float
        Least positive weight after that.
    """

    power: int
    least: float

    @classmethod
    def of(cls, largest: float) -> Extremes:
        """Return what weights need of which the largest, a positive number, is known."""
        exponent = int(np.frexp(largest)[1])
        power = int(np.clip(exponent, -LARGEST_COUNT, LARGEST_COUNT)) - exponent
        return cls(power, float(np.finfo(np.float64).eps * np.ldexp(largest, power)))

    def __call__(self, weight: FloatArray) -> FloatArray:
        """Return weights without extremes."""
        scaled = np.maximum(np.ldexp(weight, self.power), self.least)
        return np.where(weight > 0.0, scaled, 0.0)


def without_extremes(weight: FloatArray) -> FloatArray:
    """Return weights none of which is extreme."""
    largest = float(weight.max())
    return Extremes.of(largest)(weight) if largest > 0.0 else weight


def weight_units(n_rows: int, weight: FloatArray, factors: FloatArray) -> tuple[float, float]:
    """What weights and what the factors of their classes are divided by: they become counts.

    Means of both, or 1 where it is more. Each has its own: a small class weight makes samples
    lighter, not fewer.

    Parameters
    ----------
    n_rows : int
    weight : ndarray of shape (n_rows,) or (n_classes,)
        Of every row, or the sum of every class.
    factors : ndarray of the same shape
        What class weights multiply each by.
    """
    total = float(weight.sum())
    if not total:  # whoever needs rows says so
        return 1.0, 1.0
    return min(1.0, total / n_rows), min(1.0, float((weight * factors).sum()) / total)


def merged(
    X: FloatArray, y: AnyArray, weight: FloatArray, rows: IntArray
) -> tuple[FloatArray, AnyArray, FloatArray, IntArray]:
    """Equal samples as one, with the sum of their weights; the order of rows is forgotten.

    So rounding, which a search or a refinement amplifies, is the same for any order of the rows
    and for a weight of three or three copies.
    """
    if not len(weight):  # whoever needs rows says so
        return X, y, weight, rows
    targets = [np.unique(y, return_inverse=True)[1]] if y.ndim == 1 else [*y.T]
    kept, weight = merge_rows([*X.T, *targets], weight)
    return X[kept], y[kept], weight, rows[kept]
