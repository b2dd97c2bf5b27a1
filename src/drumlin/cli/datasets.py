"""``drumlin datasets``: which sets are on this machine, and which are not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from drumlin.cli.console import console, print_json, told_errors
from drumlin.datasets import Entry, catalogue


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("datasets")(command)


def command(
    data_home: Annotated[
        Path | None,
        typer.Option(help="The data folder; otherwise the environment variable DRUMLIN_DATA."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the benchmark sets: what is available here and what is not."""
    with told_errors():
        entries = catalogue(data_home)
        if as_json:
            print_json([_plain(entry) for entry in entries])
        else:
            console().print(_table(entries))


def _table(entries: Iterable[Entry]) -> Table:
    table = Table("set", "rows", "inputs", "classes", "here")
    for entry in entries:
        source = entry.source
        sizes = (source.n_samples, source.n_features, source.n_classes or "a number")
        table.add_row(entry.name, *map(str, sizes), _where(entry))
    table.caption = "origin and licence: the DESCR of what the loaders return"
    return table


def _plain(entry: Entry) -> dict[str, object]:
    source = entry.source
    return {
        "set": entry.name,
        "rows": source.n_samples,
        "inputs": source.n_features,
        "classes": source.n_classes,
        "path": None if entry.path is None else str(entry.path),
    }


def _where(entry: Entry) -> str:
    if entry.path is not None:
        return f"yes: {escape(str(entry.path))}"
    if entry.source.in_archive is not None:
        return "no: fetched when first used"
    return f"no: put {entry.source.file} into the data folder"
