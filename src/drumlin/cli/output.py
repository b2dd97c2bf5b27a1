"""What '-o' may name, and what is said of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from drumlin.cli.console import UsageError
from drumlin.io.writing import found_at
from drumlin.tables.reading import STDIN


def check_output(out: Path | None, *inputs: str | Path | None, prints: bool = True) -> None:
    """Refuse a place that cannot or must not be written to before any work is done.

    Parameters
    ----------
    out : Path or None
        None is standard output.
    *inputs : path-like
        Files that are read; they must not be lost, whatever they are called.
    prints : bool, default=True
        Whether something else goes to standard output.
    """
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise UsageError(f"The option '-o' must be a file in a folder that exists. Got {out}.")
    found = os.fstat(1) if out is None else found_at(out)
    if found is None:
        return
    for path in inputs:
        if path is not None and stat.S_ISREG(found.st_mode) and _is_at(path, found):
            what = "Standard output" if out is None else "The option '-o'"
            raise UsageError(f"{what} must not be a file that is read. Got {path} for both.")
    is_stdout = os.path.samestat(found, os.fstat(1)) and not _is_at(os.devnull, found)
    if out is not None and prints and is_stdout:
        raise UsageError(
            f"The option '-o' must not be standard output: the summary goes there. Got {out}."
        )


def _is_at(path: str | Path, found: os.stat_result) -> bool:
    """Whether a path leads there, by whatever links or spelling."""
    other = os.fstat(0) if str(path) == STDIN else found_at(path)
    return other is not None and os.path.samestat(other, found)


def size_of(out: Path) -> int | None:
    """Bytes of what was written; None where it went into a pipe or a device."""
    return out.stat().st_size if out.is_file() else None
