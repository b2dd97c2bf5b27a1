"""The command ``drumlin``: every sub-command registers itself from a file of its own."""

from __future__ import annotations

import typer

from drumlin.cli import compare, datasets, demo, export, fit, inspect, predict, report, reproduce

app = typer.Typer(
    name="drumlin",
    help="Small radial-basis-function networks that choose their own size.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
for command in (fit, predict, inspect, export, report, compare, demo, datasets, reproduce):
    command.register(app)


@app.callback()
def main() -> None:
    """Small radial-basis-function networks that choose their own size."""
