"""Points from which near answers are looked for: everywhere in the box, and where nothing is novel.

What is not novel can be a thin part of the box, and answers a thin part of that, which no lattice
meets. So the reach of every node is looked at by itself (``reach``): inside and on its border,
points that lack less than those around them are moved to where they lack least.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.spatial import KDTree
from scipy.special import ndtri
from scipy.stats import qmc

from drumlin._typing import FloatArray, IntArray
from drumlin.trust.polish import climbed
from drumlin.trust.reach import Section
from drumlin.trust.wanted import Question

LATTICE, IN_ALL = 4096, 32768
"""Points of a lattice in the box of some inputs, and in those of all sets of inputs."""

CENTERS = 256
"""Nodes that are seeds."""

REACHES = 16
"""Reaches that every set of inputs is looked at in."""

IN_REACH, IN_REACHES = (32, 256), 8192
"""Points of each reach (least, most), and of all."""

MOVED, ALL_MOVED = (2, 32), 1024
"""Points of each reach (least, most), and of all, that are moved to where they lack least."""

AROUND, PARTS = 12, (0.2, 0.1, 0.05, 0.025, 0.012, 0.006, 0.003)
"""Points around each that are tried, and how far away, in sizes of the reach."""


def seeds_of(
    question: Question, subsets: list[IntArray], *, climb: bool
) -> tuple[FloatArray, IntArray]:
    """Points (n_seeds, n_features) that differ from x in inputs of one subset each; and which.

    Parameters
    ----------
    question : Question
    subsets : list of ndarray of int
        Of one size.
    climb : bool
        Whether some also go the steepest way up to the answer.
    """
    n_lattice = min(LATTICE, IN_ALL // len(subsets))
    seeds = [_in_box(question, free, n_lattice) for free in subsets]
    if climb:
        seeds = [
            np.concatenate([s, _climbed(question, s, f)])
            for s, f in zip(seeds, subsets, strict=True)
        ]
    origin = np.repeat(np.arange(len(subsets)), [len(part) for part in seeds])
    inside, own = _in_reaches(question, subsets)
    return np.concatenate([*seeds, inside]), np.concatenate([origin, own])


def rounded(question: Question, X: FloatArray) -> FloatArray:
    """Points with whole inputs at the nearest number."""
    return np.where(question.region.whole & (question.x != X), np.round(X), X)


# ---------------------------------------------------------------------- the box
def straight_box(question: Question, free: IntArray) -> tuple[FloatArray, FloatArray]:
    """Ends (n_free,) of the box in free inputs, straightened."""
    ends = np.tile(question.x, (2, 1))
    ends[:, free] = question.region.low[free], question.region.high[free]
    low, high = question.reach.straightened(ends)[:, free]
    return low, high


def in_box(question: Question, S: FloatArray) -> FloatArray:
    """Points (n_points, n_features) of the box at straightened inputs; what is that of x stays x.

    What is even in straightened inputs is so as nodes see it: most of the range of a long tail is
    next to nothing to them.
    """
    region, reach, x = question.region, question.reach, question.x
    X = np.clip(reach.bent_back(S), region.low, region.high)
    return np.where(reach.straightened(x[None]) == S, x, X)


def _in_box(question: Question, free: IntArray, n_lattice: int) -> FloatArray:
    """Nodes and a lattice: (n_seeds, n_features)."""
    low, high = question.region.low[free], question.region.high[free]
    inputs, centers = question.network.inputs, question.network.nodes.centers
    centers = (centers if inputs is None else inputs.inverse(centers))[:CENTERS]
    nodes = np.tile(question.x, (len(centers), 1))
    nodes[:, free] = np.clip(centers[:, free], low, high)
    return np.concatenate([nodes, on_lattice(question, free, n_lattice)])


def on_lattice(question: Question, free: IntArray, n_points: int) -> FloatArray:
    """Points (n_points, n_features) that are evenly spread over the box of free inputs."""
    low, high = straight_box(question, free)
    rows = np.tile(question.reach.straightened(question.x[None]), (n_points, 1))
    rows[:, free] = low + (high - low) * lattice(len(free), n_points)
    return in_box(question, rows)


def _climbed(question: Question, seeds: FloatArray, free: IntArray) -> FloatArray:
    """Where the steepest ways up from x and from the best of seeds lead."""
    worst = question.margins(seeds).min(axis=1)
    starts = [question.x, *seeds[np.argsort(-worst, kind="stable")[:2]]]
    return np.array([climbed(question, start, free) for start in starts])


@cache
def lattice(n_inputs: int, n_points: int) -> FloatArray:
    """Points (n_points, n_inputs) that are evenly spread over the unit cube."""
    return _fixed(qmc.Halton(n_inputs, scramble=False).random(n_points))


def _fixed(array: FloatArray) -> FloatArray:
    """Return an array that nobody can change: it is shared by all callers."""
    array.setflags(write=False)
    return array


# ---------------------------------------------------------------------- what is not novel
@dataclass(frozen=True)
class _Planes:
    """Sections of reaches, each by a subset of the inputs of one size.

    Parameters
    ----------
    question : Question
    free : ndarray of int of shape (n_planes, n_free)
    centers : ndarray of shape (n_planes, n_free)
    axes : ndarray of shape (n_planes, n_free, n_free)
    """

    question: Question
    free: IntArray
    centers: FloatArray
    axes: FloatArray

    def take(self, which: IntArray) -> _Planes:
        """Return some of them, or some again and again."""
        return _Planes(self.question, self.free[which], self.centers[which], self.axes[which])

    def rows(self, u: FloatArray) -> FloatArray:
        """Points (n_planes, n_points, n_features) at places (n_planes, n_points, n_free)."""
        question, values = self.question, self.centers[:, None, :] + u @ self.axes
        straight = question.reach.straightened(question.x[None])
        rows = np.tile(straight, (*u.shape[:2], 1))
        free = np.broadcast_to(self.free[:, None, :], values.shape)
        np.put_along_axis(rows, free, values, axis=2)
        return in_box(question, rows.reshape(-1, rows.shape[2])).reshape(rows.shape)

    def lacking(self, u: FloatArray) -> FloatArray:
        """What points at places u lack (n_planes, n_points) to be answers."""
        rows = self.rows(u)
        return self.question.lacking(rows.reshape(-1, rows.shape[2])).reshape(rows.shape[:2])


def _in_reaches(question: Question, subsets: list[IntArray]) -> tuple[FloatArray, IntArray]:
    """Points of reaches (n_seeds, n_features) that lack least around; and their subsets."""
    found = [(k, one) for k, free in enumerate(subsets) for one in _sections(question, free)]
    if not found:
        return question.x[None][:0], np.empty(0, np.int64)
    origin = np.array([k for k, _ in found])
    centers, axes = (
        np.array([getattr(one, name) for _, one in found]) for name in ("center", "axes")
    )
    planes = _Planes(question, np.array(subsets)[origin], centers, axes)
    n_each, most = (
        int(np.clip(total // len(found), *ends))
        for total, ends in ((IN_REACHES, IN_REACH), (ALL_MOVED, MOVED))
    )
    size = centers.shape[1]
    lacking = planes.lacking(np.tile(_ball(size, n_each), (len(found), 1, 1)))
    picked = [_least_around(values, size, most) for values in lacking]
    which = np.repeat(np.arange(len(found)), [len(places) for places in picked])
    planes, start = planes.take(which), _ball(size, n_each)[np.concatenate(picked)]
    return planes.rows(_moved(planes, start)[:, None, :])[:, 0], origin[which]


def _sections(question: Question, free: IntArray) -> list[Section]:
    """Sections of reaches by free inputs, the nearest to x first."""
    low, high = straight_box(question, free)
    sections = question.reach.sections(question.x, free, high - low)
    middle = np.tile(question.reach.straightened(question.x[None]), (len(sections), 1))
    for row, one in zip(middle, sections, strict=True):
        row[free] = one.center
    far = question.distances(question.reach.bent_back(middle))
    return [sections[i] for i in np.argsort(far, kind="stable")[:REACHES]]


def _least_around(lacking: FloatArray, n_inputs: int, most: int) -> IntArray:
    """Places of points of the ball that lack less than all around them; those that lack least.

    Answers need not be moved, but they are seeds.
    """
    around = lacking[_neighbors(n_inputs, len(lacking))]
    places = np.flatnonzero(lacking <= around.min(axis=1))
    return places[np.argsort(lacking[places], kind="stable")[:most]]


def _moved(planes: _Planes, u: FloatArray) -> FloatArray:
    """Places (n_planes, n_free) that lack least around places, by smaller and smaller steps."""
    if not len(u):
        return u
    least, own = planes.lacking(u[:, None, :])[:, 0], np.arange(len(u))
    for part in PARTS:
        tried = u[:, None, :] + part * _ball(u.shape[1], AROUND)
        tried /= np.maximum(np.linalg.norm(tried, axis=2, keepdims=True), 1.0)
        lacking = planes.lacking(tried)
        best = lacking.argmin(axis=1)
        u = np.where((lacking[own, best] < least)[:, None], tried[own, best], u)
        least = np.minimum(lacking[own, best], least)
    return u


@cache
def _ball(n_inputs: int, n_points: int) -> FloatArray:
    """Points (n_points, n_inputs) of the unit ball: every other one on its border."""
    unit = np.clip(lattice(n_inputs + 1, n_points), 1e-6, 1.0 - 1e-6)
    directions = ndtri(unit[:, 1:])
    directions /= np.maximum(np.linalg.norm(directions, axis=1, keepdims=True), 1e-12)
    radii = np.where(np.arange(n_points) % 2, unit[:, 0] ** (1.0 / n_inputs), 1.0)
    return _fixed(radii[:, None] * directions)


@cache
def _neighbors(n_inputs: int, n_points: int) -> IntArray:
    """Places (n_points, n_neighbors) of the points of the ball that are around each."""
    ball = _ball(n_inputs, n_points)
    most = min(2 * n_inputs, n_points - 1)
    return np.asarray(KDTree(ball).query(ball, most + 1)[1][:, 1:])
