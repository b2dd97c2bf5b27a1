"""Tables as text: Markdown, CSV and LaTeX from one object."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

_LATEX = str.maketrans(
    {character: rf"\{character}" for character in "%_&#${}"}
    | {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}", "±": r"$\pm$", "×": r"$\times$"}
    | {"<": r"$<$", ">": r"$>$", "`": ""}
)


@dataclass(frozen=True)
class Table:
    """Cells of text with a title.

    Parameters
    ----------
    name : str
        For files.
    title : str
    header : list of str
    rows : list of list of str
    note : str
        What the cells mean.
    """

    name: str
    title: str
    header: list[str]
    rows: list[list[str]]
    note: str = ""


def markdown_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells as a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def markdown(table: Table) -> str:
    """A section with the table."""
    parts = [f"### {table.title}", markdown_rows(table.header, table.rows), table.note]
    return "\n\n".join(part for part in parts if part) + "\n"


def to_csv(table: Table) -> str:
    """Cells as comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([table.header, *table.rows])
    return text.getvalue()


def latex(table: Table) -> str:
    """A ``tabular`` with rules of booktabs, in a ``table`` with a caption."""
    lines = [r" & ".join(map(_escaped, cells)) + r" \\" for cells in [table.header, *table.rows]]
    caption = _escaped(f"{table.title}. {table.note}".strip())
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{caption}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _escaped(text: str) -> str:
    return text.translate(_LATEX)
