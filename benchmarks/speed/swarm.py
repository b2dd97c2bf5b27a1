"""Scoring a swarm of nodes: compiled against the batched NumPy reference, and growth with N."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from benchmarks.speed.measure import best_time, report
from drumlin.basis import Gaussian
from drumlin.criteria import CRITERIA
from drumlin.linear import OrthogonalRegression
from drumlin.selection import Inputs, NodeCost, NodeSpace, Scoring

PARTICLES = 20
FEATURES = 8
NODES = 5  # in the model already


def swarm() -> None:
    """Ratio to NumPy by criterion, then time per sample as N grows."""
    for criterion in CRITERIA:
        cost, points = _problem(2000, criterion)
        ours = _time(cost, points)
        with _backend("numpy"):
            reference = _time(cost, points)
        report(
            f"swarm: NumPy / ours, N = 2000, S = {PARTICLES}, {criterion}",
            reference / ours,
            5.0,
        )
        elements = 2000 * PARTICLES
        print(f"    ours {1e9 * ours / elements:.1f} ns per particle and sample")
    for n in (1000, 10_000, 100_000):
        seconds = _time(*_problem(n, "squared_error"))
        print(f"    N = {n}: {1e9 * seconds / n / PARTICLES:.1f} ns per particle and sample")


def _problem(n: int, criterion: str) -> tuple[NodeCost, np.ndarray]:
    """A model with some nodes, and a swarm that wants to join it."""
    rng = np.random.RandomState(0)
    X = rng.standard_normal((n, FEATURES))
    labels = (np.sin(2.0 * X[:, 0]) + X[:, 1] > 0.3 * rng.standard_normal(n)).astype(np.int64)
    space = NodeSpace(X.min(axis=0), X.max(axis=0), (1.0, 10.0), True, False, Gaussian())
    inputs = Inputs(np.ascontiguousarray(X.T), np.ones(n))
    regression = OrthogonalRegression(2.0 * labels[:, None] - 1.0, np.ones(n), fit_intercept=True)
    nodes = space.nodes(space.box.sample(NODES, rng))
    for j in range(NODES):
        column = inputs.column(nodes.take(slice(j, j + 1)))
        regression.append(*regression.basis.orthogonalize(column), alpha=0.1)
    scoring = Scoring(CRITERIA[criterion](), labels, np.ones(n))
    cost = NodeCost(space, inputs, scoring, regression, 0.1)
    return cost, space.box.sample(PARTICLES, rng)


def _time(cost: Callable[[np.ndarray], np.ndarray], points: np.ndarray) -> float:
    cost(points)  # compiles
    return best_time(lambda: cost(points), 15)


@contextmanager
def _backend(name: str) -> Iterator[None]:
    before = os.environ.get("DRUMLIN_BACKEND")
    os.environ["DRUMLIN_BACKEND"] = name
    try:
        yield
    finally:
        if before is None:
            del os.environ["DRUMLIN_BACKEND"]
        else:
            os.environ["DRUMLIN_BACKEND"] = before
