"""One thread for linear algebra while fitting: many small products, and results that never vary."""

from __future__ import annotations

import functools
from contextlib import AbstractContextManager

from threadpoolctl import ThreadpoolController


@functools.cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # finding the libraries takes milliseconds: once


def one_blas_thread() -> AbstractContextManager:
    """Return a context in which BLAS uses the calling thread only."""
    return _controller().limit(limits=1, user_api="blas")
