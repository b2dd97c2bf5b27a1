"""Where a model changes its mind, and the nodes that make it so."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.inspection import DecisionBoundaryDisplay

from drumlin._typing import FloatArray, IntArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.plotting._display import Display
from drumlin.plotting._plane import Plane, choose_plane
from drumlin.plotting._style import BLACK, BLUE, MARKERS, ORANGE, class_colors, plain

MOST_FIELDS, MOST_LABELS = 40, 25
"""Of more nodes the heaviest are drawn; nodes have numbers up to so many, which hide nothing."""

MANY_POINTS = 500
"""More data points than this become pixels in vector files."""


class BoundaryDisplay(Display):
    """Decision boundary (or regression surface) on a plane, with receptive fields of the nodes.

    A receptive field is where a node's activation is at least a given part of its peak. With two
    inputs that is its peak; on a plane through more inputs, its peak on that plane, so that nodes
    that stand elsewhere keep their shape. Fields are drawn by contouring the activation, hence in
    the units of X whatever bends the space of the nodes.

    Parameters
    ----------
    surface : DecisionBoundaryDisplay
        The response on a grid: the probability of the second class, those of all classes, or the
        predicted number.
    activations : ndarray of shape (n_nodes, n_rows, n_columns)
        On the same grid, divided by the peak; empty where no fields shall be drawn.
    numbers : ndarray of shape (n_nodes,)
        Numbers of the nodes, from 1.
    preferred : ndarray of shape (n_nodes,)
        The class that a node speaks for (of numbers: 1 where it raises them).
    classes : tuple of str or None
        None for numbers.
    points : ndarray of shape (n_samples, 2)
        Data on the plane.
    codes : ndarray of shape (n_samples,) or None
        Classes of the data as indices, or their targets.
    level : float
        Part of the peak at which a field ends.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure

    See Also
    --------
    NodesDisplay

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from drumlin import DrumlinClassifier
    >>> from drumlin.plotting import BoundaryDisplay
    >>> X, y = make_moons(100, noise=0.2, random_state=0)
    >>> display = BoundaryDisplay.from_estimator(DrumlinClassifier().fit(X, y), X, y)
    >>> display.ax_.get_xlabel()
    'x0'
    """

    _size = (6.0, 4.6)

    def __init__(self, surface, activations, numbers, preferred, classes, points, codes, level):
        self.surface = surface
        self.activations = activations
        self.numbers = numbers
        self.preferred = preferred
        self.classes = classes
        self.points = points
        self.codes = codes
        self.level = level

    @classmethod
    def from_estimator(
        cls,
        estimator,
        X,
        y=None,
        *,
        features=None,
        level=0.5,
        draw_nodes=True,
        grid_resolution=160,
        ax=None,
    ):
        """Draw a fitted model.

        Parameters
        ----------
        estimator : estimator
            A fitted model of this package, or a pipeline that ends with one.
        X : {array-like, DataFrame} of shape (n_samples, n_features)
            Data to draw; they also set the limits and the typical values of other inputs.
        y : array-like of shape (n_samples,), default=None
            Colors of the data.
        features : None, "pca" or pair of int or str, default=None
            Two inputs, the others being held at their median (or most frequent value); or the
            plane of the two principal components. None takes both of two inputs, and principal
            components of more.
        level : float, default=0.5
            Part of its peak down to which a node's receptive field reaches.
        draw_nodes : bool, default=True
            Whether to draw receptive fields.
        grid_resolution : int, default=160
            Points of the grid in each direction.
        ax : matplotlib Axes, default=None
            A new figure if None.

        Returns
        -------
        BoundaryDisplay
        """
        fitted = FittedNetwork.of(estimator)
        if not 0.0 < level < 1.0:
            raise ValueError(f"The 'level' parameter must be in the range (0, 1). Got {level!r}.")
        if grid_resolution < 2:
            raise ValueError(
                f"The 'grid_resolution' parameter must be at least 2. Got {grid_resolution!r}."
            )
        X = X if hasattr(X, "iloc") else np.asarray(X)
        if len(fitted.network.intercept) > 1 and not is_classifier(fitted.model):
            raise ValueError(
                "Only models of one output can be drawn on a plane. "
                f"Got {len(fitted.network.intercept)} outputs."
            )
        if X.ndim != 2:
            raise ValueError(f"The 'X' parameter must be a table of rows. Got shape {X.shape}.")
        plane = choose_plane(X, features)
        points = plane.project(X)
        grid = _grid(points, grid_resolution)
        rows = plane.lift(np.column_stack([axis.ravel() for axis in grid]))
        classes = getattr(fitted.model, "classes_", None)
        shown = _shown_nodes(fitted) if draw_nodes else np.empty(0, dtype=np.int64)
        display = cls(
            surface=_surface(fitted, rows, grid, plane),
            activations=_fields(fitted, rows, shown).reshape(-1, *grid[0].shape),
            numbers=shown + 1,
            preferred=_preferred(fitted)[shown],
            classes=None if classes is None else tuple(str(label) for label in classes),
            points=points,
            codes=None if y is None else fitted.codes(y, len(points)),
            level=level,
        )
        return display.plot(ax=ax)

    def _draw(self, ax: Any) -> None:
        self._draw_surface(ax)
        self._draw_points(ax)
        self._draw_fields(ax)
        ax.set_xlim(self.surface.xx0.min(), self.surface.xx0.max())
        ax.set_ylim(self.surface.xx1.min(), self.surface.xx1.max())

    def _draw_surface(self, ax: Any) -> None:
        if self.classes is None:
            self.surface.plot(ax=ax, cmap="cividis", levels=16, alpha=0.8, zorder=0)
            bar = ax.figure.colorbar(self.surface.surface_, ax=ax, shrink=0.9, pad=0.02)
            bar.set_label("prediction")
            bar.outline.set_visible(False)
        elif len(self.classes) == 2:
            stops = [(0.0, (BLUE, 0.55)), (0.5, (BLUE, 0.0)), (0.5, (ORANGE, 0.0))]
            shades = _fading("two", [*stops, (1.0, (ORANGE, 0.55))])
            levels = np.linspace(0.0, 1.0, 11)
            self.surface.plot(ax=ax, cmap=shades, levels=levels, alpha=None, zorder=0)
            grid = self.surface.xx0, self.surface.xx1
            response = self.surface.response
            if response.min() < 0.5 < response.max():
                ax.contour(*grid, response, [0.5], colors=BLACK, linewidths=1.6, zorder=3)
        else:
            levels = np.linspace(1.0 / len(self.classes), 1.0, 7)
            self.surface.plot(ax=ax, alpha=0.5, levels=levels, zorder=0)
            colors = class_colors(len(self.classes))
            for shade, color in zip(self.surface.surface_, colors, strict=True):
                shade.set(
                    alpha=None, cmap=_fading("one", [(0.0, (color, 0.0)), (1.0, (color, 0.5))])
                )
            grid = self.surface.xx0, self.surface.xx1
            for lead in _leads(self.surface.response):
                if lead.min() < 0.0 < lead.max():
                    ax.contour(*grid, lead, [0.0], colors=BLACK, linewidths=1.6, zorder=3)

    def _draw_points(self, ax: Any) -> None:
        small = {
            "s": 16,
            "linewidths": 0.4,
            "zorder": 2,
            "rasterized": len(self.points) > MANY_POINTS,
        }
        if self.codes is None:
            ax.scatter(*self.points.T, color=BLACK, alpha=0.5, **small)
        elif self.classes is None:
            limits = self.surface.surface_.get_clim()
            ax.scatter(
                *self.points.T,
                c=self.codes,
                cmap="cividis",
                vmin=limits[0],
                vmax=limits[1],
                edgecolors="white",
                **small,
            )
        else:
            colors = class_colors(len(self.classes))
            for k, label in enumerate(self.classes):
                marker = MARKERS[k % len(MARKERS)]
                look = {"color": colors[k], "marker": marker, "edgecolors": "white"}
                ax.scatter(*self.points[self.codes == k].T, label=plain(label, 20), **look, **small)
            outside = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "alignment": "left"}
            ax.legend(title="class", handletextpad=0.2, **outside)

    def _draw_fields(self, ax: Any) -> None:
        import matplotlib.patheffects as effects

        halo = [effects.withStroke(linewidth=2.6, foreground="white")]
        colors = [BLACK] if self.classes is None else class_colors(len(self.classes))
        grid = self.surface.xx0, self.surface.xx1
        nodes = zip(self.activations, self.numbers, self.preferred, strict=True)
        for field, number, side in nodes:
            if not field.min() < self.level < field.max():
                continue
            # Two signs differ in the kind of line too, not in color only.
            style = "dashed" if len(self.classes or "yn") == 2 and side == 0 else "solid"
            color = colors[side % len(colors)]
            lines = ax.contour(*grid, field, [self.level], colors=[color], linestyles=style)
            lines.set(linewidth=1.3, zorder=4, path_effects=halo)
            peak = np.unravel_index(int(field.argmax()), field.shape)
            at_edge = any(i in (0, n - 1) for i, n in zip(peak, field.shape, strict=True))
            if len(self.activations) <= MOST_LABELS and not at_edge:
                text = {"ha": "center", "va": "center", "fontsize": 9, "fontweight": "bold"}
                place = (grid[0][peak], grid[1][peak])
                ax.text(*place, str(number), color=color, path_effects=halo, zorder=5, **text)


def _fading(name: str, stops: list[tuple[float, Any]]) -> Any:
    """Colors that fade to nothing, not to white: they stand on any paper."""
    import matplotlib as mpl

    solid = [(place, mpl.colors.to_rgba(*color)) for place, color in stops]
    return mpl.colors.LinearSegmentedColormap.from_list(name, solid)


def _grid(points: FloatArray, resolution: int) -> list[FloatArray]:
    """Return a grid over the data with a margin of a tenth."""
    low, high = points.min(axis=0), points.max(axis=0)
    margin = np.where(high > low, 0.1 * (high - low), 1.0)
    axes = [np.linspace(a, b, resolution) for a, b in zip(low - margin, high + margin, strict=True)]
    return list(np.meshgrid(*axes))


def _surface(fitted: FittedNetwork, rows: Any, grid: list[FloatArray], plane: Plane) -> Any:
    shape = grid[0].shape
    if is_classifier(fitted.model):
        response = fitted.whole.predict_proba(rows)
        n_classes = response.shape[1]
        response = response[:, 1].reshape(shape) if n_classes == 2 else response.reshape(*shape, -1)
    else:
        n_classes, response = 2, np.asarray(fitted.whole.predict(rows)).reshape(shape)
    return DecisionBoundaryDisplay(
        xx0=grid[0],
        xx1=grid[1],
        n_classes=n_classes,
        response=response,
        multiclass_colors=None if n_classes == 2 else class_colors(n_classes),
        xlabel=plain(plane.labels[0]),
        ylabel=plain(plane.labels[1]),
    )


def _leads(response: FloatArray) -> list[FloatArray]:
    """By how much every class leads the best of the others, on the grid."""
    classes = range(response.shape[2])
    return [response[:, :, k] - np.delete(response, k, axis=2).max(axis=2) for k in classes]


def _shown_nodes(fitted: FittedNetwork) -> IntArray:
    """Nodes with a receptive field, at most so many: none where activations grow outwards."""
    network = fitted.network
    if network.nodes.radial.slope(np.ones(1))[0] > 0.0:
        return np.empty(0, dtype=np.int64)
    order = np.argsort(-np.abs(network.coef).max(axis=1), kind="stable")
    return np.sort(order[:MOST_FIELDS])


def _fields(fitted: FittedNetwork, rows: Any, shown: IntArray) -> FloatArray:
    """Activations (n_shown, n_rows) of some nodes, in parts of their peaks."""
    network = fitted.network
    activations = network.nodes.take(shown).activate(network.mapped(fitted.inputs(rows)))
    if len(fitted.names) == 2:
        return activations  # the plane holds the peaks themselves
    peaks = activations.max(axis=1, keepdims=True)
    return activations / np.where(peaks > 0.0, peaks, 1.0)


def _preferred(fitted: FittedNetwork) -> Any:
    """Return the class a node speaks for: the one with its largest weight."""
    coef = fitted.network.coef
    return (coef[:, 0] > 0.0).astype(int) if coef.shape[1] == 1 else coef.argmax(axis=1)
