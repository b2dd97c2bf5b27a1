"""What a column holds: numbers, categories, or nothing that a model can learn from."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from drumlin._optional import pandas as pd
from drumlin._text import counted
from drumlin._typing import FloatArray
from drumlin.tables.dates import YEAR_FIRST, form_of, read_dates
from drumlin.tables.errors import TableError, listed
from drumlin.tables.numbers import LARGE, LARGEST, Numbers, is_truth

NUMBER, BOOLEAN, CATEGORY, ORDERED, DATE = "number", "boolean", "category", "ordered", "date"
USED = (NUMBER, BOOLEAN, CATEGORY, ORDERED, DATE)
KINDS = (NUMBER, CATEGORY, ORDERED, DATE)
"""What a column can be said to be."""

IGNORED = {
    "empty": "no value at all",
    "constant": "one value only",
    "id": "every row has its own value",
    "text": "most rows have their own text",
    DATE: "day or month first? the values do not tell",  # without a form; files have this key
    "rare": "every text is rare",
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
    form : str
        How values are written: the unit of numbers ("" where they have none), or one of
        ``dates.FORMS`` ("" where nobody knows, and the dates are not used).

    See Also
    --------
    Schema

    Examples
    --------
    >>> from drumlin.tables import Column
    >>> Column("age", "number", n_missing=3).is_used
    True
    """

    name: str
    kind: str
    n_missing: int
    detail: str = ""
    form: str = ""

    @property
    def is_used(self) -> bool:
        """Whether the model gets it."""
        return self.kind in USED and (self.kind != DATE or bool(self.form))

    @property
    def is_plain(self) -> bool:
        """Whether every field is what it should be; notes in files may hold anything."""
        texts = (self.name, self.kind, self.detail, self.form)
        return type(self.n_missing) is int and all(type(text) is str for text in texts)


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
    if strange == DATE:
        return _of_dates(name, column, YEAR_FIRST)
    if strange is not None:
        return Column(name, strange, n_missing)
    is_category = isinstance(column.dtype, pd.CategoricalDtype)
    if is_category and column.dtype.ordered:
        n_levels = column.nunique()
        if n_levels > 1 or n_missing:
            return Column(name, ORDERED, n_missing, counted(n_levels, "level"))
    numbers = Numbers.of(column)
    are_codes = is_category and column.dtype.categories.dtype.kind in "iuf"
    if numbers.others or are_codes or (LARGE in numbers.readings and not keep):
        return _of_text(name, column, n_missing, keep)
    return _of_numbers(name, column, numbers, keep)


def as_asked(name: str, column: pd.Series, kind: str) -> Column:
    """Take a column for what it is said to be.

    Parameters
    ----------
    name : str
    column : Series
    kind : str
        One of ``KINDS``.
    """
    n_missing = int(column.isna().sum())
    if n_missing == len(column):
        return Column(name, "empty", n_missing)
    if kind in (CATEGORY, ORDERED):
        return Column(name, kind, n_missing, counted(column.nunique(), "value"))
    if kind == DATE:
        words = _words(column)
        form = YEAR_FIRST if strange_kind(column) == DATE else form_of(words)
        if form:
            return _of_dates(name, column, form)
        why = "day or month may be first" if form == "" else "not all are dates"
        raise TableError(
            f"The 'kinds' parameter must not take {name!r} for dates: {why}. "
            f"Got {listed(words, 3)}."
        )
    numbers = Numbers.of(column)
    if numbers.others:
        raise TableError(
            f"The 'kinds' parameter must not take {name!r} for numbers. "
            f"Got {listed(numbers.others, 3)}."
        )
    return _of_numbers(name, column, numbers, keep=True)


def strange_kind(column: pd.Series) -> str | None:
    """What the type of a column alone says: dates, or a kind that cannot be used; else None."""
    if column.dtype.kind == "M" or isinstance(column.dtype, pd.PeriodDtype):
        return DATE
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


def _of_numbers(name: str, column: pd.Series, numbers: Numbers, keep: bool) -> Column:
    values = numbers.values
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
    if numbers.unit:
        return Column(name, NUMBER, n_missing, f"amounts in {numbers.unit}", numbers.unit)
    return Column(name, NUMBER, n_missing, "numbers stored as text" if is_text else "")


def _of_dates(name: str, column: pd.Series, form: str) -> Column:
    stamps = read_dates(column, form).stamps
    n_missing = int(stamps.isna().sum())
    if n_missing == len(stamps):
        return Column(name, "empty", n_missing)
    if stamps.nunique() == 1 and not n_missing:
        return Column(name, "constant", n_missing, f"always {column.iloc[0]}")
    return Column(name, DATE, n_missing, "" if form == YEAR_FIRST else form, form)


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
    words = _words(column)
    n_present = len(column) - n_missing
    form = form_of(words.str.strip())
    if form is not None:
        return _of_dates(name, column, form) if form else Column(name, DATE, n_missing)
    if len(words) == 1 and not n_missing:
        return Column(name, "constant", n_missing, f"always {words[0]!r}")
    detail = _COMMAS if words.str.fullmatch(_DECIMAL).mean() > 0.5 else ""
    if not keep and len(words) == n_present:
        return Column(name, "id", n_missing, detail)
    if not keep and len(words) > max(MOST_CATEGORIES, n_present // 2):
        return Column(name, "text", n_missing, detail)
    return Column(name, CATEGORY, n_missing, counted(len(words), "value"))


def _words(column: pd.Series) -> pd.Series:
    """Distinct values as texts."""
    return pd.Series(pd.unique(column.dropna().astype(object)), dtype=object).map(str)
