"""Nodes as tables: how much each adds, and where it stands in original units."""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.plotting.nodes import mean_contributions
from drumlin.report.parts import Table, number, percent, with_error

MOST_NODES, MOST_INPUTS = 20, 20
"""Larger tables are cut: nobody reads them."""


def weight_table(fitted: FittedNetwork, X: Any = None) -> Table:
    """Weights of the nodes, and their mean contributions.

    Parameters
    ----------
    fitted : FittedNetwork
    X : rows over which activations are averaged; None for weights only
    """
    network = fitted.network
    sizes = _sizes(fitted, X)
    order = np.argsort(-np.abs(sizes).max(axis=1), kind="stable")[:MOST_NODES]
    outputs = [f" for {name}" if fitted.outputs != ("y",) else "" for name in fitted.outputs]
    columns = ["node", *[f"weight{output}" for output in outputs]]
    rows = [[f"{j + 1}", *map(number, network.coef[j])] for j in order]
    intercept = ", ".join(number(value) for value in network.intercept)
    note = f"Largest first. Intercept: {intercept}."
    if X is not None:
        columns += [f"mean{output}" for output in outputs]
        rows = [[*row, *map(number, sizes[j])] for row, j in zip(rows, order, strict=True)]
        note = f"Largest first; “mean” is the mean of weight × activation. Intercept: {intercept}."
    return Table("Weights", columns, rows, note + _left_out(len(network.nodes), len(rows), "nodes"))


def relevance_table(fitted: FittedNetwork, most: int = MOST_INPUTS) -> Table | None:
    """Columns of the table by their share of the relevance; None where the model does not know.

    Parameters
    ----------
    fitted : FittedNetwork
    most : int
        Columns, at most.
    """
    shares = fitted.relevance_by_column
    if shares is None:
        return None
    ranked = sorted(shares, key=lambda name: -shares[name])
    rows = [(name, percent(shares[name])) for name in ranked[:most]]
    note = _left_out(len(shares), len(rows), "columns").strip()
    return Table("What moves the answers", ("column", "relevance"), rows, note)


def place_table(
    fitted: FittedNetwork,
    X: Any = None,
    *,
    limits: tuple[int, int] = (MOST_NODES, MOST_INPUTS),
    weights: bool = False,
    note: bool = True,
) -> Table:
    """Centers and widths of the nodes, one row per input, the most relevant first.

    Parameters
    ----------
    fitted : FittedNetwork
    X : rows over which activations are averaged; they say which nodes come first, else the weights
    limits : (int, int)
        Nodes and inputs, at most.
    weights : bool
        Whether the first rows are the weights of the nodes.
    note : bool
        Whether to say what the table means and what it leaves out.
    """
    centers, low, high = fitted.node_ranges()
    sizes = np.abs(_sizes(fitted, X)).max(axis=1)
    nodes = np.argsort(-sizes, kind="stable")[: limits[0]]
    relevance = getattr(fitted.model, "relevance_", None)
    inputs = np.arange(len(fitted.names))
    if relevance is not None:
        inputs = np.argsort(-relevance, kind="stable")
    inputs = inputs[: limits[1]]
    rows = _weight_rows(fitted, nodes, relevance is not None) if weights else []
    for i in inputs:
        cells = [_place(centers[j, i], low[j, i], high[j, i]) for j in nodes]
        share = [] if relevance is None else [percent(relevance[i])]
        rows.append((fitted.names[i], *share, *cells))
    share = [] if relevance is None else ["relevance"]
    columns = ("input", *share, *[f"node {j + 1}" for j in nodes])
    if not note:
        return Table("Where the nodes stand", columns, rows)
    words = (
        "Center ± width, in original units and within the training data: a description. A node is "
        "active at about 61 % one width from its center along one input (if Gaussian); “any” means "
        "that it ignores the input."
    )
    if weights:
        intercept = ", ".join(number(value) for value in fitted.network.intercept)
        words += f" Intercept: {intercept}."
    words += powers_in_words(fitted)
    words += _left_out(len(fitted.names), len(inputs), "inputs")
    words += _left_out(len(fitted.network.nodes), len(nodes), "nodes")
    return Table("Where the nodes stand", columns, rows, words)


def powers_in_words(fitted: FittedNetwork, most: int = MOST_INPUTS) -> str:
    """Which inputs are drawn in because they are skewed, by which power; nothing where none is."""
    view = fitted.network.inputs
    if view is None or view.powers is None:
        return ""
    power, bent = view.powers.power, np.flatnonzero(view.powers.bent)
    named = [f"{fitted.names[i]} by power {number(power[i])}" for i in bent[:most]]
    named += [f"{len(bent) - most} more"] if len(bent) > most else []
    return f" Long tails are drawn in (Yeo-Johnson): {', '.join(named)}."


def _weight_rows(fitted: FittedNetwork, nodes: Any, with_share: bool) -> list[tuple[str, ...]]:
    """What the nodes add to every output where they are fully active."""
    names = [f"weight for {name}" for name in fitted.outputs]
    if fitted.outputs == ("y",):
        names = ["weight"]
    share = [""] if with_share else []
    return [
        (name, *share, *[number(weight) for weight in fitted.network.coef[nodes, k]])
        for k, name in enumerate(names)
    ]


def _sizes(fitted: FittedNetwork, X: Any) -> FloatArray:
    """What nodes (n_nodes, n_outputs) are ordered by: mean contributions, or weights."""
    return fitted.network.coef if X is None else mean_contributions(fitted, X)


def _place(center: float, low: float, high: float) -> str:
    if not np.isfinite(high - low):
        return "any"
    return with_error(center, 0.5 * (high - low))


def _left_out(n_all: int, n_shown: int, what: str) -> str:
    n = n_all - n_shown
    if n <= 0:
        return ""
    return f" {n} more {what} are not shown." if n > 1 else f" 1 more {what[:-1]} is not shown."
