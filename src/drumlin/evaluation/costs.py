r"""What wrong answers cost, and the answers that cost least.

With p_k the probability of class k and c_k the cost of a wrong answer for a row of it, answering j
is expected to cost :math:`\sum_{k \ne j} p_k c_k = \sum_k p_k c_k - p_j c_j`: so the class of the
largest :math:`p_j c_j` costs least. For two classes that is a threshold of
:math:`c_0 / (c_0 + c_1)` on the probability of the second. Probabilities must be those of the rows
as they come: of a fit with ``class_weight`` they are those of another world.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from drumlin._errors import ParameterError, refuse_of_numbers
from drumlin._typing import FloatArray, IntArray


def class_costs(costs: Any, classes: Any) -> FloatArray:
    """Check the costs of wrong answers; return one for every class (n_classes,).

    Parameters
    ----------
    costs : mapping or sequence of float
        Of a wrong answer for a row of a class: by label (or label as text), where classes that are
        not named cost 1, or one for every class in the order of ``classes``.
    classes : array-like of shape (n_classes,)

    Raises
    ------
    ParameterError
        Where a class is unknown, or a cost is not a positive number.

    See Also
    --------
    least_cost
    mean_cost

    Examples
    --------
    >>> from drumlin.evaluation import class_costs
    >>> class_costs({"yes": 10.0}, ["no", "yes"])
    array([ 1., 10.])
    """
    labels = [str(label) for label in np.asarray(classes).tolist()]
    if isinstance(costs, Mapping):
        named = {str(label): cost for label, cost in costs.items()}
        if unknown := [label for label in named if label not in labels]:
            raise ParameterError(
                f"The 'costs' parameter must name classes of {labels}. Got {unknown[0]!r}."
            )
        for label, cost in named.items():
            if not is_positive(cost):
                raise ParameterError(
                    "The 'costs' parameter must hold positive numbers. "
                    f"Got {cost!r} for the class {label!r}."
                )
        costs = [named.get(label, 1.0) for label in labels]
    values = list(costs) if np.iterable(costs) and not isinstance(costs, str) else []
    if len(values) != len(labels) or not all(map(is_positive, values)):
        raise ParameterError(
            "The 'costs' parameter must hold a positive number for each of the classes "
            f"{labels}. Got {costs!r}."
        )
    return np.array(values, dtype=np.float64)


def is_positive(value: Any) -> bool:
    """Whether a value is a positive finite number, as costs must be."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return is_number and 0.0 < value <= sys.float_info.max


def least_cost(probabilities: Any, costs: Any) -> IntArray:
    """Return the classes (n_samples,), by index, whose expected cost is least.

    Parameters
    ----------
    probabilities : array-like of shape (n_samples, n_classes)
    costs : array-like of shape (n_classes,)
        Of a wrong answer for a row of each class.

    See Also
    --------
    class_costs
    mean_cost

    Examples
    --------
    >>> from drumlin.evaluation import least_cost
    >>> least_cost([[0.95, 0.05], [0.88, 0.12]], [1.0, 10.0])
    array([0, 1])
    """
    return np.asarray((np.asarray(probabilities) * np.asarray(costs)).argmax(axis=1))


def mean_cost(answers: Any, codes: Any, costs: FloatArray) -> float:
    """Cost per row of answers (n_samples,) to rows of classes ``codes``, both by index.

    See Also
    --------
    least_cost
    class_costs

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.evaluation import mean_cost
    >>> mean_cost(np.array([0, 1, 0, 0]), np.array([0, 1, 1, 0]), np.array([1.0, 10.0]))
    2.5
    """
    return float(np.mean(costs[codes] * (np.asarray(answers) != codes)))


@dataclass(frozen=True)
class Decision:
    """What is asked of classes beside the most probable one.

    Parameters
    ----------
    costs : ndarray of shape (n_classes,) or None
        Of wrong answers, by class; None decides for the most probable class.
    precision : float or None
        The least part of the rows said to be of a class that must be: how many are then found?

    See Also
    --------
    class_costs
    judge

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.evaluation import Decision
    >>> Decision.of(["no", "yes"], {"yes": 10.0}).answers(np.array([[0.88, 0.12]]))
    array([1])
    """

    costs: FloatArray | None = None
    precision: float | None = None

    @classmethod
    def of(cls, classes: Any, costs: Any = None, precision: Any = None) -> Decision:
        """Check what is asked of given classes (None: of numbers); see ``class_costs``."""
        if classes is None:
            refuse_of_numbers(costs=costs, precision=precision)
            return cls()
        check_precision(precision)
        return cls(None if costs is None else class_costs(costs, classes), precision)

    def answers(self, probabilities: FloatArray) -> IntArray:
        """Classes (n_samples,) by index: of the least cost, or the most probable."""
        return least_cost(probabilities, 1.0 if self.costs is None else self.costs)


def refuse_weighted(costs: Any, class_weight: Any) -> None:
    """Refuse costs where classes have weights: either is None where it is not given."""
    if costs is not None and class_weight is not None:
        raise ParameterError(
            "The 'costs' parameter must be None where classes have weights ('class_weight'): "
            f"probabilities are then not those of the rows as they come. Got {costs!r}."
        )


def check_precision(precision: Any) -> None:
    """Refuse what is no part of 1."""
    if precision is not None and not (is_positive(precision) and precision <= 1.0):
        raise ParameterError(
            f"The 'precision' parameter must be above 0 and at most 1. Got {precision!r}."
        )
