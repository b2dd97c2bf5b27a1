"""One thread for linear algebra while fitting: many small products, and results that never vary.

The number of threads mostly belongs to the process, not to the thread that sets it. So fits that
overlap share one limit: the first sets it, the last restores what was there before.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import threadpoolctl

_lock = threading.Lock()
_open: list[list[int]] = []  # per open context: threads of each library before the first


@functools.cache
def _libraries() -> list[Any]:
    controller = threadpoolctl.ThreadpoolController()  # takes milliseconds: once
    return list(controller.select(user_api="blas").lib_controllers)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Return a context in which BLAS uses the calling thread only; may be nested and shared."""
    found = _enter()
    try:
        yield
    finally:
        _leave(found)


def _enter() -> list[int]:
    """Set the limit; return how many threads each library had."""
    with _lock:
        found = [library.num_threads for library in _libraries()]
        _open.append(_open[-1] if _open else found)
        _set([1] * len(found))
        return found


def _leave(found: list[int]) -> None:
    """Restore each library's threads: those of the process only if no other context is open."""
    with _lock:
        before = _open.pop()
        of_process = [1] * len(found) if _open else before
        _set(
            [
                own if getattr(library, "threading_layer", None) == "openmp" else shared
                for library, own, shared in zip(_libraries(), found, of_process, strict=True)
            ]
        )


def _set(numbers: list[int]) -> None:
    """Set the threads of each library, whoever set them last."""
    openblas = getattr(threadpoolctl, "OpenBLASController", None)
    # Newer versions let one thread only change them, and ignore others: the lock is enough here.
    release = getattr(openblas, "clear_controlling_thread", lambda force: None)
    for library, number in zip(_libraries(), numbers, strict=True):
        if library.num_threads != number:
            release(force=True)
            library.set_num_threads(number)
    release(force=True)
