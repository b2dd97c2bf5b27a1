"""The one error of a bad table, and the one warning of an odd one."""

from __future__ import annotations

from collections.abc import Iterable

from drumlin._errors import TableError as TableError
from drumlin._text import counted
from drumlin._warnings import warn


class NotNumbers(TableError):
    """A target that must hold numbers holds something else."""


class TableWarning(UserWarning):
    """A table can be used, but not as it stands.

    See Also
    --------
    TableError

    Examples
    --------
    >>> import warnings
    >>> from drumlin.tables import TableWarning
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warnings.warn("the column 'id' is not used", TableWarning)
    >>> caught[0].category.__name__
    'TableWarning'
    """


def listed(names: Iterable[object], most: int = 8) -> str:
    """Some names for a message, the rest as a number."""
    words = [repr(name) for name in names]
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def left_out(n_rows: int, which: str) -> str:
    """Say that rows are left out: "1 row of ... is left out"."""
    return f"{counted(n_rows, 'row')}{which} {'is' if n_rows == 1 else 'are'} left out"


def warn_of(notes: Iterable[str]) -> None:
    """Warn of every note about a table."""
    for note in notes:
        warn(note, TableWarning)
