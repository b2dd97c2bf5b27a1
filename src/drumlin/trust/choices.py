"""Inputs that only change together: the columns of a category, which is one text or another.

A category that changes is one change, however many inputs stand for it. Rows with one or two other
categories are tried as they are; beside them numbers are moved by ``counterfactual``, from all rows
with one other category where one number is enough, and from the most promising of these else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.trust.counterfactual import Counterfactual, counterfactual
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
        n = len(free) + len(choices)
        return replace(
            plain, reason=plain.reason.replace(f"of {len(free)} inputs", f"of {n} inputs")
        )
    changed = np.flatnonzero(best.x != question.x).astype(np.int64)
    return Counterfactual(best.x, changed, best.distance, found=True)


def _levels(
    question: Question, free: IntArray, choices: Sequence[Choice], most: int
) -> Iterator[tuple[int, list[_Found]]]:
    """Answers with one, two, and at least three changes, categories among them."""
    singles = np.concatenate([choice.others(question.x) for choice in choices])
    if not len(singles):
        return
    yield 1, _valid(question, singles, 1)
    if most == 1:
        return
    promising = singles[np.argsort(-question.margins(singles).min(axis=1), kind="stable")]
    yield (
        2,
        [
            *_valid(question, _pairs(question.x, choices), 2),
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


def _pairs(x: FloatArray, choices: Sequence[Choice]) -> FloatArray:
    """Rows (n_pairs, n_features) with two other categories, not too many."""
    rows = [
        other
        for first, second in combinations(choices, 2)
        for row in first.others(x)
        for other in second.others(row)
    ]
    return np.array(rows[:MOST_PAIRS]).reshape(-1, len(x))


def _beside(question: Question, free: IntArray, rows: FloatArray, most: int) -> list[_Found]:
    """Answers in which numbers change beside one category."""
    found = []
    for row in rows:
        told = counterfactual(replace(question, x=row), free, most)
        if told.found:
            distance = float(question.distances(told.x[None])[0])
            found.append(_Found(1 + len(told.changed), distance, told.x))
    return found
