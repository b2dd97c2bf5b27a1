"""What a page is made of. Everything is plain text here; the template escapes it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from drumlin._text import printable

SMALLEST, LARGEST = 1e-4, 1e9
"""Numbers beyond these are written with a power of ten."""

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Table:
    """A table whose first column names its rows.

    Parameters
    ----------
    caption : str
    columns : sequence of str
    rows : sequence of sequence of str
    note : str
        Said below the table.
    marked : int or None
        The row to be set off.
    shades : sequence of sequence of float
        How dark every cell but the first of its row is, from 0 to 1; empty for none.
    words : bool
        Whether cells are words, not numbers.
    """

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    marked: int | None = None
    shades: Sequence[Sequence[float]] = ()
    words: bool = False


@dataclass(frozen=True)
class Figure:
    """A picture.

    Parameters
    ----------
    svg : str
        The only text that is markup already.
    caption : str
    """

    svg: str
    caption: str


@dataclass
class Section:
    """A part of the page with a heading.

    Parameters
    ----------
    title : str
    text : str
    tables : list of Table
    figures : list of Figure
    code : str
        Shown as it is.
    """

    title: str
    text: str = ""
    tables: list[Table] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    code: str = ""


@dataclass(frozen=True)
class Tile:
    """One number at the top of the page."""

    label: str
    value: str
    detail: str = ""


def shown(text: str) -> str:
    """Text whose control characters are told, not obeyed, but for line ends; pages are text too."""
    return "\n".join(map(printable, text.split("\n")))


def number(value: float) -> str:
    """A number as people write it: four digits, 18,390, a real minus sign, powers of ten."""
    if value != value:
        return "not known"
    size = abs(value)
    if 999.95 <= size < LARGEST:
        return _signed(f"{value:,.0f}")
    if value and not SMALLEST <= size < LARGEST and size != float("inf"):
        digits, power = f"{value:.3e}".split("e")
        return _signed(f"{float(digits):g}") + f" × 10{str(int(power)).translate(RAISED)}"
    return _signed(f"{value:.4g}")


def with_error(value: float, error: float) -> str:
    """A number and how sure it is, to two digits of that: 0.087 ± 0.017."""
    if not math.isfinite(error) or not 1e-4 <= error < 1e6:
        rounding = error <= 1e-12 * abs(value)
        return f"{number(value)} ± {0 if rounding else f'{error:.2g}'}"
    decimals = max(0, 1 - math.floor(math.log10(error)))
    value = round(value, decimals) + 0.0  # no minus before zero
    return _signed(f"{value:,.{decimals}f} ± {error:,.{decimals}f}")


def count(n: int) -> str:
    """A number of things: 18,390."""
    return f"{n:,}"


def percent(share: float) -> str:
    """A share of 1 in percent."""
    return "not known" if share != share else f"{100.0 * share:.1f} %"


def _signed(text: str) -> str:
    return text.replace("-", "−")
