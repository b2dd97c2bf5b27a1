"""C target: one header and one source of C99, without memory of its own.

Assembles the pieces of ``c_parts`` and ``c_scores`` (floating point) or of ``c_fixed`` (integers).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from drumlin._version import __version__
from drumlin.export import c_fixed, c_parts, c_scores
from drumlin.export.building import describe
from drumlin.export.c_parts import REALS
from drumlin.export.computation import (
    GAUSSIAN,
    NUMBER,
    SCORES,
    SOFTMAX,
    TEXT,
    Computation,
    NotExportable,
)
from drumlin.export.sizes import operations, stack_bytes, table_bytes
from drumlin.export.text import check_choice, check_flag, check_prefix, identifiers
from drumlin.export.vectors import vectors

TYPES = (*REALS, "q15")
EXPS = ("libm", "own")


@dataclass(frozen=True)
class CSource:
    """A header and a source; ``write`` puts them beside each other.

    Parameters
    ----------
    prefix : str
    header, source : str

    See Also
    --------
    to_c

    Examples
    --------
    >>> import tempfile
    >>> from drumlin.export import CSource
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sorted(path.name for path in CSource("tiny", "/* h */", "/* c */").write(folder))
    ['tiny.c', 'tiny.h']
    """

    prefix: str
    header: str
    source: str

    def write(self, folder: str | Path) -> tuple[Path, Path]:
        """Write ``prefix.h`` and ``prefix.c``; return their paths."""
        paths = Path(folder) / f"{self.prefix}.h", Path(folder) / f"{self.prefix}.c"
        for path, text in zip(paths, (self.header, self.source), strict=True):
            path.write_text(text, encoding="ascii")
        return paths


def to_c(
    model: Any,
    *,
    prefix: str = "model",
    number: str = "double",
    exp: str = "libm",
    probabilities: bool = True,
    novelty: bool = False,
) -> CSource:
    """Write a fitted model as C99 without malloc, global state or any library but math.

    Parameters
    ----------
    model : estimator
        As for ``drumlin.export.describe``.
    prefix : str, default="model"
        Of all names, and the name of the files.
    number : {"double", "float", "q15"}, default="double"
        "q15" uses integers only: 16-bit inputs, saturation, an exponential by table.
    exp : {"libm", "own"}, default="libm"
        "own" brings an exponential of stated error and needs no library but for the square root
        of a model that clips its inputs, and for the powers of one that draws in long tails.
    probabilities : bool, default=True
        Whether there is a function for them; labels only need no further exponential.
    novelty : bool, default=False
        Whether there is a function for it, where the model knows novelty.

    Returns
    -------
    CSource
        The header says what the functions do.

    See Also
    --------
    to_onnx
    to_sql
    to_javascript
    to_python

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier, export
    >>> model = DrumlinClassifier(max_nodes=3).fit(*load_iris(return_X_y=True))
    >>> code = export.to_c(model, prefix="iris", number="float")
    >>> code.prefix, "iris_" in code.header
    ('iris', True)
    """
    check_prefix(prefix)
    check_choice("number", number, TYPES)
    check_choice("exp", exp, EXPS)
    check_flag("probabilities", probabilities)
    check_flag("novelty", novelty)
    c = describe(model)
    if novelty and (c.novelty is None or number == "q15"):
        raise NotExportable(f"{c.estimator} with number={number!r} has no novelty to export.")
    if number == "q15":
        body = c_fixed.source(c, probabilities=probabilities)
        extra, kind = c_fixed.header(c), "int16_t"
    else:
        body = _floating(c, number, exp, probabilities=probabilities, novelty=novelty)
        extra, kind = "", number
    declared = _declarations(c, kind, probabilities=probabilities, novelty=novelty)
    costs = _costs(c, number, body, probabilities=probabilities)
    header = _header(c, number, costs, [*([extra] if extra else []), *declared])
    return CSource(prefix, _named(header, prefix, kind, c), _named(body, prefix, kind, c))


def _floating(c: Computation, name: str, exp: str, *, probabilities: bool, novelty: bool) -> str:
    real = REALS[name]
    has_switch = novelty and c.mapping.inv_clip is not None
    f = real.suffix
    own = exp == "own"
    parts = [
        '#include "P.h"',
        f"#define EXP_ {'exp_' if own else f'exp{f}'}\n#define SQRT_ sqrt{f}",
        *c_parts.constants(c, real, novelty=novelty),
    ]
    has_gaussians = bool(len(c.nodes)) and c.nodes.radial == GAUSSIAN
    if own and (has_gaussians or (probabilities and c.outcome.kind == SOFTMAX)):
        parts.append(c_parts.own_exp(real))
    if c.bent.any():
        parts.append(c_parts.bend("bend_", "R", real))
    parts += [c_parts.features(c, real), c_parts.mapping(c, real, unclipped=novelty)]
    if len(c.nodes) or novelty:
        parts.append(c_parts.distance(c, real))
    if len(c.nodes):
        parts.append(c_parts.radial(c, real))
    parts.append(c_scores.scores(c, real, has_switch=has_switch))
    if c.outcome.kind != SCORES:
        parts.append(c_scores.classify(c, "R", real.literal(0.0)))
        if probabilities:
            parts.append(c_scores.probabilities(c, real))
    if novelty:
        parts.append(c_parts.novelty(c, real))
    parts.append(c_scores.selftest(c, real, vectors(c)))
    body = "\n\n".join(parts)
    needs_math = c.bent.any() or "SQRT_(" in body or ("EXP_(" in body and not own)
    return (
        body.replace('#include "P.h"', '#include "P.h"\n#include <math.h>', 1)
        if needs_math
        else body
    )


def _declarations(c: Computation, kind: str, *, probabilities: bool, novelty: bool) -> list[str]:
    lines = [
        "/* Scores of a row. 0, or -1 where a number is missing that training never missed. */",
        f"int P_scores(ROW_, {'int32_t' if kind == 'int16_t' else 'R'} *scores);",
    ]
    if c.outcome.kind != SCORES:
        lines += [
            "/* Index of the class, or -1. */",
            "int P_classify(ROW_);",
            "extern const char *const P_labels[P_CLASSES];",
        ]
        if probabilities:
            lines += [
                "/* Also P_CLASSES probabilities"
                + (", 32768 for 1. */" if kind == "int16_t" else ". */"),
                "int P_probabilities(ROW_, "
                f"{'uint16_t' if kind == 'int16_t' else 'R'} *probabilities);",
            ]
    if novelty:
        lines += [
            "/* Part of the training rows that are nearer to a node, 0 to 1. */",
            "int P_novelty(ROW_, R *novelty);",
        ]
    return [
        *lines,
        "/* Test vectors that it gets wrong: 0. Left out where P_NO_SELFTEST is defined. */",
        "int P_selftest(void);",
    ]


def _costs(c: Computation, number: str, body: str, *, probabilities: bool) -> list[str]:
    counts = operations(c, number, probabilities=probabilities)
    listed = ", ".join(f"{count} {name}" for name, count in counts.items())
    return [
        f"Flash: {table_bytes(body)} bytes of tables (pointers of 32 bits), and code. RAM: 0.",
        f"Stack: at most about {stack_bytes(c, number)} bytes.",
        f"Operations of a row, at most: {listed}.",
    ]


def _header(c: Computation, number: str, costs: list[str], declared: list[str]) -> str:
    numbers = [column.name for column in c.columns if column.kind == NUMBER]
    texts = [column.name for column in c.columns if column.kind == TEXT]
    row = []
    if numbers:
        row.append(f"numbers: {len(numbers)} values in the order of P_NUMBER_*")
        row.append("         (NaN where missing)" if number != "q15" else "         (see QUANTIZE)")
    if texts:
        row.append(f"texts:   {len(texts)} strings in UTF-8 in the order of P_TEXT_* (0: missing)")
    lines = [
        f"/* {c.estimator}, written by drumlin {__version__}. Model {c.fingerprint()}.",
        f"   {number}; {len(c.features)} inputs, {len(c.nodes)} nodes, {c.n_outputs} scores.",
        *[f"   {line}" for line in (*costs, *row)],
        "*/",
        "#ifndef P_H",
        "#define P_H",
        *(["#include <stdint.h>"] if number == "q15" else []),
        *(["#include <math.h>"] if number == "q15" and c.bent.any() else []),
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        f'#define P_MODEL "{c.fingerprint()}"',
        f"#define P_SCORES {c.n_outputs}",
    ]
    if c.classes:
        lines.append(f"#define P_CLASSES {len(c.classes)}")
    for kind, names in (("NUMBER", numbers), ("TEXT", texts)):
        words = identifiers(names)
        if words:
            lines.append(f"#define P_{kind}S {len(words)}")
            listed = ", ".join(f"P_{kind}_{word.upper()}" for word in words)
            lines.append(f"enum {{ {listed} }};")
    return "\n".join([*lines, *declared, "#ifdef __cplusplus", "}", "#endif", "#endif"])


def _named(text: str, prefix: str, kind: str, c: Computation) -> str:
    """Put the prefix, the type and the row in their places, outside of string literals."""
    kinds = {column.kind for column in c.columns}
    row, passed = [], []
    if NUMBER in kinds:
        row.append(f"const {kind} *numbers")
        passed.append("numbers")
    if TEXT in kinds:
        row.append("const char *const *texts")
        passed.append("texts")
    words = {"ROW_": ", ".join(row), "PASS_": ", ".join(passed), "R": kind}

    def replaced(match: re.Match[str]) -> str:
        word = match.group()
        if word[0] == '"':
            return f'"{prefix}.h"' if word == '"P.h"' else word
        if word.startswith("P_"):
            upper = word.isupper()
            return f"{prefix.upper() if upper else prefix}_{word[2:]}"
        return words.get(word, word)

    return re.sub(r'"(?:[^"\\]|\\.)*"|\b[A-Za-z_][A-Za-z0-9_]*\b', replaced, text) + "\n"
