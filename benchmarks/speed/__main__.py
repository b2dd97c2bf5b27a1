"""Run all speed benchmarks, or those named: ``python -m benchmarks.speed [name ...]``."""

from __future__ import annotations

import os
import sys

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"  # before NumPy is imported: everything on one thread

from benchmarks.speed import (  # noqa: E402
    estimator,
    export,
    refinement,
    selection,
    start,
    stream,
    swarm,
)

BENCHMARKS = {
    "imports": start.imports,
    "start": start.first_call,
    "selection": selection.against_numpy,
    "refinement": refinement.against_numpy,
    "products": refinement.products,
    "swarm": swarm.swarm,
    "estimator": estimator.fit_and_predict,
    "memory": selection.memory,
    "modes": selection.modes,
    "rows": estimator.many_rows,
    "stream": stream.against_numpy,
    "kernel": stream.kernel_regression,
    "export": export.latency,
}

if __name__ == "__main__":
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        sys.exit(f"unknown benchmark {sorted(unknown)}; choose from {list(BENCHMARKS)}")
    for name in names:
        print(f"--- {name}")
        BENCHMARKS[name]()
