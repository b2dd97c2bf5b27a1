"""What generated C costs: bytes of its tables, stack, and operations of one row, at most."""

from __future__ import annotations

import re

from drumlin.export.computation import GAUSSIAN, INVERSE_MULTIQUADRIC, SOFTMAX, Computation
from drumlin.export.quantizing import clipped_numbers

_BYTES = {"double": 8, "float": 4, "short": 2, "int16_t": 2, "uint16_t": 2, "int32_t": 4}
_POINTER = 4
"""Bytes of a pointer on a microcontroller of 32 bits."""

_FRAMES = 128
"""Bytes that the calls themselves put on the stack: registers, addresses, spilled values."""

_TABLE = re.compile(r"\bconst (double|float|short|u?int(?:16|32)_t) \w+\[(\d+)\]")
_TEXTS = re.compile(r"\bconst char \*const \w+\[\d+\] = \{\n(.*?)\n\};", re.DOTALL)
_LITERAL = re.compile(r'"((?:[^"\\]|\\[0-7]{3})*)"')
_CHARACTER = re.compile(r"\\[0-7]{3}|[^\\]")


def table_bytes(source: str) -> int:
    """Bytes of the constant tables of a source, texts included, without those of its self-test."""
    kept = source.split("#ifndef P_NO_SELFTEST")[0]
    numbers = sum(_BYTES[kind] * int(count) for kind, count in _TABLE.findall(kept))
    texts = [text for table in _TEXTS.findall(kept) for text in _LITERAL.findall(table)]
    return numbers + sum(_POINTER + len(_CHARACTER.findall(text)) + 1 for text in texts)


def stack_bytes(c: Computation, number: str) -> int:
    """Bytes of the arrays of the deepest call, and of the calls themselves."""
    d, k, n = len(c.features), c.n_mapped, c.n_outputs
    if number == "q15":
        mapped = 0 if c.mapping.matrix is None else 4 * k
        return 2 * d + mapped + 4 * n + _FRAMES
    return _BYTES[number] * (d + k + n) + _FRAMES


def operations(c: Computation, number: str, *, probabilities: bool) -> dict[str, int]:
    """Operations by name: of integers for "q15", else of floating-point numbers."""
    n_classes = len(c.classes) if probabilities and c.outcome.kind == SOFTMAX else 0
    return _integer(c, n_classes) if number == "q15" else _floating(c, n_classes)


def _floating(c: Computation, n_classes: int) -> dict[str, int]:
    d, k, m, n = len(c.features), c.n_mapped, len(c.nodes), c.n_outputs
    units = d * len(c.mapping.scalings)
    clip = 0 if c.mapping.inv_clip is None else d
    mixed = 0 if c.mapping.matrix is None else d * k
    gaussian, normalized = c.nodes.radial == GAUSSIAN, c.nodes.shares is not None
    distances = (2 if normalized and gaussian else 1) * m * k
    shares = m if normalized else 0
    roots = 0 if gaussian else m
    additions = units + clip + mixed + 2 * distances + roots + m * n + 2 * n_classes
    if normalized:
        additions += m + n + (m if gaussian else 0)
    inverse = m if c.nodes.radial == INVERSE_MULTIQUADRIC else 0
    bent = int(c.bent.sum())
    counts = {
        "additions": additions + bent,
        "multiplications": 3 * clip + mixed + 2 * distances + (m - roots) + shares + m * n
        + n_classes + bent,
        "divisions": units + clip + inverse + (n if normalized else 0) + n_classes + bent,
        "square roots": clip + roots,
        "exponentials": (m if gaussian else 0) + n_classes + bent,
    }  # fmt: skip
    return counts | {"logarithms": bent} if bent else counts


def _integer(c: Computation, n_classes: int) -> dict[str, int]:
    """Multiplications and divisions of 32 bits; a square root is 16 steps of the pencil method."""
    d, k, m, n = len(c.features), c.n_mapped, len(c.nodes), c.n_outputs
    clip = int(clipped_numbers(c).sum())
    mixed = 0 if c.mapping.matrix is None else d * k
    return {
        "multiplications": 2 * clip + mixed + m * (2 * k + 2 + n) + 3 * n_classes,
        "divisions": clip + n_classes,
        "square roots": clip,
        "powers by table": m + n_classes,
    }
