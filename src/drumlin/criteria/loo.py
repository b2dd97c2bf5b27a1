"""The three leave-one-out criteria. A criterion knows predictions, never nodes."""

from __future__ import annotations

import numpy as np
from scipy.special import xlogy

from drumlin._kernels import ZERO_IS_FIRST, ZERO_IS_RIGHT, ZERO_IS_WRONG
from drumlin._typing import FloatArray, IntArray
from drumlin.criteria.base import (
    SQUARED_ERROR,
    StatisticCriterion,
    confusion_kind,
    confusion_table,
    confusion_tables,
)


class LOOSquaredError(StatisticCriterion):
    r"""Mean squared leave-one-out error (PRESS), summed over outputs.

    .. math:: J = \sum_i s_i \|t_i - f^{(-i)}(x_i)\|^2 \Big/ \sum_i s_i

    See Also
    --------
    LOOMisclassification
    LOOMutualInformation

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.criteria import LOOSquaredError
    >>> targets, left_out = np.array([[1.0], [2.0]]), np.array([[1.5], [1.0]])
    >>> LOOSquaredError().cost(targets, left_out, np.zeros(2, int), np.ones(2))
    0.625
    """

    def statistic(self, n_outputs: int) -> int:
        """Need the sum of squares."""
        return SQUARED_ERROR

    def cost(
        self, targets: FloatArray, predictions: FloatArray, labels: IntArray, weight: FloatArray
    ) -> float:
        """See ``Criterion.cost``."""
        squares = ((targets - predictions) ** 2).sum(axis=1)
        return float((weight * squares).sum() / weight.sum())

    def from_statistic(self, statistic: FloatArray, class_weight: FloatArray) -> FloatArray:
        """Divide by the total weight."""
        return statistic[:, 0] / class_weight.sum()

    def bound(
        self, statistic: FloatArray, class_weight: FloatArray, left: FloatArray
    ) -> FloatArray:
        """Squares only add up."""
        return self.from_statistic(statistic, class_weight)


_ZERO = {None: ZERO_IS_FIRST, True: ZERO_IS_WRONG, False: ZERO_IS_RIGHT}

BALANCED = 1e-12
"""Agreement beyond chance that is nearer to zero than this is rounding."""


class _ConfusionCriterion(StatisticCriterion):
    """A criterion that needs only the table of true against predicted labels."""

    needs_classes = True

    def __init__(self, zero_is_wrong: bool | None = None) -> None:
        self.zero_is_wrong = zero_is_wrong

    @property
    def zero(self) -> int:  # type: ignore[override]
        """What an output of exactly zero means, for the kernels."""
        return _ZERO[self.zero_is_wrong]

    def statistic(self, n_outputs: int) -> int:
        """Need the confusion table."""
        return confusion_kind(n_outputs)

    def cost(
        self, targets: FloatArray, predictions: FloatArray, labels: IntArray, weight: FloatArray
    ) -> float:
        """See ``Criterion.cost``."""
        table = confusion_table(targets, predictions, labels, weight, self.zero)
        return float(self.from_statistic(table.reshape(1, -1), table.sum(axis=1))[0])


class LOOMisclassification(_ConfusionCriterion):
    r"""Leave-one-out misclassification rate: eq. (12) of hong2008.

    .. math:: J = \sum_i s_i \, [\,y_i f^{(-i)}(x_i) \le 0\,] \Big/ \sum_i s_i

    For more than two classes a sample is wrong unless its own class has the largest output.

    Parameters
    ----------
    zero_is_wrong : bool or None, default=None
        What an output of exactly zero means (no node reaches the sample, and there is no
        constant). None: the first class, as ``predict`` answers. True: an error, as hong2014 and
        chen2010 count. False: no error, as hong2008 counts. For more than two classes, the same
        of a tie.

    See Also
    --------
    LOOMutualInformation
    LOOSquaredError

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.criteria import LOOMisclassification
    >>> targets = np.array([[-1.0], [1.0], [1.0], [-1.0]])
    >>> left_out = np.array([[-0.2], [0.7], [-0.1], [-0.9]])
    >>> LOOMisclassification().cost(targets, left_out, np.array([0, 1, 1, 0]), np.ones(4))
    0.25
    """

    def from_statistic(self, statistic: FloatArray, class_weight: FloatArray) -> FloatArray:
        """Weight of the errors over total weight."""
        if statistic.shape[1] == 2:
            wrong = statistic.sum(axis=1)
        else:
            diagonal = slice(None, None, len(class_weight) + 1)
            wrong = statistic.sum(axis=1) - statistic[:, diagonal].sum(axis=1)
        return np.asarray(wrong / class_weight.sum())

    def bound(
        self, statistic: FloatArray, class_weight: FloatArray, left: FloatArray
    ) -> FloatArray:
        """Errors only add up."""
        return self.from_statistic(statistic, class_weight)


class LOOMutualInformation(_ConfusionCriterion):
    r"""Mutual information (bits) of true and leave-one-out predicted label, negated.

    .. math:: -J = \sum_{y, \hat y} p(y, \hat y) \log_2 \frac{p(y, \hat y)}{p(y) \, p(\hat y)}

    Eq. (23) of hong2014. The printed form cannot tell a classifier from its inverse. The signed
    form counts information as loss where predictions agree with the labels less often than
    independent ones would, :math:`\sum_k p(k, k) < \sum_k p(k) \hat p(k)`; for two classes this is
    :math:`p(-,-) p(+,+) < p(-,+) p(+,-)`.

    Parameters
    ----------
    signed : bool, default=True
        False gives the printed form.
    zero_is_wrong : bool or None, default=None
        As in ``LOOMisclassification``; the paper's is True.

    See Also
    --------
    LOOMisclassification
    LOOSquaredError

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.criteria import LOOMutualInformation
    >>> targets = np.array([[-1.0], [1.0], [1.0], [-1.0]])
    >>> LOOMutualInformation().cost(targets, 0.5 * targets, np.array([0, 1, 1, 0]), np.ones(4))
    -1.0
    >>> LOOMutualInformation().cost(targets, -0.5 * targets, np.array([0, 1, 1, 0]), np.ones(4))
    1.0
    """

    def __init__(self, signed: bool = True, zero_is_wrong: bool | None = None) -> None:
        super().__init__(zero_is_wrong)
        self.signed = signed

    def from_statistic(self, statistic: FloatArray, class_weight: FloatArray) -> FloatArray:
        """Mutual information of each table."""
        return -self._information(confusion_tables(statistic, class_weight))

    def _information(self, tables: FloatArray) -> FloatArray:
        p = tables / tables.sum(axis=(1, 2), keepdims=True)
        true, predicted = p.sum(axis=2), p.sum(axis=1)
        terms = [(p, (1, 2), 1.0), (true, 1, -1.0), (predicted, 1, -1.0)]
        bits = sum(sign * xlogy(q, q).sum(axis=axes) for q, axes, sign in terms) / np.log(2.0)
        if not self.signed:
            return np.asarray(bits)
        agreement = np.trace(p, axis1=1, axis2=2) - (true * predicted).sum(axis=1)
        return np.where(agreement < -BALANCED, -bits, bits)

    def bound(
        self, statistic: FloatArray, class_weight: FloatArray, left: FloatArray
    ) -> FloatArray:
        """Two classes: information is convex, so its maximum over a box is at a vertex.

        The number of errors of each class lies between those counted and those plus ``left``.
        The signed form grows with every error less while it is positive, so the vertex without
        further errors, or independence, bounds it.
        """
        if statistic.shape[1] != 2:
            return super().bound(statistic, class_weight, left)
        if self.signed:
            best = self.from_statistic(statistic, class_weight)
            return np.minimum(best, 0.0)
        vertices = [np.array([a, b]) * left for a in (0, 1) for b in (0, 1)]
        return np.min([self.from_statistic(statistic + v, class_weight) for v in vertices], axis=0)


CRITERIA: dict[str, type[StatisticCriterion]] = {
    "squared_error": LOOSquaredError,
    "misclassification": LOOMisclassification,
    "mutual_information": LOOMutualInformation,
}
"""Criteria by name."""
