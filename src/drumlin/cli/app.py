"""The command ``drumlin``: every sub-command registers itself from a file of its own.

That file, and all that it needs, is imported when the sub-command is called and not before: help
and version come at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from drumlin._version import __version__

COMMANDS = {
    "fit": "Fit a small network to a table and say how good it is.",
    "predict": "Predict the rows of a table: one line per row, in their order.",
    "check": "Check whether new rows are still like those that a model was fitted to.",
    "inspect": "Show what a model is, its columns, its nodes and how it was trained.",
    "export": "Write a model in another language: raw columns go in, answers come out.",
    "report": "Write one self-contained HTML page about a model, judged on a table.",
    "compare": "Compare by cross-validation with a default and a tuned SVC, a linear model and "
    "boosting.",
    "demo": "Show fit, inspect and predict on 569 breast tumors (a table of scikit-learn).",
    "datasets": "List the benchmark sets: what is available here and what is not.",
    "reproduce": "Rerun the papers' tables beside our defaults and today's rivals.",
}
"""The first line of each command's own help, which is in the module of its name."""


class Commands(TyperGroup):
    """The commands: known by one line each, until one of them is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the command that was asked for."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, None if command is None else load(name), rest


def load(name: str | None) -> Any:
    """Import a command and return it with its options."""
    alone = typer.Typer(add_completion=False)
    import_module(f"drumlin.cli.{name}").register(alone)
    command = get_command(alone)
    command.help = _flowing(command.help or "")
    return command


def _flowing(text: str) -> str:
    """Join the lines of each paragraph: a terminal breaks them where it ends."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"drumlin {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="drumlin",
    cls=Commands,
    help="Small radial-basis-function networks that choose their own size.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
for _name, _line in COMMANDS.items():
    app.command(_name, help=_line)(lambda: None)


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_print_version, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Small radial-basis-function networks that choose their own size."""
    from drumlin.cli.logs import tell_logs  # not needed for help

    tell_logs()
