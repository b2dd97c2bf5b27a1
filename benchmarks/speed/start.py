"""How long importing takes, and the first call with and without a cache of compiled code."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

from benchmarks.speed.measure import report

_SCRIPT = """
import numpy as np, time
from drumlin import ForwardRBFClassifier
X = np.random.default_rng(0).standard_normal((60, 3))
y = np.arange(60) % {classes}
import numba
start = time.perf_counter()
ForwardRBFClassifier(width=1.0, max_nodes=5).fit(X, y)
print(time.perf_counter() - start)
"""


_REPEATS = 5


def _cpu_seconds(*arguments: str) -> float:
    """Least CPU seconds of several Pythons started with some arguments."""
    times = []
    for _ in range(_REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def imports() -> None:
    """CPU seconds beyond those of ``import sklearn.base``, which every estimator needs."""
    base = _cpu_seconds("-c", "import sklearn.base")
    for what, wanted, *arguments in (
        ("import drumlin", 0.3, "-c", "import drumlin"),
        ("drumlin --help", 0.5, "-m", "drumlin", "--help"),
        ("drumlin --version", 0.5, "-m", "drumlin", "--version"),
    ):
        beyond = _cpu_seconds(*arguments) - base
        report(f"{what} - import sklearn.base (s)", beyond, wanted, at_least=False)


def _first_call(cache: str, classes: int) -> float:
    environment = os.environ | {"NUMBA_CACHE_DIR": cache}
    command = [sys.executable, "-c", _SCRIPT.format(classes=classes)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(result.stdout)


def first_call() -> None:
    """Seconds of the first fit in a new process (importing is not counted)."""
    with tempfile.TemporaryDirectory() as cache:
        cold = _first_call(cache, 2)
        warm = min(_first_call(cache, 2) for _ in range(3))
    report("first fit, nothing compiled yet (s)", cold, 5.0, at_least=False)
    report("first fit, compiled code in the cache (s)", warm, 0.5, at_least=False)
