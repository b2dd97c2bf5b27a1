"""The first view of the inputs: standardised and clipped, by sums over all rows."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import InputMap, Standardizer
from drumlin.flagship.recipe import ViewRule
from drumlin.sample import Rows, Sample
from drumlin.sample.moments import input_moments

MIDDLE_OF_NORMAL = 3.29
"""Standard deviations between the quantiles of 5 and 95 % of normal numbers."""


def standardizer(rows: Rows, rule: ViewRule) -> Standardizer:
    """Weighted mean and standard deviation of every column, without what is far out.

    One wild entry would leave all others too close together to be told apart. Columns are divided
    by their largest entry first, so that squares neither overflow nor vanish.
    """
    low, high = usual_range(rows.draw(rule.rows), rule.reach)
    moments = input_moments(rows, lambda part: np.clip(part.X, low, high))
    return Standardizer.of_moments(*moments)


def usual_range(sample: Sample, reach: float) -> tuple[FloatArray, FloatArray]:
    """Bounds (n_features,) of what counts: the middle 90 % of a column and some spreads around.

    Parameters
    ----------
    sample : Sample
    reach : float
        Spreads: standard deviations of normal numbers with the same middle. A column whose middle
        is one value has no bounds.
    """
    low, high = np.quantile(
        sample.X, [0.05, 0.95], axis=0, weights=sample.weight, method="inverted_cdf"
    )
    with np.errstate(over="ignore", invalid="ignore"):  # then there is no bound
        spread = reach / MIDDLE_OF_NORMAL * high - reach / MIDDLE_OF_NORMAL * low
        low, high = low - spread, high + spread
    bounded = (spread > 0.0) & np.isfinite(spread)
    return np.where(bounded, low, -np.inf), np.where(bounded, high, np.inf)


def clip_of_outliers(rows: Rows, unclipped: InputMap, clip: float) -> FloatArray:
    r"""Clip (n_features,) only the columns with outliers; it bends the others for nothing.

    A column has outliers if one entry is farther from the mean than :math:`1 + \sqrt{2 \log 2N}`
    standard deviations: the largest of N normal numbers exceeds the root in every tenth column, one
    more in hardly any.
    """
    farthest = rows.largest(lambda part: np.abs(unclipped(part.X)).max(axis=0))
    return np.where(farthest > 1.0 + np.sqrt(2.0 * np.log(2.0 * rows.total)), clip, np.inf)
