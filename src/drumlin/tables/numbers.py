"""Numbers as people write them: with commas, units or currency, as truth, or as a mark for none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray

MARKERS = frozenset(
    {"", "?", "-", "--", ".", "*", "na", "n/a", "nan", "null", "none", "missing", "unknown"}
)
"""Texts that mean a missing number."""

LARGEST = 2.0**53
"""From here on, a float cannot hold every whole number."""

DIGITS = 16
"""Of the least whole number that a float may not hold."""

COMMAS, TRUTH, LARGE, UNITS = "commas", "truth", "large", "units"
"""Ways of writing a number that can be misread."""

CURRENCIES = ("$", "€", "£", "¥", "USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "INR", "CNY")
MEASURES = (
    *("%", "‰", "kg", "g", "mg", "µg", "t", "lb", "lbs", "oz"),
    *(
        "km",
        "m",
        "cm",
        "mm",
        "µm",
        "mi",
        "ft",
        "in",
        "yd",
        "m2",
        "m²",
        "km²",
        "sqft",
        "ha",
        "acres",
    ),
    *("km/h", "kmh", "mph", "m/s", "knots", "mpg"),
    *("h", "hr", "hrs", "min", "s", "sec", "ms"),
    *("d", "day", "days", "week", "weeks", "month", "months", "yr", "yrs", "year", "years"),
    *("°C", "°F", "K", "kW", "W", "MW", "kWh", "hp", "PS", "V", "mV", "A", "mA", "Ω"),
    *("Hz", "kHz", "MHz", "GHz", "l", "L", "ml", "mL", "cl", "cc", "gal"),
    *("kB", "MB", "GB", "TB", "kB/s", "MB/s", "px", "dB"),
    *("Pa", "hPa", "kPa", "bar", "psi", "mmHg", "cal", "kcal", "J", "kJ", "cyl"),
)
"""What may stand beside a number: only these, lest codes such as 4wd or 1a be read as amounts."""

_THOUSANDS = r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_WHOLE = r"[+-]?\d+"
_WITH_COMMA = re.compile(r"[+-]?\d+(?:,\d+)?")
_TRUTH = {"true": 1.0, "false": 0.0}


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_AMOUNT = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<before>{_any_of(CURRENCIES)})?\s*"
    r"(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    rf"\s*(?P<after>{_any_of(CURRENCIES + MEASURES)})?"
)

_LONGEST = 64
"""Characters of an amount: nobody writes more, and time would grow with their square."""


@dataclass(frozen=True)
class Reading:
    """How texts that can be misread were read.

    Parameters
    ----------
    n_rows : int
    word : str
        One of them.
    value : float
        What it was read as.
    """

    n_rows: int
    word: str
    value: float


@dataclass(frozen=True)
class Numbers:
    """A column read as numbers; true is 1 and false is 0.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        NaN where a value is missing or not a number.
    others : list
        The distinct values that are not numbers.
    gaps : dict
        Rows by text that means a missing number; "" is no text at all.
    readings : dict
        By the way of writing, ``COMMAS``, ``TRUTH``, ``LARGE`` or ``UNITS``; those that occur.
    unit : str
        What stands beside the numbers, the same beside all that have one: "kg", "$", "%".
    """

    values: FloatArray
    others: list[Any] = field(default_factory=list)
    gaps: dict[str, int] = field(default_factory=dict)
    readings: dict[str, Reading] = field(default_factory=dict)
    unit: str = ""

    @classmethod
    def of(cls, column: pd.Series) -> Numbers:
        """Read a column of any type whose values can be hashed; durations are amounts in days."""
        if column.dtype.kind == "m":
            days = Numbers.of(column / pd.Timedelta(days=1))
            return replace(days, unit="days")
        return _of_numbers(column) if column.dtype.kind in "iufb" else _of_words(column)


def _of_numbers(column: pd.Series) -> Numbers:
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    n_missing = int(np.isnan(values).sum())
    large = np.flatnonzero(np.abs(values) >= LARGEST)
    readings = {}
    if len(large) and column.dtype.kind in "iu":
        readings[LARGE] = Reading(len(large), str(column.iloc[large[0]]), float(values[large[0]]))
    return Numbers(values, [], {"": n_missing} if n_missing else {}, readings)


def _of_words(column: pd.Series) -> Numbers:
    codes, uniques = pd.factorize(column.astype(object))  # texts repeat: each is read once
    n_rows = np.bincount(codes + 1, minlength=len(uniques) + 1)  # code -1 is a missing value
    words = pd.Series([str(value).strip() for value in uniques], dtype=object)
    lower = words.str.lower()
    is_marker = lower.isin(MARKERS)
    commas = words.str.fullmatch(_THOUSANDS).astype(bool)
    plain = words.where(~commas, words.str.replace(",", ""))
    unit, amounts = _amounts(plain, is_marker | lower.isin(_TRUTH))
    plain = plain.where(amounts.isna(), amounts)
    numbers = pd.to_numeric(plain.where(~is_marker), errors="coerce").astype(np.float64)
    large = plain.str.fullmatch(_WHOLE).astype(bool) & (numbers.abs() >= LARGEST)
    numbers = numbers.fillna(lower.map(_TRUTH))
    ways = {COMMAS: commas, TRUTH: lower.isin(_TRUTH), LARGE: large, UNITS: amounts.notna()}
    gaps = {"": int(n_rows[0])} if n_rows[0] else {}
    for word, n in zip(words[is_marker], n_rows[1:][is_marker], strict=True):
        gaps[word] = gaps.get(word, 0) + int(n)
    return Numbers(
        np.append(numbers.to_numpy(dtype=np.float64), np.nan)[codes],
        [value for value, bad in zip(uniques, numbers.isna() & ~is_marker, strict=True) if bad],
        gaps,
        {way: _reading(words, numbers, n_rows[1:], of) for way, of in ways.items() if of.any()},
        unit,
    )


def _amounts(words: pd.Series, known: pd.Series) -> tuple[str, pd.Series]:
    """Return the unit of amounts, and their numbers as text (missing where a word is none).

    Amounts are only read as such where all words are: one other word, or a second unit, and the
    column is no column of numbers.
    """
    nothing = np.full(len(words), None, dtype=object)
    found = {}
    for i, word in words[~known & pd.to_numeric(words, errors="coerce").isna()].items():
        match = _AMOUNT.fullmatch(word) if len(word) <= _LONGEST else None
        if match is None or not (match["before"] or match["after"]):
            return "", pd.Series(nothing, dtype=object)
        found[i] = match
    units = {(match["before"] or "") + (match["after"] or "") for match in found.values()}
    if len(units) != 1:
        return "", pd.Series(nothing, dtype=object)
    for i, match in found.items():
        nothing[i] = match["sign"] + match["number"].replace(",", "")
    return units.pop(), pd.Series(nothing, dtype=object)


def _reading(words: pd.Series, numbers: pd.Series, n_rows: Any, chosen: pd.Series) -> Reading:
    first = int(chosen.to_numpy().argmax())
    return Reading(int(n_rows[chosen].sum()), words[first], float(numbers[first]))


def decimal_comma(column: pd.Series) -> str:
    """Return a word such as "0,5" where all words of a column are numbers, if commas are points."""
    words = [str(value).strip() for value in pd.unique(column.dropna())]
    words = [word for word in words if word.lower() not in MARKERS]
    if not all(_WITH_COMMA.fullmatch(word) for word in words):
        return ""
    return next((word for word in words if "," in word), "")


def is_truth(column: pd.Series) -> bool:
    """Whether a column holds true and false only."""
    if column.dtype.kind in "iuf":
        return False
    words = {str(value).strip().lower() for value in pd.unique(column.dropna())}
    return words <= _TRUTH.keys()


def to_numbers(column: pd.Series) -> tuple[FloatArray, list[Any]]:
    """Return numbers, and the distinct values that are none; see ``Numbers``."""
    read = Numbers.of(column)
    return read.values, read.others
