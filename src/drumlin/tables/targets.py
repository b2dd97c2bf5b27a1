"""The column to be predicted: classes or numbers."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from drumlin._errors import ParameterError
from drumlin._optional import pandas as pd
from drumlin._text import counted
from drumlin._typing import FloatArray
from drumlin.tables.columns import Column, as_text
from drumlin.tables.errors import NotNumbers, TableError, listed, warn_of
from drumlin.tables.numbers import LARGEST, Numbers, decimal_comma, is_truth, to_numbers
from drumlin.tables.schema import check_values
from drumlin.tables.surprises import Surprises, comma_note

CLASSIFICATION, REGRESSION = "classification", "regression"
TASKS = (CLASSIFICATION, REGRESSION)

MOST_WHOLE_CLASSES = 20
"""Whole numbers with more distinct values are amounts, not classes."""

TEXT, WHOLE, NUMBER = "text", "whole number", "number"

_PADDED = re.compile(r"[+-]?0\d")
"""Whole numbers that are codes: their zeros belong to them."""


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

    See Also
    --------
    read_labelled

    Examples
    --------
    >>> from drumlin.tables import Target
    >>> Target("bought", "classification", "text").task
    'classification'
    """

    name: str
    task: str
    kind: str

    @property
    def names(self) -> tuple[str, ...]:
        """Columns that are predicted: this one."""
        return (self.name,)

    def as_notes(self) -> dict[str, Any]:
        """Plain data for a model file."""
        return asdict(self)

    def of(self, frame: pd.DataFrame) -> tuple[Any, Surprises]:
        """Labels or numbers of rows (n_rows,) that have them, and what can be misread."""
        column = frame[self.name]
        return self.values(column), self.surprises(column)

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
        check_values(f"The target {name!r}", column)
        numbers = Numbers.of(column)
        is_text = bool(numbers.others) or is_truth(column)
        if is_text and task == REGRESSION:
            raise NotNumbers(
                f"The target {name!r} must hold numbers for regression. "
                f"Got {listed(numbers.others or pd.unique(column))}."
            )
        values = numbers.values
        is_whole = not is_text and bool((values == np.round(values)).all())
        is_code = is_whole and _are_codes(column, values)
        n_distinct = column.nunique() if is_text or is_code else len(np.unique(values))
        if task is None:
            few = is_whole and n_distinct <= MOST_WHOLE_CLASSES
            task = CLASSIFICATION if is_text or few else REGRESSION
        _check(name, task, column, n_distinct)
        if is_text:
            warn_of(_notes(name, column))
        if task == REGRESSION:
            return cls(name, task, NUMBER)
        return cls(name, task, WHOLE if is_whole and not is_code else TEXT)

    def values(self, column: pd.Series) -> Any:
        """Labels or numbers of rows that have them.

        Parameters
        ----------
        column : Series
            Without missing values.
        """
        check_values(f"The target {self.name!r}", column)
        if self.kind == TEXT:
            return column.astype(object).map(as_text).to_numpy(dtype=str)
        numbers = Numbers.of(column)
        values, others = numbers.values, numbers.others
        if others or not np.isfinite(values).all():
            raise TableError(
                f"The target {self.name!r} must hold finite numbers. "
                f"Got {listed(others or values[~np.isfinite(values)][:1].tolist())}."
            )
        if self.kind == NUMBER:
            return values
        wrong = (values != np.round(values)) | (np.abs(values) >= LARGEST)
        if wrong.any():
            raise TableError(
                f"The target {self.name!r} must hold whole numbers below 2^53, as in training. "
                f"Got {column[wrong].iloc[0]}."
            )
        return values.astype(np.int64)

    def surprises(self, column: pd.Series) -> Surprises:
        """What can be misread in a column without missing values."""
        if self.kind == TEXT:
            return Surprises()
        return Surprises.of_numbers(Column(self.name, self.kind, 0), Numbers.of(column))


@dataclass(frozen=True)
class Several:
    """Several numbers that are predicted together; has the face of a ``Target``.

    Parameters
    ----------
    names : tuple of str
        Of the columns, two or more.

    See Also
    --------
    Target
    read_labelled

    Examples
    --------
    >>> from drumlin.tables import Several
    >>> Several(("height", "weight")).names
    ('height', 'weight')
    """

    names: tuple[str, ...]
    task = REGRESSION
    kind = NUMBER

    @property
    def name(self) -> str:
        """All names."""
        return ", ".join(self.names)

    @property
    def _parts(self) -> list[Target]:
        return [Target(name, REGRESSION, NUMBER) for name in self.names]

    @classmethod
    def understand(cls, names: tuple[str, ...], frame: pd.DataFrame, task: str | None) -> Several:
        """Take columns with no missing values for numbers."""
        if len(set(names)) < len(names):
            raise ParameterError(
                f"The 'target' parameter must name different columns. Got {listed(names)}."
            )
        if task not in (None, REGRESSION):
            raise ParameterError(
                "The 'target' parameter must name one column where classes are predicted. "
                f"Got {listed(names)}."
            )
        for name in names:
            Target.understand(name, frame[name], REGRESSION)
        return cls(names)

    def as_notes(self) -> dict[str, Any]:
        """Plain data for a model file."""
        known = {"name": self.name, "task": self.task, "kind": self.kind}
        return known | {"names": list(self.names)}

    def of(self, frame: pd.DataFrame) -> tuple[Any, Surprises]:
        """Numbers (n_rows, n_targets) of rows that have all of them, and what can be misread."""
        made = [part.of(frame) for part in self._parts]
        surprises = reduce(add, (odd for _, odd in made))
        return np.column_stack([values for values, _ in made]), surprises


def understood(names: tuple[str, ...], frame: pd.DataFrame, task: str | None) -> Target | Several:
    """Decide what columns with no missing values mean as targets."""
    if len(names) == 1:
        return Target.understand(names[0], frame[names[0]], task)
    return Several.understand(names, frame, task)


def _are_codes(column: pd.Series, values: FloatArray) -> bool:
    """Whether whole numbers would lose something: zeros before them, or digits in a float."""
    if (np.abs(values) >= LARGEST).any():
        return True
    if column.dtype.kind in "iufb":
        return False
    return any(_PADDED.match(str(word).strip()) for word in pd.unique(column))


def is_missing(column: pd.Series) -> Any:
    """Rows without a target, as truth values; also those with a text that says so.

    See Also
    --------
    read_labelled

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin.tables import is_missing
    >>> is_missing(pd.Series(["1.5", None, "?"])).tolist()
    [False, True, True]
    """
    missing = column.isna().to_numpy()
    if column.dtype.kind in "iufb":
        return missing
    check_values(f"The target {column.name!r}", column)
    values, others = to_numbers(column)
    return missing if others else missing | np.isnan(values)


def _notes(name: str, column: pd.Series) -> list[str]:
    """Say what may be wrong about classes: numbers that are none, and those that look alike."""
    notes = []
    if word := decimal_comma(column):
        notes.append(comma_note(f"The target {name!r}", word))
    by_look: dict[str, list[str]] = {}
    for label in map(str, pd.unique(column)):
        by_look.setdefault(" ".join(label.split()).casefold(), []).append(label)
    alike = [label for labels in by_look.values() if len(labels) > 1 for label in labels]
    if alike:
        notes.append(
            f"The target {name!r} has classes that differ in spaces or capitals only: "
            f"{listed(alike)}."
        )
    return notes


def _everywhere(n_rows: int) -> str:
    return "in the only row" if n_rows == 1 else f"in all {n_rows} rows"


def _check(name: str, task: str, column: pd.Series, n_distinct: int) -> None:
    if n_distinct < 2:
        what = "class" if task == CLASSIFICATION else "value"
        raise TableError(
            f"The target {name!r} must have at least two {what}{'es' if what == 'class' else 's'}. "
            f"Got {str(column.iloc[0])!r} {_everywhere(len(column))}."
        )
    if task == CLASSIFICATION and n_distinct > max(MOST_WHOLE_CLASSES, len(column) // 2):
        raise TableError(
            f"The target {name!r} must have rows that share a class. Got {n_distinct} different "
            f"values in {counted(len(column), 'row')}."
        )
