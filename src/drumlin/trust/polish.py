"""Searches by exact gradients: up to a wanted answer, and along its border to the nearest point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from drumlin._typing import FloatArray, IntArray
from drumlin.trust.wanted import Question

SLACK = 1e-6
"""Margin that the optimiser is to keep, in units of the margin at x."""

LEAST_CHANGE = 1e-9
"""In spreads: less is no change."""


def climbed(question: Question, start: FloatArray, free: IntArray) -> FloatArray:
    """Return a point in the box with larger margins: their soft minimum is climbed."""
    region, point = question.region, start.copy()

    def cost(v: FloatArray) -> tuple[float, FloatArray]:
        point[free] = v
        margins, slopes = question.margins(point[None])[0], question.slopes(point[None])[0]
        share = np.exp(margins.min() - margins)
        share /= share.sum()
        return float(-share @ margins), -(share @ slopes[:, free])

    low, high = region.low[free], region.high[free]
    result = minimize(
        cost,
        np.clip(start[free], low, high),
        jac=True,
        method="L-BFGS-B",
        bounds=list(zip(low, high, strict=True)),
        options={"maxiter": 30},
    )
    point = start.copy()
    point[free] = np.clip(result.x, low, high)
    return point


def polished(
    question: Question, start: FloatArray, free: IntArray, within: Within | None = None
) -> FloatArray:
    """Nearest point around one, with margins kept and near one node; it may not be valid."""
    region, point = question.region, start.copy()
    spread = region.spread[free]
    slack = SLACK * np.abs(question.margins(question.x[None])[0]) + 2.0 * question.slack
    within = within or Within.nearest(question, start, 1)[0]

    def at(v: FloatArray) -> FloatArray:
        point[free] = question.x[free] + v * spread
        return point[None]

    def kept(v: FloatArray) -> FloatArray:
        row = at(v)
        return np.append(question.margins(row)[0] - slack, within.room(row))

    def kept_slopes(v: FloatArray) -> FloatArray:
        row = at(v)
        return np.vstack([question.slopes(row)[0], within.slope(row)])[:, free] * spread

    low, high = ((end[free] - question.x[free]) / spread for end in (region.low, region.high))
    result = minimize(
        lambda v: (float(v @ v), 2.0 * v),
        np.clip((start - question.x)[free] / spread, low, high),
        jac=True,
        method="SLSQP",
        bounds=list(zip(low, high, strict=True)),
        constraints={"type": "ineq", "fun": kept, "jac": kept_slopes},
        options={"maxiter": 60, "ftol": 1e-10},
    )
    v = result.x if np.isfinite(result.x).all() else (start - question.x)[free] / spread
    point = start.copy()
    moved = np.clip(question.x[free] + v * spread, region.low[free], region.high[free])
    point[free] = np.where(np.abs(v) > LEAST_CHANGE, moved, question.x[free])
    return point


@dataclass(frozen=True)
class Within:
    """How far inside the reach of one node a point is: then it is not novel.

    Parameters
    ----------
    question : Question
    node : int
        Of the novelty's network, the nearest to where a search begins.
    """

    question: Question
    node: int

    @classmethod
    def nearest(cls, question: Question, start: FloatArray, most: int) -> list[Within]:
        """Return some nodes, the nearest to a point first."""
        known = question.region.novelty.network
        r2 = known.nodes.squared_distances(known.mapped(start[None]))
        order = np.argsort(r2[:, 0], kind="stable")[:most]
        return [cls(question, node) for node in order.tolist()]

    def _distance(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distances (n_mapped,) to the node in its widths, and the widths."""
        known = self.question.region.novelty.network
        width = known.nodes.widths[self.node]
        return (known.mapped(X)[0] - known.nodes.centers[self.node]) / width, width

    def room(self, X: FloatArray) -> float:
        """Part of the largest squared distance that is left."""
        distance, _ = self._distance(X)
        farthest = float(self.question.region.novelty.quantiles[-1])
        return 1.0 - float(distance @ distance) / max(farthest**2, 1e-300)

    def slope(self, X: FloatArray) -> FloatArray:
        """Derivatives (n_features,) of the room."""
        known = self.question.region.novelty
        distance, width = self._distance(X)
        by_mapped = -2.0 * distance / width / max(float(known.quantiles[-1]) ** 2, 1e-300)
        inputs = known.network.inputs
        if inputs is None:
            return np.asarray(by_mapped)
        return inputs.pull_back(X, by_mapped[None, None, :])[0, 0]
