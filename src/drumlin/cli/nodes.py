"""Nodes for the screen and for machines, in original units: as many as there is room for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

from drumlin.cli.console import UsageError, console, is_screen, say, show_table
from drumlin.estimators.fitted import FittedNetwork
from drumlin.report.nodes import place_table, powers_in_words, relevance_table
from drumlin.report.parts import Table, number

ALL = "all"
FEWEST = 5
"""Columns and inputs that are shown where nobody asks for more."""

NodesOption = Annotated[
    str | None, typer.Option("--nodes", help="How many nodes to show: a number, or all.")
]
WideOption = Annotated[
    bool, typer.Option("--wide", help="Show all inputs, however wide the table gets.")
]


@dataclass(frozen=True)
class Extent:
    """How much of a network is shown.

    Parameters
    ----------
    nodes : int or None
        At most; None for as many as there is room for.
    wide : bool
        Whether the width of the screen does not matter.
    """

    nodes: int | None = None
    wide: bool = False

    @classmethod
    def of(cls, nodes: str | None, wide: bool) -> Extent:
        """Read the options; "all" nodes are shown however wide they are."""
        if nodes is None:
            return cls(None, wide)
        if nodes == ALL:
            return cls(10**9, True)
        if not nodes.isdecimal() or int(nodes) < 1:
            raise UsageError(f"The option '--nodes' must be a number or {ALL}. Got {nodes!r}.")
        return cls(int(nodes), wide)


def show(table: Table) -> None:
    """Print a table of a report."""
    show_table(table.columns, table.rows, title=table.caption, note=table.note)


def show_nodes(fitted: FittedNetwork, extent: Extent | None = None) -> None:
    """Print which columns matter, then where nodes stand and what they weigh."""
    if not len(fitted.network.nodes):
        say("No nodes: the data show no signal, and the model predicts a constant.")
        return
    extent = extent or Extent()
    most = 10**9 if extent.wide or not is_screen() else 2 * FEWEST
    relevance = relevance_table(fitted, most)
    if relevance is not None:
        show(relevance)
    if is_screen():
        show(_fitting(fitted, extent))
    else:
        for line in _facts(fitted, extent):
            say(line)


def _fitting(fitted: FittedNetwork, extent: Extent) -> Table:
    """The table of nodes, with as many nodes as fit the screen: at least one."""
    n_nodes = len(fitted.network.nodes)
    most = min(extent.nodes or n_nodes, n_nodes)
    inputs = len(fitted.names) if extent.wide else 2 * FEWEST
    table = place_table(fitted, limits=(most, inputs), weights=True)
    if extent.wide:
        return table
    widths = [max(map(len, cells)) + 2 for cells in zip(table.columns, *table.rows, strict=True)]
    n_fixed = len(table.columns) - most
    fits = int((np.cumsum(widths)[n_fixed:] <= console().width).sum())
    if fits >= most:
        return table
    return place_table(fitted, limits=(max(1, fits), inputs), weights=True)


def _facts(fitted: FittedNetwork, extent: Extent) -> list[str]:
    """One line per node and input that it looks at."""
    table = place_table(
        fitted, limits=(extent.nodes or 10**9, len(fitted.names)), weights=True, note=False
    )
    first = table.columns.index(next(c for c in table.columns if c.startswith("node ")))
    intercept = ", ".join(map(number, fitted.network.intercept))
    powers = powers_in_words(fitted, len(fitted.names)).strip()
    lines = [f"Intercept: {intercept}", *([powers] if powers else [])]
    for k, node in enumerate(table.columns[first:], first):
        lines += [
            f"{node.capitalize()}: {row[0]}: {row[k]}" for row in table.rows if row[k] != "any"
        ]
    return lines


def node_list(fitted: FittedNetwork) -> list[dict[str, Any]]:
    """Nodes as plain data; an input that a node ignores has no width.

    Returns
    -------
    list of dict
        center and width by input, weight by output.
    """
    centers, low, high = fitted.node_ranges()
    widths = 0.5 * (high - low)
    return [
        {
            "center": dict(zip(fitted.names, center.tolist(), strict=True)),
            "width": {
                name: float(width) if np.isfinite(width) else None
                for name, width in zip(fitted.names, row, strict=True)
            },
            "weight": dict(zip(fitted.outputs, weights.tolist(), strict=True)),
        }
        for center, row, weights in zip(centers, widths, fitted.network.coef, strict=True)
    ]
