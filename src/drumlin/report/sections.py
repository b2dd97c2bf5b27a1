"""Parts of the page: how good a model is, what it has learned, and how to do it again."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from numbers import Integral, Real
from typing import Any

import numpy as np

from drumlin._kernels import backend
from drumlin._text import counted
from drumlin.evaluation import Judged
from drumlin.evaluation.measures import COST
from drumlin.report import figures
from drumlin.report.curves import curve_figures, relevance_figures
from drumlin.report.inputs import Input
from drumlin.report.judged import (
    confusion_table,
    coverage_table,
    measure_table,
    precision_table,
    threshold_table,
)
from drumlin.report.nodes import place_table, weight_table
from drumlin.report.parts import Section, Table, Tile, count, number, percent

PACKAGES = ("drumlin", "scikit-learn", "numpy", "scipy", "numba")
"""Versions that results depend on."""


def subtitle(judged: Judged, created: datetime) -> str:
    """Say what the model is, and what it was judged on."""
    fitted = judged.fitted
    n_outputs = len(fitted.network.intercept)
    what = "a number" if n_outputs == 1 else f"{n_outputs} numbers"
    what = f"{len(judged.classes)} classes" if judged.is_classifier else what
    n_inputs = len(fitted.names)
    return (
        f"{type(fitted.model).__name__} for {what} from {counted(n_inputs, 'input')}, judged on "
        f"{counted(len(judged.X), 'row')} of "
        f"{judged.data_name}, {created:%Y-%m-%d}"
    )


def tiles(judged: Judged) -> list[Tile]:
    """Return the numbers at the top of the page."""
    name, loo, has_costs = judged.data_name, judged.loo, judged.decision.costs is not None
    if judged.is_classifier:
        main = [
            *(
                [Tile(COST, number(judged.measures[COST]), _beside(judged, COST))]
                if has_costs
                else []
            ),
            Tile("error", percent(judged.measures["error"]), _beside(judged, "error", percent)),
            Tile("log-loss", number(judged.measures["log-loss"]), _beside(judged, "log-loss")),
        ]
        if "error" in loo:
            main.append(Tile("error", percent(loo["error"]), "leave-one-out"))
    else:
        measure = "root mean squared error"
        main = [
            Tile("R²", number(judged.measures["R²"]), name),
            Tile("typical error", number(judged.measures[measure]), _beside(judged, measure)),
        ]
        if measure in loo:
            main.append(Tile("typical error", number(loo[measure]), "leave-one-out"))
        elif "R²" in loo:
            main.append(Tile("R²", number(loo["R²"]), "leave-one-out"))
    nodes = judged.fitted.network.nodes
    shape = type(nodes.radial).__name__
    return [*main, Tile("node" if len(nodes) == 1 else "nodes", count(len(nodes)), shape)]


def _beside(judged: Judged, measure: str, show: Callable[[float], str] = number) -> str:
    """Name the data, and what the best constant answer has on them."""
    return f"{judged.data_name}; baseline {show(judged.baseline[measure])}"


def performance(judged: Judged, inputs: Sequence[Input]) -> Section:
    """Return how good the model is: measures, confusion, thresholds, curves."""
    section = Section("How good it is", tables=[measure_table(judged)])
    section.figures += figures.answer_figures(judged, inputs)
    if judged.is_classifier:
        section.tables.append(confusion_table(judged))
        if len(judged.classes) == 2:
            tables = [threshold_table(judged), precision_table(judged)]
            section.tables += [table for table in tables if table is not None]
        section.figures += [*figures.calibration_figures(judged), *curve_figures(judged)]
    else:
        coverage = coverage_table(judged)
        section.tables += [] if coverage is None else [coverage]
    return section


def learned(judged: Judged, inputs: Sequence[Input]) -> Section:
    """Return what the model has learned: relevance and nodes."""
    fitted = judged.fitted
    if not len(fitted.network.nodes):
        nothing = Table("Nodes", ("nodes",), [("none: the model predicts a constant",)])
        return Section("What it has learned", tables=[nothing])
    tables = [place_table(fitted, judged.X), weight_table(fitted, judged.X)]
    pictures = [*relevance_figures(inputs), *figures.node_figures(judged)]
    return Section("What it has learned", "", tables, pictures)


def facts(judged: Judged, given: Mapping[str, object], created: datetime) -> Section:
    """Return what is needed to do it again."""
    versions = [(name, _version(name)) for name in PACKAGES]
    rows = [
        ("made", f"{created:%Y-%m-%d %H:%M} {created.tzname() or ''}".strip()),
        ("rows and inputs", f"{count(judged.X.shape[0])} × {count(judged.X.shape[1])}"),
        ("fingerprint of the data", _fingerprint(judged.X, judged.codes)),
        *[(str(name), str(value)) for name, value in given.items()],
        ("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *versions,
        ("kernels", backend().__name__.rpartition(".")[2]),
    ]
    table = Table("Facts", ("fact", "value"), rows, words=True)
    return Section("To do it again", tables=[table], code=repr(judged.fitted.whole))


def comparison_section(comparison: Any) -> Section:
    """Return the comparison as given; the first column names the models."""
    if comparison is None:
        return Section("Comparison")
    if hasattr(comparison, "to_dict"):
        comparison = comparison.to_dict("records")
    usable = isinstance(comparison, Sequence) and not isinstance(comparison, str)
    if not usable or not comparison or not all(isinstance(row, Mapping) for row in comparison):
        raise ValueError(
            "The 'comparison' parameter must be a DataFrame or a list of dicts with at least one "
            f"row. Got {comparison!r}."
        )
    columns = list(dict.fromkeys(str(name) for row in comparison for name in row))
    named = [{str(name): value for name, value in row.items()} for row in comparison]
    rows = [[_cell(row.get(name, "—")) for name in columns] for row in named]
    return Section("Comparison", tables=[Table("This model beside others", columns, rows)])


def _cell(value: object) -> str:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        return str(value)
    return count(int(value)) if isinstance(value, Integral) else number(float(value))


# ------------------------------------------------------------------------------------- the facts
def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _fingerprint(X: Any, codes: Any) -> str:
    """Return a hash of the values: equal tables have equal ones."""
    digest = hashlib.sha256()
    columns = X.T if isinstance(X, np.ndarray) else [X[name] for name in X.columns]
    for column in [*columns, codes]:
        values = np.asarray(column)
        words = values if values.dtype.kind in "fiub" else [str(value) for value in values]
        digest.update(np.ascontiguousarray(words).tobytes())
    return f"sha256 {digest.hexdigest()[:16]}"
