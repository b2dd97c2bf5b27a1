"""``drumlin demo``: fit, inspect and predict on a table that comes along."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from sklearn.datasets import load_breast_cancer

from drumlin._optional import pandas as pd
from drumlin.cli.console import print_json, say, told_errors
from drumlin.cli.fit import as_result, show_trained
from drumlin.cli.inspect import examine, show_model
from drumlin.cli.predict import predict_file
from drumlin.deploy import Deployed, train
from drumlin.io import write_text

HOLDOUT = 0.25
SHOWN = 5
"""Answers that are shown."""

EPILOG = """Examples:

drumlin demo

drumlin demo --folder tryout
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", epilog=EPILOG)(command)


def command(
    folder: Annotated[
        Path | None, typer.Option(help="Keep the table, the model and the answers here.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show fit, inspect and predict on 569 breast tumors (a table of scikit-learn)."""
    with told_errors(), _folder(folder) as place:
        table, new = place / "tumors.csv", place / "new.csv"
        model, answers = place / "tumors.drumlin", place / "answers.csv"
        _write_tables(table, new)
        trained = train(table, "diagnosis", holdout=HOLDOUT)
        trained.deployed.save(model)
        described, fitted = examine(model)
        summary = predict_file(Deployed.load(model), new, answers, [])
        if as_json:
            print_json({"fit": as_result(trained, model), "inspect": described, "predict": summary})
            return
        say(f"$ drumlin fit {table.name} --target diagnosis --holdout {HOLDOUT} -o {model.name}")
        show_trained(trained, model)
        say(f"\n$ drumlin inspect {model.name}")
        show_model(model, described, fitted)
        say(f"\n$ drumlin predict {model.name} {new.name} -o {answers.name}; head {answers.name}")
        for line in answers.read_text(encoding="utf-8").splitlines()[: SHOWN + 1]:
            say(line)


@contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        wanted.mkdir(parents=True, exist_ok=True)
        yield wanted
        return
    with tempfile.TemporaryDirectory() as place:
        yield Path(place)


def _write_tables(table: Path, new: Path) -> None:
    """Write the tumors with their diagnoses, and some without that were not among them."""
    bunch = load_breast_cancer(as_frame=True)
    frame: pd.DataFrame = bunch.data.round(6)
    frame.insert(0, "diagnosis", bunch.target_names[bunch.target])
    write_text(table, frame[SHOWN:].to_csv(index=False))
    write_text(new, frame[:SHOWN].drop(columns="diagnosis").to_csv(index=False))
