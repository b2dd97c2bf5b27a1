"""From files to data frames: CSV, TSV and Parquet, whole or in chunks."""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pandas as pd

from drumlin.tables.errors import TableError

CHUNK_ROWS = 50_000
"""Rows of a chunk: memory is bounded by these, whatever the file."""

STDIN = "-"
PARQUET = (".parquet", ".pq")
SEPARATORS = ",;\t|"
_PEEK = 65_536
"""Bytes in which the first line is looked for."""


def read_table(path: str | Path) -> pd.DataFrame:
    """Read a whole table.

    Parameters
    ----------
    path : path-like
        ``*.parquet``, or text with one header line: the separator (comma, semicolon, tab or bar)
        is the one that occurs most in it. ``*.gz`` is unpacked; "-" is text on standard input.

    Raises
    ------
    TableError
        Where it is not a table with rows, or Parquet is asked for without pyarrow.
    """
    with _named(path):
        if _is_parquet(path):
            frame = _arrow(path).read().to_pandas()
        else:
            with _opened(path) as file:
                frame = pd.read_csv(file, low_memory=False, **_dialect(file))
    return _checked(frame, path)


def read_chunks(
    path: str | Path, texts: Iterable[str] = (), rows: int = CHUNK_ROWS
) -> Iterator[pd.DataFrame]:
    """Read a table piece by piece; the index goes on from one to the next.

    Parameters
    ----------
    path : path-like
        As for ``read_table``.
    texts : iterable of str
        Columns to be left as text: in a single chunk, words may all look like numbers.
    rows : int
        Most rows of a chunk.
    """
    with _named(path):
        for frame in _chunks(path, dict.fromkeys(texts, "str"), rows):
            yield _checked(frame, path)


def _chunks(path: str | Path, types: dict[str, str], rows: int) -> Iterator[pd.DataFrame]:
    if _is_parquet(path):
        start = 0
        for batch in _arrow(path).iter_batches(batch_size=rows):
            frame = batch.to_pandas()
            frame.index = pd.RangeIndex(start, start + len(frame))
            start += len(frame)
            yield frame
        return
    with _opened(path) as file:
        options: dict[str, Any] = {"low_memory": False, "chunksize": rows, "dtype": types}
        with pd.read_csv(file, **_dialect(file), **options) as reader:
            yield from reader


def _checked(frame: pd.DataFrame, path: str | Path) -> pd.DataFrame:
    frame.columns = [str(name).strip() for name in frame.columns]
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise TableError(f"{_name(path)} has the column {twice[0]!r} more than once.")
    if not len(frame):
        raise TableError(f"{_name(path)} has a header but no rows.")
    return frame


# ------------------------------------------------------------------------------------------ files
def _is_parquet(path: str | Path) -> bool:
    return Path(path).suffix.lower() in PARQUET


def _name(path: str | Path) -> str:
    return "standard input" if str(path) == STDIN else str(path)


def _arrow(path: str | Path) -> Any:
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise TableError(
            f"Reading {path} needs pyarrow: pip install 'drumlin[parquet]', or use CSV."
        ) from error
    return ParquetFile(path)


@contextmanager
def _opened(path: str | Path) -> Iterator[Any]:
    """A binary stream that can be peeked into."""
    if str(path) == STDIN:
        yield sys.stdin.buffer
    else:
        opened: Any = gzip.open if Path(path).suffix.lower() == ".gz" else open
        with opened(path, "rb") as file:
            yield file


def _dialect(file: IO[bytes]) -> dict[str, Any]:
    """What the first line tells: the separator that occurs most outside of quotes."""
    line = file.peek(_PEEK)[:_PEEK].splitlines()[:1]  # type: ignore[attr-defined]
    text = line[0].decode("utf-8", errors="replace") if line else ""
    unquoted = "".join(text.split('"')[::2])
    best = max(SEPARATORS, key=unquoted.count)
    return {
        "sep": best if best in unquoted else ",",
        "encoding": "utf-8-sig",
        "skipinitialspace": True,
        "quoting": csv.QUOTE_MINIMAL,
    }


@contextmanager
def _named(path: str | Path) -> Iterator[None]:
    """Turn what pandas and pyarrow say into one line with the name of the file."""
    try:
        yield
    except (TableError, FileNotFoundError, PermissionError, IsADirectoryError):
        raise
    except pd.errors.EmptyDataError as error:
        raise TableError(f"{_name(path)} is empty.") from error
    except UnicodeDecodeError as error:
        raise TableError(
            f"{_name(path)} must be UTF-8 text. Got the byte {error.object[error.start]:#x}."
        ) from error
    except (pd.errors.ParserError, ValueError, OSError, EOFError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise TableError(f"{_name(path)} cannot be read as a table: {reason}") from error
