"""Equal costs: leave-one-out counts are step functions, so ties are normal and need a rule."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray

SLACK = 1e-9
"""Costs this close, relatively, are equal: rounding must not decide."""


def tie_limit(cost: float) -> float:
    """Largest cost that counts as equal to this one."""
    return cost + SLACK * abs(cost) + 1e-12


def tied(costs: FloatArray) -> IntArray:
    """Indices of all candidates that share the lowest cost, ascending (none if all infinite)."""
    best = costs.min(initial=np.inf)
    if not np.isfinite(best):
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(costs <= tie_limit(float(best)))
