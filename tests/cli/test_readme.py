"""The README's quick start, as it is written."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import run

README = Path(__file__).parents[2] / "README.md"
SLOW = "compare"  # it tunes an SVC in every fold


def commands():
    section = README.read_text(encoding="utf-8").split("## From a CSV to a deployed model")[1]
    section = section.split("\n## ")[0]
    lines = [line.strip() for line in section.splitlines() if line.startswith("    ")]
    return [shlex.split(line, comments=True) for line in lines]


def follow(lines, monkeypatch):
    for program, *arguments in lines:
        if program == "cd":
            monkeypatch.chdir(arguments[0])
            continue
        assert program == "drumlin"
        done = run(*arguments)
        assert done.exit_code == 0, done.output


def test_quick_start(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line for line in commands() if SLOW not in line]
    assert len(lines) == 6
    follow(lines, monkeypatch)
    written = {path.name for path in (tmp_path / "tryout").iterdir()}
    assert {"model.drumlin", "answers.csv", "report.html"} <= written


@pytest.mark.slow
def test_quick_start_with_comparison(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    follow(commands(), monkeypatch)
