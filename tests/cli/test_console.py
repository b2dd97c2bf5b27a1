"""Errors as the command tells them."""

from __future__ import annotations

import pytest
import typer

from drumlin._errors import ParameterError
from drumlin.cli.console import told_errors
from drumlin.tables import TableError
from tests.cli.conftest import run


@pytest.mark.parametrize(("error", "code", "message"), [
    (
        ParameterError("The 'max_nodes' parameter must be small. Got 9."),
        2,
        "Error: The option '--max-nodes' must be small. Got 9.",
    ),
    (
        TableError("It lacks 'b' that the 'keep' parameter names."),
        1,
        "Error: It lacks 'b' that '--keep' names.",
    ),
    (
        IsADirectoryError(21, "Is a directory", "models"),
        1,
        "Error: models must be a file. Got a folder.",
    ),
    (
        ValueError("The 'X' parameter must be finite."),
        1,
        "Error: The 'X' parameter must be finite.",
    ),
])  # fmt: skip
def test_parameters_of_the_library_are_options_of_the_command(error, code, message, capsys):
    with pytest.raises(typer.Exit) as caught, told_errors():
        raise error
    assert caught.value.exit_code == code
    assert capsys.readouterr().err.strip() == message


def test_help_flows():
    """Paragraphs are broken by the terminal, not by the source."""
    done = run("compare", "--help", env={"COLUMNS": "100"})
    assert "All get the same preparation" in " ".join(done.output.split())
    assert all(len(line) > 40 for line in done.output.split("CatBoost")[1].splitlines()[:2])
