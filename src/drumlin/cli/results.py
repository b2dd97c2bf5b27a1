"""Results as files and on the screen: tables in four forms, two plots in two."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rich.markup import escape
from rich.table import Table as ScreenTable

from drumlin.cli.console import console
from drumlin.experiments import statistics
from drumlin.experiments.formats import Table, latex, markdown, to_csv
from drumlin.experiments.methods import METHODS
from drumlin.experiments.store import Store
from drumlin.experiments.tables import all_tables
from drumlin.io import atomic_path, write_text
from drumlin.plotting import plot_critical_difference, plot_error_against_size

BEGIN, END = "<!-- tables -->", "<!-- end of tables -->"
ON_SCREEN = ("published", "errors", "differences", "failures")
"""The others are in the files."""

GROUPS = {"preset": "paper", "default": "drumlin", "rival": "rival"}


def write_results(store: Store, out: Path) -> list[Table]:
    """Write runs, tables and plots into a folder.

    Parameters
    ----------
    store : Store
    out : Path

    Returns
    -------
    list of Table
    """
    tables = all_tables(store)
    (out / "failures.csv").unlink(missing_ok=True)  # there may be none any more
    write_text(out / "runs.csv", store.frame().to_csv(index=False))
    write_text(out / "tables.md", joined(tables))
    write_text(out / "tables.tex", "\n".join(map(latex, tables)))
    for table in tables:
        write_text(out / f"{table.name}.csv", to_csv(table))
    _plots(store, out)
    return tables


def joined(tables: Iterable[Table]) -> str:
    """All tables as Markdown."""
    return "\n".join(map(markdown, tables))


def insert_tables(document: Path, tables: Iterable[Table]) -> None:
    """Replace the part of a Markdown file between the two marks.

    Raises
    ------
    ValueError
        If the file has no marks.
    """
    text = document.read_text(encoding="utf-8")
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(
            f"The '--document' file must hold the lines {BEGIN!r} and {END!r}. "
            f"Got {str(document)!r} without them."
        )
    write_text(document, f"{head}{begin}\n\n{joined(tables)}\n{end}{tail}")


def print_tables(tables: Iterable[Table]) -> None:
    """Print the tables that matter most."""
    screen = console()
    for table in tables:
        if table.name not in ON_SCREEN:
            continue
        shown = ScreenTable(*table.header, title=table.title, caption=table.note)
        for row in table.rows:
            shown.add_row(*map(escape, row))  # messages may hold brackets
        screen.print(shown)


def _plots(store: Store, out: Path) -> None:
    """Average ranks and error against size, of the methods with a result on every set."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    frame = store.frame()
    if frame.empty:
        return
    errors = statistics.means(frame, "error").dropna()
    sizes = statistics.means(frame.astype({"nodes": float}), "nodes").dropna()
    groups = {name: GROUPS[method.kind] for name, method in METHODS.items()}
    ranks = statistics.average_ranks(errors)
    if len(ranks.methods) < 2:
        return
    figures = {
        "ranks": Figure((9.0, 3.5)),
        "error-size": Figure((7.0, 4.5), layout="constrained"),
    }
    plot_critical_difference(
        ranks.methods,
        ranks.critical_difference,
        groups=groups,
        ax=figures["ranks"].add_axes((0.0, 0.0, 1.0, 1.0)),
    )
    plot_error_against_size(
        sizes.mean(axis=1).to_dict(),
        errors.mean(axis=1).to_dict(),
        groups=groups,
        ax=figures["error-size"].add_subplot(),
    )
    with rc_context({"svg.hashsalt": "drumlin"}):  # the same results give the same file
        for name, figure in figures.items():
            with atomic_path(out / f"{name}.png") as place:
                figure.savefig(place, format="png", dpi=150)
            with atomic_path(out / f"{name}.svg") as place:
                figure.savefig(place, format="svg", metadata={"Date": None})
