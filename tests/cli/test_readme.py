"""The README's quick start, as it is written."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import run

README = Path(__file__).parents[2] / "README.md"
SLOW = "compare"  # it tunes an SVC in every fold


def commands():
    """Words of every command of the README's shell lines but the one that installs."""
    lines = README.read_text(encoding="utf-8").split("```shell\n")[1].split("```")[0].splitlines()
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
