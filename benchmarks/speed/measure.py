"""Small tools: timing as the best of several, peak memory, and a line of a table."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable


def best_time(function: Callable[[], object], repeats: int = 3) -> float:
    """Seconds of the fastest of several calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def peak_memory(function: Callable[[], object]) -> int:
    """Most bytes allocated (by Python and NumPy) while a function runs."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def report(what: str, measured: float, wanted: float, *, at_least: bool = True) -> None:
    """Print one measured ratio beside the one that was wanted."""
    good = measured >= wanted if at_least else measured <= wanted
    sign = ">=" if at_least else "<="
    print(f"{what:<66s} {measured:9.3g}  wanted {sign} {wanted:<6g} {'ok' if good else 'MISSED'}")
