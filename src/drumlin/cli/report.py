"""``drumlin report``: a model and a table, one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from drumlin.cli.console import UsageError, print_json, say, tell, told_errors
from drumlin.cli.data import Labelled, fingerprint, read_labelled, split, tell_surprises
from drumlin.cli.models import Deployed
from drumlin.cli.output import check_output, shown_name, size_of
from drumlin.cli.training import known_classes
from drumlin.report import write_report
from drumlin.tables import read_inputs

MOST_ROWS = 20_000
"""More rows make the page slow, not better."""

EPILOG = """Examples:

drumlin report model.drumlin data.csv -o report.html

drumlin compare data.csv --target y --json > others.json

drumlin report model.drumlin data.csv --comparison others.json -o report.html
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", epilog=EPILOG)(command)


def command(
    model: Annotated[Path, typer.Argument(help="A file of 'drumlin fit'.")],
    data: Annotated[str, typer.Argument(help="A table with the target.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The page to write, *.html.")],
    target: Annotated[
        str | None, typer.Option("--target", "-t", help="The target; the model knows it usually.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="Of the page.")] = None,
    comparison: Annotated[
        Path | None, typer.Option(help="What 'drumlin compare --json' has printed.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write one self-contained HTML page about a model, judged on a table.

    Given the very file that it was fitted to, only the hold-out rows are used; without a hold-out
    the page says that the rows were seen.
    """
    with told_errors(out):
        check_output(out, model, data, comparison)
        deployed = Deployed.open(model)
        others = None if comparison is None else _comparison(comparison)
        rows, seen = _rows(deployed, data, target)
        inputs, surprises = read_inputs(deployed.fitted.whole, deployed.schema, rows.frame)
        tell_surprises(rows.surprises + surprises)
        write_report(
            deployed.fitted.whole,
            inputs,
            rows.y,
            out,
            seen=seen,
            title=title or f"{rows.target.name}: {type(deployed.fitted.model).__name__}",
            comparison=others,
            facts=_facts(deployed, model, data),
        )
        result = {"report": str(out), "n_bytes": size_of(out), "n_rows": len(rows)}
        if as_json:
            print_json(result | {"seen": seen})
        else:
            say(f"{out}: judged on {len(rows)} rows{' that training has seen' if seen else ''}.")


def _rows(deployed: Deployed, data: str, name: str | None) -> tuple[Labelled, bool]:
    """Rows to judge the model on, and whether it has seen them."""
    known = deployed.target
    name = name or (None if known is None else known.name)
    if name is None:
        raise UsageError(
            "The option '--target' is needed: the model does not say what it predicts."
        )
    rows = read_labelled(data, name, known=known, schema=deployed.schema)
    noted, holdout = deployed.note("sha256"), deployed.note("holdout")
    seen = noted is not None and noted == fingerprint(data)
    if seen and holdout:
        rows, seen = split(rows, holdout, deployed.note("seed") or 0)[1], False
        tell(f"Note: the model was fitted to {data}; only its {len(rows)} hold-out rows are used.")
    rows = known_classes(deployed.fitted, rows)
    if len(rows) > MOST_ROWS:
        tell(f"Note: {MOST_ROWS} of {len(rows)} rows are used, spread evenly.")
        rows = rows.take(np.linspace(0, len(rows) - 1, MOST_ROWS).astype(np.int64))
    return rows, seen


def _comparison(path: Path) -> list[dict[str, Any]]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))["methods"]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} must be what 'drumlin compare --json' prints.") from error


def _facts(deployed: Deployed, model: Path, data: str) -> dict[str, object]:
    facts: dict[str, object] = {"model file": shown_name(model), "judged on": shown_name(data)}
    for name, title in (
        ("file", "fitted to"),
        ("n_train", "rows of the fit"),
        ("holdout", "hold-out"),
        ("seed", "seed"),
        ("seconds", "seconds of the fit"),
    ):
        if deployed.note(name) is not None:
            facts[title] = deployed.note(name)
    return facts
