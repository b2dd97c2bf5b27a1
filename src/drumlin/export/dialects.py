"""What differs between databases: types, missing numbers, quoting, and what overflows."""

from __future__ import annotations

from dataclasses import dataclass

from drumlin.export.computation import Label
from drumlin.export.text import number, sql_string


@dataclass(frozen=True)
class Dialect:
    """A database's way of writing things.

    Parameters
    ----------
    real, text : str
        Types.
    least : str
        The function for the least of several numbers.
    is_nan : str or None
        Format of a test for NaN; None where a column cannot hold it.
    is_strict : bool
        Whether a result that is too large or too small for a double is an error.
    has_truth : bool
        Whether there are truth values.
    collate : str
        What makes comparisons of texts exact.
    """

    real: str
    text: str
    least: str
    is_nan: str | None
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


DIALECTS = {
    "sqlite": Dialect("REAL", "TEXT", "MIN", None, has_truth=False, collate=" COLLATE BINARY"),
    "duckdb": Dialect("DOUBLE", "VARCHAR", "LEAST", "isnan({})"),
    "postgresql": Dialect(
        "DOUBLE PRECISION", "TEXT", "LEAST", "{} = 'NaN'", is_strict=True, collate=' COLLATE "C"'
    ),
}


def real(value: float) -> str:
    """Literal of a double in every dialect: with an exponent, in brackets where negative."""
    text = number(value)
    text = text if "e" in text else f"{text}e0"
    return f"({text})" if text.startswith("-") else text
