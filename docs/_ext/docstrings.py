"""Docstrings as Sphinx wants them: what it would take for markup, and what is not ours."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

AFTER_NUMPYDOC = 900

_LITERAL = re.compile(r"(``.*?``|`[^`]*`_?)")
_FITTED = re.compile(r"(?<![\w\]`*])([A-Za-z]\w*)_(?![\w`*\\])")
_FOREIGN = re.compile(r":ref:`([^<`]*?)(?:\s*<[^>]*>)?`")
_CITED = re.compile(r"\[(\d+)\]_")
_CODE = (">>>", "...", "..")


def escape_names(line: str) -> str:
    """Keep ``n_nodes_`` a name: to reStructuredText it would be a link."""
    if line.lstrip().startswith(_CODE):
        return line
    parts = _LITERAL.split(line)
    parts[::2] = [_FITTED.sub(r"\1\\_", part) for part in parts[::2]]
    return "".join(parts)


def mend(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Escape names of fitted attributes; turn links into scikit-learn's manual into words."""
    lines[:] = [escape_names(_FOREIGN.sub(r"\1", line)) for line in lines]
    if not any(line.startswith(".. [") for line in lines):  # parameters described elsewhere
        lines[:] = [_CITED.sub(r"[\1]", line) for line in lines]


def skip_machinery(
    app: Any, what: str, name: str, obj: Any, skip: bool, options: Any
) -> bool | None:
    """Leave out what scikit-learn adds to every estimator for its metadata routing."""
    ours = name.startswith("set_") and name.endswith("_request")
    return True if ours or name == "get_metadata_routing" else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend docstrings after numpydoc has read them."""
    app.connect("autodoc-process-docstring", mend, priority=AFTER_NUMPYDOC)
    app.connect("autodoc-skip-member", skip_machinery)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
