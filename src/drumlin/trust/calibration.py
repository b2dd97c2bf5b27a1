r"""Scores of samples left out, in little memory: what sets and intervals are calibrated by.

A score says how strange a sample's own target is to a model that did not see it. With n of them,
the threshold of a confidence c is the :math:`\lceil (n + 1) c \rceil`-th smallest: a new sample is
as likely to have any rank among n + 1 as the old ones. That holds where leaving one sample out
hardly changes the model (the jackknife); nothing is guaranteed where it does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drumlin._typing import FloatArray, IntArray

LARGEST = 60_000.0
"""Largest stored score: half-precision numbers end at 65504."""

ALL_UP_TO, STEP = 128, 0.03
"""Scores are kept one by one up to so many; above, the part of samples beyond a kept one and
beyond the next differ by at most this (relatively), and what lies between counts as the higher."""

_SLACK = 1e-9  # (n + 1) c is a whole number only up to rounding


@dataclass(frozen=True)
class Calibration:
    """Scores of samples left out, by groups: classes, or outputs.

    Parameters
    ----------
    scores : ndarray of float16 of shape (n_kept,)
        Ascending within every group, in units of ``scale``, rounded up.
    mass : ndarray of float16 of shape (n_kept,)
        Samples that every score stands for; of millions, in units of some.
    ends : ndarray of int of shape (n_groups,)
        Where the scores of every group end.
    scale : float
    one : float
        What a new sample counts among them, in the same units.
    """

    scores: NDArray[np.float16]
    mass: NDArray[np.float16]
    ends: IntArray
    scale: float
    one: float

    @classmethod
    def of(
        cls, scores: FloatArray, weight: FloatArray, groups: IntArray, n_groups: int
    ) -> Calibration:
        """Keep scores (n_samples,) of samples of given weights and groups.

        Weights are numbers of samples, or relative where their mean is below 1.
        """
        mean = float(weight.mean())
        largest = float(np.abs(scores).max(initial=0.0))
        scale = largest / LARGEST if largest > 0.0 else 1.0
        kept = [
            _kept(scores[groups == g] / scale, weight[groups == g] / mean) for g in range(n_groups)
        ]
        ends = np.cumsum([len(values) for values, _ in kept]).astype(np.int64)
        values = np.concatenate([values for values, _ in kept])
        mass = np.concatenate([mass for _, mass in kept])
        most = float(mass.max(initial=0.0)) / LARGEST
        unit = 2.0 ** max(0, int(np.ceil(np.log2(most)))) if most > 0.0 else 1.0
        one = min(1.0, 1.0 / mean) / unit
        return cls(values, (mass / unit).astype(np.float16), ends, scale, one)

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return len(self.ends)

    def threshold(self, confidence: float) -> float:
        """Score that a new sample's is not above with a confidence; infinite if too few are known.

        Parameters
        ----------
        confidence : float
            Between 0 and 1.
        """
        order = np.argsort(self.scores, kind="stable")
        return self._quantile(self.scores[order], self.mass[order], confidence)

    def thresholds(self, confidence: float) -> FloatArray:
        """Return the same for every group by itself (n_groups,)."""
        parts = self._parts()
        return np.array([self._quantile(values, mass, confidence) for values, mass in parts])

    def _parts(self) -> Iterator[tuple[NDArray[np.float16], NDArray[np.float16]]]:
        starts = [0, *self.ends[:-1].tolist()]
        for start, stop in zip(starts, self.ends.tolist(), strict=True):
            yield self.scores[start:stop], self.mass[start:stop]

    def _quantile(
        self, values: NDArray[np.float16], mass: NDArray[np.float16], confidence: float
    ) -> float:
        cumulative = np.cumsum(mass, dtype=np.float64)
        total = cumulative[-1] if len(cumulative) else 0.0
        wanted = confidence * (total + self.one) * (1.0 - _SLACK)
        first = int(np.searchsorted(cumulative, wanted))
        return float(values[first]) * self.scale if first < len(values) else np.inf


def _kept(values: FloatArray, weight: FloatArray) -> tuple[NDArray[np.float16], FloatArray]:
    """Sorted scores and what they stand for; of many, fewer and fewer away from the largest."""
    order = np.argsort(values, kind="stable")
    half, weight = _rounded_up(values[order]), weight[order]
    if len(half) > ALL_UP_TO:
        beyond = np.maximum(weight.sum() - np.cumsum(weight), 0.0)
        bucket = np.floor(np.log1p(beyond) / STEP)
        last = np.append(bucket[:-1] != bucket[1:], True)
        cumulative = np.cumsum(weight)[last]
        half, weight = half[last], np.diff(cumulative, prepend=0.0)
    return half, weight


def _rounded_up(values: FloatArray) -> NDArray[np.float16]:
    half = values.astype(np.float16)
    up = np.nextafter(half, np.float16(np.inf))
    return np.where(half.astype(np.float64) < values, up, half)
