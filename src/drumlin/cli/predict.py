"""``drumlin predict``: a model on new rows, in bounded memory."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Annotated, Any, cast

import typer

from drumlin._optional import pandas as pd
from drumlin._text import counted
from drumlin.cli.asked import CostsOption, parsed_costs
from drumlin.cli.console import Shown, UsageError, print_json, tell, told_errors
from drumlin.cli.output import check_output
from drumlin.deploy import Deployed
from drumlin.io import atomic_path
from drumlin.tables import Surprises, read_chunks
from drumlin.tables.answers import harmless
from drumlin.tables.errors import warn_of
from drumlin.tables.schema import check_columns

EPILOG = """Examples:

drumlin predict model.drumlin new.csv -o answers.csv

drumlin predict model.drumlin new.csv --costs yes=10,no=1 -o answers.csv

drumlin predict model.drumlin new/*.parquet -o answers/

cat new.csv | drumlin predict model.drumlin - --copy patient_id | head
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("predict", epilog=EPILOG)(command)


def command(
    model: Annotated[Path, typer.Argument(help="A file of 'drumlin fit'.")],
    data: Annotated[
        list[str], typer.Argument(help="CSV, TSV or Parquet; - reads CSV from a pipe.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="CSV to write, or for several files a folder; else standard output."
        ),
    ] = None,
    copy: Annotated[
        list[str] | None, typer.Option(help="Copy this column of the table to the answers.")
    ] = None,
    raw_labels: Annotated[
        bool,
        typer.Option("--raw-labels", help="Write texts as they are, even if a sheet runs them."),
    ] = False,
    confidence: Annotated[
        float | None,
        typer.Option(help="Add sets or intervals that hold the truth with it, such as 0.9."),
    ] = None,
    costs: CostsOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON; needs -o.")
    ] = False,
) -> None:
    """Predict the rows of a table: one line per row, in their order.

    Columns are prediction, probability_* of every class (or std, the standard deviation of a
    number), and novel: whether a row is farther from all nodes than the training rows were, so
    that the answer is a guess. With a confidence, there are in_set_* of every class, or lower and
    upper: calibrated by leave-one-out, not guaranteed. With costs (here, or noted in the model by
    'fit'), the prediction is the class of least expected cost, else the most probable one.
    """
    with told_errors(out):
        if as_json and out is None:
            raise UsageError("The option '--json' needs '-o': answers would mix with the summary.")
        copied, deployed, summaries = list(dict.fromkeys(copy or [])), None, []
        for path, place in zip(data, _places(data, out), strict=True):
            check_output(place, model, path, prints=as_json)
            deployed = deployed or _loaded(model, parsed_costs(costs))
            summary = predict_file(
                deployed, path, place, copied, raw=raw_labels, confidence=confidence
            )
            summaries.append(summary)
            if place is not None and not as_json:
                n_rows, novel = counted(summary["n_rows"], "row"), summary["n_novel"]
                tell(f"{place}: {n_rows}, {novel} of them far from all nodes.")
        if as_json:
            print_json(summaries[0] if len(data) == 1 else summaries)


def _loaded(model: Path, costs: dict[str, float] | None) -> Deployed:
    """Load a model, with other costs than it notes where some are given."""
    deployed = Deployed.load(model)
    return deployed if costs is None else deployed.with_costs(costs)


def _places(data: list[str], out: Path | None) -> list[Path | None]:
    """Where answers for every file go: a file of its name in a folder where there are several."""
    if len(data) == 1:
        return [out]
    if out is None or not out.is_dir():
        raise UsageError(
            f"The option '-o' must be a folder that exists for several files. Got {out}."
        )
    places: list[Path | None] = [out / f"{Path(path).stem}.csv" for path in data]
    if len(set(places)) < len(places):
        raise UsageError("Several files must have different names. Got one name more than once.")
    return places


def predict_file(
    deployed: Deployed,
    data: str | Path,
    out: Path | None,
    copy: list[str],
    *,
    raw: bool = False,
    confidence: float | None = None,
) -> dict[str, Any]:
    """Write answers chunk by chunk, and say what surprised; a file appears when all are there.

    Returns
    -------
    dict
        out, n_rows, n_novel, predictions (rows by class), unknown_categories and gaps (rows by text
        by column).
    """
    n_rows = n_novel = 0
    labels: Counter[str] = Counter()
    surprises = Surprises()
    texts = [*deployed.schema.categories, *copy]
    with _writing(out) as file:
        for frame in read_chunks(data, texts):
            check_columns(copy, frame, "that '--copy' names")
            answers, new = deployed.answers(frame, confidence)
            whole = _beside(frame[copy], answers)
            whole = whole if raw else harmless(whole)
            whole.to_csv(file, index=False, header=not n_rows)
            n_rows, n_novel = n_rows + len(answers), n_novel + int(answers["novel"].sum())
            if hasattr(deployed.fitted.model, "classes_"):
                labels.update(answers["prediction"].astype(str).tolist())
            surprises += new
    warn_of(surprises.notes())
    return {
        "out": None if out is None else str(out),
        "n_rows": n_rows,
        "n_novel": n_novel,
        "predictions": dict(labels),
        "unknown_categories": surprises.unknown,
        "gaps": surprises.gaps,
    }


def _beside(copied: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """Copied columns, then answers; those of the same name get a longer one."""
    longer = {name: f"{name}_predicted" for name in copied}
    return pd.concat([copied, answers.rename(columns=longer)], axis=1)


@contextmanager
def _writing(out: Path | None) -> Iterator[IO[str]]:
    """UTF-8, whatever the terminal's encoding is: answers are the same wherever they go."""
    if out is None:
        text = TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)
        yield cast("IO[str]", Shown(text, is_terminal=sys.stdout.isatty()))
        text.detach()  # standard output stays open
        return
    with (
        atomic_path(out) as place,
        open(place, "w", encoding="utf-8", newline="") as file,
    ):
        yield file
