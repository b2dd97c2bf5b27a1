"""The course of a selection: what every further node bought, and where it stopped."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from drumlin.estimators.fitted import FittedNetwork
from drumlin.plotting._display import Display
from drumlin.plotting._style import BLUE, GRAY, ORANGE, stacked


class PathDisplay(Display):
    """Criterion and leave-one-out errors against the number of nodes, with the size chosen.

    Parameters
    ----------
    sizes : ndarray of shape (n_stages,)
        Numbers of nodes.
    curves : dict of str to ndarray of shape (n_stages,)
        What is drawn, one panel each, by its label.
    chosen : int
        Size of the fitted model.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    axes_ : list of matplotlib Axes
        The panels.

    See Also
    --------
    NodesDisplay
    SearchDisplay

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from drumlin import ForwardRBFClassifier
    >>> from drumlin.plotting import PathDisplay
    >>> model = ForwardRBFClassifier().fit(*load_iris(return_X_y=True))
    >>> display = PathDisplay.from_estimator(model)
    >>> display.chosen == model.n_nodes_
    True
    """

    def __init__(self, sizes, curves, chosen):
        self.sizes = sizes
        self.curves = curves
        self.chosen = chosen

    @classmethod
    def from_estimator(cls, estimator, *, ax=None):
        """Draw the path of a fitted model.

        Parameters
        ----------
        estimator : estimator
            A fitted model that has ``path_``, or a pipeline that ends with one.
        ax : matplotlib Axes, default=None
            Divided into panels; a new figure if None.

        Returns
        -------
        PathDisplay
        """
        model = FittedNetwork.of(estimator).model
        path = getattr(model, "path_", None)
        if not isinstance(path, dict) or "loo_squared_error" not in path:
            raise AttributeError(
                f"{type(model).__name__} has no selection path 'path_'; models that grow node by "
                "node do."
            )
        if not len(path["loo_squared_error"]):
            raise ValueError(f"The path of this {type(model).__name__} is empty: it has no nodes.")
        sizes = path.get("n_nodes", 1 + np.arange(len(path["loo_squared_error"])))
        return cls(sizes, _curves(model, path), model.n_nodes_).plot(ax=ax)

    @property
    def _size(self) -> tuple[float, float]:
        return 6.0, 1.4 + 1.5 * len(self.curves)

    def _draw(self, ax: Any) -> None:
        self.axes_ = stacked(ax, [1.0] * len(self.curves))
        for panel, (label, values) in zip(self.axes_, self.curves.items(), strict=True):
            panel.plot(self.sizes, values, "o-", color=BLUE, markersize=4)
            panel.set_ylabel(label)
            panel.axvline(self.chosen, color=ORANGE, lw=1.2, ls="dashed", zorder=0)
            panel.grid(axis="y", color=GRAY, alpha=0.2, lw=0.6)
            at = np.flatnonzero(self.sizes == self.chosen)
            panel.plot(self.sizes[at], values[at], "o", color=ORANGE, markersize=8)
        noun = "node" if self.chosen == 1 else "nodes"
        self.axes_[0].annotate(
            f"{self.chosen} {noun} chosen",
            (self.chosen, 1.0),
            (4, -2),
            xycoords=self.axes_[0].get_xaxis_transform(),
            textcoords="offset points",
            color=ORANGE,
            va="top",
        )
        self.axes_[-1].set_xlabel("nodes")
        self.axes_[-1].xaxis.get_major_locator().set_params(integer=True)


def _curves(model: Any, path: dict) -> dict:
    """Curves by label; the criterion only where it is not one of the others."""
    curves = {}
    error, score = path["loo_squared_error"], path.get("loo_score")
    cost = path.get("cost")
    wrong = None if score is None else 1.0 - score
    known = [curve for curve in (error, wrong) if curve is not None]
    if cost is not None and not any(np.allclose(cost, curve) for curve in known):
        name = getattr(model, "criterion", "criterion")
        name = name if isinstance(name, str) else type(name).__name__
        curves[f"criterion:\n{name.replace('_', ' ')}"] = cost
    curves["leave-one-out\nsquared error"] = error
    if score is not None:
        if is_classifier(model):
            curves["leave-one-out\nerror (%)"] = 100.0 * (1.0 - score)
        else:
            curves["leave-one-out\nR²"] = score
    return curves
