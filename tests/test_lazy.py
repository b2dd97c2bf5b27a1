"""What is not used is not imported: by the package, by help and version, by estimators."""

from __future__ import annotations

import importlib
import inspect
import json
import pickle
import pkgutil
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import drumlin
from drumlin.cli.app import COMMANDS, app, load

HEAVY = {"joblib", "matplotlib", "numba", "numpy", "pandas", "scipy", "sklearn"}
ROOMS = [room.name for room in pkgutil.iter_modules(drumlin.__path__) if room.name[0] != "_"]


def imported(program):
    """Names of all modules that a program has imported when it ends, and the first part of each."""
    tail = "\nimport json, sys; print(); print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program + tail], capture_output=True, text=True, check=True
    )
    names = json.loads(done.stdout.splitlines()[-1])
    return {*names, *(name.split(".")[0] for name in names)}


def command(option):
    return (
        f"from drumlin.cli.app import app\ntry:\n    app([{option!r}])\nexcept SystemExit: pass\n"
    )


def test_the_package_alone_imports_nothing():
    names = imported("import drumlin")
    assert not names & (HEAVY | {"rich", "typer"})
    assert {name for name in names if name.startswith("drumlin")} == {"drumlin", "drumlin._version"}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_command(option):
    names = imported(command(option))
    assert not names & HEAVY
    ours = {name for name in names if name.startswith("drumlin")}
    assert ours == {"drumlin", "drumlin._version", "drumlin.cli", "drumlin.cli.app"}


def test_estimators_import_only_what_they_need():
    names = imported("from drumlin import DrumlinClassifier, load")
    others = {f"drumlin.{room}" for room in ("cli", "experiments", "plotting", "report", "tables")}
    assert not names & ({"dask", "distributed", "fastrvm", "matplotlib", "numba", "typer"} | others)


def test_a_command_imports_only_its_own_file():
    names = imported("from drumlin.cli.app import load; load('datasets')")
    assert "drumlin.cli.datasets" in names
    assert not names & {f"drumlin.cli.{name}" for name in COMMANDS if name != "datasets"}


def test_all_names_are_there_when_asked_for():
    program = f"""
import drumlin
for name in {drumlin.__all__} + {ROOMS}:
    assert name in dir(drumlin), name
    assert getattr(drumlin, name) is getattr(drumlin, name), name
from drumlin import *
assert DrumlinClassifier is drumlin.estimators.DrumlinClassifier
"""
    imported(program)


@pytest.mark.parametrize("name", ["Drumlin", "_lazy", "__wrapped__"])
def test_other_names_are_not(name):
    with pytest.raises(AttributeError, match=f"'drumlin' has no attribute '{name}'"):
        getattr(drumlin, name)


def test_what_was_imported_lazily_pickles():
    assert pickle.loads(pickle.dumps(drumlin.DrumlinClassifier)) is drumlin.DrumlinClassifier
    assert pickle.loads(pickle.dumps(drumlin.load)) is drumlin.load


@pytest.mark.parametrize("name", COMMANDS)
def test_help_lists_the_first_line_of_each_command(name):
    doc = inspect.getdoc(importlib.import_module(f"drumlin.cli.{name}").command)
    assert COMMANDS[name] == doc.split("\n\n")[0]
    assert load(name).help.startswith(COMMANDS[name])


def test_version():
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.stdout) == (0, f"drumlin {drumlin.__version__}\n")


def test_unknown_commands_are_refused():
    done = CliRunner().invoke(app, ["fti"])
    assert done.exit_code == 2
    assert "No such command" in done.output
