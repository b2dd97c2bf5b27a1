"""From a fitted model and data to one HTML file."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from drumlin._kernels import backend
from drumlin._optional import need
from drumlin.evaluation import Judged, judge
from drumlin.export.text import check_flag
from drumlin.io import write_text
from drumlin.report import figures
from drumlin.report.curves import curve_figures, relevance_figures
from drumlin.report.inputs import Input, ranked_inputs
from drumlin.report.judged import (
    confusion_table,
    coverage_table,
    measure_table,
    precision_table,
    threshold_table,
)
from drumlin.report.live import live_part
from drumlin.report.nodes import place_table, weight_table
from drumlin.report.parts import Section, Table, Tile, count, number, percent, shown

PACKAGES = ("drumlin", "scikit-learn", "numpy", "scipy", "numba")
"""Versions that results depend on."""


@dataclass(frozen=True)
class Report:
    """Everything worth knowing about a fitted model, as one page.

    Parameters
    ----------
    model : estimator
        A fitted model of this package, or a pipeline that ends with one.
    X : {array-like, DataFrame} of shape (n_samples, n_features)
        Data to judge it on, best such that it has not seen.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
    seen : bool, default=False
        Whether X and y are the data of ``fit``; the report then says that they flatter.
    title : str, default=None
        None takes the name of the model.
    costs : (float, float), default=(1.0, 1.0)
        Of a false alarm and of a miss, for two classes.
    comparison : DataFrame or list of dict, default=None
        Other models beside this one, one row each, as it shall be shown.
    facts : mapping, default=None
        More facts that are needed to do it again: the command, the file, the seed.
    created : datetime, default=None
        None takes the time now.
    interactive : bool, default=False
        Whether the model runs in the page, so that readers can move the inputs of its rows, its
        size, the threshold and the plane. The page then holds up to 200 of the rows, and a script.

    See Also
    --------
    write_report : The same, into a file.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.report import Report
    >>> X, y = load_iris(return_X_y=True)
    >>> report = Report(DrumlinClassifier(max_nodes=3).fit(X[::2], y[::2]), X[1::2], y[1::2])
    >>> report.html().startswith("<!DOCTYPE html>")
    True
    """

    model: Any
    X: Any
    y: Any
    _: KW_ONLY
    seen: bool = False
    title: str | None = None
    costs: tuple[float, float] = (1.0, 1.0)
    comparison: Any = None
    facts: Mapping[str, object] | None = None
    created: datetime | None = None
    interactive: bool = False

    def html(self) -> str:
        """Return the page as text."""
        costs = _checked_costs(self.costs)
        check_flag("interactive", self.interactive)
        compared = _comparison_table(self.comparison)
        judged = judge(self.model, self.X, self.y, seen=self.seen)
        created = datetime.now(UTC) if self.created is None else self.created
        inputs = ranked_inputs(judged)
        sections = [
            _performance(judged, costs, inputs),
            _nodes(judged, inputs),
            Section("How it came about", figures=figures.fit_figures(judged)),
            Section("Comparison", tables=compared),
            _facts(judged, self.facts or {}, created),
        ]
        template = _environment().get_template("page.html.j2")
        return template.render(
            title=self.title or f"{type(judged.fitted.model).__name__} report",
            subtitle=_subtitle(judged, created),
            tiles=_tiles(judged),
            live=live_part(judged, costs, inputs) if self.interactive else None,
            sections=[part for part in sections if part.tables or part.figures or part.code],
        )


def write_report(model: Any, X: Any, y: Any, path: str | os.PathLike[str], **about: Any) -> Path:
    """Write everything worth knowing about a fitted model into one HTML file.

    The file holds its pictures and its style; it loads nothing, and runs nothing unless it is
    interactive. An existing file is replaced in one step, or not at all.

    Parameters
    ----------
    model, X, y
        A fitted model and data to judge it on; see ``Report``.
    path : path-like
        Where to write.
    **about
        Further parameters of ``Report``: ``seen``, ``title``, ``costs``, ``comparison``, ``facts``,
        ``created``, ``interactive``.

    Returns
    -------
    Path
        The file.

    See Also
    --------
    render_report : The same as text.
    drumlin.evaluation.judge

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.report import write_report
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DrumlinClassifier().fit(X[::2], y[::2])
    >>> folder = getfixture("tmp_path")  # any folder
    >>> write_report(model, X[1::2], y[1::2], folder / "iris.html").name
    'iris.html'
    """
    write_text(path, render_report(model, X, y, **about))
    return Path(path)


def render_report(model: Any, X: Any, y: Any, **about: Any) -> str:
    """Return the page of ``write_report`` as text; the parameters are the same.

    See Also
    --------
    write_report : The same, into a file.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.report import render_report
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DrumlinClassifier(max_nodes=3).fit(X[::2], y[::2])
    >>> "<title>Iris</title>" in render_report(model, X[1::2], y[1::2], title="Iris")
    True
    """
    return Report(model, X, y, **about).html()


def _environment() -> Any:
    jinja2 = need("jinja2")
    return jinja2.Environment(
        loader=jinja2.PackageLoader("drumlin.report", "."),
        autoescape=True,
        finalize=lambda value: shown(value) if type(value) is str else value,  # markup is no str
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


# ---------------------------------------------------------------------------------- the sections
def _subtitle(judged: Judged, created: datetime) -> str:
    fitted = judged.fitted
    what = f"{len(judged.classes)} classes" if judged.is_classifier else "a number"
    n_inputs = len(fitted.names)
    return (
        f"{type(fitted.model).__name__} for {what} from {n_inputs} "
        f"input{'s' if n_inputs > 1 else ''}, judged on {count(len(judged.X))} rows of "
        f"{judged.data_name}, {created:%Y-%m-%d}"
    )


def _tiles(judged: Judged) -> list[Tile]:
    name, loo = judged.data_name, judged.loo
    if judged.is_classifier:
        main = [
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


def _performance(judged: Judged, costs: tuple[float, float], inputs: Sequence[Input]) -> Section:
    section = Section("How good it is", tables=[measure_table(judged)])
    section.figures += figures.answer_figures(judged, inputs)
    if judged.is_classifier:
        section.tables.append(confusion_table(judged))
        if len(judged.classes) == 2:
            tables = [threshold_table(judged, costs), precision_table(judged)]
            section.tables += [table for table in tables if table is not None]
        section.figures += [*figures.calibration_figures(judged), *curve_figures(judged)]
    else:
        coverage = coverage_table(judged)
        section.tables += [] if coverage is None else [coverage]
    return section


def _nodes(judged: Judged, inputs: Sequence[Input]) -> Section:
    fitted = judged.fitted
    if not len(fitted.network.nodes):
        nothing = Table("Nodes", ("nodes",), [("none: the model predicts a constant",)])
        return Section("What it has learned", tables=[nothing])
    tables = [place_table(fitted, judged.X), weight_table(fitted, judged.X)]
    pictures = [*relevance_figures(inputs), *figures.node_figures(judged)]
    return Section("What it has learned", "", tables, pictures)


def _facts(judged: Judged, given: Mapping[str, object], created: datetime) -> Section:
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


def _comparison_table(comparison: Any) -> list[Table]:
    """Return the comparison as given; the first column names the models."""
    if comparison is None:
        return []
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
    return [Table("This model beside others", columns, rows)]


def _cell(value: object) -> str:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        return str(value)
    return count(int(value)) if isinstance(value, Integral) else number(float(value))


def _checked_costs(costs: Any) -> tuple[float, float]:
    try:
        alarm, miss = (float(cost) for cost in costs)
    except (TypeError, ValueError):
        alarm = miss = float("nan")
    if not (np.isfinite([alarm, miss]).all() and alarm > 0.0 and miss > 0.0):
        raise ValueError(
            "The 'costs' parameter must be two positive numbers, of a false alarm and of a miss. "
            f"Got {costs!r}."
        )
    return alarm, miss


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
