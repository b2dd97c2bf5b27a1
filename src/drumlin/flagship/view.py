"""The first view of the inputs: standardised and clipped, by sums over all rows."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import InputMap, Standardizer
from drumlin.sample import Rows


def standardizer(rows: Rows) -> Standardizer:
    """Weighted mean and standard deviation of every column, in three passes.

    Columns are divided by their largest entry first, so that squares neither overflow nor vanish.
    """
    total = rows.total
    largest = rows.largest(lambda part: np.abs(part.X).max(axis=0))
    largest[largest == 0.0] = 1.0
    (mean,) = rows.sum(lambda part: ((part.weight / total) @ (part.X / largest),))
    (variance,) = rows.sum(lambda part: ((part.weight / total) @ (part.X / largest - mean) ** 2,))
    return Standardizer.of_moments(mean, np.sqrt(variance), largest)


def clip_of_outliers(rows: Rows, scaler: Standardizer, clip: float) -> FloatArray:
    r"""Clip (n_features,) only the columns with outliers; it bends the others for nothing.

    A column has outliers if one entry is farther from the mean than :math:`\sqrt{2 \log 2N}`
    standard deviations: what the largest of N normal numbers hardly exceeds.
    """
    unclipped = InputMap(scaler, clip=np.inf)
    farthest = rows.largest(lambda part: np.abs(unclipped(part.X)).max(axis=0))
    return np.where(farthest > np.sqrt(2.0 * np.log(2.0 * rows.total)), clip, np.inf)
