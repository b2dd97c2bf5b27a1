"""Index of the five sources: equation, function, test (docs/papers/index.md).

    python -m benchmarks.papers > docs/papers/index.md

The list is docs/papers/equations.toml. An equation that it leaves out or names twice, a function
that cannot be imported and a test that is not in its file are errors.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LIST = ROOT / "docs" / "papers" / "equations.toml"

HEAD = """# Every equation, its function, its test

    python -m benchmarks.papers > docs/papers/index.md      # from equations.toml; a test compares

Functions and tests are links to their files. What was misprinted and how it was corrected stands on
the pages of the sources: [hong2008](hong2008.md), [hong2014](hong2014.md), [chen2010](chen2010.md),
[ando2004](ando2004.md), [haykin5](haykin5.md).
"""


@dataclass(frozen=True)
class Entry:
    """Some equations of a source.

    Parameters
    ----------
    source : str
    numbers : range
    what : str
    code, tests : tuple of str
        ``module:name`` and ``file::name``.
    """

    source: str
    numbers: range
    what: str
    code: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def label(self) -> str:
        """The equations as the source numbers them."""
        chapter = "5." if self.source == "haykin5" else ""
        first, last = self.numbers[0], self.numbers[-1]
        label = f"({chapter}{first})"
        return label if first == last else f"{label}-({chapter}{last})"


def entries(known: dict[str, Any]) -> list[Entry]:
    """All entries of the list, in its order."""
    found = []
    for source in known["sources"]:
        for entry in known[source]:
            first, _, last = entry["eq"].partition("-")
            numbers = range(int(first), int(last or first) + 1)
            found.append(
                Entry(source, numbers, entry["what"], tuple(entry["code"]), tuple(entry["test"]))
            )
    return found


def gaps(known: dict[str, Any]) -> list[str]:
    """Equations that are not named just once, and entries without function or test."""
    wrong = []
    for source, count in known["sources"].items():
        mine = [entry for entry in entries(known) if entry.source == source]
        named = sorted(number for entry in mine for number in entry.numbers)
        missing = set(range(1, count + 1)) ^ set(named)
        twice = {number for number in named if named.count(number) > 1}
        wrong += [f"{source} ({number})" for number in sorted(missing | twice)]
        wrong += [
            f"{source} {entry.label} has no function or no test"
            for entry in mine
            if not (entry.code and entry.tests)
        ]
    return wrong


def function_file(code: str) -> Path:
    """File that defines a function, class, method or property; an error where there is none."""
    module, name = code.split(":")
    value: Any = importlib.import_module(module)
    for part in name.split("."):
        value = (
            inspect.getattr_static(value, part) if inspect.isclass(value) else getattr(value, part)
        )
    value = getattr(value, "fget", None) or getattr(value, "func", None) or value
    return Path(inspect.getsourcefile(inspect.unwrap(value)) or "").relative_to(ROOT)


@cache
def tests_of(path: str) -> frozenset[str]:
    """Names of the tests in a file."""
    tree = ast.parse((ROOT / path).read_text())
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_file(test: str) -> Path:
    """File of a test; an error where it has no such test."""
    path, name = test.split("::")
    if name not in tests_of(path):
        raise LookupError(f"{path} has no test {name}.")
    return Path(path)


def index() -> str:
    """The page."""
    known = tomllib.loads(LIST.read_text())
    if wrong := gaps(known):
        raise LookupError(f"docs/papers/equations.toml is not complete: {', '.join(wrong)}.")
    lines, source = [HEAD], ""
    for entry in entries(known):
        if entry.source != source:
            source = entry.source
            lines += [
                f"## {source}\n",
                "| equation | what | function | test |",
                "|---|---|---|---|",
            ]
        code = [_link(c.split(":")[1], function_file(c)) for c in entry.code]
        tests = [_link(t.split("::")[1], test_file(t)) for t in entry.tests]
        lines.append(f"| {entry.label} | {entry.what} | {', '.join(code)} | {', '.join(tests)} |")
        if entry.numbers[-1] == known["sources"][source]:
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _link(name: str, path: Path) -> str:
    return f"[`{name}`](../../{path})"


if __name__ == "__main__":
    print(index(), end="")
