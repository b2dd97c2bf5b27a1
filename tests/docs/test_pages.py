"""Every code block of the tutorial and the how-to pages does what the page says."""

from __future__ import annotations

import warnings

import pytest
from typer.testing import CliRunner

from drumlin.cli.app import app
from tests.docs.pages import DOCS, blocks, commands, linked_pages

PAGES = [
    page
    for index in ("tutorial/index.md", "howto/index.md")
    for page in linked_pages(index)
    if blocks(page)
]


def run_python(code, line, page, names):
    """Run a block so that errors tell the line of the page."""
    exec(compile("\n" * (line - 1) + code, str(DOCS / page), "exec"), names)


def run_command(arguments):
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, f"drumlin {' '.join(arguments)}\n{done.output}"


@pytest.mark.parametrize("page", PAGES)
def test_code_on_pages_runs(page, tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "__main__"}
    try:
        for block in blocks(page):
            if block.language == "python":
                with warnings.catch_warnings():
                    run_python(block.code, block.line, page, names)
            elif block.language == "shell":
                for arguments in commands(block):
                    run_command(arguments)
    finally:
        import matplotlib.pyplot as plt

        plt.close("all")


def test_all_pages_of_the_tutorial_and_the_guides_are_there():
    assert {"tutorial/python.md", "tutorial/command-line.md"} <= set(PAGES)
    for index in ("tutorial/index.md", "howto/index.md"):
        assert [page for page in linked_pages(index) if not (DOCS / page).exists()] == []


def test_lines_and_hidden_blocks_are_found():
    for page in PAGES:
        text = (DOCS / page).read_text(encoding="utf-8").splitlines()
        for block in blocks(page):
            assert text[block.line - 1] == block.code.splitlines()[0]
