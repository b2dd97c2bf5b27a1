"""The model at every size: how good each is, on the data and by leave-one-out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import Decision, Judged

MOST_NUMBERS, MOST_SIZES = 20_000, 60
"""Weights that a page holds, and sizes: of larger models some sizes are left out."""

STEPS = 100
"""Thresholds of a probability, from 0 to 1."""


@dataclass(frozen=True)
class Sizes:
    """Fitted models of fewer nodes, the whole one last, and what is known of each.

    Parameters
    ----------
    models : list of estimator
    table : list of dict
        size; bytes; error and loo, by measure; hits and alarms, by threshold, of two classes.
    """

    models: list[Any]
    table: list[dict[str, Any]]

    @property
    def measure(self) -> str:
        """The measure to draw: the first of those whose leave-one-out is known most often."""
        names = list(self.table[-1]["error"])
        return max(names, key=lambda name: sum(name in entry["loo"] for entry in self.table))

    @property
    def note(self) -> str:
        """What leave-one-out figures of smaller models are, as they say it themselves."""
        return str(getattr(self.models[0], "loo_note_", None) or "")


def sizes_of(judged: Judged) -> Sizes:
    """Cut a judged model to every size, and judge each by its most probable classes."""
    fitted = judged.fitted
    judged = replace(judged, decision=Decision())
    models = [*_smaller(fitted), fitted.model]
    rows = fitted.model_rows(judged.X)
    parts = [
        replace(judged, fitted=FittedNetwork.of(model), X=rows)
        if model is not fitted.model
        else judged
        for model in models
    ]
    return Sizes(models, [_about(part) for part in parts])


def _smaller(fitted: FittedNetwork) -> list[Any]:
    """Models of fewer nodes; none where the model cannot be cut."""
    model, n_outputs = fitted.model, len(fitted.network.intercept)
    sizes = chosen_sizes(len(fitted.network.nodes), n_outputs)
    if not sizes or not hasattr(model, "truncate"):
        return []
    try:
        return [model.truncate(size) for size in sizes]
    except AttributeError:  # it does not know which nodes matter, and says so
        return []


def chosen_sizes(n_nodes: int, n_outputs: int) -> list[int]:
    """Sizes below a number of nodes: all, or as many as a page can hold, closer when small."""
    every = list(range(1, n_nodes))
    n_sizes = min(len(every), MOST_SIZES)
    while n_sizes > 1:
        spread = np.unique(np.round(np.geomspace(1, n_nodes - 1, n_sizes)).astype(int))
        sizes = every if n_sizes == len(every) else spread.tolist()
        if n_outputs * sum(sizes) <= MOST_NUMBERS:
            return sizes
        n_sizes -= 1
    return every[:n_sizes]


def _about(judged: Judged) -> dict[str, Any]:
    names = ("error", "log-loss") if judged.is_classifier else ("root mean squared error", "R²")
    entry: dict[str, Any] = {
        "size": len(judged.fitted.network.nodes),
        "bytes": int(judged.fitted.model.n_bytes_),
        "error": _known(judged.measures, names),
        "loo": _known(judged.loo, names),
    }
    if judged.is_classifier and len(judged.classes) == 2:
        entry |= threshold_counts(judged)
    return entry


def _known(measures: dict[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Measures that are numbers."""
    found = {name: measures[name] for name in names if name in measures}
    return {name: value for name, value in found.items() if np.isfinite(value)}


def threshold_counts(judged: Judged) -> dict[str, list[int]]:
    """Hits and false alarms where the second class is announced from a probability on."""
    thresholds, probability = np.arange(STEPS + 1) / STEPS, judged.probabilities[:, 1]
    counted = {}
    for name, rows in (("hits", judged.codes == 1), ("alarms", judged.codes == 0)):
        below = np.searchsorted(np.sort(probability[rows]), thresholds, side="left")
        counted[name] = (int(rows.sum()) - below).tolist()
    return counted
