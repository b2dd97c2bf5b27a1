"""What all commands print with: results to standard output, all else to standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

WIDE = 240
"""Columns where there is no terminal to ask: files and pipes get whole lines."""


def console(*, stderr: bool = False) -> Console:
    """A console for the stream as it is now."""
    asked = Console(stderr=stderr)
    return asked if asked.is_terminal else Console(stderr=stderr, width=WIDE, soft_wrap=True)


@contextmanager
def told_errors() -> Iterator[None]:
    """Turn errors that a user can mend into one message and exit code 2."""
    try:
        yield
    except (ValueError, OSError, ImportError) as error:
        console(stderr=True).print(f"Error: {error}", style="red", markup=False, highlight=False)
        raise typer.Exit(2) from error
