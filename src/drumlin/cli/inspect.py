"""``drumlin inspect``: what a model file holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from drumlin import io
from drumlin._text import brief
from drumlin.cli.console import print_json, say, show_table, told_errors
from drumlin.cli.fit import show_columns
from drumlin.cli.nodes import Extent, NodesOption, WideOption, node_list, show_nodes
from drumlin.deploy.notes import noted_target
from drumlin.estimators.fitted import FittedNetwork
from drumlin.io.facts import facts_of
from drumlin.tables import Schema

EPILOG = """Examples:

drumlin inspect model.drumlin

drumlin inspect model.drumlin --json | jq .facts.n_nodes
"""

_NOT_SHOWN = ("columns", "target", "loo", "baseline", "test", "farthest")
"""Notes that are shown elsewhere, or say nothing to people."""

_TITLES = {
    "n_train": "rows of the fit",
    "n_dropped": "rows without a target",
    "n_rows": "rows",
    "seconds": "seconds of the fit",
    "holdout": "part held out",
    "log_target": "logarithms are learned",
}
"""What people call notes; others go by their names."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect", epilog=EPILOG)(command)


def command(
    model: Annotated[Path, typer.Argument(help="A file of 'drumlin fit' or drumlin.save.")],
    nodes: NodesOption = None,
    wide: WideOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what a model is, its columns, its nodes and how it was trained.

    Nothing in the file is executed.
    """
    with told_errors():
        extent = Extent.of(nodes, wide)
        described, fitted = examine(model)
        if as_json:
            print_json(described | {"nodes": node_list(fitted)})
        else:
            show_model(model, described, fitted, extent)


def examine(path: Path) -> tuple[dict[str, Any], FittedNetwork]:
    """Return what the file says of itself, and the model."""
    described, model = io.describe(path), io.load(path)
    # What the file says of its model may be anything; the model itself has passed its trial.
    fitted, noted = FittedNetwork.of(model), described["notes"].get("target")
    if isinstance(noted, dict) and "names" in noted:
        fitted = fitted.named_outputs(noted_target(described["notes"], model))
    return described | {"facts": facts_of(model)}, fitted


def show_model(
    path: Path, described: dict[str, Any], fitted: FittedNetwork, extent: Extent | None = None
) -> None:
    """Print everything."""
    facts, notes = described["facts"], described["notes"]
    say(f"{path}: {facts['estimator']} for {facts['task']}, {described['n_bytes']} bytes.")
    if "columns" in notes:
        show_columns(Schema.from_notes(notes["columns"]))
    show_table(("fact", "value"), _facts(described), title="Facts")
    show_nodes(fitted, extent)


def _facts(described: dict[str, Any]) -> list[tuple[str, str]]:
    facts, notes = described["facts"], described["notes"]
    rows = [
        ("steps", " → ".join(facts["steps"])),
        ("nodes", str(facts["n_nodes"])),
        ("parameters set", _pairs(facts["parameters"])),
    ]
    if facts["classes"] is not None:
        rows.append(("classes", ", ".join(map(str, facts["classes"]))))
    if isinstance(notes.get("target"), dict):
        rows.append(("target", str(notes["target"].get("name"))))
    for name, title in (("loo", "leave-one-out"), ("test", "hold-out"), ("baseline", "a constant")):
        if isinstance(notes.get(name), dict):
            rows.append((title, _pairs(notes[name])))
    rows += [
        (_TITLES.get(name, name), brief(str(value)))
        for name, value in notes.items()
        if name not in _NOT_SHOWN and value is not None
    ]
    saved_by = ", ".join(f"{name} {version}" for name, version in described["versions"].items())
    return [*rows, ("saved by", brief(f"{saved_by}, format {described['version']}"))]


def _pairs(values: dict[str, Any]) -> str:
    shown = [
        f"{_TITLES.get(name, name)} {value:.4g}"
        if isinstance(value, float)
        else f"{_TITLES.get(name, name)} {value}"
        for name, value in values.items()
    ]
    return brief(", ".join(shown)) or "—"
