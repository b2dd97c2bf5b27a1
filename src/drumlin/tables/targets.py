"""The column to be predicted: classes or numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from drumlin.tables.columns import is_truth, to_numbers
from drumlin.tables.errors import TableError, listed

CLASSIFICATION, REGRESSION = "classification", "regression"
TASKS = (CLASSIFICATION, REGRESSION)

MOST_WHOLE_CLASSES = 20
"""Whole numbers with more distinct values are amounts, not classes."""

TEXT, WHOLE, NUMBER = "text", "whole number", "number"


@dataclass(frozen=True)
class Target:
    """What is predicted.

    Parameters
    ----------
    name : str
        Of the column.
    task : {"classification", "regression"}
    kind : {"text", "whole number", "number"}
        What labels or numbers become.
    """

    name: str
    task: str
    kind: str

    @classmethod
    def understand(cls, name: str, column: pd.Series, task: str | None = None) -> Target:
        """Decide what a column with no missing values means.

        Texts, true and false, and up to 20 distinct whole numbers are classes.

        Parameters
        ----------
        name : str
        column : Series
        task : {"classification", "regression"} or None
            None decides by the values.
        """
        values, others = to_numbers(column)
        is_text = bool(others) or is_truth(column)
        if is_text and task == REGRESSION:
            raise TableError(
                f"The target {name!r} must hold numbers for regression. "
                f"Got {listed(others or pd.unique(column))}."
            )
        is_whole = not is_text and bool((values == np.round(values)).all())
        n_distinct = column.nunique() if is_text else len(np.unique(values))
        if task is None:
            few = is_whole and n_distinct <= MOST_WHOLE_CLASSES
            task = CLASSIFICATION if is_text or few else REGRESSION
        _check(name, task, column, n_distinct)
        if task == REGRESSION:
            return cls(name, task, NUMBER)
        return cls(name, task, WHOLE if is_whole else TEXT)

    def values(self, column: pd.Series) -> Any:
        """Labels or numbers of rows that have them.

        Parameters
        ----------
        column : Series
            Without missing values.
        """
        if self.kind == TEXT:
            return column.astype(object).map(str).to_numpy(dtype=str)
        values, others = to_numbers(column)
        if others or not np.isfinite(values).all():
            raise TableError(
                f"The target {self.name!r} must hold finite numbers. "
                f"Got {listed(others or values[~np.isfinite(values)][:1])}."
            )
        if self.kind == NUMBER:
            return values
        if (values != np.round(values)).any():
            raise TableError(
                f"The target {self.name!r} must hold whole numbers, as in training. "
                f"Got {values[values != np.round(values)][0]}."
            )
        return values.astype(np.int64)


def is_missing(column: pd.Series) -> Any:
    """Rows without a target, as truth values; also those with a text that says so."""
    missing = column.isna().to_numpy()
    if column.dtype.kind in "iufb":
        return missing
    values, others = to_numbers(column)
    return missing if others else missing | np.isnan(values)


def _check(name: str, task: str, column: pd.Series, n_distinct: int) -> None:
    if n_distinct < 2:
        what = "class" if task == CLASSIFICATION else "value"
        raise TableError(
            f"The target {name!r} must have at least two {what}{'es' if what == 'class' else 's'}. "
            f"Got {str(column.iloc[0])!r} in all {len(column)} rows."
        )
    if task == CLASSIFICATION and n_distinct > max(MOST_WHOLE_CLASSES, len(column) // 2):
        raise TableError(
            f"The target {name!r} must have rows that share a class. Got {n_distinct} different "
            f"values in {len(column)} rows."
        )
