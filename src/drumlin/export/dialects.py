"""What differs between databases: types, missing numbers, quoting, and what overflows."""

from __future__ import annotations

from dataclasses import dataclass

from drumlin.export.computation import Label
from drumlin.export.text import number, sql_string

_ARGUMENTS = 100  # of a function; SQLite allows 127


@dataclass(frozen=True)
class Dialect:
    """A database's way of writing things.

    Parameters
    ----------
    name : str
    real, text : str
        Types.
    least, most : str
        The functions for the least and the largest of several numbers.
    is_nan : str or None
        Format of a test for NaN; None where a column cannot hold it.
    most_columns : int
        Of a SELECT.
    is_strict : bool
        Whether a result that is too large or too small for a double is an error.
    has_truth : bool
        Whether there are truth values.
    collate : str
        What makes comparisons of texts exact.
    """

    name: str
    real: str
    text: str
    least: str
    most: str
    is_nan: str | None
    most_columns: int
    is_strict: bool = False
    has_truth: bool = True
    collate: str = ""

    @property
    def floor(self) -> float:
        """Least exponent; in strict databases its power must survive a small weight."""
        return -500.0 if self.is_strict else -700.0

    def square(self, term: str) -> str:
        """Square of an expression; in strict databases it must not vanish."""
        if self.is_strict:
            return f"(ABS({term}) + 1e-150) * (ABS({term}) + 1e-150)"
        return f"({term}) * ({term})"

    def folded(self, name: str) -> str:
        """What the database knows a quoted name by."""
        if self.is_strict:  # PostgreSQL tells cases apart, and cuts names
            return name.encode("utf-8", "replace")[:63].decode("utf-8", "ignore")
        return name.lower()

    def extreme(self, function: str, values: list[str]) -> str:
        """Least or largest of expressions; functions have limits of arguments."""
        while len(values) > 1:
            groups = [values[i : i + _ARGUMENTS] for i in range(0, len(values), _ARGUMENTS)]
            values = [f"{function}({', '.join(g)})" if len(g) > 1 else g[0] for g in groups]
        return values[0]

    def string(self, text: str) -> str:
        """Literal of a text."""
        return sql_string(text, backslash_escapes=self.is_strict)

    def label(self, label: Label) -> str:
        """Literal of a class."""
        if isinstance(label, str):
            return self.string(label)
        if isinstance(label, bool):
            return str(label).upper() if self.has_truth else str(int(label))
        return str(label) if isinstance(label, int) else real(label)


# fmt: off
DIALECTS = {
    "sqlite": Dialect(
        "SQLite", "REAL", "TEXT", "MIN", "MAX", None, 2000,
        has_truth=False, collate=" COLLATE BINARY",
    ),
    "duckdb": Dialect("DuckDB", "DOUBLE", "VARCHAR", "LEAST", "GREATEST", "isnan({})", 10_000),
    "postgresql": Dialect(
        "PostgreSQL", "DOUBLE PRECISION", "TEXT", "LEAST", "GREATEST", "{} = 'NaN'", 1600,
        is_strict=True, collate=' COLLATE "C"',
    ),
}
# fmt: on


def real(value: float) -> str:
    """Literal of a double in every dialect: with an exponent, in brackets where negative."""
    text = number(value)
    text = text if "e" in text else f"{text}e0"
    return f"({text})" if text.startswith("-") else text
