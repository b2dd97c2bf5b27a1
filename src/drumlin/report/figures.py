"""Plots of a model as SVG that can stand in a page: named, described, scaling with the page."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from xml.etree import ElementTree

import numpy as np
from sklearn.metrics import PredictionErrorDisplay

from drumlin.evaluation import Judged
from drumlin.plotting import (
    BoundaryDisplay,
    CalibrationDisplay,
    ExplanationDisplay,
    LearningDisplay,
    NodesDisplay,
    PathDisplay,
    SearchDisplay,
)
from drumlin.plotting._style import BLUE, GRAY, axes_or_new, styled
from drumlin.report.parts import Figure, shown

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"

MOST_POINTS = 1000
"""Rows drawn; more would make the file large and the picture no clearer."""

SCALE = 0.8
"""Pictures are drawn smaller than alone, so that their text can be read on a phone."""


def svg(figure: Any, name: str, title: str) -> str:
    """Turn a matplotlib figure into markup for a page, and close it.

    Text stays text, so that names in any script are drawn by the reader's fonts; identifiers begin
    with the figure's name, so that several figures can stand in one page.

    Parameters
    ----------
    figure : matplotlib Figure
    name : str
        Letters only; unique in the page.
    title : str
        Read aloud instead of the picture.
    """
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    figure.set_size_inches(SCALE * figure.get_size_inches())
    buffer = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), _any_script():
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(shown(buffer.getvalue().decode("utf-8")))
    _rename(root, f"{name}-")
    for extra in [*root.iter(f"{{{SVG}}}metadata")]:
        root.remove(extra)
    for length in ("width", "height"):
        root.attrib.pop(length, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title")
    heading = ElementTree.Element(f"{{{SVG}}}title", {"id": f"{name}-title"})
    heading.text = shown(title)
    root.insert(0, heading)
    return ElementTree.tostring(root, encoding="unicode")


def _rename(root: ElementTree.Element, prefix: str) -> None:
    """Put a prefix before all identifiers and the references to them."""
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, prefix + value)
            elif key in ("href", f"{{{XLINK}}}href") and value.startswith("#"):
                element.set(key, f"#{prefix}{value[1:]}")
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{prefix}"))


@contextmanager
def _any_script() -> Iterator[None]:
    """Letters that matplotlib's font lacks are no trouble: the reader's fonts draw them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _figure(draw: Callable[[], Any], name: str, caption: str) -> Figure:
    with _any_script():
        display = draw()
    return Figure(svg(display.figure_, name, caption), caption)


def answer_figures(judged: Judged) -> list[Figure]:
    """Return what the model says of the data: the boundary, or predictions against targets."""
    figures = []
    if not judged.is_classifier:
        figures += _prediction_figures(judged)
    if judged.X.shape[1] > 1 and (judged.is_classifier or judged.codes.ndim == 1):
        estimator, X, codes = _drawable(judged)
        if X.shape[1] == 2:
            caption = "What the model says, and half-height outlines of its nodes"
        else:
            caption = (
                "What the model says on the plane of the two principal components, and outlines of "
                "its nodes on that plane"
            )
        y = judged.fitted.model.classes_[codes] if judged.is_classifier else codes

        def draw() -> BoundaryDisplay:
            return BoundaryDisplay.from_estimator(estimator, X, y, grid_resolution=100)

        figures.append(_figure(draw, "boundary", caption))
    return figures


def calibration_figures(judged: Judged) -> list[Figure]:
    """Return probabilities against what happened."""
    y = judged.fitted.model.classes_[judged.codes]
    n_bins = int(np.clip(len(y) // 20, 3, 10))
    return [
        _figure(
            lambda: CalibrationDisplay.from_estimator(
                judged.fitted.whole, judged.X, y, n_bins=n_bins
            ),
            "calibration",
            "Predicted probabilities against how often they were right; above, how often each "
            "probability was given",
        )
    ]


def node_figures(judged: Judged) -> list[Figure]:
    """Return the nodes over all data, and in the prediction that is hardest."""
    if not len(judged.fitted.network.nodes):
        return []
    row, why = _hardest(judged)
    one = judged.X.iloc[[row]] if hasattr(judged.X, "iloc") else judged.X[[row]]
    whole = judged.fitted.whole
    return [
        _figure(
            lambda: NodesDisplay.from_estimator(whole, judged.X),
            "nodes",
            "What every node adds to the score on average",
        ),
        _figure(
            lambda: ExplanationDisplay.from_estimator(whole, one),
            "explanation",
            f"How the nodes add up to the prediction of row {row} (counted from 0), {why}",
        ),
    ]


def fit_figures(judged: Judged) -> list[Figure]:
    """Return how the model came about: path, search and learning curve, where it has them."""
    model = judged.fitted.model
    figures = []
    path = getattr(model, "path_", None)
    if isinstance(path, dict) and len(path.get("loo_squared_error", ())):
        caption = "Leave-one-out errors while nodes were added, and the size of the model"
        figures.append(_figure(lambda: PathDisplay.from_estimator(model), "path", caption))
    if len(getattr(model, "search_path_", ())):
        caption = "Course of the search"
        figures.append(_figure(lambda: SearchDisplay.from_estimator(model), "search", caption))
    if hasattr(model, "mse_path_"):
        caption = "Learning curve"
        figures.append(_figure(lambda: LearningDisplay.from_estimator(model), "learning", caption))
    return figures


def _prediction_figures(judged: Judged) -> list[Figure]:
    rows = _some_rows(len(judged.X))
    targets = judged.codes.reshape(len(judged.X), -1)[rows]
    answers = judged.answers.reshape(len(judged.X), -1)[rows]
    figures = []
    for k in range(targets.shape[1]):
        with styled("write_report"):
            display = PredictionErrorDisplay(y_true=targets[:, k], y_pred=answers[:, k]).plot(
                ax=axes_or_new(None, (4.8, 4.2)),
                kind="actual_vs_predicted",
                scatter_kwargs={"color": BLUE, "s": 16, "alpha": 0.6, "rasterized": True},
                line_kwargs={"color": GRAY},
            )
            display.ax_.set(xlabel="predicted", ylabel="true")
        which = "" if targets.shape[1] == 1 else f" of output {k}"
        caption = f"Targets{which} against predictions; on the line they are equal"
        figures.append(Figure(svg(display.figure_, f"predictions{k}", caption), caption))
    return figures


def _drawable(judged: Judged) -> tuple[Any, Any, Any]:
    """Return model, numbers and targets to draw: raw rows, or what preprocessing makes of them."""
    rows = _some_rows(len(judged.X))
    X = judged.X.iloc[rows] if hasattr(judged.X, "iloc") else judged.X[rows]
    kinds = {dtype.kind for dtype in (X.dtypes if hasattr(X, "iloc") else [X.dtype])}
    is_numeric = kinds <= set("iufb")  # words may look like numbers, but are none
    if is_numeric and np.isfinite(np.asarray(X, dtype=np.float64)).all():
        return judged.fitted.whole, X, judged.codes[rows]
    return judged.fitted.model, judged.fitted.model_rows(X), judged.codes[rows]


def _some_rows(n_rows: int) -> Any:
    return np.arange(0, n_rows, -(-n_rows // MOST_POINTS))


def _hardest(judged: Judged) -> tuple[int, str]:
    """Return the row that the model finds hardest, and why that one."""
    if judged.is_classifier:
        row = int(judged.probabilities.max(axis=1).argmin())
        return row, f"the one it is least sure of; the truth is {judged.classes[judged.codes[row]]}"
    misses = np.abs(judged.codes - judged.answers).reshape(len(judged.X), -1)
    row = int(misses.max(axis=1).argmax())
    return row, "the one with the largest error"
