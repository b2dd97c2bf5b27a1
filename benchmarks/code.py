"""How long functions and modules are, and how many parameters functions take.

python -m benchmarks.code            # this tree
python -m benchmarks.code PATH       # another checkout's src/drumlin
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import numpy as np

MOST_PARAMETERS = 6
INNERMOST = ("_kernels/numba", "_kernels/compiled", "_compiled.py")


def functions(path: Path):
    """Name, lines of the body without docstring, and number of parameters of every function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            length = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            names = [a.arg for a in arguments if a.arg not in ("self", "cls")]
            yield node.name, length, len(names)


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
    files = sorted(root.rglob("*.py"))
    found = [(path.relative_to(root), *entry) for path in files for entry in functions(path)]
    lengths = np.array([length for _, _, length, _ in found])
    modules = np.array([path.read_text().count("\n") for path in files])
    print(f"{len(files)} modules, lines median {np.median(modules):.0f}, largest {modules.max()}")
    print(f"{sum(map(code_lines, files))} lines of code without comments and docstrings")
    print(
        f"{len(found)} functions, lines median {np.median(lengths):.0f}, "
        f"p90 {np.quantile(lengths, 0.9):.0f}, largest {lengths.max()}"
    )
    for path, name, _, n_parameters in sorted(found, key=lambda entry: -entry[3]):
        kernel = any(part in str(path) for part in INNERMOST)
        command = str(path).startswith("cli/")
        if n_parameters > MOST_PARAMETERS and name != "__init__" and not kernel and not command:
            print(f"  {n_parameters} parameters: {path} {name}")


if __name__ == "__main__":
    main()
