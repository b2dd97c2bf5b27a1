"""Model files whose facts or notes were changed: an answer or one line of error, never more."""

from __future__ import annotations

import json
import random
import re

import numpy as np
import pandas as pd
import pytest

import drumlin
from drumlin import DrumlinClassifier
from drumlin._text import brief, printable
from drumlin.cli.console import Shown
from tests.cli.conftest import run
from tests.io.edits import Draft
from tests.io.mutations import edit

EVIL = "\x1b[31m\x07\x9b2J‮\x00evil\x7f"
COMMANDS = ("inspect", "inspect --json", "predict", "report")


def assert_told(command, model, folder, out):
    """Run a command and assert that nothing worse than a line of error comes of it."""
    arguments = {
        "inspect": ["inspect", model],
        "inspect --json": ["inspect", model, "--json"],
        "predict": ["predict", model, folder / "new.csv", "-o", out],
        "report": ["report", model, folder / "titanic.csv", "-o", out],
    }[command]
    done = run(*arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code in (0, 1, 2)
    assert not done.exit_code or done.stderr.splitlines()[-1].startswith("Error: ")
    assert all(line.isprintable() for line in done.output.split("\n"))
    return done


NOTES = {
    "columns": [None, 3, "x", [], [3], ["a"], [{}], [{"dict": {}}], {"dict": {"a": 1}}],
    "target": [None, 3, "x", [], {"dict": {}}, {"dict": {"name": 1, "task": 2, "kind": []}}],
    "farthest": ["far", [], {"dict": {}}, {"float": "nan"}, -1, True],
    "sha256": [3, []],
    "holdout": ["some", 7, -1.0, {"float": "nan"}, []],
    "seed": ["x", 1.5, -1, 2**60, []],
    "file": [3, EVIL, []],
    "n_train": ["x", []],
    "seconds": ["x", [], EVIL],
    "loo": [3, [], {"dict": {"error": "x", EVIL: EVIL}}],
    "test": [3, [], {"dict": {EVIL: [EVIL]}}],
    EVIL: [EVIL, "a" * 10**5, [EVIL] * 100],
}
CASES = [(name, value) for name, values in NOTES.items() for value in values]


@pytest.mark.parametrize("command", COMMANDS)
def test_notes_that_fit_never_writes(command, folder, tmp_path):
    good = (folder / "model.drumlin").read_bytes()
    for name, value in CASES[:: 6 if command == "report" else 1]:  # pages take long
        draft = Draft(good)
        draft.manifest["notes"]["dict"][name] = value
        (tmp_path / "model").write_bytes(draft.content())
        assert_told(command, tmp_path / "model", folder, tmp_path / "out.html")


@pytest.mark.parametrize(("changes", "reason"), [
    ({"kind": "number"}, "other columns"),
    ({"name": "boat"}, "other columns"),
    ({"kind": "id"}, "other columns"),
    ({"kind": "magic"}, "do not say what its columns are"),
    ({"n_missing": "some"}, "do not say what its columns are"),
    ({"detail": 3}, "do not say what its columns are"),
])  # fmt: skip
def test_columns_that_are_not_those_of_the_model(changes, reason, folder, tmp_path):
    draft = Draft((folder / "model.drumlin").read_bytes())
    columns = draft.manifest["notes"]["dict"]["columns"]
    next(c["dict"] for c in columns if c["dict"]["name"] == "sex").update(changes)
    (tmp_path / "model").write_bytes(draft.content())
    done = assert_told("predict", tmp_path / "model", folder, tmp_path / "out.csv")
    assert done.exit_code == 1
    assert re.search(reason, done.stderr)


def test_target_of_another_kind(folder, tmp_path):
    draft = Draft((folder / "model.drumlin").read_bytes())
    draft.manifest["notes"]["dict"]["target"]["dict"]["task"] = "regression"
    (tmp_path / "model").write_bytes(draft.content())
    done = assert_told("report", tmp_path / "model", folder, tmp_path / "out.html")
    assert done.exit_code == 1


@pytest.mark.parametrize("command", COMMANDS[:3])
def test_manifests_changed_at_random(command, folder, tmp_path):
    good = (folder / "model.drumlin").read_bytes()
    for seed in range(20):
        draft, rng = Draft(good), random.Random(seed)
        edit(draft.manifest[rng.choice(["facts", "notes"])], rng)
        (tmp_path / "model").write_bytes(draft.content())
        assert_told(command, tmp_path / "model", folder, tmp_path / "out.csv")


def test_inspect_tells_of_the_model_not_of_what_the_file_says(folder, tmp_path):
    draft = Draft((folder / "model.drumlin").read_bytes())
    draft.manifest["facts"] = {"dict": {"estimator": "Oracle", "n_nodes": -1}}
    (tmp_path / "model").write_bytes(draft.content())
    done = run("inspect", tmp_path / "model", "--json")
    assert json.loads(done.stdout)["facts"]["estimator"] == "DrumlinClassifier"


def test_classes_and_columns_cannot_command_the_terminal(tmp_path):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 2)), columns=[f"a{EVIL}", "b"])
    y = np.where(X["b"] > 0.0, f"yes{EVIL}", "no")
    drumlin.save(DrumlinClassifier(max_nodes=2).fit(X, y), tmp_path / "model", notes={EVIL: EVIL})
    for more in ([], ["--json"]):
        done = run("inspect", tmp_path / "model", *more)
        assert done.exit_code == 0
        assert "evil" in done.stdout
        assert all(line.isprintable() for line in done.stdout.split("\n"))
    assert EVIL in json.loads(done.stdout)["notes"]  # escaped, not lost


class Terminal(list):
    """Where text goes."""

    def isatty(self):
        return True

    def write(self, text):
        self.append(text)
        return len(text)


def test_answers_on_a_terminal_are_printable():
    terminal = Terminal()
    Shown(terminal, is_terminal=terminal.isatty()).write(f"prediction\n{EVIL}\n")
    assert "".join(terminal).count("\n") == 2
    assert "".join(terminal).replace("\n", "").isprintable()


def test_printable_and_brief():
    assert printable("é ünd 漢") == "é ünd 漢"
    assert printable("\x1b[31m\n") == "\\x1b[31m\\n"
    assert printable("\ud800‮") == "\\ud800\\u202e"
    assert brief("abc", 3) == "abc"
    assert brief("abcdef", 5) == "ab..."
    assert len(brief("\x1b" * 1000)) <= 300
