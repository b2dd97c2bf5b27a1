"""The table of constants in the docs is that of the code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from drumlin.flagship import Recipe
from drumlin.flagship.table import (
    BEGIN,
    END,
    constants,
    constants_table,
    documented,
    main,
    renewed,
    rounding_floors,
    shown,
)
from tests.warm import run_warm

DOCS = Path(__file__).parents[2] / "docs" / "flagship.md"


def test_the_docs_show_the_constants_of_the_code():
    text = DOCS.read_text(encoding="utf-8")
    assert text == renewed(text), (
        "The table of constants in docs/flagship.md is not that of the code. Renew it:\n"
        "    python -m drumlin.flagship.table docs/flagship.md"
    )


def test_every_constant_has_a_line():
    table = constants_table()
    for constant in constants():
        line = (
            f"| {constant.step} | `{constant.name}` | {shown(constant.value)} | {constant.kind} |"
        )
        assert line in table
    assert f"| recipe | `price` | {Recipe().price:g} | statistical |" in table
    assert "| judge | `truncation_rows` | 20000 | budget |" in table


def test_every_rounding_floor_has_a_line():
    floors = {(floor.step, floor.name): floor for floor in rounding_floors()}
    assert set(floors) == {
        ("linear.gram", "LEAST_ETA"),
        ("laplace.quadratic", "LEAST_CURVATURE"),
        ("laplace.quadratic", "LEAST_FREEDOM"),
        ("laplace.several", "LEAST_HELD"),
        ("flagship.figures", "LEAST_STD"),
        ("flagship.metric", "SINGULAR"),
        ("flagship.screen", "SINGULAR"),
        ("flagship.smooth", "LEAST_NOISE"),
        ("flagship.start", "DIFFERENT"),
        ("flagship.start", "LEAST_ERROR"),
    }
    assert all(floor.meaning.endswith(".") and floor.value < 0.1 for floor in floors.values())
    assert all(f"| `{step}` | `{name}` |" in constants_table() for step, name in floors)


def test_what_a_docstring_says_is_read_by_name():
    @dataclass
    class Rule:
        """A rule.

        Parameters
        ----------
        a, b : float
            Of both,
            on two lines.
        c : tuple of int
            Alone.
        d : int

        Notes
        -----
        e : not a parameter.
        """

    both = "Of both, on two lines."
    assert documented(Rule) == {"a": both, "b": both, "c": "Alone.", "d": ""}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (1e-6, "1e-06"),
        (60_000, "60000"),
        ((8.0, 0.5), "8, 0.5"),
        (((30_000, 80), (float("inf"), 20)), "(30000, 80), (inf, 20)"),
    ],
)
def test_values_are_shown_briefly(value, text):
    assert shown(value) == text


def test_a_document_without_marks_is_refused():
    for text in ("", BEGIN, f"{END} {BEGIN}"):
        with pytest.raises(ValueError, match="constants:begin"):
            renewed(text)
    assert renewed(f"a{BEGIN}old{END}b") == f"a{BEGIN}\n{constants_table()}\n{END}b"


def test_the_command_prints_and_renews(tmp_path, capsys):
    main([])
    assert capsys.readouterr().out == f"{constants_table()}\n"
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\n{END}\nafter\n")
    main([str(page)])
    assert page.read_text() == f"before\n{BEGIN}\n{constants_table()}\n{END}\nafter\n"
    program = """
import runpy, warnings
warnings.simplefilter("error")
runpy.run_module("drumlin.flagship.table", run_name="__main__", alter_sys=True)
"""
    assert run_warm(program) == (0, f"{constants_table()}\n", "")
