"""Predictions that did not know their samples, and what they say of probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.losses.calibration import fit_temperature, smoothed_targets


@dataclass(frozen=True, eq=False)
class Predicted:
    """Scores of samples that were not known when they were made.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_outputs)
    labels : ndarray of shape (n_samples,)
    weight : ndarray of shape (n_samples,)
    """

    scores: FloatArray
    labels: IntArray
    weight: FloatArray

    @classmethod
    def none(cls, n_outputs: int) -> Predicted:
        """Before the first sample."""
        return cls(np.empty((0, n_outputs)), np.empty(0, dtype=np.int64), np.empty(0))

    def followed_by(self, new: Predicted, most: int) -> Predicted:
        """Return the last of both, at most so many."""
        return Predicted(
            np.concatenate([self.scores, new.scores])[-most:],
            np.concatenate([self.labels, new.labels])[-most:],
            np.concatenate([self.weight, new.weight])[-most:],
        )

    @cached_property
    def temperature(self) -> float:
        """Factor between scores and log-odds, computed when it is asked for: batches are many."""
        n_classes = max(self.scores.shape[1], 2)
        targets = smoothed_targets(self.labels, self.weight, n_classes)
        return fit_temperature(self.scores, targets, self.weight)
