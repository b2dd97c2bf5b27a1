"""Scores of rows by networks that were fitted without them: where no quadratic model tells them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.flagship.budget import Budget
from drumlin.flagship.fit import Tell, fit_flagship
from drumlin.flagship.recipe import Recipe
from drumlin.flagship.task import Task
from drumlin.sample import Rows, Sample


class Crossed(NamedTuple):
    """Rows, and their scores (n_rows, n_outputs) by networks that did not see them."""

    sample: Sample
    scores: FloatArray


Crossing = Callable[[], Crossed | None]
"""Makes them when it is called; None where that would take too long or cannot be."""


def cross_fit(rows: Rows, task: Task, recipe: Recipe, budget: Budget) -> Crossed | None:
    """Fit networks, each without one part of the rows, and let each judge its part.

    Parts are told by the hashes of the rows, class by class: so they do not depend on the order of
    the rows. None where rows are too many, a class has a single row, or the work is interrupted.

    Parameters
    ----------
    rows : Rows
        As they were given.
    task : Task
    recipe : Recipe
    budget : Budget
    """
    rule = recipe.judge
    if not isinstance(rows, Sample) or rows.n_rows > rule.crossed_rows:
        return None
    if np.bincount(rows.labels).min() < 2:
        return None
    n_parts = rule.n_parts(rows.n_rows)
    part = parts_of(rows, n_parts)
    scores = np.empty((rows.n_rows, rows.codes.shape[1]))
    try:
        for k in range(n_parts):
            rest, own = rows.take(np.flatnonzero(part != k)), np.flatnonzero(part == k)
            fit = fit_flagship(rest, task, recipe, budget, Tell())
            scores[own] = fit.network(rows.X[own])
    except KeyboardInterrupt:  # the network is there: only its figures are not
        return None
    return Crossed(rows, scores)


def parts_of(rows: Sample, n_parts: int) -> IntArray:
    """Part (n_rows,) of every row: rows of a class take turns in the order of their hashes."""
    part = np.empty(rows.n_rows, dtype=np.int64)
    order = np.lexsort((rows.hashes, rows.labels))
    first = np.searchsorted(rows.labels[order], rows.labels[order])
    part[order] = (np.arange(rows.n_rows) - first) % n_parts
    return part
