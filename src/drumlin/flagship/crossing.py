"""Scores of rows by networks that were fitted without them: where no quadratic model tells them."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import InputMap
from drumlin.flagship.budget import Budget
from drumlin.flagship.fit import Tell, fit_behind
from drumlin.flagship.recipe import Recipe
from drumlin.flagship.task import Task
from drumlin.sample import Rows, Sample


class Crossed(NamedTuple):
    """Rows, and their scores (n_rows, n_outputs) by networks that did not see them."""

    sample: Sample
    scores: FloatArray


class Crossing(Protocol):
    """Makes them when it is called; None where that would take too long or cannot be."""

    def __call__(self, apart: IntArray | None = None) -> Crossed | None:
        """Judge all rows, in parts; or some by their ``index``, each without itself."""


def no_crossing(apart: IntArray | None = None) -> None:
    """There are no rows at hand."""


def cross_fit(
    rows: Rows,
    task: Task,
    recipe: Recipe,
    budget: Budget,
    apart: IntArray | None = None,
    *,
    powers: bool = False,
) -> Crossed | None:
    """Fit networks, each without one part of the rows, and let each judge its part.

    Parts are told by the hashes of the rows, class by class: so they do not depend on the order of
    the rows. None where rows are too many, or a class has a single row.

    Parameters
    ----------
    rows : Rows
        As they were given.
    task : Task
    recipe : Recipe
    budget : Budget
    apart : ndarray of int or None
        Samples by their ``index``, each a part: of a row that is several samples, one is left out.
    powers : bool
        Whether skewed inputs are drawn in, as they are for the network that is judged.
    """
    rule = recipe.judge
    if not isinstance(rows, Sample) or rows.n_rows > rule.crossed_rows:
        return None
    if np.bincount(rows.labels).min() < 2:
        return None
    parts = _parts(rows, rule.n_parts(rows.n_rows)) if apart is None else _single(rows, apart)
    own = np.concatenate([part for part, _ in parts])
    scores = np.empty((len(own), rows.codes.shape[1]))
    done = 0
    for part, rest in parts:
        fit = fit_behind(_view(rest, task, recipe, powers), rest, task, recipe, budget, Tell())
        if fit.interrupted:
            raise KeyboardInterrupt
        scores[done : done + len(part)] = fit.network(rows.X[part])
        done += len(part)
    order = np.argsort(own, kind="stable") if apart is None else np.arange(len(own))
    return Crossed(rows.take(own[order]), scores[order])


def _view(rows: Sample, task: Task, recipe: Recipe, powers: bool) -> InputMap:
    plain = task.view(rows, recipe)
    return (task.view_with_powers(plain, rows, recipe) if powers else None) or plain


Parts = list[tuple[IntArray, Sample]]
"""Places of rows that are left out, and what a network is fitted to then."""


def _parts(rows: Sample, n_parts: int) -> Parts:
    part = parts_of(rows, n_parts)
    return [
        (np.flatnonzero(part == k), rows.take(np.flatnonzero(part != k))) for k in range(n_parts)
    ]


def _single(rows: Sample, apart: IntArray) -> Parts:
    """Parts of one sample each."""
    places = [np.flatnonzero(rows.index == i) for i in apart]
    return [(place, _without(rows, int(place[0]))) for place in places]


def _without(rows: Sample, place: int) -> Sample:
    """Rows without one sample of one of them."""
    weight = rows.weight.copy()
    weight[place] -= rows.left_out[place]
    return replace(rows, weight=weight).take(np.flatnonzero(weight > 0.0))


def parts_of(rows: Sample, n_parts: int) -> IntArray:
    """Part (n_rows,) of every row: rows of a class take turns in the order of their hashes."""
    part = np.empty(rows.n_rows, dtype=np.int64)
    order = np.lexsort((rows.hashes, rows.labels))
    first = np.searchsorted(rows.labels[order], rows.labels[order])
    part[order] = (np.arange(rows.n_rows) - first) % n_parts
    return part
