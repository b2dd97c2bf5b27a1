"""One stage of forward selection beside plain NumPy; memory of both stores."""

from __future__ import annotations

import numpy as np

from benchmarks.speed.measure import best_time, peak_memory, report
from benchmarks.speed.yardstick import NumpySelection
from drumlin.basis import Gaussian, Nodes
from drumlin.criteria import LOOMisclassification
from drumlin.linear import FixedRegularizer, OrthogonalRegression
from drumlin.selection import (
    InplaceCandidates,
    Inputs,
    RecomputedCandidates,
    SamplePool,
    Scoring,
    Stopping,
    select_forward,
)

FEATURES = 10
STAGES = 16


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy curved boundary in ten inputs."""
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, FEATURES))
    score = X[:, 0] ** 2 + X[:, 1] * X[:, 2] - 1.0 + 0.5 * rng.standard_normal(n)
    return X, np.where(score > 0, 1.0, -1.0)


def select(X: np.ndarray, y: np.ndarray, *, store: str, n_threads: int = 1, stages: int = STAGES):
    """Return a closure that runs the given number of stages, and the candidates."""
    n = len(X)
    nodes = Nodes(X, np.full(X.shape, 3.0), Gaussian())
    inputs = Inputs(np.ascontiguousarray(X.T), np.ones(n))
    regression = OrthogonalRegression(y[:, None], np.ones(n), fit_intercept=False)
    if store == "inplace":
        V = np.empty((n, n))
        inputs.activate_(nodes, V)
        candidates = InplaceCandidates(inputs, nodes, regression, n_threads, V=V)
    else:
        candidates = RecomputedCandidates(inputs, nodes, regression, n_threads)
    scoring = Scoring(LOOMisclassification(), (y > 0).astype(np.int64), np.ones(n))
    stopping = Stopping(stages, stages, stages)

    def run() -> object:
        pool = SamplePool(candidates, ties="first")
        return select_forward(pool, scoring, regression, FixedRegularizer(1e-6), stopping)

    return run, candidates


def against_numpy() -> None:
    """Seconds per stage of plain NumPy over ours, at N = L."""
    for n, wanted in ((2000, 15.0), (5000, 20.0), (10000, 25.0)):
        X, y = problem(n)
        ours = min(best_time(select(X, y, store="inplace")[0], 1) for _ in range(3)) / STAGES
        Phi = np.empty((n, n))
        Inputs(np.ascontiguousarray(X.T), np.ones(n)).activate_(
            Nodes(X, np.full(X.shape, 3.0), Gaussian()), Phi
        )
        plain = NumpySelection(Phi.T, y)
        theirs = best_time(plain.stage, 3)
        report(f"selection: plain NumPy / ours per stage, N = L = {n}", theirs / ours, wanted)
        ours, theirs = (1e9 * seconds / n**2 for seconds in (ours, theirs))
        print(f"{'':4s}ours {ours:.2f} ns, NumPy {theirs:.1f} ns per element and stage")


def memory() -> None:
    """Peak memory of a whole selection over the size of the columns."""
    n = 10_000
    X, y = problem(n)
    for store, wanted in (("inplace", 1.1), ("recompute", 0.05)):
        stages = 20 if store == "inplace" else 4

        def whole(store: str = store, stages: int = stages) -> None:
            select(X, y, store=store, stages=stages)[0]()

        ratio = peak_memory(whole) / (8.0 * n * n)
        report(f"memory: peak / 8NL, {store}, N = L = {n}", ratio, wanted, at_least=False)


def modes() -> None:
    """What recomputing costs, and what abandoning saves."""
    n = 4000
    X, y = problem(n)
    inplace = best_time(select(X, y, store="inplace")[0], 1)
    run, candidates = select(X, y, store="recompute")
    recompute = best_time(run, 1)
    print(f"recompute / inplace time, N = L = {n}: {recompute / inplace:.1f}x, ", end="")
    print(f"rows scored in the last stage {100 * candidates.rows_scored:.0f} %")
    for store in ("inplace", "recompute"):
        one = best_time(select(X, y, store=store)[0], 1)
        two = best_time(select(X, y, store=store, n_threads=2)[0], 1)
        print(f"two threads / one, {store}: {two / one:.2f} of the time")
