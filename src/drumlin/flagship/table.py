"""The constants of the flagship as tables for docs/flagship.md, read from the code.

``python -m drumlin.flagship.table`` prints them; with the name of a file it renews them there.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from drumlin import flagship, laplace
from drumlin.flagship.recipe import Recipe
from drumlin.linear import gram

BEGIN, END = "<!-- constants:begin -->", "<!-- constants:end -->"
"""What stands before and after the tables in a document."""

_FLOOR = re.compile(r"LEAST_\w+|DIFFERENT|SINGULAR")


class Constant(NamedTuple):
    """One constant: where it is used, its name, value and kind, and what it means."""

    step: str
    name: str
    value: Any
    kind: str
    meaning: str


def constants_table() -> str:
    """Return the constants of the recipe and the rounding floors as two tables in markdown."""
    recipe = [(c.step, f"`{c.name}`", shown(c.value), c.kind, c.meaning) for c in constants()]
    floors = [(f"`{c.step}`", f"`{c.name}`", shown(c.value), c.meaning) for c in rounding_floors()]
    return "\n".join(
        [
            *_table(("step", "constant", "value", "kind", "meaning"), recipe),
            "",
            "Rounding floors: what is smaller is rounding, or not to be trusted.",
            "",
            *_table(("where", "constant", "value", "meaning"), floors),
        ]
    )


def constants(recipe: object = Recipe(), step: str = "recipe") -> Iterator[Constant]:
    """Yield the fields of a recipe, then those of its rules, step by step."""
    assert is_dataclass(recipe)
    meaning = documented(type(recipe))
    for field in fields(recipe):
        value = getattr(recipe, field.name)
        if is_dataclass(value):
            yield from constants(value, field.name)
        else:
            yield Constant(
                step, field.name, value, field.metadata["kind"], meaning.get(field.name, "")
            )


def documented(cls: type) -> dict[str, str]:
    """Return what the numpydoc docstring of a class says of its parameters, by name."""
    _, _, text = (inspect.getdoc(cls) or "").partition("Parameters\n----------\n")
    meanings: dict[str, str] = {}
    names: list[str] = []
    for line in text.split("\n\n")[0].splitlines():
        if line.startswith(" "):
            meanings.update({name: f"{meanings[name]} {line.strip()}".strip() for name in names})
        else:
            names = [name.strip() for name in line.split(" : ")[0].split(",")]
            meanings.update(dict.fromkeys(names, ""))
    return meanings


def rounding_floors() -> Iterator[Constant]:
    """Yield the module constants that keep rounding from being taken for data."""
    for module in _modules():
        for statement, after in pairwise(ast.parse(inspect.getsource(module)).body):
            match statement, after:
                case (
                    ast.Assign(targets=[ast.Name(id=name)]),
                    ast.Expr(value=ast.Constant(value=str(meaning))),
                ) if _FLOOR.fullmatch(name):
                    step = module.__name__.removeprefix("drumlin.")
                    yield Constant(step, name, getattr(module, name), "rounding", meaning)


def _modules() -> Iterator[ModuleType]:
    yield gram
    for package in (laplace, flagship):
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def shown(value: Any) -> str:
    """Return a number, or numbers in tuples, as a reader wants to see them."""
    if not isinstance(value, tuple):
        return f"{value:g}" if isinstance(value, float) else str(value)
    parts = [f"({shown(v)})" if isinstance(v, tuple) else shown(v) for v in value]
    return ", ".join(parts)


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for row in (header, ("---",) * len(header), *rows):
        yield "| " + " | ".join(" ".join(cell.replace("|", r"\|").split()) for cell in row) + " |"


def renewed(text: str) -> str:
    """Return a document with the tables between its marks renewed."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"The document must hold the lines {BEGIN!r} and {END!r}. Got neither.")
    return f"{before}{begin}\n{constants_table()}\n{end}{after}"


def main(arguments: list[str]) -> None:
    """Print the tables, or renew them in the files named."""
    if not arguments:
        print(constants_table())
    for path in map(Path, arguments):
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
