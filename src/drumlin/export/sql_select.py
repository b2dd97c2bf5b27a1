"""One SELECT out of steps: every step hands on what later ones need, and nothing else."""

from __future__ import annotations

import re

from drumlin.export.computation import NotExportable
from drumlin.export.dialects import Dialect
from drumlin.export.sql_steps import Named, Step
from drumlin.export.text import sql_name

_WORD = re.compile(r"\w+")


def select(steps: list[Step], answers: Named, table: str, words: Dialect) -> str:
    """Write steps as common table expressions, and answers from the last of them.

    Parameters
    ----------
    steps : list of Step
        The first reads the table under the name ``given_``; one without columns is left out.
    answers : dict
        Expressions by quoted names.
    table : str
    words : Dialect
    """
    steps = [(name, columns) for name, columns in steps if columns]
    end = _end(steps, table)
    before = f"{sql_name(table)} AS given_"
    parts = []
    for (name, columns), handed in zip(steps, _handed_on(steps, answers), strict=True):
        _check_width(name, len(handed) + len(columns), words)
        listed = ",\n    ".join([*handed, *(f"{e} AS {n}" for n, e in columns.items())])
        parts.append(f"{name}{end} AS MATERIALIZED (\n  SELECT\n    {listed}\n  FROM {before}\n)")
        before = f"{name}{end}"
    listed = ",\n  ".join(f"{expression} AS {name}" for name, expression in answers.items())
    return f"WITH {', '.join(parts)}\nSELECT\n  {listed}\nFROM {before}\n"


def _end(steps: list[Step], table: str) -> str:
    """What makes the names of steps differ from that of the table."""
    end = ""
    while any(f"{name}{end}" == table.lower() for name, _ in steps):
        end += "_"
    return end


def _handed_on(steps: list[Step], answers: Named) -> list[list[str]]:
    """Columns of earlier steps that each step must hand on, for those after it."""
    made = {column: i for i, (_, columns) in enumerate(steps) for column in columns}
    needed = _words(answers)
    result = []
    for i in range(len(steps) - 1, -1, -1):
        result.append([column for column, at in made.items() if at < i and column in needed])
        needed |= _words(steps[i][1])
    return result[::-1]


def _words(columns: Named) -> set[str]:
    return {word for expression in columns.values() for word in _WORD.findall(expression)}


def _check_width(name: str, width: int, words: Dialect) -> None:
    if width > words.most_columns:
        raise NotExportable(
            f"{words.name} holds at most {words.most_columns} columns; the step {name!r} of this "
            f"model needs {width}. Fewer nodes or inputs are needed."
        )
