"""A cost that evaluates every subset once."""

from __future__ import annotations

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.search.base import BatchCost


class Memory:
    """Remembers the costs of subsets.

    Parameters
    ----------
    cost : callable
        From subsets (m, n_bits) to costs (m,); called with subsets not seen before only.

    Attributes
    ----------
    n_evaluations : int
        Subsets whose cost was computed.
    """

    def __init__(self, cost: BatchCost):
        self._cost = cost
        self._known: dict[bytes, float] = {}

    @property
    def n_evaluations(self) -> int:
        """Subsets whose cost was computed."""
        return len(self._known)

    def __call__(self, subsets: BoolArray) -> FloatArray:
        """Costs (m,) of m subsets."""
        keys = [row.tobytes() for row in np.packbits(subsets, axis=1)]
        new = {key: i for i, key in reversed(list(enumerate(keys))) if key not in self._known}
        if new:
            rows = sorted(new.values())
            for row, value in zip(rows, self._cost(subsets[rows]).tolist(), strict=True):
                self._known[keys[row]] = value
        return np.array([self._known[key] for key in keys])
