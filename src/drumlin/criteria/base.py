"""What a criterion is: leave-one-out predictions in, one cost out, lower is better.

Every criterion is defined by ``cost``. Those that are functions of a *statistic* the kernels can
gather in one pass (the sum of squared errors, or the confusion table) also say so, and are then
scored at full speed over thousands of candidates; the others are scored by their definition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._kernels import CONFUSION, SQUARED_ERROR, WRONG_BY_CLASS
from drumlin._typing import FloatArray, IntArray

ZERO = 1e-12
"""Scores closer to zero than this are zero: two backends may round them to either side."""


class Criterion(BaseEstimator, ABC):
    """A cost of leave-one-out predictions.

    Attributes
    ----------
    needs_classes : bool
        Whether the targets must be class codes.
    """

    needs_classes = False

    @abstractmethod
    def cost(
        self, targets: FloatArray, predictions: FloatArray, labels: IntArray, weight: FloatArray
    ) -> float:
        """Cost of one set of leave-one-out predictions.

        Parameters
        ----------
        targets, predictions : ndarray of shape (n_samples, n_outputs)
            One output for regression and two classes (coded -1, +1), K for K > 2 classes.
        labels : ndarray of shape (n_samples,)
            Class of every sample; zeros in regression.
        weight : ndarray of shape (n_samples,)
        """


class StatisticCriterion(Criterion):
    """A criterion that is a function of a statistic the kernels gather."""

    threshold = ZERO

    @abstractmethod
    def statistic(self, n_outputs: int) -> int:
        """Which statistic of ``_kernels.contract`` is needed."""

    @abstractmethod
    def from_statistic(self, statistic: FloatArray, class_weight: FloatArray) -> FloatArray:
        """Costs of shape (m,) from m rows of the statistic.

        Parameters
        ----------
        statistic : ndarray of shape (m, statistic_size)
        class_weight : ndarray of shape (n_classes,)
            Total sample weight of each class (one entry in regression).
        """

    def bound(
        self, statistic: FloatArray, class_weight: FloatArray, left: FloatArray
    ) -> FloatArray:
        """Least cost still possible when some samples have not been counted yet.

        Parameters
        ----------
        statistic : ndarray of shape (m, statistic_size)
            Of the samples counted so far.
        class_weight : ndarray of shape (n_classes,)
        left : ndarray of shape (n_classes,)
            Weight not counted yet. The default makes no promise: nothing is ever abandoned.
        """
        return np.full(len(statistic), -np.inf)


def confusion_kind(n_outputs: int) -> int:
    """Two classes need only their two counts of errors, more need the whole table."""
    return WRONG_BY_CLASS if n_outputs == 1 else CONFUSION


def confusion_tables(statistic: FloatArray, class_weight: FloatArray) -> FloatArray:
    """Tables (m, K, K) of true against predicted weight from either confusion statistic."""
    n_classes = len(class_weight)
    if statistic.shape[1] == n_classes**2:
        return statistic.reshape(-1, n_classes, n_classes)
    wrong = np.clip(statistic, 0.0, class_weight)  # sums of unequal weights are rounded
    right = class_weight - wrong
    rows = [[right[:, 0], wrong[:, 0]], [wrong[:, 1], right[:, 1]]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def confusion_table(
    targets: FloatArray,
    predictions: FloatArray,
    labels: IntArray,
    weight: FloatArray,
    threshold: float,
) -> FloatArray:
    """Weighted table (K, K) of true against predicted class of one set of predictions.

    The true class must win by more than ``threshold``; else the best other class is predicted.
    """
    if targets.shape[1] == 1:
        wrong = targets[:, 0] * predictions[:, 0] <= threshold
        n_classes, predicted = 2, np.where(wrong, 1 - labels, labels)
    else:
        n_classes = targets.shape[1]
        samples = np.arange(len(labels))
        others = predictions.copy()
        others[samples, labels] = -np.inf
        wins = predictions[samples, labels] - others.max(axis=1) > threshold
        predicted = np.where(wins, labels, others.argmax(axis=1))
    cells = np.bincount(labels * n_classes + predicted, weight, minlength=n_classes**2)
    return np.asarray(cells, dtype=np.float64).reshape(n_classes, n_classes)


__all__ = [
    "SQUARED_ERROR",
    "ZERO",
    "Criterion",
    "StatisticCriterion",
    "confusion_kind",
    "confusion_table",
    "confusion_tables",
]
