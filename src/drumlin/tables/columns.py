"""What a column holds: numbers, categories, or nothing that a model can learn from."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import pandas as pd

from drumlin._typing import FloatArray
from drumlin.tables.numbers import LARGE, LARGEST, Numbers, is_truth

NUMBER, BOOLEAN, CATEGORY = "number", "boolean", "category"
USED = (NUMBER, BOOLEAN, CATEGORY)

IGNORED = {
    "empty": "no value at all",
    "constant": "one value only",
    "id": "every row has its own value",
    "text": "most rows have their own text",
    "date": "dates are not understood",
    "nested": "lists and records are not understood",
    "binary": "bytes are not understood",
    "excluded": "as asked",
}
"""Kinds of columns that are left out, and why."""

MOST_CATEGORIES = 20
"""More are only categories if every second row repeats one."""

LEAST_IDS = 20
"""Fewer distinct whole numbers in a row may be anything."""

_DECIMAL = r"\s*[+-]?\d+,\d+(?:[eE][+-]?\d+)?\s*"
_COMMAS = "decimal commas are not understood: write 1.5, not 1,5"
_DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ].*)?"
_ID_NAME = re.compile(
    r"(?:^|[_\s.-])(?:id|ids|uuid|guid|index|idx|key|row|no|nr)$|^unnamed|[a-z]I[dD]$"
)


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
    strange = strange_kind(column)
    if strange is not None:
        return Column(name, strange, n_missing)
    numbers = Numbers.of(column)
    if numbers.others or (LARGE in numbers.readings and not keep):
        return _of_text(name, column, n_missing, keep)
    return _of_numbers(name, column, numbers.values, keep)


def strange_kind(column: pd.Series) -> str | None:
    """Return the kind of a column whose type alone says that it cannot be used, else None."""
    if column.dtype.kind in "mM" or isinstance(column.dtype, pd.PeriodDtype):
        return "date"
    if column.dtype.kind != "O" or isinstance(column.dtype, pd.StringDtype):
        return None
    types = {type(value) for value in column.dropna()}
    if any(issubclass(t, (list, tuple, dict, set, np.ndarray)) for t in types):
        return "nested"
    return "binary" if any(issubclass(t, (bytes, bytearray)) for t in types) else None


def is_text(column: pd.Series) -> bool:
    """Whether all values that there are are texts."""
    if isinstance(column.dtype, pd.StringDtype):
        return True
    return column.dtype == object and pd.api.types.infer_dtype(column, skipna=True) == "string"


def as_text(value: object) -> str:
    """A value as a text file has it: whole numbers without a point, however they were stored."""
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        return str(int(value))
    return str(value)


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
    detail = _COMMAS if words.str.fullmatch(_DECIMAL).mean() > 0.5 else ""
    if not keep and len(words) == n_present:
        return Column(name, "id", n_missing, detail)
    if not keep and len(words) > max(MOST_CATEGORIES, n_present // 2):
        return Column(name, "text", n_missing, detail)
    return Column(name, CATEGORY, n_missing, f"{len(words)} values")
