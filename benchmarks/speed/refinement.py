"""Value and gradient of the joint refinement: the NumPy reference beside the compiled kernel."""

from __future__ import annotations

import numpy as np

from benchmarks.speed.measure import best_time, report
from drumlin._kernels import LOGISTIC, SOFTMAX, NodeParameters, compiled, expansion, reference

FEATURES = 10
NODES = 25


def problem(n: int, n_outputs: int, shape: tuple[int, int] = (NODES, FEATURES)) -> tuple:
    """Random rows, labels and nodes."""
    rng = np.random.default_rng(n)
    nodes = NodeParameters(
        rng.standard_normal(shape),
        rng.uniform(0.3, 0.5, shape),
        rng.standard_normal((shape[0], n_outputs)),
        np.zeros(n_outputs),
    )
    columns = rng.standard_normal((shape[1], n))
    labels = rng.integers(0, max(n_outputs, 2), n)
    return columns, labels, np.ones(n), nodes, LOGISTIC if n_outputs == 1 else SOFTMAX


def against_numpy() -> None:
    """Seconds per evaluation of the reference over ours, both in float64; float32 beside it."""
    for n in (2000, 15000):
        for n_outputs, wanted in ((1, 8.0), (7, 5.0)):
            columns, *others = problem(n, n_outputs)
            single = columns.astype(np.float32)
            for array in (columns, single):  # compile
                compiled.value_and_gradient(array, *others)
            theirs = best_time(lambda a=columns, o=others: reference.value_and_gradient(a, *o), 10)
            ours, ours32 = (
                best_time(lambda a=array, o=others: compiled.value_and_gradient(a, *o), 50)
                for array in (columns, single)
            )
            what = (
                f"refinement: NumPy / ours, N = {n}, M = {NODES}, d = {FEATURES}, K = {n_outputs}"
            )
            report(what, theirs / ours, wanted)
            unit = 1e-9 * n * NODES * FEATURES
            print(
                f"{'':4s}ours {ours / unit:.2f} ns, in float32 {ours32 / unit:.2f} ns, "
                f"NumPy {theirs / unit:.1f} ns per row, node and input"
            )


def products() -> None:
    """Many nodes in float32: loops over differences beside products of matrices."""
    for m, d, wanted in ((600, 54, 1.8), (100, 16, 1.0)):
        columns, *others = problem(20_000, 7, (m, d))
        single, least = columns.astype(np.float32), expansion.LEAST_NODES

        def evaluate(single=single, others=others):
            compiled.value_and_gradient(single, *others)

        by_product = best_time(evaluate)
        expansion.LEAST_NODES = m + 1
        by_loops = best_time(evaluate)
        expansion.LEAST_NODES = least
        what = f"refinement in float32: loops / products, M = {m}, d = {d}, K = 7"
        report(what, by_loops / by_product, wanted)
