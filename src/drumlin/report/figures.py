"""Which plots of a model stand in its page, of which rows, and under which words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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
from drumlin.plotting._style import BLUE, GRAY, axes_or_new, plain, styled
from drumlin.report.inputs import Input, is_numeric
from drumlin.report.parts import Figure
from drumlin.report.svg import any_script, svg

MOST_POINTS = 1000
"""Rows drawn; more would make the file large and the picture no clearer."""


def _figure(draw: Callable[[], Any], name: str, caption: str) -> Figure:
    with any_script():
        display = draw()
    return Figure(svg(display.figure_, name, caption), caption)


def answer_figures(judged: Judged, inputs: Sequence[Input]) -> list[Figure]:
    """Return what the model says of the data: the boundary, or predictions against targets."""
    figures = []
    if not judged.is_classifier:
        figures += _prediction_figures(judged)
    if judged.X.shape[1] > 1 and (judged.is_classifier or judged.codes.ndim == 1):
        figures.append(_boundary_figure(judged, inputs))
    return figures


def _boundary_figure(judged: Judged, inputs: Sequence[Input]) -> Figure:
    estimator, X, codes, features = _drawable(judged, inputs)
    y = judged.fitted.model.classes_[codes] if judged.is_classifier else codes

    def draw() -> BoundaryDisplay:
        display = BoundaryDisplay.from_estimator(
            estimator, X, y, features=features, grid_resolution=100
        )
        if features != "pca" and estimator is judged.fitted.model:
            names = [plain(judged.fitted.names[i]) for i in features]
            display.ax_.set(xlabel=names[0], ylabel=names[1])
        return display

    if X.shape[1] == 2:
        where = ", and half-height outlines of its nodes"
    elif features == "pca":
        where = (
            " on the plane of the two principal components, and outlines of its nodes on that plane"
        )
    else:
        where = (
            " where the two most relevant inputs vary and the others stay at their medians (or "
            "most frequent values), and outlines of its nodes on that plane"
        )
    return _figure(draw, "boundary", f"What the model says{where}")


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
    """Return the nodes over all data, and inputs and nodes in the prediction that is hardest."""
    if not len(judged.fitted.network.nodes):
        return []
    whole, caption = judged.fitted.whole, "What every node adds to the score on average"
    nodes = _figure(lambda: NodesDisplay.from_estimator(whole, judged.X), "nodes", caption)
    known = hasattr(judged.fitted.model, "_seen")  # the mean row, which older files have not
    return [
        nodes,
        *[_explanation(judged, by) for by in ("inputs", "nodes") if known or by == "nodes"],
    ]


def _explanation(judged: Judged, by: str) -> Figure:
    row, why = hardest_row(judged)
    one = judged.X.iloc[[row]] if hasattr(judged.X, "iloc") else judged.X[[row]]
    caption = f"How the {by} add up to the prediction of row {row} (counted from 0), {why}"
    return _figure(
        lambda: ExplanationDisplay.from_estimator(judged.fitted.whole, one, by=by),
        f"explanation{by}",
        caption,
    )


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
        with styled():
            display = PredictionErrorDisplay(y_true=targets[:, k], y_pred=answers[:, k]).plot(
                ax=axes_or_new(None, (4.8, 4.2)),
                kind="actual_vs_predicted",
                scatter_kwargs={"color": BLUE, "s": 16, "alpha": 0.6, "rasterized": True},
                line_kwargs={"color": GRAY},
            )
            display.ax_.set(xlabel="predicted", ylabel="true")
        which = "" if targets.shape[1] == 1 else f" of {judged.fitted.outputs[k]}"
        caption = f"Targets{which} against predictions; on the line they are equal"
        figures.append(Figure(svg(display.figure_, f"predictions{k}", caption), caption))
    return figures


def _drawable(judged: Judged, inputs: Sequence[Input]) -> tuple[Any, Any, Any, Any]:
    """Return model, rows, targets and plane to draw.

    The plane is that of the two most relevant columns that are numbers; where there are none, of
    what preprocessing makes of the columns; where nobody knows relevance, of principal components.
    """
    rows = _some_rows(len(judged.X))
    X = judged.X.iloc[rows] if hasattr(judged.X, "iloc") else judged.X[rows]
    codes = judged.codes[rows]
    pair = [entry.place for entry in inputs if is_numeric(X, entry.place)][:2]
    if len(pair) == 2:
        values = X.iloc[:, pair] if hasattr(X, "iloc") else X[:, pair]
        known = np.isfinite(np.asarray(values, dtype=np.float64)).all(axis=1)
        if known.any():
            return judged.fitted.whole, X[known], codes[known], tuple(pair)
    Z = judged.fitted.model_rows(X)
    relevance = getattr(judged.fitted.model, "relevance_", None)
    features: Any = "pca"
    if relevance is not None:
        features = tuple(np.argsort(-relevance, kind="stable")[:2].tolist())
    return judged.fitted.model, Z, codes, features


def _some_rows(n_rows: int) -> Any:
    return np.arange(0, n_rows, -(-n_rows // MOST_POINTS))


def hardest_row(judged: Judged) -> tuple[int, str]:
    """Return the row that the model finds hardest, and why that one."""
    if judged.is_classifier:
        row = int(judged.probabilities.max(axis=1).argmin())
        return row, f"the one it is least sure of; the truth is {judged.classes[judged.codes[row]]}"
    misses = np.abs(judged.codes - judged.answers).reshape(len(judged.X), -1)
    row = int(misses.max(axis=1).argmax())
    return row, "the one with the largest error"
