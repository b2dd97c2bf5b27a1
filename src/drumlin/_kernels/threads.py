"""Python threads over blocks of candidates or rows; the kernels release the interpreter lock.

Only independent candidates are split, or sums into blocks that do not depend on the number of
threads, so nothing else does. No thread outlives the call: safe after fork and inside other thread
pools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar

from sklearn.utils._openmp_helpers import _openmp_effective_n_threads

MIN_WORK = 200_000
"""Array elements below which a thread costs more than it brings."""


_own: ContextVar[int | None] = ContextVar("drumlin_threads", default=None)


def usable_threads() -> int:
    """Threads that scikit-learn's loops would use: OMP_NUM_THREADS (joblib sets it) or cores.

    Within ``use_threads`` the number given there.
    """
    return _own.get() or int(_openmp_effective_n_threads())


@contextmanager
def use_threads(number: int) -> Iterator[None]:
    """Return a context in which this thread may use so many: a worker knows what it was given."""
    before = _own.set(number)
    try:
        yield
    finally:
        _own.reset(before)


def map_blocks(
    work: Callable[[slice], None], n: int, *, n_threads: int, cost: int, block: int | None = None
) -> None:
    """Call ``work`` on slices that cover ``range(n)``.

    Parameters
    ----------
    work : callable
        Receives one slice; slices are disjoint, so it may write to its part of shared arrays.
    n : int
        Number of candidates.
    n_threads : int
        Most threads to use.
    cost : int
        Array elements touched per candidate: little work stays on the calling thread.
    block : int or None
        Candidates per slice; None gives each thread one slice.
    """
    if n == 0:
        return
    n_threads = max(1, min(n_threads, n * cost // MIN_WORK, n))
    if block is None:
        block = -(-n // n_threads)
    slices = [slice(start, min(start + block, n)) for start in range(0, n, block)]
    if n_threads == 1:
        for part in slices:
            work(part)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        for _ in pool.map(work, slices):
            pass
