"""Searches by exact gradients: up to a wanted answer, and along its border to the nearest point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import minimize

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.trust.wanted import Question

SLACK, FINE = 1e-6, 1e-8
"""Margins that the optimiser is to keep, in units of the margin at x: on the way, and at last."""

LEAST_CHANGE = 1e-9
"""In spreads: less is no change."""

SLIDES, FIRST_PULL = 8, 0.2
"""Steps along a border, and the part of the way to x that the first of them wants to go."""

SWEEPS, LONGEST = 20, 0.5
"""Sweeps over what is to be kept, and the greatest length of a step, in spreads."""

LEAST_SLOPE = 1e-24
"""Least square of a slope that is divided by."""


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


@dataclass(frozen=True)
class Kept:
    """What rows must keep to be answers: margins, and room in the reach of a node.

    Parameters
    ----------
    question : Question
    nodes : ndarray of int of shape (n_rows,)
        The node of each row.
    margin : float
        Part of the margin at x, and of the reach, that is to be left.
    """

    question: Question
    nodes: IntArray
    margin: float = SLACK

    @cached_property
    def least(self) -> FloatArray:
        """Least values (n_kept,)."""
        question = self.question
        margins = self.margin * np.abs(question.margins(question.x[None])[0])
        return np.append(margins + 2.0 * question.slack, self.margin)

    def __call__(self, rows: FloatArray) -> FloatArray:
        """What is left (n_rows, n_kept) above the least values."""
        rooms = self.question.reach.rooms(rows, self.nodes)
        return np.column_stack([self.question.margins(rows), rooms]) - self.least

    def slopes(self, rows: FloatArray) -> FloatArray:
        """Derivatives (n_rows, n_kept, n_features)."""
        of_rooms = self.question.reach.slopes(rows, self.nodes)[:, None, :]
        return np.concatenate([self.question.slopes(rows), of_rooms], axis=1)


def polished(
    question: Question, start: FloatArray, free: IntArray, margin: float = SLACK
) -> FloatArray:
    """Nearest point around one, with margins kept and near one node; it may not be valid."""
    region, point = question.region, start.copy()
    spread = region.spread[free]
    kept = Kept(question, question.reach.nearest(start[None]), margin)

    def at(v: FloatArray) -> FloatArray:
        point[free] = question.x[free] + v * spread
        return point[None]

    low, high = ((end[free] - question.x[free]) / spread for end in (region.low, region.high))
    result = minimize(
        lambda v: (float(v @ v), 2.0 * v),
        np.clip((start - question.x)[free] / spread, low, high),
        jac=True,
        method="SLSQP",
        bounds=list(zip(low, high, strict=True)),
        constraints={
            "type": "ineq",
            "fun": lambda v: kept(at(v))[0],
            "jac": lambda v: kept.slopes(at(v))[0][:, free] * spread,
        },
        options={"maxiter": 60, "ftol": 1e-12},
    )
    v = result.x if np.isfinite(result.x).all() else (start - question.x)[free] / spread
    point = start.copy()
    moved = np.clip(question.x[free] + v * spread, region.low[free], region.high[free])
    point[free] = np.where(np.abs(v) > LEAST_CHANGE, moved, question.x[free])
    return point


def slid(question: Question, starts: FloatArray, free: BoolArray, nodes: IntArray) -> FloatArray:
    """Nearer answers around many at once, each in the reach of a node.

    Sequential quadratic programming without second derivatives of what is to be kept: a step goes
    a part of the way to x, or as near to there as, to first order, leaves an answer; a second one
    makes up for what is lacking then. Where that is no nearer answer, half the part is tried.

    Parameters
    ----------
    question : Question
    starts : ndarray of shape (n_rows, n_features)
        Answers.
    free : ndarray of bool of shape (n_rows, n_features)
        Inputs that may change.
    nodes : ndarray of int of shape (n_rows,)

    Returns
    -------
    ndarray of shape (n_rows, n_features)
        They keep what ``Kept`` says, but whole numbers, or are the starts.
    """
    kept, best = Kept(question, nodes), starts
    pull = np.full((len(starts), 1), FIRST_PULL)
    for _ in range(SLIDES):
        rows = _stepped(kept, best, free, pull)
        rows = _stepped(kept, rows, free, np.zeros_like(pull))
        nearer = question.distances(rows) < question.distances(best)
        nearer &= (kept(rows) >= 0.0).all(axis=1)
        best = np.where(nearer[:, None], rows, best)
        pull = np.where(nearer[:, None], pull, 0.5 * pull)
    return best


def _stepped(kept: Kept, rows: FloatArray, free: BoolArray, pull: FloatArray) -> FloatArray:
    """Rows moved a part (n_rows, 1) of the way to x, as far as, to first order, they keep."""
    region, x = kept.question.region, kept.question.x
    unit = np.where(free, region.spread, 0.0)
    wanted = pull * (x - rows) / region.spread
    G = kept.slopes(rows) * unit[:, None, :]
    steps = _bounded(_least_steps(G, kept(rows) - kept.least, wanted))
    return np.where(free, np.clip(rows + unit * steps, region.low, region.high), rows)


def _bounded(steps: FloatArray) -> FloatArray:
    """Steps (n_rows, n_features) that are not too long; none where there is no such number."""
    steps = np.where(np.isfinite(steps).all(axis=1, keepdims=True), steps, 0.0)
    length = np.linalg.norm(steps, axis=1, keepdims=True)
    return np.asarray(steps * (LONGEST / np.maximum(length, LONGEST)))


def _least_steps(G: FloatArray, left: FloatArray, wanted: FloatArray) -> FloatArray:
    """Steps s (n_rows, n_features) nearest to wanted ones with ``left + G s >= 0``.

    By Hildreth's method: one multiplier after the other, some sweeps over all.

    Parameters
    ----------
    G : ndarray of shape (n_rows, n_kept, n_features)
    left : ndarray of shape (n_rows, n_kept)
    wanted : ndarray of shape (n_rows, n_features)
    """
    size = np.sqrt(np.maximum((G * G).sum(axis=2), LEAST_SLOPE))
    G = G / size[:, :, None]
    least = -left / size - np.einsum("nkd,nd->nk", G, wanted)
    products, prices = G @ G.transpose(0, 2, 1), np.zeros_like(left)
    for _ in range(SWEEPS):
        for i in range(left.shape[1]):
            lacking = least[:, i] - np.einsum("nk,nk->n", products[:, i], prices)
            prices[:, i] = np.maximum(prices[:, i] + lacking, 0.0)
    return np.asarray(wanted + np.einsum("nkd,nk->nd", G, prices))
