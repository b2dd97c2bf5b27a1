"""What the inputs of the training samples were like: where to compare with, and where to stay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.basis.scaling import pooled_moments, stable_moments


@dataclass(frozen=True)
class SeenInputs:
    """Inputs of training samples, column by column.

    Parameters
    ----------
    mean, spread : ndarray of shape (n_features,)
        Weighted mean and standard deviation.
    low, high : ndarray of shape (n_features,)
        Least and largest.
    whole : ndarray of bool of shape (n_features,)
        Whether all were whole numbers.
    """

    mean: FloatArray
    spread: FloatArray
    low: FloatArray
    high: FloatArray
    whole: BoolArray

    @classmethod
    def of(cls, X: FloatArray, weight: FloatArray) -> SeenInputs:
        """Look at samples (n_samples, n_features) of given weights."""
        mean, spread, largest = stable_moments(X, weight)
        whole = (np.floor(X) == X).all(axis=0)
        low, high = X.min(axis=0), X.max(axis=0)
        mean = np.clip(mean * largest, low, high)  # rounding must not lead beyond
        return cls(mean, spread * largest, low, high, whole)

    def followed_by(self, later: SeenInputs, share: float) -> SeenInputs:
        """Return what is known of these and of later samples, which are a given share of all."""
        low, high = np.minimum(self.low, later.low), np.maximum(self.high, later.high)
        mean, spread = pooled_moments((self.mean, self.spread), (later.mean, later.spread), share)
        mean = np.clip(mean, low, high)  # rounding must not lead beyond
        return SeenInputs(mean, spread, low, high, self.whole & later.whole)
