"""The one writer of files: a file is whole or not there, and what is no file is written into.

Everything is written elsewhere first, and handed over when it is complete. A file is then moved to
its place in one step and keeps the mode of the one that it replaces. A device, a pipe and whatever
is behind standard output are never replaced: they get the content. Knows no models.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_STANDARD = (1, 2)  # descriptors of standard output and standard error


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a path to write to; hand its content over to the wanted one if nothing went wrong.

    Readers of a file see the old one or the whole new one. After an error (Ctrl-C included)
    nothing is left.

    Raises
    ------
    OSError
        Where nothing can be written there.

    See Also
    --------
    write_text

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from drumlin.io import atomic_path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_path(f"{folder}/answers.txt") as path:
    ...         _ = path.write_text("42")
    ...     Path(f"{folder}/answers.txt").read_text()
    '42'
    """
    found = found_at(path)
    if found is not None and is_stream(found):
        with _written_into(path, found) as place:
            yield place
    else:
        with _moved_to(path, found) as place:
            yield place


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file; names of files that are not UTF-8 are shown in it with backslashes.

    See Also
    --------
    atomic_path

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from drumlin.io import write_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(f"{folder}/note.txt", "done")
    ...     Path(f"{folder}/note.txt").read_text()
    'done'
    """
    with atomic_path(path) as place:
        place.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def found_at(path: str | os.PathLike[str]) -> os.stat_result | None:
    """Return what is at a path, links followed; None where there is nothing yet."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def is_stream(found: os.stat_result) -> bool:
    """Whether something has to be written into, since a file in its place would not be it."""
    special = stat.S_ISFIFO(found.st_mode) or stat.S_ISCHR(found.st_mode)
    return special or _descriptor(found) is not None


def _descriptor(found: os.stat_result) -> int | None:
    """Standard output or standard error, where they lead to what was found."""
    for number in _STANDARD:
        try:
            if os.path.samestat(found, os.fstat(number)):
                return number
        except OSError:  # it is closed
            continue
    return None


@contextmanager
def _moved_to(path: str | os.PathLike[str], old: os.stat_result | None) -> Iterator[Path]:
    if old is not None and not stat.S_ISREG(old.st_mode):
        kind = "a folder" if stat.S_ISDIR(old.st_mode) else "neither"
        raise OSError(f"What is written must be a file or a pipe. {os.fspath(path)!r} is {kind}.")
    target = Path(os.path.realpath(path))
    # Its name does not grow with the target's, which may be as long as names can be.
    place = target.with_name(f".drumlin-{secrets.token_hex(8)}.tmp")
    try:
        _create(place, path, 0o666 if old is None else 0o600)
        yield place
        with open(place, "rb+") as file:
            os.fsync(file.fileno())
        if old is not None:
            place.chmod(stat.S_IMODE(old.st_mode))
        os.replace(place, target)
    finally:
        place.unlink(missing_ok=True)


def _create(place: Path, path: str | os.PathLike[str], mode: int) -> None:
    """Make an empty file; errors name the path that was asked for."""
    try:
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


@contextmanager
def _written_into(path: str | os.PathLike[str], found: os.stat_result) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="drumlin-") as folder:
        place = Path(folder) / "content"
        yield place
        with open(place, "rb") as content, _opened(path, found) as stream:
            shutil.copyfileobj(content, stream)


def _opened(path: str | os.PathLike[str], found: os.stat_result) -> IO[bytes]:
    """Open a stream where it is: to open standard output by its name would empty its file."""
    number = _descriptor(found)
    if number is None:
        return open(path, "wb")
    for text in filter(None, (sys.stdout, sys.stderr)):
        text.flush()  # what was printed before comes first
    return open(os.dup(number), "wb")
