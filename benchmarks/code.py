"""How long functions and modules are, and how many parameters functions take.

python -m benchmarks.code            # this tree
python -m benchmarks.code PATH       # another checkout's src/drumlin
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MOST_PARAMETERS = 6
"""Of a function that is neither constructor, command nor kernel."""

MOST_LINES = 16
"""Ninety per cent of all functions are no longer, docstrings apart."""

KERNELS = ("reference.py", "compiled.py")
"""Innermost loops, in both backends: files of ``_kernels`` that end so."""


@dataclass(frozen=True)
class Function:
    """A function of the package.

    Parameters
    ----------
    path : Path
        Its file, below the package.
    name : str
    n_lines : int
        Of the body without docstring.
    n_parameters : int
        Without ``self`` and ``cls``.
    is_constructor : bool
        ``__init__``, or a class method such as scikit-learn's ``from_estimator``.
    """

    path: Path
    name: str
    n_lines: int
    n_parameters: int
    is_constructor: bool

    @property
    def may_take_many(self) -> bool:
        """Whether the function is a constructor, a command or an innermost kernel."""
        room = self.path.parts[0]
        is_kernel = room == "_kernels" and self.path.name.endswith(KERNELS)
        return self.is_constructor or room == "cli" or is_kernel


def functions(root: Path) -> Iterator[Function]:
    """All functions below a folder."""
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield _function(path.relative_to(root), node)


def _function(path: Path, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Function:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    n_lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
    arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    n_parameters = sum(argument.arg not in ("self", "cls") for argument in arguments)
    made_by_class = any(getattr(d, "id", "") == "classmethod" for d in node.decorator_list)
    is_constructor = node.name == "__init__" or made_by_class
    return Function(path, node.name, n_lines, n_parameters, is_constructor)


def with_many_parameters(found: list[Function]) -> list[Function]:
    """Functions with more parameters than they may take, most first."""
    many = [f for f in found if f.n_parameters > MOST_PARAMETERS and not f.may_take_many]
    return sorted(many, key=lambda f: -f.n_parameters)


def code_lines(path: Path) -> int:
    """Lines that are neither blank, comment nor docstring."""
    text = path.read_text()
    documented = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            documented |= set(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and i not in documented
        for i, line in lines
    )


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "src/drumlin")
    files, found = sorted(root.rglob("*.py")), list(functions(root))
    lengths = np.array([function.n_lines for function in found])
    modules = np.array([path.read_text().count("\n") for path in files])
    print(f"{len(files)} modules, lines median {np.median(modules):.0f}, largest {modules.max()}")
    print(f"{sum(map(code_lines, files))} lines of code without comments and docstrings")
    print(
        f"{len(found)} functions, lines median {np.median(lengths):.0f}, "
        f"p90 {np.quantile(lengths, 0.9):.0f}, largest {lengths.max()}"
    )
    for function in with_many_parameters(found):
        print(f"  {function.n_parameters} parameters: {function.path} {function.name}")


if __name__ == "__main__":
    main()
