"""The three standard streams, made fit for use before anything is imported or printed."""

from __future__ import annotations

import io
import os
import sys

FAILED = 1


def prepare_streams() -> None:
    """Refuse a closed standard output; let no character be an error to it.

    Descriptors that are closed become the null device: else the next file that is opened, which
    may be a model, would be taken for standard output or standard error.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the least free number, this one
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        print("Error: Standard output is closed; results would be lost.", file=sys.stderr)
        raise SystemExit(FAILED)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as standard error has it


def give_up_stdout() -> None:
    """Drop what standard output did not take, or Python would fail once more at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
