"""Plots that compare methods: average ranks, and error against size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

COLORS = ("#0072b2", "#d55e00", "#777777", "#009e73")
"""Distinguishable by the colour-blind, one per group."""

MARKERS = "osD^"

CHARACTER = 0.075
"""Mean width of a letter of 8 or 9 points, in inches."""

LINE = 11.0
"""Distance of lines of text in points."""


def plot_critical_difference(
    ranks: Mapping[str, float],
    critical_difference: float,
    *,
    groups: Mapping[str, str] | None = None,
    ax: Any = None,
) -> Any:
    """Draw average ranks on a line; bars join methods that do not differ significantly.

    Parameters
    ----------
    ranks : mapping of str to float
        Average rank of every method, 1 is best.
    critical_difference : float
        Ranks that differ by less are joined.
    groups : mapping of str to str, default=None
        Group of a method; groups differ in colour.
    ax : matplotlib Axes, default=None
        A new figure if None.

    Returns
    -------
    Axes

    See Also
    --------
    plot_error_against_size

    Examples
    --------
    >>> from drumlin.plotting import plot_critical_difference
    >>> ax = plot_critical_difference({"ours": 1.6, "SVC": 1.9, "trees": 2.5}, 0.7)
    >>> any("trees" in text.get_text() for text in ax.texts)
    True
    """
    names = sorted(ranks, key=lambda name: (ranks[name], name))
    values = np.array([ranks[name] for name in names])
    ax = _axes(ax, (7.0, 1.6 + 0.18 * len(names)))
    highest, half = len(names), (len(names) + 1) // 2
    styles = _styles(names, groups)
    ax.hlines(0.0, 1.0, highest, color="black", lw=1)
    for rank in range(1, highest + 1):
        ax.vlines(rank, 0.0, 0.12, color="black", lw=1)
        ax.text(rank, 0.2, str(rank), ha="center", va="bottom", fontsize=8)
    bars = cliques(values, critical_difference)
    for level, (first, last) in enumerate(bars, start=1):
        left, right = values[first] - 0.06, values[last] + 0.06
        ax.hlines(-0.22 * level, left, right, color="black", lw=3)
    first_label = -0.22 * len(bars) - 0.45
    for i, (name, rank) in enumerate(zip(names, values, strict=True)):
        on_left = i < half
        y = first_label - 0.42 * (i if on_left else len(names) - 1 - i)
        end = 0.8 if on_left else highest + 0.2
        color = styles[name][0]
        ax.plot([rank, rank, end], [0.0, y, y], color=color, lw=0.8)
        label = f"{name}  {rank:.2f}" if on_left else f"{rank:.2f}  {name}"
        ha = "right" if on_left else "left"
        ax.text(end, y, f" {label} ", ha=ha, va="center", color=color, fontsize=9)
    if np.isfinite(critical_difference):
        fits = 1.0 + critical_difference <= highest
        if fits:
            ax.hlines(0.95, 1.0, 1.0 + critical_difference, color="black", lw=2)
        text = f"critical difference {critical_difference:.2f}"
        ax.text(
            1.0, 1.08, text + ("" if fits else ", more than all ranks"), va="bottom", fontsize=8
        )
    margin = _room_for_names(names, ax.figure.get_figwidth()) * (highest - 1)
    ax.set_xlim(0.8 - margin, highest + 0.2 + margin)
    ax.set_ylim(first_label - 0.42 * half, 1.6)
    ax.set_axis_off()
    return ax


def _room_for_names(names: list[str], inches: float) -> float:
    """Width of the longest label beside the line of ranks, in units of that line."""
    part = min((max(len(name) for name in names) + 7) * CHARACTER / inches, 0.4)
    return part / (1.0 - 2.0 * part)


def cliques(values: np.ndarray, critical_difference: float) -> list[tuple[int, int]]:
    """Longest runs of sorted ranks that span less than the critical difference.

    Parameters
    ----------
    values : ndarray of shape (n_methods,)
        Ascending.
    critical_difference : float

    Returns
    -------
    list of (first, last)
        At least two methods each, none inside another.
    """
    found: list[tuple[int, int]] = []
    for first, value in enumerate(values):
        last = int(np.flatnonzero(values - value < critical_difference)[-1:].sum())
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def plot_error_against_size(
    sizes: Mapping[str, float],
    errors: Mapping[str, float],
    *,
    groups: Mapping[str, str] | None = None,
    ax: Any = None,
) -> Any:
    """Draw the error of methods against their size on a logarithmic axis.

    Parameters
    ----------
    sizes : mapping of str to float
        Mean number of nodes, support vectors or columns.
    errors : mapping of str to float
        Mean test error in percent; methods without a size are drawn as lines.
    groups : mapping of str to str, default=None
        Group of a method; groups differ in colour and marker.
    ax : matplotlib Axes, default=None
        A new figure if None.

    Returns
    -------
    Axes

    See Also
    --------
    plot_critical_difference

    Examples
    --------
    >>> from drumlin.plotting import plot_error_against_size
    >>> ax = plot_error_against_size({"ours": 4.3, "SVC": 199.0}, {"ours": 19.2, "SVC": 19.3})
    >>> ax.get_xscale()
    'log'
    """
    ax = _axes(ax, (7.0, 4.5))
    styles = _styles(list(errors), groups)
    places = _line_places({name: e for name, e in errors.items() if name not in sizes})
    for name, error in errors.items():
        color, marker, group = styles[name]
        if name in sizes:
            ax.plot(sizes[name], error, marker, color=color, label=group)
        else:
            ax.axhline(error, color=color, lw=0.8, ls=":")
            axis, x = ax.get_yaxis_transform(), places[name]
            ax.text(x, error, name, transform=axis, ha="right", va="bottom", fontsize=8)
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:g}")
    ax.margins(x=0.15, y=0.1)
    ax.set_xlabel("nodes, support vectors or columns (mean over sets)")
    ax.set_ylabel("test error in % (mean over sets)")
    handles, labels = ax.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    if groups is not None and unique:
        ax.legend(unique.values(), unique.keys(), fontsize=8, frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    _name_points(ax, {name: (sizes[name], errors[name]) for name in errors if name in sizes})
    return ax


def _name_points(ax: Any, points: Mapping[str, tuple[float, float]]) -> None:
    """Write names beside points, one below the other where they would overlap."""
    ax.figure.draw_without_rendering()  # points have places once the layout is known
    dots = ax.figure.dpi / 72.0
    places = {name: ax.transData.transform(point) / dots for name, point in points.items()}
    taken = [(x - 6.0, x + 6.0, y) for x, y in places.values()]  # left, right, height
    for name in sorted(places, key=lambda name: (-places[name][1], name)):
        x, y = places[name]
        left, right, line = x + 7.0, x + 10.0 + 72.0 * CHARACTER * len(name), y
        near = [height for start, end, height in taken if start < right and left < end]
        while any(abs(line - other) < LINE for other in near):
            line = min(other for other in near if abs(line - other) < LINE) - LINE
        taken.append((left, right, line))
        leader = {"arrowstyle": "-", "lw": 0.5, "color": "0.6"} if line < y else None
        ax.annotate(
            name,
            points[name],
            (8.0, line - y),
            textcoords="offset points",
            va="center",
            fontsize=8,
            arrowprops=leader,
        )


def _line_places(errors: Mapping[str, float]) -> dict[str, float]:
    """Where the names of lines end, as parts of the axis: beside each other, for lines may meet."""
    names = sorted(errors, key=lambda name: (errors[name], name))
    return {name: 0.99 - 0.15 * (i % 4) for i, name in enumerate(names)}


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def _styles(names: list[str], groups: Mapping[str, str] | None) -> dict[str, tuple[str, str, str]]:
    """Colour, marker and group of every method."""
    group_of = {name: "" if groups is None else groups.get(name, "") for name in names}
    order = {group: i for i, group in enumerate(sorted(set(group_of.values())))}
    return {
        name: (COLORS[order[group] % 4], MARKERS[order[group] % 4], group)
        for name, group in group_of.items()
    }
