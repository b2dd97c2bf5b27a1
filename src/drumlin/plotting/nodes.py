"""What the nodes add to the scores: over a data set, and to one prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from drumlin._typing import FloatArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.plotting._display import Display
from drumlin.plotting._style import BLUE, GRAY, ORANGE, class_colors, plain

ROW = 0.27
"""Height of a bar with its gap, in inches."""


class NodesDisplay(Display):
    """Mean of weight times activation of every node, as bars.

    Of two classes, bars to the right speak for the second. With more classes the bars of a node
    are stacked, one color per class; only differences between classes matter, so the mean over
    classes is taken off.

    Parameters
    ----------
    means : ndarray of shape (n_shown, n_outputs)
        Largest first.
    numbers : ndarray of shape (n_shown,)
        Numbers of the nodes, from 1.
    n_nodes : int
        How many nodes there are.
    outputs : tuple of str
    is_classifier : bool

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    See Also
    --------
    BoundaryDisplay
    PathDisplay

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.plotting import NodesDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> display = NodesDisplay.from_estimator(DrumlinClassifier().fit(X, y), X)
    >>> display.outputs
    ('0', '1', '2')
    """

    def __init__(self, means, numbers, n_nodes, outputs, is_classifier):
        self.means = means
        self.numbers = numbers
        self.n_nodes = n_nodes
        self.outputs = outputs
        self.is_classifier = is_classifier

    @classmethod
    def from_estimator(cls, estimator, X, *, max_shown=15, ax=None):
        """Draw the nodes of a fitted model.

        Parameters
        ----------
        estimator : estimator
            A fitted model of this package, or a pipeline that ends with one.
        X : {array-like, DataFrame} of shape (n_samples, n_features)
            Data over which activations are averaged.
        max_shown : int, default=15
            Most bars.
        ax : matplotlib Axes, default=None
            A new figure if None.

        Returns
        -------
        NodesDisplay
        """
        fitted = FittedNetwork.of(estimator)
        _check_max_shown(max_shown)
        _check_has_nodes(fitted)
        means = mean_contributions(fitted, X)
        order = np.argsort(-np.abs(means).max(axis=1), kind="stable")[:max_shown]
        return cls(
            means[order],
            order + 1,
            len(means),
            fitted.outputs,
            is_classifier(fitted.model),
        ).plot(ax=ax)

    @property
    def _size(self) -> tuple[float, float]:
        return 6.0, 1.3 + ROW * len(self.means)

    def _draw(self, ax: Any) -> None:
        rows = np.arange(len(self.means))
        if self.means.shape[1] == 1:
            colors = np.where(self.means[:, 0] > 0.0, ORANGE, BLUE)
            ax.barh(rows, self.means[:, 0], color=colors, height=0.7)
        else:
            self._stack(ax, rows)
        ax.axvline(0.0, color=GRAY, lw=0.8)
        _name_bars(ax, [f"node {number}" for number in self.numbers])
        ax.set_xlabel(self._label())
        if len(self.means) < self.n_nodes:
            ax.set_title(f"the {len(self.means)} largest of {self.n_nodes} nodes", fontsize=9)

    def _stack(self, ax: Any, rows: Any) -> None:
        colors = class_colors(len(self.outputs))
        for sign in (1.0, -1.0):
            left = np.zeros(len(rows))
            for k, output in enumerate(self.outputs):
                width = np.where(sign * self.means[:, k] > 0.0, self.means[:, k], 0.0)
                label = plain(output, 20) if sign > 0.0 else None
                ax.barh(rows, width, left=left, color=colors[k], height=0.7, label=label)
                left += width
        title = "class" if self.is_classifier else "output"
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), alignment="left", title=title)

    def _label(self) -> str:
        if len(self.outputs) > 1:
            return "mean of weight × activation"
        if self.is_classifier:
            return f"mean of weight × activation (right: for {plain(self.outputs[0], 20)})"
        return "mean of weight × activation (units of the target)"


class ExplanationDisplay(Display):
    """One prediction taken apart: what every node, or every input, adds to the score.

    Bars begin where the one above ends: the intercept (or the score of the mean training row)
    first, then nodes (or inputs), the largest first; what is left over is one bar; the last bar
    ends at the score.

    Parameters
    ----------
    labels : list of str
    parts : ndarray of shape (n_bars,)
        Contributions; their sum is the score.
    title : str
    xlabel : str

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    See Also
    --------
    NodesDisplay

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.plotting import ExplanationDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DrumlinClassifier().fit(X, y)
    >>> display = ExplanationDisplay.from_estimator(model, X[:1])
    >>> bool(abs(display.parts.sum() - model.decision_function(X[:1])[0, 0]) < 1e-9)
    True
    """

    def __init__(self, labels, parts, title, xlabel):
        self.labels = labels
        self.parts = parts
        self.title = title
        self.xlabel = xlabel

    @classmethod
    def from_estimator(
        cls, estimator, X, *, by="nodes", class_of_interest=None, max_shown=10, ax=None
    ):
        """Explain what a fitted model says of one row.

        Parameters
        ----------
        estimator : estimator
            A fitted model of this package, or a pipeline that ends with one.
        X : {array-like, DataFrame} of shape (1, n_features)
            The row.
        by : {"nodes", "inputs"}, default="nodes"
            What bars are of. Broad nodes cancel each other, inputs (see ``explain``) do not.
        class_of_interest : label, default=None
            Of more than two classes, the one whose score is explained; None means the predicted
            one. For numbers, the index of the output.
        max_shown : int, default=10
            Most nodes or inputs with a bar of their own.
        ax : matplotlib Axes, default=None
            A new figure if None.

        Returns
        -------
        ExplanationDisplay
        """
        fitted = FittedNetwork.of(estimator)
        _check_max_shown(max_shown)
        Z = fitted.inputs(X)
        if len(Z) != 1:
            raise ValueError(f"The 'X' parameter must have one row. Got {len(Z)}.")
        k = _output_index(fitted, X, class_of_interest)
        first, names, parts = _parts(fitted, Z, k, by)
        order = np.argsort(-np.abs(parts), kind="stable")
        shown, rest = order[:max_shown], order[max_shown:]
        labels = [first[0], *[names[j] for j in shown]]
        values = [first[1], *parts[shown]]
        if len(rest):
            labels.append(f"{len(rest)} other {by}" if len(rest) > 1 else names[rest[0]])
            values.append(parts[rest].sum())
        title, xlabel = _headline(fitted, X, k)
        return cls(labels, np.array(values), title, xlabel).plot(ax=ax)

    @property
    def _size(self) -> tuple[float, float]:
        return 6.0, 1.5 + ROW * len(self.parts)

    def _draw(self, ax: Any) -> None:
        import matplotlib.patheffects as effects

        halo = [effects.withStroke(linewidth=2.6, foreground="white")]
        ends = np.cumsum(self.parts)
        starts = ends - self.parts
        rows = np.arange(len(self.parts))
        colors = np.where(self.parts > 0.0, ORANGE, BLUE)
        ax.barh(rows, self.parts, left=starts, color=colors, height=0.7)
        for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
            at_right = self.parts[row] > 0.0
            ax.annotate(
                f"{self.parts[row]:+.3g}".replace("-", "−"),
                (max(start, end) if at_right else min(start, end), row),
                (4 if at_right else -4, 0),
                textcoords="offset points",
                ha="left" if at_right else "right",
                va="center",
                fontsize=9,
                path_effects=halo,
            )
            if row + 1 < len(self.parts):
                ax.plot([end, end], [row - 0.35, row + 1.35], color=GRAY, lw=0.6, zorder=0)
        ax.axvline(ends[-1], color=GRAY, lw=1.0, ls="dashed", zorder=0)
        ax.axvline(0.0, color=GRAY, lw=0.8, zorder=0)
        _name_bars(ax, self.labels)
        ax.margins(x=0.14)  # room for the numbers beside the bars
        ax.set_xlabel(self.xlabel)
        ax.set_title(self.title)


def _name_bars(ax: Any, names: list[str]) -> None:
    """Names on the left, the first above, room where bars end."""
    ax.set_yticks(np.arange(len(names)), names)
    ax.invert_yaxis()
    ax.use_sticky_edges = False
    ax.tick_params(left=False)
    ax.spines["left"].set_visible(False)


def _parts(
    fitted: FittedNetwork, Z: FloatArray, k: int, by: str
) -> tuple[tuple[str, float], list[str], FloatArray]:
    """Name and size of the first bar, then names and sizes of all others."""
    if by == "nodes":
        parts = fitted.network.contributions(Z)[0, :, k]
        return (
            ("intercept", parts[-1]),
            [f"node {j + 1}" for j in range(len(parts) - 1)],
            parts[:-1],
        )
    if by != "inputs":
        raise ValueError(f"The 'by' parameter must be 'nodes' or 'inputs'. Got {by!r}.")
    told = fitted.model.explain(fitted.named(Z))
    names = [
        f"{plain(name, 20)} = {value:.4g}" for name, value in zip(fitted.names, Z[0], strict=True)
    ]
    return ("mean row", told.base[k]), names, told.inputs[0, :, k]


def mean_contributions(fitted: FittedNetwork, X: Any) -> FloatArray:
    """Mean contribution (n_nodes, n_outputs) of every node to every score over some rows.

    Of several classes, relative to the mean over classes: a shift of all scores means nothing.
    """
    network, Z = fitted.network, fitted.inputs(X)
    total = np.zeros((len(network.nodes), len(network.intercept)))
    step = max(1, 1_000_000 // max(1, total.size))  # contributions of so many rows at once
    for start in range(0, len(Z), step):
        total += network.contributions(Z[start : start + step])[:, :-1].sum(axis=0)
    means = total / len(Z)
    if is_classifier(fitted.model) and means.shape[1] > 1:
        means -= means.mean(axis=1, keepdims=True)
    return means


def _check_has_nodes(fitted: FittedNetwork) -> None:
    if not len(fitted.network.nodes):
        raise ValueError(f"This {type(fitted.model).__name__} has no nodes: nothing can be drawn.")


def _check_max_shown(max_shown: Any) -> None:
    if not isinstance(max_shown, (int, np.integer)) or max_shown < 1:
        raise ValueError(f"The 'max_shown' parameter must be an int >= 1. Got {max_shown!r}.")


def _output_index(fitted: FittedNetwork, X: Any, wanted: Any) -> int:
    """Index of the score to explain."""
    n_outputs = len(fitted.network.intercept)
    if n_outputs == 1 and wanted is None:
        return 0
    if not is_classifier(fitted.model):
        known = list(range(n_outputs))
        wanted = 0 if wanted is None else wanted
    else:
        known = fitted.model.classes_.tolist()
        wanted = fitted.whole.predict(X)[0] if wanted is None else wanted
    if wanted not in known:
        raise ValueError(
            f"The 'class_of_interest' parameter must be one of {known}. Got {wanted!r}."
        )
    if n_outputs == 1 and is_classifier(fitted.model) and wanted != known[1]:
        raise ValueError(
            "Of two classes only the second has a score: the 'class_of_interest' parameter must "
            f"be {known[1]!r}. Got {wanted!r}."
        )
    return known.index(wanted)


def _headline(fitted: FittedNetwork, X: Any, k: int) -> tuple[str, str]:
    """Title and label of the axis of one explanation."""
    answer = fitted.whole.predict(X)[0]
    if not is_classifier(fitted.model):
        value = float(np.atleast_1d(answer)[k])
        return f"prediction: {value:.4g}", f"prediction{fitted.learned_suffix}"
    share = fitted.whole.predict_proba(X)[0].max()
    name = fitted.outputs[k if len(fitted.outputs) > 1 else 0]
    title = f"{plain(answer, 20)}, with probability {share:.2f}"
    return title, f"score of class {plain(name, 20)}"
