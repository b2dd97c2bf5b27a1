"""What a column holds: numbers, categories, or nothing that a model can learn from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from drumlin._typing import FloatArray

NUMBER, BOOLEAN, CATEGORY = "number", "boolean", "category"
USED = (NUMBER, BOOLEAN, CATEGORY)

IGNORED = {
    "empty": "no value at all",
    "constant": "one value only",
    "id": "every row has its own value",
    "text": "most rows have their own text",
    "date": "dates are not understood",
    "nested": "lists and records are not understood",
    "excluded": "as asked",
}
"""Kinds of columns that are left out, and why."""

MARKERS = frozenset(
    {"", "?", "-", "--", ".", "*", "na", "n/a", "nan", "null", "none", "missing", "unknown"}
)
"""Texts that mean a missing number."""

MOST_CATEGORIES = 20
"""More are only categories if every second row repeats one."""

LEAST_IDS = 20
"""Fewer distinct whole numbers in a row may be anything."""

_THOUSANDS = r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ].*)?"
_ID_NAME = re.compile(
    r"(?:^|[_\s.-])(?:id|ids|uuid|guid|index|idx|key|row|no|nr)$|^unnamed|[a-z]I[dD]$"
)
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class Column:
    """What is known of one column.

    Parameters
    ----------
    name : str
    kind : str
        One of ``USED``, or a key of ``IGNORED``.
    n_missing : int
        Rows without a value, in training.
    detail : str
        What else is worth saying.
    """

    name: str
    kind: str
    n_missing: int
    detail: str = ""

    @property
    def is_used(self) -> bool:
        """Whether the model gets it."""
        return self.kind in USED


def classify(name: str, column: pd.Series, *, keep: bool = False) -> Column:
    """Decide what a column is.

    Parameters
    ----------
    name : str
    column : Series
    keep : bool
        Whether it is used even if it looks like an id or like text.
    """
    n_missing = int(column.isna().sum())
    if n_missing == len(column):
        return Column(name, "empty", n_missing)
    if column.dtype.kind in "mM" or isinstance(column.dtype, pd.PeriodDtype):
        return Column(name, "date", n_missing)
    first = column.dropna().iloc[0]
    if isinstance(first, (list, tuple, dict, set, np.ndarray)):
        return Column(name, "nested", n_missing)
    values, others = to_numbers(column)
    if others:
        return _of_text(name, column, n_missing, keep)
    return _of_numbers(name, column, values, keep)


def _of_numbers(name: str, column: pd.Series, values: FloatArray, keep: bool) -> Column:
    present = values[~np.isnan(values)]
    n_missing = len(values) - len(present)
    if not len(present):
        return Column(name, "empty", n_missing)
    distinct = np.unique(present)
    if len(distinct) == 1 and not n_missing:
        return Column(name, "constant", n_missing, f"always {column.iloc[0]}")
    if len(distinct) == len(values) and _are_ids(name, distinct) and not keep:
        return Column(name, "id", n_missing)
    is_text = column.dtype.kind not in "iufb"
    if is_truth(column):
        return Column(name, BOOLEAN, n_missing)
    return Column(name, NUMBER, n_missing, "numbers stored as text" if is_text else "")


def _are_ids(name: str, distinct: FloatArray) -> bool:
    """Whether distinct numbers are whole and named like ids, or half of all in their range."""
    if not np.isfinite(distinct).all() or (distinct != np.round(distinct)).any():
        return False
    span = distinct[-1] - distinct[0] + 1.0
    is_dense = len(distinct) >= LEAST_IDS and len(distinct) >= 0.5 * span
    return is_dense or is_named_id(name)


def is_named_id(name: str) -> bool:
    """Whether a name is one that people give to ids."""
    return bool(_ID_NAME.search(name) or _ID_NAME.search(name.lower()))


def _of_text(name: str, column: pd.Series, n_missing: int, keep: bool) -> Column:
    words = pd.Series(pd.unique(column.dropna().astype(object))).astype(str)
    n_present = len(column) - n_missing
    if words.str.fullmatch(_DATE).all():
        return Column(name, "date", n_missing)
    if len(words) == 1 and not n_missing:
        return Column(name, "constant", n_missing, f"always {words[0]!r}")
    if not keep and len(words) == n_present:
        return Column(name, "id", n_missing)
    if not keep and len(words) > max(MOST_CATEGORIES, n_present // 2):
        return Column(name, "text", n_missing)
    return Column(name, CATEGORY, n_missing, f"{len(words)} values")


def is_truth(column: pd.Series) -> bool:
    """Whether a column holds true and false only."""
    if column.dtype.kind in "iuf":
        return False
    words = {str(value).strip().lower() for value in pd.unique(column.dropna())}
    return words <= _TRUTH.keys()


def to_numbers(column: pd.Series) -> tuple[FloatArray, list[Any]]:
    """Read numbers, also where they are stored as text; true is 1 and false is 0.

    Parameters
    ----------
    column : Series

    Returns
    -------
    values : ndarray of shape (n_rows,)
        NaN where a value is missing or not a number.
    others : list
        The distinct values that are not numbers.
    """
    if column.dtype.kind in "iufb":
        return column.to_numpy(dtype=np.float64, na_value=np.nan), []
    codes, uniques = pd.factorize(column.astype(object))  # texts repeat: each is read once
    words = pd.Series(uniques, dtype=object).astype(str).str.strip()
    lower = words.str.lower()
    is_marker = lower.isin(MARKERS)
    with_commas = words.str.fullmatch(_THOUSANDS)
    plain = words.where(~with_commas, words.str.replace(",", ""))
    numbers = pd.to_numeric(plain.where(~is_marker), errors="coerce").astype(np.float64)
    numbers = numbers.fillna(lower.map(_TRUTH))
    others = [value for value, bad in zip(uniques, numbers.isna() & ~is_marker, strict=True) if bad]
    known = np.append(numbers.to_numpy(dtype=np.float64), np.nan)  # code -1 is a missing value
    return known[codes], others
