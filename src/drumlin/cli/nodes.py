"""Nodes for the screen and for machines, in original units."""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin.cli.console import say, show_table
from drumlin.estimators.fitted import FittedNetwork
from drumlin.report.nodes import place_table, weight_table
from drumlin.report.parts import Table


def show(table: Table) -> None:
    """Print a table of a report."""
    show_table(table.columns, table.rows, title=table.caption, note=table.note)


def show_nodes(fitted: FittedNetwork) -> None:
    """Print where nodes stand and what they weigh."""
    if not len(fitted.network.nodes):
        say("No nodes: the data show no signal, and the model predicts a constant.")
        return
    show(place_table(fitted))
    show(weight_table(fitted))


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
