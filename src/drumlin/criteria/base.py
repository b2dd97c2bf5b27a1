"""What a criterion is: leave-one-out predictions in, one cost out, lower is better.

Every criterion is defined by ``cost``. Those that are functions of a *statistic* the kernels can
gather in one pass (the sum of squared errors, or the confusion table) also say so, and are then
scored at full speed over thousands of candidates; the others are scored by their definition.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._kernels import CONFUSION, SQUARED_ERROR, WRONG_BY_CLASS, ZERO_IS_FIRST, ZERO_IS_RIGHT
from drumlin._typing import FloatArray, IntArray


class Criterion(BaseEstimator, ABC):
    """A cost of leave-one-out predictions.

    Attributes
    ----------
    needs_classes : bool
        Whether the targets must be class codes.

    See Also
    --------
    LOOSquaredError
    LOOMisclassification
    LOOMutualInformation

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import ForwardRBFRegressor
    >>> from drumlin.criteria import Criterion
    >>> class LOOAbsoluteError(Criterion):
    ...     def cost(self, targets, predictions, labels, weight):
    ...         return float(weight @ np.abs(targets - predictions).sum(axis=1))
    >>> X = np.linspace(0.0, 6.0, 30)[:, None]
    >>> model = ForwardRBFRegressor(criterion=LOOAbsoluteError()).fit(X, np.sin(X[:, 0]))
    >>> model.score(X, np.sin(X[:, 0])) > 0.9
    True
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
    """A criterion that is a function of a statistic the kernels gather.

    See Also
    --------
    Criterion

    Examples
    --------
    >>> from drumlin.criteria import LOOSquaredError, StatisticCriterion
    >>> isinstance(LOOSquaredError(), StatisticCriterion)
    True
    """

    zero = ZERO_IS_FIRST

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
    zero: int,
) -> FloatArray:
    """Weighted table (K, K) of true against predicted class of one set of predictions.

    The class with the largest prediction is predicted; ``zero`` says what a tie means.
    """
    n_classes = max(2, targets.shape[1])
    if targets.shape[1] == 1:
        margin, rival = targets[:, 0] * predictions[:, 0], 1 - labels
    else:
        samples = np.arange(len(labels))
        others = predictions.copy()
        others[samples, labels] = -np.inf
        margin, rival = predictions[samples, labels] - others.max(axis=1), others.argmax(axis=1)
    tie = (zero == ZERO_IS_RIGHT) | ((zero == ZERO_IS_FIRST) & (labels < rival))
    predicted = np.where((margin > 0.0) | ((margin == 0.0) & tie), labels, rival)
    cells = np.bincount(labels * n_classes + predicted, weight, minlength=n_classes**2)
    return np.asarray(cells, dtype=np.float64).reshape(n_classes, n_classes)


__all__ = [
    "SQUARED_ERROR",
    "Criterion",
    "StatisticCriterion",
    "confusion_kind",
    "confusion_table",
    "confusion_tables",
]
