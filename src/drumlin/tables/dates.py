"""Dates as people write them: year first, or day and month in an order that the values tell."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray

YEAR_FIRST, DAY_FIRST, MONTH_FIRST = "year first", "day first", "month first"
FORMS = (YEAR_FIRST, DAY_FIRST, MONTH_FIRST)

_TIME = r"(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?)?"
_ISO = re.compile(rf"(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_TIME}")
_OTHER = re.compile(rf"(\d{{1,2}})([-/.])(\d{{1,2}})\2(\d{{4}}){_TIME}")

MICROSECONDS = 86_400_000_000
"""Of a day."""

PARTS = ("days", "year", "month", "weekday", "hour")
"""What a date becomes: days since the first one, and what comes again."""


def form_of(words: pd.Series) -> str | None:
    """How distinct texts are to be read as dates; "" where they do not tell, None if they are none.

    Parameters
    ----------
    words : Series of str
        Not empty.
    """
    if all(_ISO.fullmatch(word) for word in words):
        return YEAR_FIRST
    matches = [_OTHER.fullmatch(word) for word in words]
    if not all(matches):
        return None
    first = max(int(match[1]) for match in matches if match)
    second = max(int(match[3]) for match in matches if match)
    has_dots = any(match[2] == "." for match in matches if match)  # 31.12.1999 has one meaning
    if second <= 12 and (has_dots or first > 12):
        return DAY_FIRST
    return MONTH_FIRST if second > 12 >= first else ""


@dataclass(frozen=True)
class Dates:
    """A column read as dates.

    Parameters
    ----------
    stamps : Series of datetime64[us]
        Those with a zone as in Greenwich; NaT where there is none.
    others : list
        The distinct values that are not written as dates are.
    impossible : Counter
        Rows by text that is written as a date but is none, such as 0000-00-00: they are gaps.
    """

    stamps: pd.Series
    others: list[object]
    impossible: Counter[str]


def read_dates(column: pd.Series, form: str) -> Dates:
    """Read moments.

    Parameters
    ----------
    column : Series
        Of texts, or of one of pandas' types of dates.
    form : str
        One of ``FORMS``.
    """
    if isinstance(column.dtype, pd.PeriodDtype):
        column = column.dt.to_timestamp()
    if column.dtype.kind == "M":
        if getattr(column.dtype, "tz", None) is not None:
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        return Dates(column.astype("datetime64[us]"), [], Counter())
    codes, uniques = pd.factorize(column.astype(object))
    words = [_year_first(str(value).strip(), form) for value in uniques]
    read = pd.to_datetime(pd.Series([*words, None], dtype=object), errors="coerce", utc=True,
                          format="ISO8601")  # fmt: skip
    stamps = read.dt.tz_localize(None).to_numpy(dtype="datetime64[us]")
    others = [value for value, word in zip(uniques, words, strict=True) if word is None]
    n_rows = np.bincount(codes + 1, minlength=len(stamps))[1:]  # code -1 is a missing value
    impossible: Counter[str] = Counter()
    for i in np.flatnonzero(np.isnat(stamps[:-1])):
        if words[i] is not None:
            impossible[str(uniques[i])] += int(n_rows[i])
    return Dates(pd.Series(stamps[codes], index=column.index), others, impossible)


def _year_first(word: str, form: str) -> str | None:
    """A date as ISO 8601 has it; None where a text is no date."""
    match = (_ISO if form == YEAR_FIRST else _OTHER).fullmatch(word)
    if match is None:
        return None
    if form == YEAR_FIRST:
        year, month, day = match[1], match[2], match[3]
    else:
        year = match[4]
        day, month = (match[1], match[3]) if form == DAY_FIRST else (match[3], match[1])
        if int(month) > 12 >= int(day):
            return None  # the other form
    time = word[match.end(match.lastindex or 0) :]
    return f"{year}-{int(month):02d}-{int(day):02d}{time}"


def to_days(stamps: pd.Series) -> FloatArray:
    """Days since 1970 of moments; NaN for NaT."""
    micro = stamps.to_numpy(dtype="datetime64[us]")
    return np.where(np.isnat(micro), np.nan, micro.astype(np.int64) / MICROSECONDS)


def to_stamps(days: FloatArray) -> pd.Series:
    """Moments of days since 1970."""
    known = np.isfinite(days)
    micro = np.round(np.where(known, days, 0.0) * MICROSECONDS).astype(np.int64)
    return pd.Series(np.where(known, micro.astype("datetime64[us]"), np.datetime64("NaT", "us")))


def part(name: str, days: FloatArray, origin: float) -> FloatArray:
    """One of ``PARTS`` of days since 1970, all finite.

    Parameters
    ----------
    name : str
    days : ndarray of shape (n_rows,)
    origin : float
        The day that counts as zero for "days".
    """
    if name == "days":
        return days - origin
    whole = np.floor(days)
    if name == "weekday":
        return (whole + 3.0) % 7.0  # 1970 began with a Thursday; Monday is 0
    if name == "hour":
        return 24.0 * (days - whole)
    months = whole.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return (months // 12 + 1970 if name == "year" else months % 12 + 1).astype(np.float64)
