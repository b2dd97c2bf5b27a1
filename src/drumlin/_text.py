"""Words made fit for a terminal: those from files and tables, and numbers of things."""

from __future__ import annotations

import os
from pathlib import Path

MOST = 300
"""Characters of a message that quotes a file."""

_CUT = "..."


def printable(text: str) -> str:
    r"""Show what must not reach a terminal as an escape, such as ``\x1b``.

    Control characters, marks that reverse the direction of text, halves of characters: all that
    Unicode calls not printable. A space is printable, a line break is not.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def printable_lines(text: str) -> str:
    """Return text as ``printable``, with its line breaks."""
    return "\n".join(map(printable, text.split("\n")))


def brief(text: str, most: int = MOST) -> str:
    """Return text as ``printable``, cut to a number of characters."""
    if len(text) > most:
        text = text[: most - len(_CUT)] + _CUT
    text = printable(text)
    return text if len(text) <= most else text[: most - len(_CUT)] + _CUT


def counted(n: int, noun: str) -> str:
    """Return "1 node", "2 nodes" or "18,390 nodes"."""
    return f"{n} {noun}" if n == 1 else f"{n:,} {noun}s"


def shown_name(path: str | os.PathLike[str]) -> str:
    """Name of a file without its folder, in characters that every reader of JSON or HTML takes."""
    return Path(path).name.encode("utf-8", "backslashreplace").decode("utf-8")
