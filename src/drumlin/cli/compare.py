"""``drumlin compare``: our models beside the usual ones on a table."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from drumlin.cli.console import print_json, show_table, tell, told_errors
from drumlin.cli.progress import steps
from drumlin.estimators.families import FAMILIES
from drumlin.evaluation import compare, contenders
from drumlin.report.parts import number, percent
from drumlin.tables import TASKS, read_labelled
from drumlin.tables.errors import warn_of

EPILOG = """Examples:

drumlin compare patients.csv --target diagnosis

drumlin compare houses.csv --target price --method forward --folds 3 --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=EPILOG)(command)


def command(
    data: Annotated[str, typer.Argument(help="CSV, TSV or Parquet; - reads CSV from a pipe.")],
    target: Annotated[str, typer.Option("--target", "-t", help="The column to predict.")],
    method: Annotated[str, typer.Option(help=f"One of {', '.join(FAMILIES)}.")] = "drumlin",
    task: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(TASKS)}; else the values decide.")
    ] = None,
    folds: Annotated[int, typer.Option(help="Of the cross-validation.")] = 5,
    rows: Annotated[
        int, typer.Option(min=20, help="Most rows, a random sample; a tuned SVC takes its time.")
    ] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="Of the folds, the sample and methods.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare by cross-validation with a default and a tuned SVC, a linear model and boosting.

    All get the same preparation of the table, learned on the training rows of each fold. An SVC is
    tuned by a 6 x 6 grid on them; its log-loss is that of a calibrated copy.
    """
    with told_errors():
        whole = read_labelled(data, target, task=task)
        table = whole.sample(rows, seed)
        if len(table) < len(whole):
            tell(f"Note: {rows} of {len(whole)} rows are used; '--rows' changes that.")
        warn_of(table.inputs()[2].notes())
        chosen = contenders(method, table.target.task)
        summary = compare(table, chosen, folds=folds, seed=seed, progress=steps)
        if as_json:
            about = {"target": target, "task": table.target.task, "n_rows": len(table)}
            print_json({**about, "folds": folds, "seed": seed, "methods": summary})
        else:
            show_summary(summary, f"{target}: {folds} folds of {len(table)} rows")


def show_summary(summary: list[dict[str, Any]], title: str) -> None:
    """Print the means over folds with their standard errors."""
    measures = [name for name in summary[0] if f"± {name}" in summary[0]]
    rows = [
        (
            row["method"],
            *[f"{_shown(m, row[m])} ± {_shown(m, row[f'± {m}'])}" for m in measures],
            "—" if row["size"] is None else f"{row['size']:.1f}",
            f"{row['seconds']:.2f}",
        )
        for row in summary
    ]
    note = (
        "Means over folds ± standard errors. Size: nodes or support vectors. CPU seconds of a fit."
    )
    show_table(("method", *measures, "size", "seconds"), rows, title=title, note=note)


def _shown(measure: str, value: float) -> str:
    return percent(value) if measure == "error" else number(value)
