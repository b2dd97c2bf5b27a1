"""The nearest input with another answer: what would have to be different.

Fewest changed inputs first, then least distance in spreads. One input is searched on a grid and by
bisection. Several are found from seeds (nodes, a lattice in the box, the steepest way up): each is
drawn back towards x until the answer is about to be lost, then moved along the boundary to the
nearest point by sequential quadratic programming with exact gradients. What is returned has been
checked; what has not been found need not be absent, but seeds are everywhere in the box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from scipy.stats import qmc

from drumlin._typing import FloatArray, IntArray
from drumlin.trust.polish import Within, climbed, polished
from drumlin.trust.wanted import Question

GRID = 201
"""Values tried of a single input."""

HALVINGS = 40
"""Steps of bisection."""

LATTICE, IN_ALL = 4096, 32768
"""Points of a lattice in the box of some inputs, and in those of all sets of inputs: what is not
novel can be a thin strip of it."""

NEAREST, POLISHED = 64, 8
"""Of the seeds found, those drawn back, and those polished."""

IN_ZOOM, ZOOMS = 512, (2.0**-3, 2.0**-5, 2.0**-7, 2.0**-9)
"""Points of lattices around the best one, and their sizes in that of the box."""

CENTERS = 256
"""Nodes that are seeds."""

OF_EACH = 2
"""Seeds of each set of inputs that are polished at most, where there are several sets."""

WITHIN = 4
"""Nodes near which the best point is polished again: not being novel means to be near one."""

PAIRED = 8
"""Inputs all pairs of which are tried."""

MOST_ROUNDED = 6
"""Whole inputs that are rounded both ways; further ones to the nearest number."""


@dataclass(frozen=True)
class Counterfactual:
    """An input with the wanted answer, or that there is none.

    Parameters
    ----------
    x : ndarray of shape (n_features,)
        The input; the one asked about where none was found.
    changed : ndarray of int
        Inputs that differ.
    distance : float
        In spreads of the training samples; infinite where none was found.
    found : bool
    reason : str
        Why there is none; empty where there is one.
    """

    x: FloatArray
    changed: IntArray
    distance: float
    found: bool
    reason: str = ""


def counterfactual(question: Question, free: IntArray, max_changed: int) -> Counterfactual:
    """Find the nearest input with the wanted answer.

    Parameters
    ----------
    question : Question
    free : ndarray of int
        Inputs that may change.
    max_changed : int
        How many of them.
    """
    if question.is_answer(question.x[None])[0]:
        return Counterfactual(question.x, np.empty(0, np.int64), 0.0, found=True)
    free = movable(question, free)
    for point in _searched(question, free, min(max_changed, len(free))):
        if point is not None:
            changed = np.flatnonzero(point != question.x).astype(np.int64)
            distance = float(question.distances(point[None])[0])
            return Counterfactual(point, changed, distance, found=True)
    return not_found(question, max_changed, len(free))


def movable(question: Question, free: IntArray) -> IntArray:
    """Return those of free inputs whose ranges let them change."""
    low, high = question.region.low[free], question.region.high[free]
    return free[(low < high) | ((low == high) & (low != question.x[free]))]


def not_found(question: Question, max_changed: int, n_free: int) -> Counterfactual:
    """Say that there is none with so many of so many inputs changed."""
    reason = (
        f"no input was found that has this answer with at most {max_changed} of {n_free} inputs "
        "changed, lies within the ranges and is not farther from all nodes than training samples."
    )
    return Counterfactual(question.x, np.empty(0, np.int64), np.inf, found=False, reason=reason)


def _searched(question: Question, free: IntArray, most: int) -> Iterator[FloatArray | None]:
    """Best points with one, two, ... changed inputs; None where there is none."""
    if not most:
        return
    yield _nearest_of_one(question, free)
    if most == 1:
        return
    everywhere = _nearest(question, [free], climb=True)
    if everywhere is None:
        return
    moved = np.abs(everywhere - question.x) / question.region.spread
    ranked = free[np.argsort(-moved[free], kind="stable")]
    for size in range(2, min(most + 1, len(free))):
        tried = ranked[: PAIRED if size == 2 else size + 1]
        yield _nearest(question, [np.array(subset) for subset in combinations(tried, size)])
    if most == len(free):
        yield everywhere


def _best(question: Question, points: list[FloatArray | None]) -> FloatArray | None:
    """Return the nearest of points that are answers."""
    found = [point for point in points if point is not None]
    if not found:
        return None
    return found[int(question.distances(np.array(found)).argmin())]


# ---------------------------------------------------------------------- one input
def _nearest_of_one(question: Question, free: IntArray) -> FloatArray | None:
    """Nearest answer on a grid of every input, drawn back."""
    rows = np.tile(question.x, (len(free), GRID, 1))
    for k, i in enumerate(free):
        rows[k, :, i] = np.linspace(question.region.low[i], question.region.high[i], GRID)
    grid = _rounded(question, rows.reshape(-1, len(question.x)))
    good = question.is_answer(grid).reshape(len(free), GRID)
    distance = np.where(good, question.distances(grid).reshape(good.shape), np.inf)
    found = np.flatnonzero(good.any(axis=1))
    nearest = grid.reshape(rows.shape)[found, distance[found].argmin(axis=1)]
    return _best(question, list(_drawn_back(question, nearest)))


def _drawn_back(question: Question, seeds: FloatArray) -> FloatArray:
    """Answers nearer to x on the lines from answers (n_seeds, n_features), as near as bisection is.

    Where whole numbers change there is nothing between.
    """
    x, still = question.x, (question.region.whole & (seeds != question.x)).any(axis=1)
    good, bad = np.ones(len(seeds)), np.where(still, 1.0, 0.0)
    for _ in range(HALVINGS if len(seeds) else 0):
        middle = 0.5 * (good + bad)
        holds = question.is_answer(x + middle[:, None] * (seeds - x)) | still
        good, bad = np.where(holds, middle, good), np.where(holds, bad, middle)
    drawn = np.where(seeds == x, x, x + good[:, None] * (seeds - x))
    return np.where(question.is_answer(drawn)[:, None], drawn, seeds)


# ---------------------------------------------------------------------- several inputs
def _nearest(
    question: Question, subsets: list[IntArray], *, climb: bool = False
) -> FloatArray | None:
    """Nearest answer found with all inputs of one of some subsets free."""
    n_lattice = min(LATTICE, IN_ALL // len(subsets))
    seeds = [_seeds(question, free, n_lattice, climb) for free in subsets]
    origin = np.repeat(np.arange(len(subsets)), [len(part) for part in seeds])
    rows = _rounded(question, np.concatenate(seeds))
    good = np.flatnonzero(question.is_answer(rows))
    if not len(good):
        return None
    alone = len(subsets) == 1
    most = NEAREST if alone else max(OF_EACH, NEAREST // len(subsets))
    good = good[_nearest_of_each(question.distances(rows[good]), origin[good], most)]
    drawn = _drawn_back(question, rows[good])
    points: list[FloatArray | None] = list(drawn)
    most = POLISHED if alone else OF_EACH
    for k in _nearest_of_each(question.distances(drawn), origin[good], most)[:POLISHED]:
        points += _around(question, drawn[k], subsets[origin[good[k]]])
    best = _best(question, points)
    assert best is not None  # those drawn back are answers
    free = _subset_of(question, best, subsets)
    best = _best(question, [best, *_near_other_nodes(question, best, free)])
    assert best is not None
    return _zoomed(question, best, np.flatnonzero(best != question.x))


def _subset_of(question: Question, point: FloatArray, subsets: list[IntArray]) -> IntArray:
    """Return the first set of inputs that has all those that differ."""
    changed = np.flatnonzero(point != question.x)
    return next(subset for subset in subsets if np.isin(changed, subset).all())


def _zoomed(question: Question, best: FloatArray, free: IntArray) -> FloatArray:
    """Nearest of finer and finer lattices around an answer: corners stop a descent."""
    region, size = question.region, question.region.high[free] - question.region.low[free]
    unit = qmc.Halton(len(free), scramble=False).random(IN_ZOOM) - 0.5
    for part in ZOOMS:
        rows = np.tile(best, (IN_ZOOM, 1))
        moved = best[free] + part * size * unit
        rows[:, free] = np.clip(moved, region.low[free], region.high[free])
        rows = _rounded(question, rows)
        rows = np.concatenate([best[None], rows[question.is_answer(rows)]])
        best = rows[question.distances(rows).argmin()]
    return np.asarray(_drawn_back(question, best[None])[0])


def _nearest_of_each(distance: FloatArray, origin: IntArray, most: int) -> IntArray:
    """Places of the nearest points, in order, at most so many of each origin."""
    order = np.argsort(distance, kind="stable")
    taken: dict[int, int] = {}
    kept = []
    for place in order.tolist():
        own = int(origin[place])
        taken[own] = taken.get(own, 0) + 1
        if taken[own] <= most:
            kept.append(place)
    return np.array(kept, dtype=np.int64)


def _near_other_nodes(question: Question, best: FloatArray, free: IntArray) -> list[FloatArray]:
    """Answers around one, each near another of the nodes that are nearest to x."""
    within = Within.nearest(question, question.x, WITHIN)
    return [point for node in within for point in _around(question, best, free, node)]


def _around(
    question: Question, start: FloatArray, free: IntArray, within: Within | None = None
) -> list[FloatArray]:
    """Answers around one: the nearest that a descent finds, with whole inputs whole."""
    return _whole_ones(question, polished(question, start, free, within), free)


def _seeds(question: Question, free: IntArray, n_lattice: int, climb: bool) -> FloatArray:
    """Points (n_seeds, n_features) that differ from x in free inputs: nodes, a lattice, a climb."""
    region = question.region
    low, high = region.low[free], region.high[free]
    lattice = low + (high - low) * qmc.Halton(len(free), scramble=False).random(n_lattice)
    inputs, centers = question.network.inputs, question.network.nodes.centers
    centers = (centers if inputs is None else inputs.inverse(centers))[:CENTERS]
    values = np.clip(np.concatenate([centers[:, free], lattice]), low, high)
    seeds = np.tile(question.x, (len(values), 1))
    seeds[:, free] = values
    if not climb:
        return seeds
    worst = question.margins(seeds).min(axis=1)
    starts = [question.x, *seeds[np.argsort(-worst, kind="stable")[:2]]]
    return np.concatenate([seeds, [climbed(question, start, free) for start in starts]])


# ---------------------------------------------------------------------- whole numbers
def _rounded(question: Question, X: FloatArray) -> FloatArray:
    """Points with whole inputs at the nearest number."""
    return np.where(question.region.whole & (question.x != X), np.round(X), X)


def _whole_ones(question: Question, point: FloatArray, free: IntArray) -> list[FloatArray]:
    """Answers near a point whose whole inputs are whole; the rest is polished anew."""
    whole = [i for i in free if question.region.whole[i] and point[i] != question.x[i]]
    if not whole:
        return [point] if question.is_answer(point[None])[0] else []
    whole.sort(key=lambda i: abs(point[i] - np.round(point[i])), reverse=True)
    ways = [(np.floor(point[i]), np.ceil(point[i])) for i in whole[:MOST_ROUNDED]]
    rows = np.tile(_rounded(question, point[None]), (2 ** len(ways), 1))
    rows[:, whole[:MOST_ROUNDED]] = list(product(*ways))
    good = rows[question.is_answer(rows)]
    if not len(good):
        return []
    best = good[question.distances(good).argmin()]
    rest = np.array([i for i in free if i not in whole], dtype=np.int64)
    if not len(rest):
        return [best]
    point = polished(question, best, rest)
    return [best, point] if question.is_answer(point[None])[0] else [best]
