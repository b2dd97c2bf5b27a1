"""The problems of the comparison with rivals: all open tables, and learning curves.

Every problem is a :class:`ProblemSet`, so that the runner and the store of ``drumlin reproduce``
serve here too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.utils import Bunch

from benchmarks.accuracy.flagship_problems import table
from benchmarks.accuracy.generators import GENERATORS
from drumlin.experiments.problems import NINE, SETS, Problem, ProblemSet

TABLES = {"phoneme": 2000, "magic": 2000, "segment": 1300, "letter": 2000, "covtype": 2000}
"""Larger tables and the rows that models are fitted to; at most 10 000 others judge."""

CURVES, CURVE_ROWS, CURVE_TEST = ("smooth", "linear", "magic", "phoneme"), (250, 1000, 4000), 5000
"""Problems and sizes of the learning curves, one split each."""


def whole(load: Callable[[int], Problem], realisation: int) -> Bunch:
    """Rows of a problem that is split already, as a set wants them."""
    problem = load(realisation)
    rows = np.arange(len(problem.y) + len(problem.y_test))
    return Bunch(
        X=np.concatenate([problem.X, problem.X_test]),
        y=np.concatenate([problem.y, problem.y_test]),
        train=rows[: len(problem.y)],
        test=rows[len(problem.y) :],
        original=False,
    )


def curve(name: str, rows: int, realisation: int) -> Problem:
    """One split of one size: fresh rows of a generator, or rows of a table."""
    if name not in GENERATORS:
        return table(name, rows, realisation, CURVE_TEST)
    make = GENERATORS[name][0]
    return Problem(name, realisation, *make(rows, 1), *make(CURVE_TEST, 2))


def _split_table(name: str, rows: int, realisation: int) -> Problem:
    return table(name, rows, realisation)


def _set(name: str, load: Callable[[int], Problem], n_realisations: int | None) -> ProblemSet:
    return ProblemSet(name, partial(whole, load), n_realisations)


TABLE_SETS = {name: SETS[name] for name in (*NINE, "synth", "pima", "vowel")} | {
    problems.name: problems
    for problems in (
        _set(f"{name}, N = {rows}", partial(_split_table, name, rows), None)
        for name, rows in TABLES.items()
    )
}
"""Open tables by name."""

CURVE_SETS = {
    problems.name: problems
    for problems in (
        _set(f"{name}, {rows} rows", partial(curve, name, rows), 1)
        for name in CURVES
        for rows in CURVE_ROWS
    )
}
"""Points of the learning curves by name."""
