"""Answers as a spreadsheet may open them: no text is run as a formula."""

from __future__ import annotations

import re

from drumlin._optional import pandas as pd

_FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def harmless(frame: pd.DataFrame) -> pd.DataFrame:
    """Put a single quote before texts that a spreadsheet would run: those that begin as formulas.

    Numbers are left alone, also where they are stored as text; names of columns are texts.
    """
    changed = frame.copy(deep=False)
    for i, (_, column) in enumerate(frame.items()):
        if column.dtype.kind not in "iufbmM":
            codes, uniques = pd.factorize(column.astype(object))
            words = pd.Series([*map(_quoted, uniques), None], dtype=object)
            changed.isetitem(i, words.to_numpy()[codes])
    changed.columns = [_quoted(name) for name in frame.columns]
    return changed


def _quoted(value: object) -> object:
    runs = isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value)
    return f"'{value}" if runs else value
