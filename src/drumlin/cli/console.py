"""What all commands print with: results to standard output, all else to standard error."""

from __future__ import annotations

import json
import math
import re
import stat
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
import typer
from rich import box
from rich.console import Console
from rich.table import Table as ScreenTable
from rich.text import Text

from drumlin._errors import ParameterError, TableError
from drumlin._signals import Stopped
from drumlin._text import printable, printable_lines
from drumlin.cli.streams import FAILED, give_up_stdout

WIDE = 240
"""Columns where there is no terminal to ask: files and pipes get whole lines."""

MISUSED, INTERRUPTED, UNREAD = 2, 130, 141
"""Exit codes beside 0 and FAILED (1, an error that the user can mend): a wrong option; as shells
have it, Ctrl-C and a pipe whose reader has left."""


class UsageError(ValueError):
    """An option or an argument has a value that it cannot have."""


class _Console(Console):
    """A console that leaves it to ``told_errors`` what a reader who has gone away means."""

    def on_broken_pipe(self) -> None:
        """Pass the error on: rich would exit with 1 and say nothing."""
        raise


def console(*, stderr: bool = False) -> Console:
    """A console for the stream as it is now."""
    asked = _Console(stderr=stderr)
    return asked if asked.is_terminal else _Console(stderr=stderr, width=WIDE, soft_wrap=True)


@contextmanager
def told_errors(out: Path | None = None) -> Iterator[None]:
    """Turn errors that a user can mend into one line and an exit code, warnings into lines.

    Parameters
    ----------
    out : Path or None
        The file that is going to be written, if it is one: who stops the command is told of it.
    """
    before = None if out is None else _identity(out)
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = lambda message, *_, **__: tell(f"Note: {message}")
        try:
            yield
            sys.stdout.flush()
        except (KeyboardInterrupt, Stopped) as stop:
            tell("Stopped." if out is None else _stopped(out, before))
            code = stop.code if isinstance(stop, Stopped) else INTERRUPTED
            raise typer.Exit(code) from None
        except BrokenPipeError:  # the reader of a pipe has seen enough
            raise typer.Exit(UNREAD) from None
        except FileNotFoundError as error:
            _fail(error, f"There is no file {error.filename}." if error.filename else str(error))
        except IsADirectoryError as error:
            _fail(error, f"{error.filename} must be a file. Got a folder.")
        except UsageError as error:
            _fail(error, str(error), MISUSED)
        except ParameterError as error:
            _fail(error, _of_options(error), MISUSED)
        except TableError as error:
            _fail(error, _of_options(error))
        except MemoryError as error:
            _fail(error, "There is not enough memory for a table of this size.")
        except (ValueError, OSError, ImportError) as error:
            _fail(error, str(error) or type(error).__name__)
        finally:
            give_up_stdout()


def _of_options(error: Exception) -> str:
    """Name options where the library names parameters."""

    def option(match: re.Match[str]) -> str:
        article = "The option " if match[1] == "The" else ""
        return f"{article}'--{match[2].replace('_', '-')}'"

    return re.sub(r"(The|the) '(\w+)' parameter", option, str(error))


def _identity(out: Path) -> tuple[int, ...] | None:
    """Numbers that change when a file is replaced; none for a pipe, None for nothing."""
    try:
        found = out.stat()
    except OSError:
        return None
    return (found.st_ino, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else ()


def _stopped(out: Path, before: tuple[int, ...] | None) -> str:
    """Say what is there now, not what the program thinks: a signal may come at any moment."""
    after = _identity(out)
    if after == ():
        return "Stopped."
    return f"Stopped; {out} was written." if after != before else "Stopped; nothing was written."


def _fail(error: BaseException, message: str, code: int = FAILED) -> None:
    line = printable(" ".join(message.split()))
    console(stderr=True).print(f"Error: {line}", style="red", markup=False, highlight=False)
    raise typer.Exit(code) from error


def tell(line: str, screen: Console | None = None) -> None:
    """Say something on standard error; it may hold words from the data.

    Parameters
    ----------
    line : str
    screen : Console or None
        That of a bar, which the line must not run into; None for a new one.
    """
    line = printable(" ".join(line.split()))
    (screen or console(stderr=True)).print(line, markup=False, highlight=False)


def say(line: str = "") -> None:
    """Print a line of the result."""
    console().print(printable_lines(line), markup=False, highlight=False)


def leave_line() -> None:
    """Leave a line empty on a screen; files and pipes need none."""
    if is_screen():
        console().print()


def is_screen() -> bool:
    """Whether results are read on a screen, not in a file or a pipe."""
    return console().is_terminal


def show_table(
    columns: Iterable[str], rows: Iterable[Iterable[str]], *, title: str = "", note: str = ""
) -> None:
    """Print a table whose cells are plain text; where there is no screen, a line per row.

    Such a line names the table and the row, then every cell with its column.
    """
    if not is_screen():
        for line in _row_lines(list(columns), rows, title):
            say(line)
        if note:
            say(note)
        return
    screen, cells = console(), [[printable(cell) for cell in row] for row in rows]
    table = ScreenTable(box=box.SIMPLE_HEAD, show_edge=False)
    first = max((len(row[0]) for row in cells), default=0)
    for k, name in enumerate(columns):
        least = min(first, screen.width // 3) if k == 0 else None  # others give way
        table.add_column(Text(printable(name)), overflow="fold", min_width=least)
    for row in cells:
        table.add_row(*map(Text, row))
    leave_line()
    if title:
        screen.print(Text(printable(title), style="bold"))
    screen.print(table)
    if note:
        screen.print(Text(printable_lines(note)))


def _row_lines(columns: list[str], rows: Iterable[Iterable[str]], title: str) -> Iterator[str]:
    names = columns[1:] if len(columns) > 2 else [""]  # one fact needs no name
    for first, *cells in rows:
        facts = [f"{name} {cell}".strip() for name, cell in zip(names, cells, strict=True)]
        named = ": ".join(part for part in (title, first) if part)
        yield f"{named}: {', '.join(fact for fact in facts if fact)}"


def print_json(result: Any) -> None:
    """Print a result for machines: one JSON value; what is no number is null.

    Characters that standard output cannot take, or a terminal must not get, are escaped as JSON
    has it: they can only be in texts.
    """
    text = json.dumps(_plain(result), indent=2, ensure_ascii=False, allow_nan=False)
    # What JSON lets stand and a terminal must not get can only be in texts: escaped as JSON has it.
    text = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text), indent=2)
    print(text)


class Shown:
    """A stream of text that may be a terminal: words from files cannot command it.

    Parameters
    ----------
    stream : file
        Where text goes.
    is_terminal : bool
    """

    def __init__(self, stream: IO[str], *, is_terminal: bool) -> None:
        self._stream = stream
        self._is_terminal = is_terminal

    def write(self, text: str) -> int | None:
        """Write text; to a terminal, what is not printable as escapes."""
        return self._stream.write(printable_lines(text) if self._is_terminal else text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
