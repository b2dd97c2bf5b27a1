"""Rows in an order of their own, equal rows as one; and the median in which weights are copies."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray


def merge_rows(columns: list[np.ndarray], weight: FloatArray) -> tuple[IntArray, FloatArray]:
    """Equal rows become one, with the sum of their weights; the order of rows is forgotten.

    So rounding, which a search or a refinement amplifies, is the same for any order of the rows
    and for a weight of three or three copies.

    Parameters
    ----------
    columns : list of ndarray of shape (n_rows,)
    weight : ndarray of shape (n_rows,)

    Returns
    -------
    rows : ndarray
        One of every group of equal rows.
    weight : ndarray
        Of the groups.

    See Also
    --------
    canonical_order

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.sample import merge_rows
    >>> rows, weight = merge_rows([np.array([2.0, 1.0, 2.0])], np.ones(3))
    >>> rows, weight
    (array([1, 0]), array([1., 2.]))
    """
    order, first = canonical_order(columns)
    return order[first], np.add.reduceat(weight[order], first)


def canonical_order(columns: list[np.ndarray]) -> tuple[IntArray, IntArray]:
    """Sort rows by the first column, ties by the second, and so on.

    Only rows that are still tied are sorted again: unlike ``lexsort`` this looks at few columns.

    Returns
    -------
    order : ndarray of shape (n_samples,)
    first : ndarray
        Positions in that order at which a row differs from the one before.

    See Also
    --------
    merge_rows

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.sample import canonical_order
    >>> canonical_order([np.array([2.0, 1.0, 2.0]), np.array([0.0, 5.0, 0.0])])
    (array([1, 0, 2]), array([0, 1]))
    """
    order = np.arange(len(columns[0]))
    new = order == 0
    for column in columns:
        tied = np.flatnonzero(~(new & np.append(new[1:], True)))
        if not len(tied):
            break
        rows = order[tied]
        rows = rows[np.lexsort((column[rows], np.cumsum(new)[tied]))]
        order[tied] = rows
        new[tied[1:]] |= column[rows[1:]] != column[rows[:-1]]
    return order, np.flatnonzero(new)


def weighted_median(values: FloatArray, weight: FloatArray) -> float:
    """Median in which every value counts with its weight.

    See Also
    --------
    merge_rows

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.sample import weighted_median
    >>> weighted_median(np.array([1.0, 2.0, 9.0]), np.array([1.0, 1.0, 5.0]))
    9.0
    """
    if (weight == weight[0]).all():
        return float(np.median(values))
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weight[order])
    half = 0.5 * cumulated[-1]
    low, high = np.searchsorted(cumulated, [half * (1 - 1e-12), half * (1 + 1e-12)])
    return float(0.5 * (values[order[low]] + values[order[min(high, len(order) - 1)]]))
