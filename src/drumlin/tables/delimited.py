"""Text with a header line: which separator, which columns, and no row that is longer."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, TextIO

from drumlin._optional import pandas as pd
from drumlin.tables.errors import listed

SEPARATORS = ",;\t|"
LONGEST = 2**24
"""Characters of a line of the header, at most."""

_QUOTED_LINES = 50
"""Lines that quotes in the header may go over."""

_EXTRA = "\0"
"""Before the names of fields beyond the header; no column of a file can be called so."""


@dataclass(frozen=True)
class Layout:
    """What the first lines tell.

    Parameters
    ----------
    separator : str
    names : list of str
        Of the columns.
    n_extra : int
        Empty fields at the end of the first row, beyond the header.
    n_lines : int
        Lines up to the end of the header.
    """

    separator: str
    names: list[str]
    n_extra: int
    n_lines: int

    def options(self, texts: Iterable[str]) -> dict[str, Any]:
        """For ``pandas.read_csv`` of the rows, with at least one field more than the header.

        pandas would take the first column for an index where rows are longer, or cut them; in the
        extra field it shows. Nullable types hold whole numbers beside gaps exactly.
        """
        extra = self._extra()
        known = {name: "str" for name in texts if name in self.names}
        return {
            "sep": self.separator,
            "header": None,
            "names": [*self.names, *extra],
            "index_col": False,
            "skipinitialspace": True,
            "quoting": csv.QUOTE_MINIMAL,
            "low_memory": False,
            "dtype": known | dict.fromkeys(extra, "str"),
            "dtype_backend": "numpy_nullable",
        }

    def without_extra(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Rows without the extra fields, which must be empty."""
        extra = self._extra()
        longer = frame[extra].notna().any(axis=1).to_numpy()
        if longer.any():
            row = int(frame.index[longer.argmax()])
            raise self.too_long(row + self.n_lines + 1, len(self.names) + 1, "about ")
        return frame.drop(columns=extra)

    def too_long(self, line: int, n_fields: int, about: str = "") -> ValueError:
        """Return the error of a row with more fields than the header."""
        n = len(self.names)
        return ValueError(
            f"every row must have the {n} field{'s' if n > 1 else ''} of the header. Got "
            f"{n_fields}{' or more' if about else ''} in {about}line {line}."
        )

    def retold(self, error: pd.errors.ParserError) -> Exception:
        """Return what pandas says of a long row, with the line of the whole file."""
        found = re.search(r"Expected \d+ fields in line (\d+), saw (\d+)", str(error))
        return self.too_long(int(found[1]) + self.n_lines, int(found[2])) if found else error

    def _extra(self) -> list[str]:
        return [f"{_EXTRA}{i}" for i in range(max(1, self.n_extra))]


class Rows:
    """What is left of a text after its header, as a file for pandas.

    Parameters
    ----------
    pending : str
        What was read already.
    file : text file
    """

    def __init__(self, pending: str, file: TextIO):
        self._pending, self._file = pending, file

    def read(self, size: int = -1) -> str:
        """Return the next characters, at most ``size``."""
        if self._pending:
            size = len(self._pending) if size < 0 else size
            part, self._pending = self._pending[:size], self._pending[size:]
            return part
        return _without_nul(self._file.read(size))

    def __iter__(self) -> Iterator[str]:  # pandas asks for it to tell files from names
        raise NotImplementedError


def lay_out(file: TextIO) -> tuple[Layout, Rows]:
    """Read the header, and the first row as far as needed to see whether it is as long.

    Parameters
    ----------
    file : text file
        With line ends as they are; it may be a pipe that delivers little at a time.
    """
    taken: list[str] = []
    lines = _lines(file, taken)
    n_blank, head = _head(lines)
    separator = _separator(head)
    records = csv.reader(chain(head, lines), delimiter=separator, skipinitialspace=True)
    names = _names(next(records, []))
    n_lines = n_blank + records.line_num
    first = _first_row(records)
    layout = Layout(separator, names, max(0, len(first) - len(names)), n_lines)
    if any(field.strip() for field in first[len(names) :]):
        raise layout.too_long(n_blank + records.line_num, len(first))
    return layout, Rows("".join(taken[n_lines:]), file)


def _lines(file: TextIO, taken: list[str]) -> Iterator[str]:
    while line := _without_nul(file.readline(LONGEST)):
        if len(line) == LONGEST:
            raise ValueError(f"lines must be shorter than {LONGEST} characters.")
        taken.append(line)
        yield line


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("it must be UTF-8 text. Got the byte 0x0.")
    return text


def _head(lines: Iterator[str]) -> tuple[int, list[str]]:
    """Return the number of blank lines, and the lines after them until quotes are closed."""
    n_blank = 0
    head: list[str] = []
    for line in lines:
        if not head and not line.strip():
            n_blank += 1
            continue
        head.append(line)
        if "".join(head).count('"') % 2 == 0 or len(head) == _QUOTED_LINES:
            break
    return n_blank, head


def _separator(head: list[str]) -> str:
    """Return what occurs most outside of quotes."""
    text = "".join(head)
    if text.count('"') % 2:  # a quote that is part of a name
        text = head[0]
    unquoted = "".join(text.split('"')[::2])
    best = max(SEPARATORS, key=unquoted.count)
    return best if best in unquoted else ","


def _names(header: list[str]) -> list[str]:
    names = [name.strip() or f"Unnamed: {i}" for i, name in enumerate(header)]
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise ValueError(f"it has the column {listed(twice)} more than once.")
    return names


def _first_row(records: Iterator[list[str]]) -> list[str]:
    try:
        return next((row for row in records if len(row) > 1 or any(map(str.strip, row))), [])
    except csv.Error:  # a text longer than the csv module reads; pandas does
        return []
