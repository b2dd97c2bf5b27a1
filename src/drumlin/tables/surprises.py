"""What a table has that a model did not expect, counted and said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from drumlin._optional import pandas as pd
from drumlin.tables.columns import BOOLEAN, CATEGORY, Column
from drumlin.tables.dates import Dates
from drumlin.tables.errors import listed
from drumlin.tables.numbers import COMMAS, LARGE, TRUTH, UNITS, Numbers, Reading, decimal_comma

_WAYS = {
    COMMAS: "commas, which are taken to separate thousands",
    TRUTH: "truth values among numbers",
    LARGE: "whole numbers that are too large to be exact",
    UNITS: "amounts with a unit or a currency sign",
}

_TEXTS = (CATEGORY, "id", "rare", "text")
"""Kinds of columns whose words are texts."""


@dataclass(frozen=True)
class Surprises:
    """Counts that add up over the chunks of a table.

    Parameters
    ----------
    gaps : dict
        Rows by text by column of numbers: "" where training had no gap, and texts that were taken
        for gaps.
    unknown : dict
        Rows by text by column of categories: those that training has not seen.
    readings : dict
        By column and way of writing: numbers that can be misread.
    impossible : dict
        Rows by text by column of dates: those that are written as dates but are none.

    See Also
    --------
    read_inputs

    Examples
    --------
    >>> from collections import Counter
    >>> from drumlin.tables import Surprises
    >>> one, other = ({"age": Counter({"?": n})} for n in (2, 1))
    >>> (Surprises(one) + Surprises(other)).gaps
    {'age': Counter({'?': 3})}
    """

    gaps: dict[str, Counter[str]] = field(default_factory=dict)
    unknown: dict[str, Counter[str]] = field(default_factory=dict)
    readings: dict[tuple[str, str], Reading] = field(default_factory=dict)
    impossible: dict[str, Counter[str]] = field(default_factory=dict)

    @classmethod
    def of_numbers(cls, column: Column, numbers: Numbers) -> Surprises:
        """What is odd about a column, given what it was in training."""
        gaps = Counter({t: n for t, n in numbers.gaps.items() if t or not column.n_missing})
        readings = {
            (column.name, way): reading
            for way, reading in numbers.readings.items()
            if not (way == TRUTH and column.kind == BOOLEAN) and not (way == UNITS and column.form)
        }
        return cls({column.name: gaps} if gaps else {}, {}, readings)

    @classmethod
    def of_dates(cls, column: Column, dates: Dates) -> Surprises:
        """What is odd about a column of dates."""
        return cls(impossible={column.name: dates.impossible} if dates.impossible else {})

    def __add__(self, other: Surprises) -> Surprises:
        readings = self.readings | {
            key: Reading(reading.n_rows + self.readings[key].n_rows, reading.word, reading.value)
            if key in self.readings
            else reading
            for key, reading in other.readings.items()
        }
        return Surprises(
            _added(self.gaps, other.gaps),
            _added(self.unknown, other.unknown),
            readings,
            _added(self.impossible, other.impossible),
        )

    def of_training(self) -> Surprises:
        """Return what is worth saying of the rows of a fit: their gaps are expected."""
        return Surprises(readings=self.readings, impossible=self.impossible)

    def notes(self, which: str = "") -> list[str]:
        """One sentence per column and matter.

        Parameters
        ----------
        which : str
            Goes before "rows", such as "test ".
        """

        def have(n: int) -> str:
            return f"{n} {which}row{' has' if n == 1 else 's have'}"

        said = [
            f"{have(counts.total())} no number in {name!r} ({_texts(counts)}); "
            "the median of training stands in."
            for name, counts in self.gaps.items()
        ]
        said += [
            f"{have(counts.total())} a {name!r} that training has not seen ({listed(counts, 5)}); "
            "it counts as none of the known ones."
            for name, counts in self.unknown.items()
        ]
        said += [
            f"{have(counts.total())} a date in {name!r} that is none ({listed(counts, 5)}); "
            "it counts as missing."
            for name, counts in self.impossible.items()
        ]
        return said + [
            f"{have(reading.n_rows)} {_WAYS[way]} in {name!r}: {reading.word!r} is read as "
            f"{reading.value:.17g}."
            for (name, way), reading in self.readings.items()
        ]


def _added(one: dict[str, Counter[str]], other: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    return {
        name: one.get(name, Counter()) + other.get(name, Counter()) for name in {**one, **other}
    }


def _texts(counts: Counter[str]) -> str:
    """Texts that stand for gaps, and how often."""
    words = [f"{text!r} {n} times" if text else f"{n} empty" for text, n in counts.items()]
    return ", ".join(words)


def comma_notes(frame: pd.DataFrame, columns: Iterable[Column]) -> list[str]:
    """Say which columns are taken for texts, but look like numbers with decimal commas."""
    texts = [column for column in columns if column.kind in _TEXTS]
    found = {column.name: decimal_comma(frame[column.name]) for column in texts}
    return [comma_note(repr(name), word) for name, word in found.items() if word]


def comma_note(what: str, word: str) -> str:
    """Say that words are taken for texts that are numbers to some people."""
    return (
        f"{what} is taken for texts, but {word!r} may be a number with a decimal comma: "
        "write points where it is."
    )
