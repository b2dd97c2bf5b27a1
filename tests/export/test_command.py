"""``drumlin export`` as a user types it, on a model that ``drumlin fit`` has saved."""

from __future__ import annotations

import json
import sqlite3

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from drumlin.cli.app import app
from tests.cli.conftest import passengers
from tests.export.compiling import STRICT, compilers, run


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("ship")
    frame = passengers().assign(fare=np.arange(400) % 37)
    frame.to_csv(place / "ship.csv", index=False)
    frame.drop(columns="survived").to_csv(place / "new.csv", index=False)
    fit = ("fit", place / "ship.csv", "--target", "survived")
    done = call(*fit, "--ignore", "boarded", "-o", place / "model.drumlin")
    assert done.exit_code == 0, done.output
    done = call(*fit, "-o", place / "dated.drumlin")
    assert done.exit_code == 0, done.output
    done = call("predict", place / "model.drumlin", place / "new.csv", "-o", place / "answers.csv")
    assert done.exit_code == 0, done.output
    return place


def test_dates_cannot_be_exported_and_it_is_said(folder):
    done = call("export", folder / "dated.drumlin", "--to", "python")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: The dates of 'boarded' cannot be exported.")


def test_python_to_standard_output_answers_as_predict_does(folder):
    done = call("export", folder / "model.drumlin", "--to", "python")
    assert done.exit_code == 0, done.output
    names = {}
    exec(done.stdout, names)
    frame = pd.read_csv(folder / "new.csv").astype({"alone": float})
    answers = pd.read_csv(folder / "answers.csv")
    for row, label, p in zip(
        frame.to_dict("records"), answers["prediction"], answers["probability_yes"], strict=True
    ):
        answer = names["predict"](row)
        assert answer["label"] == label
        assert abs(answer["probabilities"][1] - p) < 1e-12


def test_sql_answers_as_predict_does(folder):
    done = call(
        "export", folder / "model.drumlin", "--to", "sql", "--table", "ship", "--keep",
        "PassengerId", "-o", folder / "model.sql",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    with sqlite3.connect(":memory:") as connection:
        pd.read_csv(folder / "new.csv").to_sql("ship", connection)
        table = pd.read_sql((folder / "model.sql").read_text(), connection)
    answers = pd.read_csv(folder / "answers.csv")
    assert (table["prediction"] == answers["prediction"]).all()
    assert np.abs(table["probability_yes"] - answers["probability_yes"]).max() < 1e-9


@pytest.mark.skipif(not compilers(), reason="needs a C compiler")
def test_c_compiles_and_tests_itself(folder):
    done = call(
        "export", folder / "model.drumlin", "--to", "c", "--number", "float", "--exp", "own",
        "-o", folder / "ship.c", "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    assert {entry["path"] for entry in summary["files"]} == {
        str(folder / "ship.h"), str(folder / "ship.c"),
    }  # fmt: skip
    assert summary["model"] in (folder / "ship.h").read_text()
    (folder / "main.c").write_text(
        '#include "ship.h"\nint main(void) { return ship_selftest(); }\n'
    )
    run(compilers()[0], *STRICT, folder / "ship.c", folder / "main.c", "-o", folder / "a", "-lm")
    run(folder / "a")


@pytest.mark.parametrize("target", ["onnx", "js"])
def test_other_targets_are_written(folder, target):
    out = folder / f"model.{target}"
    done = call("export", folder / "model.drumlin", "--to", target, "-o", out)
    assert done.exit_code == 0, done.output
    assert out.stat().st_size > 1000


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--to", "rust"], "'--to' must be one of"),
        (["--to", "c"], "'-o' is needed"),
        (["--to", "c", "-o", "{}/2 models.c"], "must be a file *.c whose name is an identifier"),
        (["--to", "sql", "--dialect", "oracle"], "'dialect' parameter must be one of"),
        (["--to", "sql", "--table", ""], "'table' parameter must be a text"),
        (["--to", "sql", "--number", "float"], "'--number' is for '--to c'. Got '--to sql'"),
        (["--to", "js", "--exp", "libm"], "'--exp' is for '--to c'"),
        (["--to", "python", "--labels-only"], "'--labels-only' is for '--to c'"),
        (["--to", "python", "--novelty"], "'--novelty' is for '--to c'"),
        (["--to", "c", "--table", "rows", "-o", "{}/m.c"], "'--table' is for '--to sql'"),
        (["--to", "js", "--keep", "id"], "'--keep' is for '--to sql'"),
    ],
)
def test_what_is_wrong_is_said(folder, options, message):
    done = call("export", folder / "model.drumlin", *(o.format(folder) for o in options))
    assert done.exit_code in (1, 2)
    assert message in done.stderr
