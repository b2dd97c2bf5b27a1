"""Every estimator on small odd problems: an answer that makes sense, or a refusal that says why."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
import pytest

from tests.robustness.small_problems import KINDS, Outcome, examine

GOOD = ("fine", "refused")
FEW = {"SparseKernelLogisticRegression": 6, "TunableRBFClassifier": 12, "TunableRBFRegressor": 12}
"""Problems in the fast suite for estimators that take longer than the others."""


def complaints(outcomes: list[Outcome]) -> list[str]:
    """What was not as it should be."""
    return [f"{o.kind}: {o.text}" for o in outcomes if o.kind not in GOOD]


def warm_up(name: str) -> None:
    """Load the kernels of both backends: that is not the time of a fit."""
    for number in (0, 1):
        examine(name, number)


@pytest.mark.parametrize("name", KINDS)
def test_some_small_problems(name, seed):
    first = 1000 * seed
    outcomes = [examine(name, first + i) for i in range(FEW.get(name, 24))]
    assert not complaints(outcomes)
    assert Counter(o.kind for o in outcomes)["fine"] > len(outcomes) // 2


@pytest.mark.parametrize(("name", "number"), [
    ("DrumlinRegressor", 351),  # a standard deviation beyond the largest number
    ("DrumlinRegressor", 3132),
    ("SparseKernelLogisticRegression", 416),  # a node whose loss costs more than any number
    ("SparseKernelLogisticRegression", 1061),
])  # fmt: skip
def test_problems_that_once_went_wrong(name, number):
    assert not complaints([examine(name, number)])


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_many_small_problems(name, capsys):
    """``DRUMLIN_PROBLEMS`` problems (10 000), in worker processes; prints figures."""
    n_problems = int(os.environ.get("DRUMLIN_PROBLEMS", "10000"))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        os.cpu_count(), mp_context=spawn, initializer=warm_up, initargs=(name,)
    ) as pool:
        outcomes = list(pool.map(partial(examine, name), range(n_problems), chunksize=20))
    kinds = dict(Counter(o.kind for o in outcomes))
    seconds = np.array([o.seconds for o in outcomes])
    with capsys.disabled():
        print(
            f"\n{name}: {n_problems} problems, {kinds}, "
            f"{sum(o.warned for o in outcomes)} with a ConvergenceWarning, "
            f"slowest {seconds.max() / np.median(seconds):.0f} times the median "
            f"({1e3 * np.median(seconds):.0f} ms of CPU; {outcomes[int(seconds.argmax())].text})"
        )
    assert not complaints(outcomes)
