"""Inputs that only change together: the columns of a category, which is one text or another.

A category that changes is one change, however many inputs stand for it. Rows with one or two other
categories are tried as they are; beside them numbers are moved by ``counterfactual``, from all rows
with one other category where one number is enough, and from the most promising of these else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import isqrt

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.trust.counterfactual import Counterfactual, counterfactual, movable, not_found
from drumlin.trust.wanted import Question

MOST_PAIRS = 4000
"""Pairs of other categories that are tried."""

BESIDE_ONE, BESIDE_MORE = 64, 6
"""Rows with another category beside which one number is moved, and beside which several are."""


@dataclass(frozen=True)
class Choice:
    """Inputs of a category, and what they can be.

    Parameters
    ----------
    inputs : ndarray of int of shape (n_inputs,)
    values : ndarray of shape (n_values, n_inputs)
    """

    inputs: IntArray
    values: FloatArray

    def others(self, x: FloatArray) -> FloatArray:
        """Rows (n_others, n_features) like x with another category."""
        differ = (self.values != x[self.inputs]).any(axis=1)
        rows = np.tile(x, (int(differ.sum()), 1))
        rows[:, self.inputs] = self.values[differ]
        return rows


@dataclass(frozen=True)
class _Found:
    """An answer, by what counts: changes first, then distance."""

    n_changed: int
    distance: float
    x: FloatArray

    @property
    def rank(self) -> tuple[int, float]:
        return self.n_changed, self.distance


def counterfactual_of_choices(
    question: Question, free: IntArray, choices: Sequence[Choice], max_changed: int
) -> Counterfactual:
    """Find the nearest input with the wanted answer; categories may change, too.

    Parameters
    ----------
    question : Question
    free : ndarray of int
        Inputs that may change each by itself: none of those of the choices.
    choices : sequence of Choice
    max_changed : int
        How many inputs and categories may change.
    """
    plain = counterfactual(question, free, max_changed)
    if not choices or (plain.found and len(plain.changed) == 0):
        return plain
    best = _Found(len(plain.changed), plain.distance, plain.x) if plain.found else None
    for level, found in _levels(question, free, choices, max_changed):
        if best is not None and best.n_changed < level:
            break
        ranked = [*found, *([] if best is None else [best])]
        best = min(ranked, key=lambda one: one.rank, default=None)
    if best is None:
        return not_found(question, max_changed, len(movable(question, free)) + len(choices))
    changed = np.flatnonzero(best.x != question.x).astype(np.int64)
    return Counterfactual(best.x, changed, best.distance, found=True)


def _levels(
    question: Question, free: IntArray, choices: Sequence[Choice], most: int
) -> Iterator[tuple[int, list[_Found]]]:
    """Answers with one, two, and at least three changes, categories among them."""
    others = [choice.others(question.x) for choice in choices]
    singles = np.concatenate(others)
    if not len(singles):
        return
    yield 1, _valid(question, singles, 1)
    if most == 1:
        return
    promising = _ranked(question, singles)
    ranked = [_ranked(question, rows) if len(rows) else rows for rows in others]
    yield (
        2,
        [
            *_valid(question, _pairs(choices, ranked), 2),
            *_beside(question, free, promising[:BESIDE_ONE], 1),
        ],
    )
    if most > 2:
        yield 3, _beside(question, free, promising[:BESIDE_MORE], most - 1)


def _valid(question: Question, rows: FloatArray, n_changed: int) -> list[_Found]:
    """Return the nearest of rows that are answers, if any is."""
    good = rows[question.is_answer(rows)] if len(rows) else rows
    if not len(good):
        return []
    distance = question.distances(good)
    return [_Found(n_changed, float(distance.min()), good[distance.argmin()])]


def _ranked(question: Question, rows: FloatArray) -> FloatArray:
    """Rows, the most promising first."""
    return rows[np.argsort(-question.margins(rows).min(axis=1), kind="stable")]


def _pairs(choices: Sequence[Choice], others: Sequence[FloatArray]) -> FloatArray:
    """Rows (n_pairs, n_features) with two other categories, at most ``MOST_PAIRS``.

    Two choices have an equal share, and what those with fewer pairs leave; of each, the first of
    ``others`` (n_others, n_features), its rows with one other category, are joined.
    """
    couples = sorted(
        combinations(range(len(choices)), 2), key=lambda ab: len(others[ab[0]]) * len(others[ab[1]])
    )
    rows, left = [others[0][:0]], MOST_PAIRS
    for n_done, (a, b) in enumerate(couples):
        share = left // (len(couples) - n_done)
        most = max(isqrt(share), share // max(len(others[b]), 1))
        first = others[a][:most]
        second = others[b][: share // max(len(first), 1), choices[b].inputs]
        joined = np.repeat(first, len(second), axis=0)
        joined[:, choices[b].inputs] = np.tile(second, (len(first), 1))
        rows.append(joined)
        left -= len(joined)
    return np.concatenate(rows)


def _beside(question: Question, free: IntArray, rows: FloatArray, most: int) -> list[_Found]:
    """Answers in which numbers change beside one category."""
    found = []
    for row in rows:
        told = counterfactual(replace(question, x=row), free, most)
        if told.found:
            distance = float(question.distances(told.x[None])[0])
            found.append(_Found(1 + len(told.changed), distance, told.x))
    return found
