"""The numbers of a computation as named tables, the same in every language, and what holds them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.export.computation import (
    LOOKUP,
    MEMBER,
    SCORES,
    Computation,
    Feature,
    NodeTable,
    NotExportable,
)
from drumlin.export.text import number

_COARSEST = 0.01
"""Largest step of a float in an input, in its scale."""


@dataclass(frozen=True)
class Table:
    """Numbers under a name, in words too; ``by_feature`` where the last side is the features."""

    name: str
    values: FloatArray
    words: str
    by_feature: bool = False


def tables(c: Computation) -> list[Table]:
    """All tables of a computation, in the order of its steps; those of novelty are the last."""
    mapping, mixed = c.mapping, c.mapping.matrix is not None
    made = []
    for i, scaling in enumerate(mapping.scalings):
        made.append(Table(f"shift{i}", scaling.shift, "middle", by_feature=True))
        made.append(Table(f"scale{i}", scaling.scale, "scale", by_feature=True))
        if scaling.power is not None:
            made.append(Table(f"power{i}", scaling.power, "power", by_feature=True))
    if mapping.inv_clip is not None:
        made.append(Table("inv_clip", mapping.inv_clip, "clip", by_feature=True))
    if mapping.matrix is not None:
        made.append(Table("matrix", mapping.matrix.T, "matrix"))
    made += _of_nodes(c.nodes, "", by_feature=not mixed)
    made.append(Table("weights", c.weights.coef, "weights"))
    made.append(Table("intercept", c.weights.intercept, "intercept"))
    if c.novelty is None:
        return made
    made += _of_nodes(c.novelty.nodes, "place_", by_feature=not mixed)
    return [*made, Table("seen", c.novelty.quantiles, "distances of the training rows")]


def _of_nodes(nodes: NodeTable, prefix: str, *, by_feature: bool) -> list[Table]:
    made = [
        Table(f"{prefix}centers", nodes.centers, "centers", by_feature),
        Table(f"{prefix}inv_widths", nodes.inv_widths, "inverse widths", by_feature),
    ]
    return made if nodes.shares is None else [*made, Table("shares", nodes.shares, "shares")]


def answer_keys(c: Computation) -> list[str]:
    """Names of what a row is answered with."""
    keys = ["value"] if c.outcome.kind == SCORES else ["label", "probabilities"]
    return ["scores", *keys, *(["novelty"] if c.novelty is not None else [])]


def feature_text(feature: Feature, c: Computation, forms: dict[str, str], nothing: str) -> str:
    """One feature of a row in a language that has functions for numbers, gaps and codes.

    Parameters
    ----------
    forms : dict
        By kind, a text with the places value, fill, coding, missing, unknown, code and numbers.
    nothing : str
        What stands for no fill.
    """
    coding = c.codings[feature.coding] if feature.kind in (MEMBER, LOOKUP) else None
    return forms[feature.kind].format(
        value=f"row[{feature.column}]",
        fill=nothing if feature.fill is None else number(feature.fill),
        coding=feature.coding,
        code=feature.code,
        missing=coding.missing if coding else "",
        unknown=coding.unknown if coding else "",
        numbers=", ".join(number(value) for value in feature.values),
    )


# ---------------------------------------------------------------------------------- what fits
def check_fits(c: Computation, kind: str) -> None:
    """Refuse a computation with a number that a floating type cannot hold, by name.

    Parameters
    ----------
    c : Computation
    kind : {"double", "float"}
    """
    limits = np.finfo(np.float64 if kind == "double" else np.float32)
    # Numbers of few digits are as in Python in a double, and wrong in a float.
    largest, least = float(limits.max), 0.0 if kind == "double" else float(limits.tiny)
    for table in tables(c):
        too_large = ~(np.abs(table.values) <= largest)
        too_small = table.words == "scale" and np.abs(table.values) < least
        _refuse(c, table, np.asarray(too_large | too_small), kind)
    for feature in c.features:
        if feature.fill is not None and not abs(feature.fill) <= largest:
            name = c.columns[feature.column].name
            raise NotExportable(_message(f"what fills gaps of {name!r}", feature.fill, kind))
        if any(not abs(value) <= largest for value in feature.values):
            name = c.columns[feature.column].name
            raise NotExportable(_message(f"numbers of {name!r}", max(feature.values), kind))
    with np.errstate(over="ignore"):
        sums = np.abs(c.weights.coef).sum(axis=0) + np.abs(c.weights.intercept)
    if not sums.max() <= largest or 0.0 < sums.max() < least:
        raise NotExportable(_message("the scores", sums.max(), kind))


def check_resolution(c: Computation) -> float:
    """Refuse inputs that lie so far from zero that floats do not tell their values apart.

    Returns
    -------
    float
        The coarsest step of a float among the inputs, in their scales or in widths of nodes.
    """
    coarse = np.zeros(len(c.features))
    for scaling in c.mapping.scalings:
        coarse = np.maximum(coarse / scaling.scale, np.abs(scaling.shift / scaling.scale))
    if c.mapping.matrix is None and len(c.nodes):
        coarse = np.maximum(coarse, np.abs(c.nodes.centers * c.nodes.inv_widths).max(axis=0))
    coarse = coarse * float(np.finfo(np.float32).eps)
    worst = int(coarse.argmax())
    if coarse[worst] > _COARSEST:
        raise NotExportable(
            f"A float does not tell values of {c.columns[c.features[worst].column].name!r} apart: "
            f"its steps are {coarse[worst]:g} of their scale, at most {_COARSEST:g}. "
            "Take 'double', or subtract a constant first."
        )
    return float(coarse[worst])


def _refuse(c: Computation, table: Table, bad: FloatArray, kind: str) -> None:
    if not bad.any():
        return
    place = np.unravel_index(int(bad.argmax()), bad.shape)
    words = f"the {table.words}"
    if table.by_feature:
        words += f" of {c.columns[c.features[place[-1]].column].name!r}"
    raise NotExportable(_message(words, table.values[place], kind))


def _message(words: str, value: float, kind: str) -> str:
    other = " Take 'double'." if kind == "float" else ""
    return f"A {kind} of this size cannot be written: {words}, {value:g}.{other}"
