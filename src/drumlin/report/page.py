"""From a fitted model and data to one HTML file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drumlin._optional import need
from drumlin.evaluation import judge
from drumlin.export.text import check_flag
from drumlin.io import write_text
from drumlin.report import sections
from drumlin.report.figures import fit_figures
from drumlin.report.inputs import ranked_inputs
from drumlin.report.live import live_part
from drumlin.report.parts import Section, shown


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
    costs : mapping or sequence of float, or None, default=None
        Of a wrong answer for a row of each class, by label (1 where it is not named) or in the
        order of ``classes_``; of two classes these are the costs of a false alarm and of a miss.
        Answers are then those of least expected cost; None announces the most probable class.
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
    costs: Any = None
    comparison: Any = None
    facts: Mapping[str, object] | None = None
    created: datetime | None = None
    interactive: bool = False

    def html(self) -> str:
        """Return the page as text."""
        check_flag("interactive", self.interactive)
        compared = sections.comparison_section(self.comparison)
        judged = judge(self.model, self.X, self.y, seen=self.seen, costs=self.costs)
        created = datetime.now(UTC) if self.created is None else self.created
        inputs = ranked_inputs(judged)
        parts = [
            sections.performance(judged, inputs),
            sections.learned(judged, inputs),
            Section("How it came about", figures=fit_figures(judged)),
            compared,
            sections.facts(judged, self.facts or {}, created),
        ]
        template = _environment().get_template("page.html.j2")
        return template.render(
            title=self.title or f"{type(judged.fitted.model).__name__} report",
            subtitle=sections.subtitle(judged, created),
            tiles=sections.tiles(judged),
            live=live_part(judged, inputs) if self.interactive else None,
            sections=[part for part in parts if part.tables or part.figures or part.code],
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
