"""The README's quick start, as it is written."""

from __future__ import annotations

import csv
import runpy
import shlex
from pathlib import Path

import numpy as np
import pytest

import drumlin
from drumlin.tables import TableWarning
from tests.cli.conftest import run

README = Path(__file__).parents[2] / "README.md"
SLOW = "compare"  # it tunes an SVC in every fold


def block(language, number):
    """Text of one of the README's blocks, counted from 0."""
    text = README.read_text(encoding="utf-8")
    return text.split(f"```{language}\n")[1 + number].split("```")[0]


def commands(number=0):
    """Words of every command of a block of shell lines but the one that installs."""
    lines = block("shell", number).splitlines()
    typed = [shlex.split(part, comments=True) for line in lines for part in line.split("&&")]
    return [words for words in typed if words[0] != "pip"]


def follow(lines):
    for program, *arguments in lines:
        assert program == "drumlin"
        done = run(*arguments)
        assert done.exit_code == 0, done.output


def test_quick_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line for line in commands() if SLOW not in line]
    assert [words[1] for words in lines] == ["demo", "fit", "report", "export"]
    follow(lines)
    written = {path.name for path in tmp_path.iterdir()}
    assert {"model.drumlin", "report.html", "model.c", "model.h"} <= written


@pytest.mark.slow
def test_quick_start_with_comparison(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    follow(commands())


def test_a_mixed_table_in_python_and_in_the_shell(tmp_path, monkeypatch):
    """The second tour: both make the same model, to the last bit."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(README.parent / "examples")
    follow(commands(1))
    python: dict = {}
    with pytest.warns(TableWarning, match="'fee' holds amounts in €"):
        exec(block("python", 1), python)
    model, X = python["model"], python["X"]
    theirs, ours = drumlin.load("flats.drumlin").network_, model.network_
    for name in ("coef", "intercept"):
        assert getattr(theirs, name).tobytes() == getattr(ours, name).tobytes()
    assert theirs.nodes.centers.tobytes() == ours.nodes.centers.tobytes()
    with open("rents.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    answers = {
        name: [float(row[name]) for row in rows] for name in ("prediction", "lower", "upper")
    }
    np.testing.assert_array_equal(answers["prediction"], model.predict(X))
    ends = np.column_stack([answers["lower"], answers["upper"]])
    np.testing.assert_array_equal(ends, model.predict_interval(X, 0.9))


def test_the_table_of_the_tour_is_what_its_script_makes():
    made = runpy.run_path(str(README.parent / "examples" / "make_flats.py"))["flats"]()
    known = (README.parent / "examples" / "flats.csv").read_text(encoding="utf-8")
    assert made.to_csv(index=False) == known
