"""Rows made from a computation alone, with the reference's answers: test vectors for targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import Powers, Standardizer
from drumlin.export.computation import TEXT, VALUE, Computation
from drumlin.export.python import reference

N_VECTORS = 8
_LARGEST = float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Vector:
    """A row (None where a value is missing) and the reference's answer."""

    row: tuple[Any, ...]
    answer: dict[str, Any]


def vectors(computation: Computation, n_rows: int = N_VECTORS) -> list[Vector]:
    """Rows near the nodes, with a gap and an unknown text where the model allows them."""
    rng = np.random.default_rng(0)
    predict = reference(computation)
    rows = [_row(computation, rng, with_gaps=i % 4 == 3) for i in range(n_rows)]
    return [Vector(row, predict(row)) for row in rows]


def _row(c: Computation, rng: np.random.Generator, *, with_gaps: bool) -> tuple[Any, ...]:
    row: list[Any] = [0.0 if column.kind != TEXT else None for column in c.columns]
    for coding in c.codings:
        choice = rng.integers(len(coding.texts) + 1)
        if choice < len(coding.texts):
            row[coding.column] = coding.texts[choice]
        elif not with_gaps:
            row[coding.column] = "?"
    values = in_raw_units(c, _near_a_node(c, rng))
    for feature, value in zip(c.features, values.tolist(), strict=True):
        if feature.kind == VALUE:
            is_gap = with_gaps and feature.fill is not None
            row[feature.column] = None if is_gap else _short(value)
    return tuple(row)


def _short(value: float) -> float:
    """A finite number that a float holds too, where one does."""
    with np.errstate(over="ignore"):
        single = float(np.float32(value))
    return single if np.isfinite(single) else float(np.clip(value, -_LARGEST, _LARGEST))


def _near_a_node(c: Computation, rng: np.random.Generator) -> FloatArray:
    """Scaled features of a row where the network is not flat."""
    if c.mapping.matrix is not None or not len(c.nodes):
        return rng.normal(size=len(c.features))
    j = rng.integers(len(c.nodes))
    inverse = c.nodes.inv_widths[j]
    widths = np.divide(1.0, inverse, out=np.zeros_like(inverse), where=inverse > 0.0)
    return c.nodes.centers[j] + 0.5 * rng.normal(size=len(inverse)) * widths


def in_raw_units(c: Computation, t: FloatArray) -> FloatArray:
    """Features before the scalings."""
    for scaling in reversed(c.mapping.scalings):
        if scaling.power is not None:
            powers = Powers(scaling.power, Standardizer.identity(len(t)))
            t = powers.inverse(t[None])[0]
        t = t * scaling.scale + scaling.shift
    return t
