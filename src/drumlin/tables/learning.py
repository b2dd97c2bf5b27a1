"""How texts of training rows become a code: which way suits how many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray, IntArray
from drumlin.tables.codes import Code, DateCode, NumberCode, TextCode
from drumlin.tables.columns import CATEGORY, DATE, ORDERED, Column
from drumlin.tables.statistics import Targets, out_of_fold, shrunk_means
from drumlin.tables.texts import Groups, by_membership, by_rank


@dataclass(frozen=True)
class Learned:
    """A code, and what training rows become: not always what ``code.encode`` gives.

    Parameters
    ----------
    code : Code
    outputs : ndarray of shape (n_rows, n_outputs)
    """

    code: Code
    outputs: FloatArray


@dataclass(frozen=True)
class Learner:
    """What decides how a column becomes numbers.

    Parameters
    ----------
    max_categories : int
        More groups become target statistics.
    min_rows : int
        Texts of fewer rows are rare.
    mirrored : bool
        Whether two texts have a column each.
    targets : Targets or None
        None where there are to be no statistics.
    levels : dict
        By column, texts in their order.
    """

    max_categories: int
    min_rows: int
    mirrored: bool
    targets: Targets | None
    levels: dict[str, list[str]]

    def learn(self, column: Column, values: pd.Series) -> Learned:
        """Learn the code of a column that is used.

        Parameters
        ----------
        column : Column
        values : Series
            As ``Schema.read`` gives them.
        """
        code: Code
        if column.kind == CATEGORY:
            return self._texts(values)
        if column.kind == ORDERED:
            code = by_rank(values, self.levels[column.name])
        else:
            code = DateCode.of(values) if column.kind == DATE else NumberCode.of(values)
        return Learned(code, code.encode(values))

    def _texts(self, values: pd.Series) -> Learned:
        groups = Groups.of(values, self.min_rows)
        if len(groups.names) > self.max_categories:
            if self.targets is not None:
                return _by_statistics(groups, values, self.targets)
            groups = Groups.of(values, self.min_rows, self.max_categories)
        rows = _rows(groups, values)
        counts = np.bincount(rows, minlength=len(groups))
        code = by_membership(groups, counts, self.mirrored)
        return Learned(code, code.encode(values))


def _by_statistics(groups: Groups, values: pd.Series, targets: Targets) -> Learned:
    rows, n = _rows(groups, values), len(groups)
    means = shrunk_means(rows, targets.values, n)
    code = TextCode(groups.texts, groups.table(means[:n], means[n]), targets.labels)
    return Learned(code, out_of_fold(rows, targets, n))


def _rows(groups: Groups, values: pd.Series) -> IntArray:
    """Group of every row; no text is the last one."""
    found, uniques = pd.factorize(values.astype(object))
    of_text: dict[Any, int] = dict(zip(groups.texts, groups.of_text.tolist(), strict=True))
    return np.array([*(of_text[text] for text in uniques), len(groups.names)])[found]
