"""``drumlin report``: a model and a table, one page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from drumlin._text import counted, shown_name
from drumlin.cli.asked import CostsOption, parsed_costs
from drumlin.cli.console import print_json, say, tell, told_errors
from drumlin.cli.output import check_output, size_of
from drumlin.deploy import Deployed
from drumlin.report import write_report

MOST_ROWS = 20_000
"""More rows make the page slow, not better."""

EPILOG = """Examples:

drumlin report model.drumlin data.csv -o report.html

drumlin report model.drumlin data.csv --interactive -o report.html

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
    interactive: Annotated[
        bool, typer.Option("--interactive", help="Let readers move inputs: the model is in it.")
    ] = False,
    costs: CostsOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write one self-contained HTML page about a model, judged on a table.

    Given the very file that it was fitted to, only the hold-out rows are used; without a hold-out
    the page says that the rows were seen. Costs are those of the model file, or given here.
    """
    with told_errors(out):
        check_output(out, model, data, comparison)
        deployed, given = Deployed.load(model), parsed_costs(costs)
        deployed = deployed if given is None else deployed.with_costs(given)
        others = None if comparison is None else _comparison(comparison)
        rows, seen = deployed.rows_to_judge(data, target)
        if len(rows) > MOST_ROWS:
            tell(f"Note: {MOST_ROWS} of {len(rows)} rows are used, spread evenly.")
            rows = rows.take(np.linspace(0, len(rows) - 1, MOST_ROWS).astype(np.int64))
        judged = deployed.judge(rows, seen=seen)
        write_report(
            deployed.fitted,
            judged.X,
            rows.y,
            out,
            seen=seen,
            title=title or f"{rows.target.name}: {type(deployed.fitted.model).__name__}",
            comparison=others,
            facts=_facts(deployed, model, data),
            interactive=interactive,
            costs=deployed.note("costs"),
        )
        result = {"report": str(out), "n_bytes": size_of(out), "n_rows": len(rows)}
        if as_json:
            print_json(result | {"seen": seen})
        else:
            whose = " that training has seen" if seen else ""
            say(f"{out}: judged on {counted(len(rows), 'row')}{whose}.")


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
