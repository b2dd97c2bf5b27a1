"""``drumlin compare``: our models beside the usual ones on a table."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from drumlin._signals import Stopped
from drumlin._text import counted
from drumlin.cli.asked import (
    ClassWeightOption,
    CostsOption,
    PrecisionOption,
    parsed_class_weight,
    parsed_costs,
)
from drumlin.cli.console import INTERRUPTED, UsageError, print_json, show_table, tell, told_errors
from drumlin.cli.progress import Steps
from drumlin.estimators.families import FAMILIES
from drumlin.evaluation import Method, compare, contenders
from drumlin.report.parts import number, percent, with_error
from drumlin.tables import TASKS, Labelled, read_labelled
from drumlin.tables.errors import listed, warn_of

EPILOG = """Examples:

drumlin compare patients.csv --target diagnosis

drumlin compare visits.csv --target bought --costs yes=10,no=1 --precision 0.9

drumlin compare houses.csv --target price --method forward --folds 3 --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=EPILOG)(command)


def command(
    data: Annotated[str, typer.Argument(help="CSV, TSV or Parquet; - reads CSV from a pipe.")],
    target: Annotated[list[str], typer.Option("--target", "-t", help="The column to predict.")],
    method: Annotated[str, typer.Option(help=f"One of {', '.join(FAMILIES)}.")] = "drumlin",
    methods: Annotated[
        str | None, typer.Option(help="Only these, such as 'drumlin,boosting,CatBoost'.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(TASKS)}; else the values decide.")
    ] = None,
    folds: Annotated[int, typer.Option(help="Of the cross-validation.")] = 5,
    rows: Annotated[
        int,
        typer.Option(
            min=20, help="Most rows, drawn at random class by class; a tuned SVC takes its time."
        ),
    ] = 2000,
    class_weight: ClassWeightOption = None,
    costs: CostsOption = None,
    precision: PrecisionOption = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the folds, the sample and methods.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare by cross-validation with a default and a tuned SVC, a linear model and boosting.

    CatBoost, LightGBM and EBM (the package interpret) take part where they are installed. All get
    the same preparation of the table, learned on the training rows of each fold. An SVC is tuned by
    a 6 x 6 grid on them; its probabilities are those of a calibrated copy. "constant" knows no
    input: the baseline. Each is printed as it finishes; Ctrl-C keeps those that have.
    """
    with told_errors():
        if len(target) > 1:
            raise UsageError(f"The option '--target' must be given once. Got {listed(target)}.")
        whole = read_labelled(data, target[0], task=task)
        table = whole.sample(rows, seed)
        if len(table) < len(whole):
            tell(f"Note: {rows} of {len(whole)} rows are used; '--rows' changes that.")
            _tell_rare(whole, table)
        warn_of(table.inputs()[2].notes())
        chosen = _chosen(contenders(method, table.target.task), methods)
        asked = {
            "class_weight": parsed_class_weight(class_weight),
            "costs": parsed_costs(costs),
            "precision": precision,
        }
        summary, stopped = compared(table, chosen, folds, seed, **asked)
        if as_json:
            about = {"target": target[0], "task": table.target.task, "n_rows": len(table)}
            print_json({**about, "folds": folds, "seed": seed, "methods": summary})
        else:
            title = f"{target[0]}: {folds} folds of {counted(len(table), 'row')}"
            show_summary(summary, title, _of_which(table))
        if stopped:
            tell(f"Stopped: {len(summary)} of {len(chosen)} methods have finished.")
            raise typer.Exit(INTERRUPTED)


def _tell_rare(whole: Labelled, table: Labelled) -> None:
    """Say which classes the sample has more of than its share: they would be too few to judge."""
    if whole.classes is None:
        return
    (_, before), (labels, after) = (np.unique(y, return_counts=True) for y in (whole.y, table.y))
    rare = labels[after > before / len(whole) * len(table) + 1.0]
    if len(rare):
        tell(f"Note: rare classes have more than their share in them: {listed(rare.tolist())}.")


def _of_which(table: Labelled) -> str:
    """Say which class precision and recall are of."""
    classes = table.classes
    if classes is None:
        return ""
    if len(classes) == 2:
        return f"Precision and recall are of {str(classes[1])!r}."
    return "Precision and recall: each class against the rest, the mean."


def _chosen(known: list[Method], wanted: str | None) -> list[Method]:
    """Those that are asked for, in that order."""
    if wanted is None:
        return known
    by_name = {method.name.lower(): method for method in known}
    names = [name.strip() for name in wanted.split(",")]
    for name in names:
        if name.lower() not in by_name:
            able = ", ".join(method.name for method in known)
            raise UsageError(f"The option '--methods' must name some of {able}. Got {name!r}.")
    return [by_name[name.lower()] for name in dict.fromkeys(names)]


def compared(
    table: Labelled, methods: list[Method], folds: int, seed: int, **asked: Any
) -> tuple[list[dict[str, Any]], bool]:
    """Compare methods, telling of each as it finishes; whether Ctrl-C came before the end.

    Without any that has finished, there is nothing to show for, and the interrupt goes on.
    """
    rows: list[dict[str, Any]] = []
    steps = Steps()

    def finished(row: dict[str, Any]) -> None:
        rows.append(row)
        steps.tell(f"{row['method']}: {_line(row)}, {row['seconds']:.2f} s a fit.")

    try:
        how: dict[str, Any] = {"folds": folds, "seed": seed, **asked}
        compare(table, methods, progress=steps, finished=finished, **how)
    except (KeyboardInterrupt, Stopped) as stop:
        if not rows or (isinstance(stop, Stopped) and stop.code != INTERRUPTED):
            raise
        return rows, True
    return rows, False


def _measures(row: dict[str, Any]) -> list[str]:
    return [name for name in row if f"± {name}" in row]


def _line(row: dict[str, Any]) -> str:
    return ", ".join(f"{m} {_shown(m, row[m])}" for m in _measures(row))


def show_summary(summary: list[dict[str, Any]], title: str, more: str = "") -> None:
    """Print the means over folds with their standard errors, and what more is to be said."""
    measures = list(dict.fromkeys(m for row in summary for m in _measures(row)))
    rows = [
        (
            row["method"],
            *[_cell(row, m) for m in measures],
            "—" if row["size"] is None else f"{row['size']:.1f}",
            f"{row['seconds']:.2f}",
        )
        for row in summary
    ]
    note = (
        "Means over folds ± standard errors. Size: nodes or support vectors. CPU seconds of a fit. "
        + more
    ).strip()
    show_table(("method", *measures, "size", "seconds"), rows, title=title, note=note)


def _cell(row: dict[str, Any], measure: str) -> str:
    if measure not in row:
        return "—"
    value, error = row[measure], row[f"± {measure}"]
    if _is_share(measure):
        return f"{percent(value)} ± {percent(error)}"
    return with_error(value, error)


def _shown(measure: str, value: float) -> str:
    return percent(value) if _is_share(measure) else number(value)


def _is_share(measure: str) -> bool:
    return measure.endswith("error") or measure.startswith("recall")
