"""Whether numbers can be computed with."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from drumlin.basis.scaling import SMALLEST


def finite(*arrays: Any) -> bool:
    """Whether there is no NaN and no infinity."""
    return all(bool(np.isfinite(array).all()) for array in arrays)


def positive(array: Any) -> bool:
    """Whether all can be divided by; infinity can, NaN and what is next to zero cannot."""
    return bool((np.asarray(array) >= SMALLEST).all())


def is_number(value: Any) -> bool:
    """Whether a value is one real number; truth values are none."""
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def arrays_in(value: Any) -> list[np.ndarray]:
    """Arrays and numbers that are a value or stand in a tuple."""
    values = value if isinstance(value, tuple) else (value,)
    arrays = [np.asarray(v) for v in values if isinstance(v, np.ndarray) or is_number(v)]
    return [array for array in arrays if array.dtype.kind in "iuf"]
