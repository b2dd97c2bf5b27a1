"""Formulas as MathML, made while building by docutils: pages need no script and no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx

_SIZES = re.compile(r"\\[bB]igg?[lmr]?(?![A-Za-z])")
"""Sizes of brackets, which docutils does not know; browsers stretch them by themselves."""


def _markup(formula: str, *, block: bool) -> str:
    lines = block and r"\\" in formula and r"\begin" not in formula
    source = rf"\begin{{aligned}}{formula}\end{{aligned}}" if lines else formula
    known = _SIZES.sub("", source).replace(r"\dots", r"\ldots")
    return latex2mathml.tex2mathml(known, as_block=block)


def visit_math(self: Any, node: nodes.math) -> None:
    """Write a formula inside a line."""
    self.body.append(_markup(node.astext(), block=False))
    raise nodes.SkipNode


def visit_displaymath(self: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own; a wide one scrolls by itself."""
    self.body.append(self.starttag(node, "div", CLASS="math-block"))
    self.body.append(_markup(node.astext(), block=True))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer under the name ``mathml``."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
