"""Value and gradient of the joint refinement: the NumPy reference beside the compiled kernel."""

from __future__ import annotations

import numpy as np

from benchmarks.speed.measure import best_time, report
from drumlin._kernels import LOGISTIC, SOFTMAX, NodeParameters, compiled, reference

FEATURES = 10
NODES = 25


def problem(n: int, n_outputs: int) -> tuple:
    """Random rows, labels and nodes."""
    rng = np.random.default_rng(n)
    nodes = NodeParameters(
        rng.standard_normal((NODES, FEATURES)),
        rng.uniform(0.3, 0.5, (NODES, FEATURES)),
        rng.standard_normal((NODES, n_outputs)),
        np.zeros(n_outputs),
    )
    columns = rng.standard_normal((FEATURES, n))
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
