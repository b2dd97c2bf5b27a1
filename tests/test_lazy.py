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
from tests.warm import run_warm

HEAVY = {"joblib", "matplotlib", "numba", "numpy", "pandas", "scipy", "sklearn"}
ROOMS = [room.name for room in pkgutil.iter_modules(drumlin.__path__) if room.name[0] != "_"]


TAIL = "\nimport json, sys; print(); print(json.dumps(list(sys.modules)))\n"


def names_of(line):
    """Names of all modules that were imported, and the first part of each."""
    names = json.loads(line)
    return {*names, *(name.split(".")[0] for name in names)}


def imported(*programs):
    """Modules that a process has imported when each of the programs has ended."""
    done = subprocess.run(
        [sys.executable, "-c", TAIL.join([*programs, ""])],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [names_of(line) for line in done.stdout.splitlines() if line.startswith('["sys"')]


def imported_warm(program):
    """What a program has imported of drumlin; other libraries may be there before."""
    code, out, told = run_warm(program + TAIL)
    assert code == 0, told
    return {name for name in names_of(out.splitlines()[-1]) if name.startswith("drumlin")}


@pytest.fixture(scope="module")
def rooms():
    """Modules after one import and then another, in one process: what is not there never was."""
    programs = {
        "package": "import drumlin",
        "estimators": "from drumlin import DrumlinClassifier",
        "io": "from drumlin import load",
        "plotting": "import drumlin.plotting",
        "deploy": "import drumlin.deploy, drumlin.evaluation",
    }
    return dict(zip(programs, imported(*programs.values()), strict=True))


def command(option):
    return (
        f"from drumlin.cli.app import app\ntry:\n    app([{option!r}])\nexcept SystemExit: pass\n"
    )


def test_the_package_alone_imports_nothing(rooms):
    names = rooms["package"]
    assert not names & (HEAVY | {"rich", "typer"})
    assert {name for name in names if name.startswith("drumlin")} == {"drumlin", "drumlin._version"}


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_no_command(option):
    (names,) = imported(command(option))
    assert not names & HEAVY
    ours = {name for name in names if name.startswith("drumlin")}
    assert ours == {"drumlin", "drumlin._version", "drumlin.cli", "drumlin.cli.app"}


def test_estimators_import_only_what_they_need(rooms):
    others = {f"drumlin.{room}" for room in ("cli", "experiments", "plotting", "report", "tables")}
    heavy = {"dask", "distributed", "fastrvm", "matplotlib", "numba", "typer"}
    assert "drumlin.estimators" in rooms["estimators"]
    assert not rooms["estimators"] & (heavy | others)
    assert not rooms["io"] & (heavy | others - {"drumlin.tables"})  # files may hold an encoder


def test_matplotlib_is_imported_only_to_draw(rooms):
    assert "drumlin.plotting" in rooms["plotting"]
    assert "matplotlib" not in rooms["plotting"]


def test_deploying_imports_no_command(rooms):
    assert "drumlin.deploy" in rooms["deploy"]
    assert not rooms["deploy"] & {"typer", "drumlin.cli", "drumlin.report", "matplotlib"}


def test_a_command_imports_only_its_own_file():
    names = imported_warm("from drumlin.cli.app import load; load('datasets')")
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
    imported_warm(program)


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
