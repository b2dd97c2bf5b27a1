"""One look for all plots. Users' own settings are used nowhere and changed nowhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np

from drumlin._optional import need

BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
SKY, YELLOW, BLACK = "#56b4e9", "#e69f00", "#222222"
GRAY, LIGHT = "#6b6b6b", "#d9d9d9"

CLASSES = (BLUE, ORANGE, GREEN, PURPLE, YELLOW, SKY, BLACK)
"""Okabe and Ito's colors, which the color-blind tell apart."""

MARKERS = "os^Dv<P>X*"

RC = {
    "font.family": "sans-serif",
    "font.size": 10.0,
    "axes.titlesize": 11.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 10.0,
    "axes.labelcolor": BLACK,
    "text.color": BLACK,
    "axes.edgecolor": GRAY,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.prop_cycle": f"cycler('color', {list(CLASSES)})",
    "xtick.color": GRAY,
    "ytick.color": GRAY,
    "xtick.labelcolor": BLACK,
    "ytick.labelcolor": BLACK,
    "xtick.labelsize": 9.0,
    "ytick.labelsize": 9.0,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.0,
    "figure.figsize": (6.0, 4.0),
    "figure.dpi": 100.0,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "figure.constrained_layout.use": True,
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw in our look inside the block."""
    need("matplotlib")
    with import_module("matplotlib.style").context(["default", RC]):
        yield


def axes_or_new(ax: Any, size: tuple[float, float] | None = None) -> Any:
    """Return the axes to draw on: the given ones, or those of a new figure."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    ax = plt.subplots(figsize=size)[1]
    _fix_ticks(ax)
    return ax


def stacked(ax: Any, heights: Sequence[float]) -> list[Any]:
    """Divide axes into panels one above the other that share their x axis."""
    if len(heights) == 1:
        return [ax]
    ax.set_axis_off()
    grid = ax.get_subplotspec().subgridspec(len(heights), 1, height_ratios=heights, hspace=0.08)
    panels: list[Any] = []
    for row in range(len(heights)):
        panels.append(ax.figure.add_subplot(grid[row], sharex=panels[0] if panels else None))
        panels[row].tick_params(labelbottom=row == len(heights) - 1)
        _fix_ticks(panels[row])
    return panels


def class_colors(n_classes: int) -> list[Any]:
    """One color per class: distinct ones for a few, shades of one scale for many."""
    if n_classes <= len(CLASSES):
        return list(CLASSES[:n_classes])
    import matplotlib as mpl

    return list(mpl.colormaps["viridis"](np.linspace(0.0, 1.0, n_classes)))


def plain(text: object, longest: int = 32) -> str:
    """Text that comes from data: one line, not too long, never taken for a formula."""
    line = " ".join(str(text).split())
    if len(line) > longest:
        line = line[: longest - 1] + "…"
    return line.replace("$", r"\$")


def _fix_ticks(ax: Any) -> None:
    """Set what ticks otherwise look up when they are made, which may be after our block."""
    ax.tick_params(color=GRAY, labelcolor=BLACK, labelsize=RC["xtick.labelsize"])
