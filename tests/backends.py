"""The backends that run here, and how a test runs on one of them."""

from __future__ import annotations

import contextlib
import importlib.util
import os

from drumlin._kernels import BACKENDS

HERE = BACKENDS if importlib.util.find_spec("numba") else ("numpy",)
"""Both; NumPy's alone where Numba is not installed (``nox -s numpy``)."""


@contextlib.contextmanager
def running_on(backend: str):
    """Set the backend."""
    before = os.environ.get("DRUMLIN_BACKEND")
    os.environ["DRUMLIN_BACKEND"] = backend
    try:
        yield
    finally:
        os.environ.pop("DRUMLIN_BACKEND")
        if before is not None:
            os.environ["DRUMLIN_BACKEND"] = before
