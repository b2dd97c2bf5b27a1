"""From files to data frames: CSV, TSV and Parquet, whole or in chunks."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

from drumlin._optional import MissingExtra, need
from drumlin._optional import pandas as pd
from drumlin._warnings import warn
from drumlin.tables.columns import is_text
from drumlin.tables.delimited import lay_out
from drumlin.tables.errors import TableError, TableWarning
from drumlin.tables.frames import NULLABLE

CHUNK_ROWS = 50_000
"""Rows of a chunk: memory is bounded by these, whatever the file."""

PAGE_BYTES = 1 << 16
"""Bytes of a column of a Parquet file that are read at once."""

STDIN = "-"
PARQUET = (".parquet", ".pq")
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods")

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def read_table(path: str | Path, texts: Iterable[str] = ()) -> pd.DataFrame:
    r"""Read a whole table.

    Parameters
    ----------
    path : path-like
        ``*.parquet``, or text with one header line: the separator (comma, semicolon, tab or bar)
        is the one that occurs most in it. ``*.gz`` is unpacked; "-" is text on standard input.
    texts : iterable of str
        Columns to be left as text, such as those that were text in another table: here, words may
        all look like numbers.

    Raises
    ------
    TableError
        Where it is not a table with rows, or Parquet is asked for without pyarrow.

    See Also
    --------
    read_chunks
    read_labelled

    Examples
    --------
    >>> from drumlin.tables import read_table
    >>> path = getfixture("tmp_path") / "two.csv"  # in any folder
    >>> _ = path.write_text("size;color\n1.5;red\n2.5;blue\n")
    >>> read_table(path).shape
    (2, 2)
    """
    (frame,) = read_chunks(path, texts, None)
    return frame


def read_chunks(
    path: str | Path, texts: Iterable[str] = (), rows: int | None = CHUNK_ROWS
) -> Iterator[pd.DataFrame]:
    r"""Read a table piece by piece; the index goes on from one to the next.

    Parameters
    ----------
    path : path-like
        As for ``read_table``.
    texts : iterable of str
        As for ``read_table``.
    rows : int or None
        Most rows of a chunk; None for all in one.

    See Also
    --------
    read_table

    Examples
    --------
    >>> from drumlin.tables import read_chunks
    >>> path = getfixture("tmp_path") / "three.csv"  # in any folder
    >>> _ = path.write_text("a,b\n1,2\n3,4\n5,6\n")
    >>> [len(chunk) for chunk in read_chunks(path, rows=2)]
    [2, 1]
    """
    n_rows = 0
    with _named(path):
        for frame in _parquet(path, rows) if is_parquet(path) else _text(path, texts, rows):
            frame.index = pd.RangeIndex(n_rows, n_rows + len(frame))
            n_rows += len(frame)
            if len(frame):
                yield _checked(frame, path)
    if not n_rows:
        raise TableError(f"{_name(path)} has a header but no rows.")


def _text(path: str | Path, texts: Iterable[str], rows: int | None) -> Iterator[pd.DataFrame]:
    if (suffix := Path(path).suffix.lower()) in SPREADSHEETS:
        raise TableError(
            f"{_name(path)} must be CSV, TSV or Parquet: save the sheet as CSV. Got {suffix!r}."
        )
    with _opened(path) as file:
        layout, rest = lay_out(file)
        if not layout.names:
            raise TableError(f"{_name(path)} is empty.")
        if layout.n_extra:
            warn(
                f"rows of {_name(path)} end with {layout.n_extra} empty fields more than the "
                "header has; they are left out.",
                TableWarning,
            )
        options: dict[str, Any] = layout.options(texts)
        try:
            with pd.read_csv(rest, iterator=True, chunksize=rows, **options) as reader:
                yield from map(layout.without_extra, reader)
        except pd.errors.EmptyDataError:  # a header only
            return
        except pd.errors.ParserError as error:
            raise layout.retold(error) from error


def _parquet(path: str | Path, rows: int | None) -> Iterator[pd.DataFrame]:
    """Read columns as they are stored, those included that pandas would make an index of."""
    file = _arrow(path)
    for part in (file.read(),) if rows is None else file.iter_batches(batch_size=rows):
        part.validate(full=True)  # texts may be no texts
        frame = part.to_pandas(ignore_metadata=True, types_mapper=_nullable)
        yield frame.loc[:, [not _UNNAMED_INDEX.fullmatch(name) for name in frame.columns]]


def _checked(frame: pd.DataFrame, path: str | Path) -> pd.DataFrame:
    frame.columns = [str(name).strip() for name in frame.columns]
    for name in frame.columns:
        if "\0" in name:
            raise TableError(f"{_name(path)} must have names without NUL. Got {name!r}.")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise TableError(f"{_name(path)} has the column {twice[0]!r} more than once.")
    for name, column in frame.items():
        if is_text(column):
            empty = (column == "").to_numpy(dtype=bool, na_value=False)
            if empty.any():  # pandas leaves them in Parquet, and beside numbers of 20 digits
                frame[name] = column.mask(empty)
    return frame


# ------------------------------------------------------------------------------------------ files
def is_parquet(path: str | Path) -> bool:
    """Whether the name of a file says that it is one of Parquet."""
    return Path(path).suffix.lower() in PARQUET


def _name(path: str | Path) -> str:
    return "standard input" if str(path) == STDIN else str(path)


def _nullable(kind: Any) -> Any:
    """Type of pandas for a type of Arrow; None where pandas has its own way."""
    name = NULLABLE.get(str(kind))
    return None if name is None else pd.api.types.pandas_dtype(name)


def _arrow(path: str | Path) -> Any:
    try:
        need("pyarrow")
    except MissingExtra as error:
        raise TableError(f"{path} cannot be read. {error} Or use CSV.") from error
    from pyarrow.parquet import ParquetFile

    # Whole files, and whole groups of rows, would be read ahead.
    return ParquetFile(path, pre_buffer=False, buffer_size=PAGE_BYTES)


@contextmanager
def _opened(path: str | Path) -> Iterator[TextIO]:
    """Text with its line ends as they are."""
    with ExitStack() as stack:
        file: Any = sys.stdin.buffer
        if str(path) != STDIN:
            opened: Any = gzip.open if Path(path).suffix.lower() == ".gz" else open
            file = stack.enter_context(opened(path, "rb"))
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        stack.callback(text.detach)  # standard input is not ours to close
        yield text


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Turn what pandas and pyarrow say into one line with the name of the file."""
    try:
        yield
    except (TableError, FileNotFoundError, PermissionError):
        raise
    except IsADirectoryError as error:
        raise TableError(f"{_name(path)} must be a file. Got a folder.") from error
    except UnicodeDecodeError as error:
        raise TableError(
            f"{_name(path)} must be UTF-8 text. Got the byte {error.object[error.start]:#x}."
        ) from error
    except (ValueError, OSError, EOFError, NotImplementedError, zlib.error, csv.Error) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TableError(f"{_name(path)} cannot be read as a table: {reason}") from error


def fingerprint(path: str | Path) -> str | None:
    """Hash of a file; None for standard input, which is gone."""
    if str(path) == STDIN:
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
