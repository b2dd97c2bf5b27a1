"""The nearest input with another answer: what would have to be different.

Fewest changed inputs first, then least distance in spreads. One input is searched on a grid and by
bisection. Several are found from seeds (``seeds``): each is drawn back towards x until the answer
is about to be lost, then moved along the border to the nearest point by sequential quadratic
programming with exact gradients. What is returned has been
checked; what has not been found need not be absent, but seeds are everywhere in the box.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.trust.polish import FINE, polished, slid
from drumlin.trust.seeds import IN_ALL, in_box, lattice, on_lattice, rounded, seeds_of, straight_box
from drumlin.trust.wanted import Question

GRID = 201
"""Values tried of a single input."""

HALVINGS = 40
"""Steps of bisection."""

NEAREST, POLISHED = 64, 6
"""Of the seeds found, those drawn back and along the border, and those polished."""

IN_ZOOM, ZOOMS = 512, (2.0**-3, 2.0**-5, 2.0**-7, 2.0**-9)
"""Points of lattices around the best one, and their sizes in that of the box."""

OF_EACH = 2
"""Seeds of each set of inputs that are polished at most, where there are several sets."""

SCREENED, SUBSETS = 500, 32
"""Most sets of inputs of one size that are looked at (all pairs of 32 inputs), and searched."""

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
        subsets = [np.array(some) for some in combinations(ranked[: _n_ranked(size)], size)]
        yield _nearest(question, _promising(question, subsets))
    if most == len(free):
        yield everywhere


def _n_ranked(size: int) -> int:
    """Most inputs that have no more than ``SCREENED`` sets of a size."""
    n = size + 1
    while comb(n + 1, size) <= SCREENED:
        n += 1
    return n


def _promising(question: Question, subsets: list[IntArray]) -> list[IntArray]:
    """Sets of inputs that have the nearest answers on a lattice; then, that lack least there."""
    if len(subsets) <= SUBSETS:
        return subsets
    n = IN_ALL // len(subsets)
    rows = rounded(question, np.concatenate([on_lattice(question, one, n) for one in subsets]))
    lacking = question.lacking(rows).reshape(len(subsets), n)
    distance = question.distances(rows).reshape(lacking.shape)
    nearest = np.where(lacking > 0.0, np.inf, distance).min(axis=1)
    order = np.lexsort((lacking.min(axis=1), nearest))
    return [subsets[k] for k in order[:SUBSETS]]


def _best(question: Question, points: list[FloatArray | None]) -> FloatArray | None:
    """Return the nearest of points that are answers."""
    found = [point for point in points if point is not None]
    if not found:
        return None
    return found[int(question.distances(np.array(found)).argmin())]


# ---------------------------------------------------------------------- one input
def _nearest_of_one(question: Question, free: IntArray) -> FloatArray | None:
    """Nearest answer on a grid of every input, drawn back."""
    rows = np.tile(question.reach.straightened(question.x[None]), (len(free), GRID, 1))
    for k, (i, low, high) in enumerate(zip(free, *straight_box(question, free), strict=True)):
        rows[k, :, i] = np.linspace(low, high, GRID)
    grid = rounded(question, in_box(question, rows.reshape(-1, len(question.x))))
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
    seeds, origin = seeds_of(question, subsets, climb=climb)
    rows = rounded(question, seeds)
    good = np.flatnonzero(question.is_answer(rows))
    if not len(good):
        return None
    alone = len(subsets) == 1
    most = NEAREST if alone else max(OF_EACH, NEAREST // len(subsets))
    good = good[_nearest_of_each(question.distances(rows[good]), origin[good], most)]
    subset = [subsets[k] for k in origin[good]]
    drawn = _slid(question, _drawn_back(question, rows[good]), subset)
    points: list[FloatArray | None] = list(drawn)
    most = POLISHED if alone else OF_EACH
    for k in _nearest_of_each(question.distances(drawn), origin[good], most)[:POLISHED]:
        points += _whole_ones(question, polished(question, drawn[k], subset[k]), subset[k])
    best = _best(question, points)
    assert best is not None  # those drawn back are answers
    return _zoomed(question, best, np.flatnonzero(best != question.x))


def _slid(question: Question, answers: FloatArray, subsets: list[IntArray]) -> FloatArray:
    """Answers (n_rows, n_features) moved along borders to nearer ones; whole numbers stay."""
    free = np.zeros(answers.shape, dtype=bool)
    for own, subset in zip(free, subsets, strict=True):
        own[subset] = ~question.region.whole[subset]
    moved = slid(question, answers, free, question.reach.nearest(answers))
    nearer = question.distances(moved) < question.distances(answers)
    return np.where((nearer & question.is_answer(moved))[:, None], moved, answers)


def _zoomed(question: Question, best: FloatArray, free: IntArray) -> FloatArray:
    """Nearest of finer and finer lattices around an answer: corners stop a descent."""
    region, (low, high) = question.region, straight_box(question, free)
    unit = lattice(len(free), IN_ZOOM) - 0.5
    for part in ZOOMS:
        rows = np.tile(question.reach.straightened(best[None]), (IN_ZOOM, 1))
        rows[:, free] += part * (high - low) * unit
        rows = rounded(question, in_box(question, rows))
        rows = np.concatenate([best[None], rows[question.is_answer(rows)]])
        best = rows[question.distances(rows).argmin()]
    last = polished(question, best, free[~region.whole[free]], FINE)
    ends = np.array([best, last])
    ends = _drawn_back(question, ends[question.is_answer(ends)])
    return np.asarray(ends[question.distances(ends).argmin()])


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


# ---------------------------------------------------------------------- whole numbers
def _whole_ones(question: Question, point: FloatArray, free: IntArray) -> list[FloatArray]:
    """Answers near a point whose whole inputs are whole; the rest is polished anew."""
    whole = [i for i in free if question.region.whole[i] and point[i] != question.x[i]]
    if not whole:
        return [point] if question.is_answer(point[None])[0] else []
    whole.sort(key=lambda i: abs(point[i] - np.round(point[i])), reverse=True)
    ways = [(np.floor(point[i]), np.ceil(point[i])) for i in whole[:MOST_ROUNDED]]
    rows = np.tile(rounded(question, point[None]), (2 ** len(ways), 1))
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
