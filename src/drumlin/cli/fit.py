"""``drumlin fit``: from a table to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from drumlin._text import counted
from drumlin.cli.asked import (
    ClassWeightOption,
    CostsOption,
    PrecisionOption,
    parsed_class_weight,
    parsed_costs,
)
from drumlin.cli.console import (
    INTERRUPTED,
    UsageError,
    is_screen,
    leave_line,
    print_json,
    say,
    show_table,
    tell,
    told_errors,
)
from drumlin.cli.nodes import Extent, NodesOption, WideOption, node_list, show, show_nodes
from drumlin.cli.output import check_output, size_of
from drumlin.cli.progress import FitBar
from drumlin.deploy import Trained, train
from drumlin.estimators.families import FAMILIES
from drumlin.estimators.presets import CITATIONS
from drumlin.report.judged import confusion_table, measure_table, sentence, shown_measure
from drumlin.tables import CLASSIFICATION, TASKS, Schema
from drumlin.tables.columns import IGNORED, NUMBER
from drumlin.tables.errors import listed

EPILOG = """Examples:

drumlin fit patients.csv --target diagnosis --holdout 0.2 -o model.drumlin

drumlin fit houses.parquet --target price --method forward --test newer.parquet -o price.drumlin

drumlin fit houses.csv --target price --log-target --holdout 0.2 -o price.drumlin

drumlin fit patients.csv --target diagnosis --preset hong2008 --holdout 0.2

drumlin fit tests.csv --target load --target wear -o both.drumlin

cat rows.csv | drumlin fit - --target y --json

drumlin fit visits.csv --target bought --costs yes=10,no=1 --precision 0.9 --holdout 0.2

drumlin fit visits/*.parquet --target bought --memory 2GB -o visits.drumlin
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("fit", epilog=EPILOG)(command)


def command(
    data: Annotated[
        list[str],
        typer.Argument(help="CSV, TSV or Parquet, one table in any number of files; - is a pipe."),
    ],
    target: Annotated[
        list[str],
        typer.Option("--target", "-t", help="The column to predict; several numbers: several."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The model file to write, *.drumlin.")
    ] = None,
    method: Annotated[str, typer.Option(help=f"One of {', '.join(FAMILIES)}.")] = "drumlin",
    preset: Annotated[
        str | None,
        typer.Option(help=f"A paper's settings instead of a method: {', '.join(CITATIONS)}."),
    ] = None,
    task: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(TASKS)}; else the values decide.")
    ] = None,
    test: Annotated[str | None, typer.Option(help="Another table to judge the model on.")] = None,
    holdout: Annotated[
        float | None, typer.Option(help="Fraction of the rows to judge the model on, such as 0.2.")
    ] = None,
    max_nodes: Annotated[int | None, typer.Option(min=1, help="Most nodes.")] = None,
    keep: Annotated[
        list[str] | None, typer.Option(help="Use this column though it looks like an id or text.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option(help="Leave this column out.")] = None,
    kinds: Annotated[
        list[str] | None,
        typer.Option(help="What a column is: zip=category, seen=date, size=S,M,L (in order)."),
    ] = None,
    log_target: Annotated[
        bool,
        typer.Option("--log-target", help="Learn the logarithm of a target above zero: prices."),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Of the hold-out and of random methods.")] = 0,
    memory: Annotated[
        str | None,
        typer.Option(help="Read files piece by piece, within so much memory, such as 2GB."),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Fit on the Dask cluster with this scheduler.")
    ] = None,
    class_weight: ClassWeightOption = None,
    costs: CostsOption = None,
    precision: PrecisionOption = None,
    keep_interrupted: Annotated[
        bool,
        typer.Option("--keep-interrupted", help="On Ctrl-C, save the best model so far."),
    ] = False,
    nodes: NodesOption = None,
    wide: WideOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Fit a small network to a table and say how good it is.

    Numbers, amounts with units, truth values, categories and dates are used; missing values are
    filled in and marked; ids and constants are left out, and you are told. Texts and up to 20 whole
    numbers are classes, other targets numbers. With costs, answers are those of least expected
    cost, from then on: the model file notes them.
    """
    with told_errors(out):
        check_output(out, *data, test)
        extent = Extent.of(nodes, wide)
        with FitBar() as bar:
            trained = train(
                data if len(data) > 1 else data[0],
                target if len(target) > 1 else target[0],
                test=test,
                callback=bar,
                method=method,
                preset=preset,
                task=task,
                holdout=holdout,
                seed=seed,
                max_nodes=max_nodes,
                keep=keep or (),
                ignore=ignore or (),
                kinds=_kinds(kinds),
                log_target=log_target,
                keep_interrupted=keep_interrupted,
                memory=memory,
                scheduler=scheduler,
                class_weight=parsed_class_weight(class_weight),
                costs=parsed_costs(costs),
                precision=precision,
            )
        if out is not None:
            trained.deployed.save(out)
        if as_json:
            print_json(as_result(trained, out))
        else:
            show_trained(trained, out, extent)
        if trained.interrupted:
            raise typer.Exit(INTERRUPTED)


def _kinds(wanted: list[str] | None) -> dict[str, Any] | None:
    """Read COLUMN=KIND, or COLUMN=LEVEL,LEVEL,..."""
    kinds: dict[str, Any] = {}
    for entry in wanted or ():
        name, equals, kind = entry.rpartition("=")
        if not equals or not name or not kind:
            raise UsageError(f"The option '--kinds' must be like size=S,M,L. Got {entry!r}.")
        kinds[name] = kind.split(",") if "," in kind else kind
    return kinds or None


def as_result(trained: Trained, out: Path | None) -> dict[str, Any]:
    """Return everything as plain data."""
    fitted, judged = trained.fitted, trained.judged
    result = {
        "model": None if out is None else str(out),
        "n_bytes": None if out is None else size_of(out),
        "estimator": type(fitted.model).__name__,
        **trained.notes,
        "n_nodes": fitted.model.n_nodes_,
        "nodes": node_list(fitted),
    }
    if judged is not None and judged.is_classifier:
        result["confusion"] = {"classes": judged.classes, "counts": judged.confusion.tolist()}
    return result


def show_trained(trained: Trained, out: Path | None, extent: Extent | None = None) -> None:
    """Print what was understood, how good it is, and the nodes."""
    fitted, judged, notes = trained.fitted, trained.judged, trained.notes
    show_columns(trained.deployed.schema)
    target = trained.train.target
    leave_line()
    say(f"Target: {target.name} ({_kind_of(trained)}). {counted(notes['n_train'], 'row')} to fit.")
    n_nodes = fitted.model.n_nodes_
    say(
        f"{type(fitted.model).__name__}: {counted(n_nodes, 'node')}, "
        f"{counted(len(fitted.names), 'input')}, {notes['seconds']:.1f} s."
    )
    if judged is not None:
        show(measure_table(judged))
        if judged.is_classifier:
            show(confusion_table(judged))
    else:
        show_loo(trained.loo, trained.baseline)
        if fitted.target is not None:
            say(f"'--holdout 0.2' judges it in the units of {target.name}.")
    show_nodes(fitted, extent)
    leave_line()
    if out is None:
        tell("Not saved: '-o model.drumlin' keeps the model.")
    else:
        n_bytes = size_of(out)
        say(f"Saved: {out}{'' if n_bytes is None else f' ({n_bytes} bytes)'}.")


def _kind_of(trained: Trained) -> str:
    """What is predicted, in words."""
    target = trained.train.target
    if target.task == CLASSIFICATION:
        return f"{len(trained.fitted.model.classes_)} classes"
    several = len(target.names) > 1
    what = f"{len(target.names)} numbers" if several else "a number"
    learned = ", their logarithms are learned" if several else ", its logarithm is learned"
    return what + (learned if trained.notes["log_target"] else "")


def show_columns(schema: Schema) -> None:
    """Print what columns were taken for; numbers without gaps are only listed."""
    plain = [c for c in schema.columns if c.kind == NUMBER and not c.n_missing and not c.detail]
    rows = [
        (
            column.name,
            column.kind if column.is_used else f"ignored: {column.kind}",
            str(column.n_missing or "—"),
            column.detail or ("" if column.is_used else IGNORED[column.kind]),
        )
        for column in schema.columns
        if column not in plain
    ]
    if rows:
        show_table(("column", "taken for", "missing", ""), rows, title="Columns")
    if plain:
        say(f"Numbers without gaps ({len(plain)}): {listed([c.name for c in plain])}.")


def show_loo(loo: dict[str, float], baseline: dict[str, float]) -> None:
    """Print leave-one-out measures of a model that has no other rows to be judged on.

    Parameters
    ----------
    loo, baseline : dict
        By name, of the model and of the best constant.
    """
    if not loo:
        say("Judged on nothing: '--holdout 0.2' sets rows apart to judge it on.")
        return
    if is_screen():
        rows = [
            (sentence(m), shown_measure(m, loo[m]), shown_measure(m, baseline.get(m))) for m in loo
        ]
        show_table(("measure", "leave-one-out", "a constant"), rows, title="Measures")
        return
    for title, measures in (("Leave-one-out", loo), ("Baseline (a constant)", baseline)):
        shown = [f"{m} {shown_measure(m, measures[m])}" for m in loo if m in measures]
        say(f"{title}: {', '.join(shown)}.")
