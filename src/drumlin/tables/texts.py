"""Texts as rows of a table: one column per group, or one of ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray, IntArray
from drumlin.tables.codes import MISSING, TextCode
from drumlin.tables.errors import TableError, listed


@dataclass(frozen=True)
class Groups:
    """Texts of a column, those that are alike in one group.

    Parameters
    ----------
    texts : tuple of str
        All, sorted.
    of_text : ndarray of shape (n_texts,)
        The group of each.
    names : tuple of str
        Of the groups: the one text of a group, or "other".
    has_other : bool
        Whether the last group holds what is rare: unknown texts belong to it too.
    n_missing : int
        Rows without a text.
    """

    texts: tuple[str, ...]
    of_text: IntArray
    names: tuple[str, ...]
    has_other: bool
    n_missing: int

    @classmethod
    def of(cls, values: pd.Series, min_rows: int, most: int | None = None) -> Groups:
        """Group the texts of training rows.

        Parameters
        ----------
        values : Series of str
            NaN where there is none.
        min_rows : int
            Texts of fewer rows are rare.
        most : int or None
            Groups at most; beyond them, those of the fewest rows are rare too.
        """
        counts = values.value_counts().sort_index()
        texts, n_rows = tuple(counts.index), counts.to_numpy()
        common = n_rows >= min_rows
        n_groups = int(common.sum()) + int(not common.all())
        if most is not None and n_groups > most:
            common = np.zeros(len(texts), dtype=bool)
            common[np.argsort(-n_rows, kind="stable")[: most - 1]] = True
        of_text = np.where(common, np.cumsum(common) - 1, common.sum())
        names = tuple(text for text, is_common in zip(texts, common, strict=True) if is_common)
        has_other = not common.all()
        n_missing = int(values.isna().sum())
        return cls(texts, of_text, (*names, "other") if has_other else names, has_other, n_missing)

    def __len__(self) -> int:
        return len(self.names) + (self.n_missing > 0)

    def table(self, rows: FloatArray, mean: FloatArray) -> FloatArray:
        """Rows of a ``TextCode``.

        Parameters
        ----------
        rows : ndarray of shape (n_groups, n_outputs)
            Of groups; the last is that of no text, where training had it.
        mean : ndarray of shape (n_outputs,)
            Of a text of no group.
        """
        unknown = rows[len(self.names) - 1] if self.has_other else mean
        missing = rows[-1] if self.n_missing else unknown
        return np.vstack([rows[self.of_text], missing, unknown])


def by_membership(groups: Groups, counts: IntArray, mirrored: bool) -> TextCode:
    """One column per group that says who is in it.

    Parameters
    ----------
    groups : Groups
    counts : ndarray of shape (n_groups,)
        Rows of the groups, those without text last where there are any.
    mirrored : bool
        Whether two groups have a column each; else the second has one.
    """
    n_texts, mark = len(groups.names), groups.n_missing > 0
    rows = np.eye(len(groups))
    labels = [*(f" = {name}" for name in groups.names), *([MISSING] if mark else [])]
    mean = np.zeros(len(groups))
    if n_texts == 2 and not mirrored:
        share = counts[1] / counts[:2].sum()
        rows, labels, mean = rows[:, 1:], labels[1:], np.array([share, 0.0])[: len(groups) - 1]
        if mark:
            rows[-1, 0] = share  # neither of both: what stands between them
    elif n_texts == 1:
        rows, labels, mean = rows[:, 1:], labels[1:], mean[1:]
    return TextCode(groups.texts, groups.table(rows, mean), tuple(labels))


def by_rank(values: pd.Series, levels: Sequence[str]) -> TextCode:
    """One column of ranks; no text and unknown ones have the median of training.

    Parameters
    ----------
    values : Series of str
    levels : sequence of str
        From the first to the last.
    """
    unknown = sorted(set(values.dropna()) - set(levels))
    if unknown:
        raise TableError(
            f"The 'kinds' parameter must list all levels of {values.name!r}. "
            f"Got no {listed(unknown, 3)}."
        )
    twice = [level for level, n in Counter(levels).items() if n > 1]
    if twice:
        raise TableError(
            f"The 'kinds' parameter must list every level of {values.name!r} once. "
            f"Got {listed(twice, 3)} more than once."
        )
    ranks = np.arange(len(levels), dtype=np.float64)
    place = {level: rank for level, rank in zip(levels, ranks, strict=True)}
    known = np.sort(values.dropna().map(place).to_numpy(dtype=np.float64))
    middle = float(known[len(known) // 2])
    column: Any = np.append(ranks, [middle, middle])
    if not values.isna().any():
        return TextCode(tuple(levels), column[:, None], ("",))
    mark = np.zeros(len(column))
    mark[-2] = 1.0
    return TextCode(tuple(levels), np.column_stack([column, mark]), ("", MISSING))
