"""``drumlin check``: how new rows differ from those of the fit."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from drumlin._text import counted
from drumlin.cli.console import print_json, say, show_table, told_errors
from drumlin.deploy import Deployed
from drumlin.deploy.drift import Drift, Finding, check
from drumlin.report.parts import number, percent
from drumlin.tables import read_table

DRIFTED = 3
"""Exit code where new rows are of another kind."""

EPILOG = """Examples:

drumlin check model.drumlin new.csv || echo 'time to fit again'

drumlin check model.drumlin labelled.csv --json | jq .drifted
"""

_SHARES = ("gaps", "unknown texts", "unknown classes")
_WORDS = {
    "novelty": "distance from training rows (0.5: as theirs)",
    "gaps": "rows without a value",
    "unknown texts": "rows with a text that training has not seen",
    "unknown classes": "rows of a class that training has not seen",
    "shift": "move of the mean, in spreads of training",
    "error": "error (training: leave-one-out)",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check", epilog=EPILOG)(command)


def command(
    model: Annotated[Path, typer.Argument(help="A file of 'drumlin fit'.")],
    data: Annotated[str, typer.Argument(help="CSV, TSV or Parquet; - reads CSV from a pipe.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check whether new rows are still like those that a model was fitted to.

    Looks at distances from all nodes, gaps, new texts and means of the columns that matter; with
    the target in the table, at errors, too. What is both unlikely (1 in 1000) and large is drift:
    the exit code is 3 then, else 0.
    """
    with told_errors():
        deployed = Deployed.load(model)
        known = () if deployed.target is None else deployed.target.names
        drift = check(deployed, read_table(data, [*deployed.schema.categories, *known]))
        if as_json:
            print_json(_as_result(drift))
        else:
            show_drift(drift)
        if drift.has_drifted:
            raise typer.Exit(DRIFTED)


def _as_result(drift: Drift) -> dict[str, Any]:
    drifted = drift.drifted
    return {
        "n_rows": drift.n_rows,
        "drifted": drift.has_drifted,
        "findings": [asdict(f) | {"drifted": f in drifted} for f in drift.findings],
    }


def show_drift(drift: Drift) -> None:
    """Print what has changed, or that nothing has."""
    drifted = drift.drifted
    about = f"{counted(drift.n_rows, 'row')}, {counted(len(drift.findings), 'comparison')}"
    if not drifted:
        say(f"No drift: {about}, no difference that is both unlikely and large.")
        return
    rows = [
        (f.column or "all columns", _WORDS[f.what], _shown(f, f.found), _shown(f, f.expected))
        for f in sorted(drifted, key=lambda f: -f.size)
    ]
    show_table(("column", "what", "found", "training"), rows, title=f"Drift: {about}")


def _shown(finding: Finding, value: float) -> str:
    return percent(value) if finding.what in _SHARES else number(value)
