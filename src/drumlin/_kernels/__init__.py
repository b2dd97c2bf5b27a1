"""Hot loops behind one door: plain arrays in and out, the only room with in-place work.

Two modules offer the same functions: ``reference`` (NumPy) and ``compiled`` (Numba). Nobody
outside this room knows which one runs: call ``backend()``. It is the compiled one where Numba
is installed; the environment variable ``DRUMLIN_BACKEND`` (``numpy`` or ``numba``) overrides.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from types import ModuleType

from drumlin._kernels import reference
from drumlin._kernels.contract import (
    CONFUSION,
    ETA_FLOOR,
    EXPONENT_FLOOR,
    LEAST,
    ROUNDING,
    SQUARED_ERROR,
    WRONG_BY_CLASS,
    ZERO_IS_FIRST,
    ZERO_IS_RIGHT,
    ZERO_IS_WRONG,
    Candidates,
    Loo,
    statistic_size,
)
from drumlin._kernels.recursive import Factor
from drumlin._kernels.refinement import (
    HUBER,
    HUBER_DELTA,
    LOGISTIC,
    SOFTMAX,
    SQUARED,
    Gradient,
    NodeParameters,
)
from drumlin._kernels.threads import map_blocks

BACKENDS = ("numpy", "numba")


def backend_name() -> str:
    """Name of the backend that runs here and now."""
    return _checked_name(os.environ.get("DRUMLIN_BACKEND", ""))


def _checked_name(asked: str) -> str:
    name = asked or _default_name()
    if name not in BACKENDS:
        raise ValueError(
            f"The environment variable DRUMLIN_BACKEND must be one of {BACKENDS}. Got {name!r}."
        )
    if name == "numba" and _default_name() != "numba":
        raise ImportError(
            "The environment variable DRUMLIN_BACKEND is 'numba', but Numba is not installed: "
            "unset it, or `pip install numba`."
        )
    return name


@functools.cache
def _default_name() -> str:
    return "numba" if importlib.util.find_spec("numba") else "numpy"


def backend() -> ModuleType:
    """Return the module whose functions do the work."""
    return _module(os.environ.get("DRUMLIN_BACKEND", ""))


@functools.cache  # asked for at every step of a search
def _module(asked: str) -> ModuleType:
    if _checked_name(asked) == "numpy":
        return reference
    # Imported on first use: a program that only loads the package does not pay for Numba.
    from drumlin._kernels import compiled

    return compiled


__all__ = [
    "BACKENDS",
    "CONFUSION",
    "ETA_FLOOR",
    "EXPONENT_FLOOR",
    "HUBER",
    "HUBER_DELTA",
    "LEAST",
    "LOGISTIC",
    "ROUNDING",
    "SOFTMAX",
    "SQUARED",
    "SQUARED_ERROR",
    "WRONG_BY_CLASS",
    "ZERO_IS_FIRST",
    "ZERO_IS_RIGHT",
    "ZERO_IS_WRONG",
    "Candidates",
    "Factor",
    "Gradient",
    "Loo",
    "NodeParameters",
    "backend",
    "backend_name",
    "map_blocks",
    "statistic_size",
]
