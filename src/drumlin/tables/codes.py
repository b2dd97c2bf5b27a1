"""From the values of one column to numbers, and back: what an encoder has learned of it.

A column of numbers has one code, texts another, dates a third. All have the same face: ``labels``
(what is put behind the column's name), ``encode`` and ``decode``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray
from drumlin.tables.dates import PARTS, part, to_days, to_stamps

MISSING = " is missing"


@dataclass(frozen=True)
class NumberCode:
    """A number stays itself.

    Parameters
    ----------
    fill : float
        What stands in where there is none.
    marks : bool
        Whether a column of its own says so.
    """

    fill: float
    marks: bool

    @classmethod
    def of(cls, values: pd.Series) -> NumberCode:
        """Learn the median of training values."""
        numbers = values.to_numpy(dtype=np.float64)
        gone = np.isnan(numbers)
        return cls(float(np.median(numbers[~gone])), bool(gone.any()))

    @property
    def labels(self) -> tuple[str, ...]:
        """What distinguishes the outputs."""
        return ("", MISSING) if self.marks else ("",)

    def encode(self, values: pd.Series) -> FloatArray:
        """Outputs (n_rows, n_outputs) of numbers, NaN where there is none."""
        numbers = values.to_numpy(dtype=np.float64)
        gone = np.isnan(numbers)
        filled = np.where(gone, self.fill, numbers)
        return np.column_stack([filled, gone]) if self.marks else filled[:, None]

    def example(self) -> float:
        """A value that may come."""
        return self.fill

    def decode(self, Z: FloatArray) -> pd.Series:
        """Numbers of outputs (n_rows, n_outputs), NaN where they are marked as missing."""
        gone = Z[:, 1] > 0.5 if self.marks else np.zeros(len(Z), dtype=bool)
        return pd.Series(np.where(gone, np.nan, Z[:, 0]))


@dataclass(frozen=True)
class TextCode:
    """A text becomes a row of a table.

    Parameters
    ----------
    texts : tuple of str
        Those that training has seen, in their order.
    table : ndarray of shape (n_texts + 2, n_outputs)
        Rows of the texts, of no text, and of any other.
    labels : tuple of str
        What distinguishes the outputs.
    """

    texts: tuple[str, ...]
    table: FloatArray
    labels: tuple[str, ...]

    def rows(self, values: pd.Series) -> Any:
        """Rows of the table, (n_rows,)."""
        codes, uniques = pd.factorize(values.astype(object))
        places = {text: i for i, text in enumerate(self.texts)}
        n = len(places)
        return np.array([*(places.get(text, n + 1) for text in uniques), n], dtype=np.intp)[codes]

    def unknown(self, values: pd.Series, may_lack: bool) -> Counter[str]:
        """Count texts that training has not seen; no text is "", where there has to be one."""
        rows, n = self.rows(values), len(self.texts)
        new = values[(rows > n) | ((rows == n) & (not may_lack))]
        return Counter(map(str, new.fillna("")))

    def encode(self, values: pd.Series) -> FloatArray:
        """Outputs (n_rows, n_outputs) of texts, NaN where there is none."""
        return self.table[self.rows(values)]

    def example(self) -> str:
        """A value that may come."""
        return self.texts[0]

    def decode(self, Z: FloatArray) -> pd.Series:
        """Texts whose rows of the table are nearest; NaN for no text or another."""
        distances = ((Z[:, None, :] - self.table[None, :-1, :]) ** 2).sum(axis=2)
        words: Any = np.array([*self.texts, np.nan], dtype=object)
        return pd.Series(words[distances.argmin(axis=1)], dtype=object)


@dataclass(frozen=True)
class DateCode:
    """A date becomes days since the first one, and what comes again.

    Parameters
    ----------
    parts : tuple of str
        Of ``dates.PARTS``, "days" first.
    origin, fill : float
        The first day, and the one that stands in where there is none; since 1970.
    marks : bool
        Whether a column of its own says so.
    """

    parts: tuple[str, ...]
    origin: float
    fill: float
    marks: bool

    @classmethod
    def of(cls, values: pd.Series) -> DateCode:
        """Learn from training dates: what is the same in all of them is left out."""
        days = to_days(values)
        known = days[~np.isnan(days)]
        origin, fill = float(np.floor(known.min())), float(np.sort(known)[len(known) // 2])
        parts = tuple(p for p in PARTS if p == "days" or np.ptp(part(p, known, origin)) > 0.0)
        return cls(parts, origin, fill, len(known) < len(days))

    @property
    def labels(self) -> tuple[str, ...]:
        """What distinguishes the outputs."""
        return (*(f" ({p})" for p in self.parts), *((MISSING,) if self.marks else ()))

    def encode(self, values: pd.Series) -> FloatArray:
        """Outputs (n_rows, n_outputs) of dates."""
        days = to_days(values)
        gone = np.isnan(days)
        days = np.where(gone, self.fill, days)
        made = np.column_stack([part(p, days, self.origin) for p in self.parts])
        return np.column_stack([made, gone]) if self.marks else made

    def example(self) -> Any:
        """A value that may come."""
        return to_stamps(np.array([self.fill]))[0]

    def decode(self, Z: FloatArray) -> pd.Series:
        """Dates of outputs (n_rows, n_outputs)."""
        gone = Z[:, -1] > 0.5 if self.marks else np.zeros(len(Z), dtype=bool)
        return to_stamps(np.where(gone, np.nan, Z[:, 0] + self.origin))


Code = NumberCode | TextCode | DateCode
