"""Intervals of a number that run in a page: what the script needs to say them of any row."""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.estimators import DrumlinRegressor
from drumlin.estimators.fitted import FittedNetwork
from drumlin.laplace import Uncertainty

MOST_NUMBERS = 20_000
"""Entries of a covariance that a page holds; where there are more, it has no intervals."""


def intervals_of(fitted: FittedNetwork, confidences: tuple[float, ...]) -> dict[str, Any]:
    """What the script needs for intervals of one number; empty where it cannot know them.

    Returns
    -------
    dict
        limits, multiples of a standard deviation by confidence (None where it is infinite); noise,
        its variance in units of the codes; unit, of a code in the target; variance, of the scores,
        or coef, shared and factor, of which it follows at every row (``variance_factor``).
    """
    model = fitted.model
    whole = fitted.whole[-1] if hasattr(fitted.whole, "steps") else fitted.whole
    if not _knows(model) or whole is not model:  # a transformed target has other units
        return {}
    known = model._uncertainty
    limits = {str(c): float(model._calibration.thresholds(c)[0]) for c in confidences}
    told: dict[str, Any] = {
        "limits": {c: limit if limit < np.inf else None for c, limit in limits.items()},
        "noise": float(model._noise),
        "unit": float(model._units[1][0]),
    }
    if not isinstance(known, Uncertainty):
        return told | {"variance": 0.0 if known is None else float(known.variance)}
    n = len(known.scale)
    if n * (n + 1) // 2 > MOST_NUMBERS:
        return {}
    rows = variance_factor(known)
    return told | {
        "coef": known.coef[:, 0].tolist(),
        "shared": bool(known.shared),
        "factor": [row[: _length(row)].tolist() for row in rows],
    }


def _knows(model: Any) -> bool:
    """Whether a model has the intervals of one number, with standard deviations of its own."""
    return (
        isinstance(model, DrumlinRegressor)
        and hasattr(model, "_uncertainty")
        and getattr(model, "_calibration", None) is not None
        and len(model._units[0]) == 1
    )


def variance_factor(known: Uncertainty) -> FloatArray:
    """Rows W (n_slopes, n_directions): a score that moves by B has the variance ``|B W|^2``."""
    factor = known.factor if isinstance(known.factor, np.ndarray) else known.factor.matrix()
    rows = np.empty_like(factor)
    rows[known.order] = factor
    return np.asarray(rows * known.scale[:, None].astype(np.float64))


def _length(row: FloatArray) -> int:
    """Entries up to the last that is not zero."""
    return int(np.flatnonzero(row).max(initial=-1)) + 1
