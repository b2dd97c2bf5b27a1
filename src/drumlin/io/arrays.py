"""The numbers of a file as arrays: shapes are compared with the bytes before anything is made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from drumlin.io.errors import require
from drumlin.io.registry import NUMBERS

MOST_DIMENSIONS = 8
MOST_EMPTY = 1_000_000
"""Product of the other sides of an array without entries; else the bytes of the file bound them."""


def unpack_arrays(index: Any, content: bytes) -> list[np.ndarray]:
    """Return own copies of all arrays.

    Parameters
    ----------
    index : list of [kind, shape, order]
        As the file gives it.
    content : bytes
        All arrays, one after the other, nothing before, between or after.
    """
    require(isinstance(index, list), "the index of its arrays is no list.")
    arrays, start, memory = [], 0, memoryview(content)
    for entry in index:
        kind, shape, order = _checked(entry)
        size = math.prod(shape)
        stop = start + size * np.dtype(kind).itemsize
        require(stop <= len(content), f"an array of shape {shape} goes beyond the end of the file.")
        flat = np.frombuffer(memory[start:stop], dtype=f"<{kind}")
        require(kind != "b1" or (flat.view(np.uint8) <= 1).all(), "a truth value is not 0 or 1.")
        native = np.dtype(kind).newbyteorder("=")
        arrays.append(np.array(flat.reshape(shape, order=order), dtype=native, order="K"))
        start = stop
    require(start == len(content), f"{len(content) - start} bytes belong to no array.")
    return arrays


def _checked(entry: Any) -> tuple[str, list[int], Any]:
    require(isinstance(entry, list) and len(entry) == 3, "an entry of the arrays' index is wrong.")
    kind, shape, order = entry
    require(isinstance(kind, str) and kind in NUMBERS, "an array has an unknown kind of numbers.")
    require(order in ("C", "F"), "an array has an unknown memory order.")
    return kind, checked_shape(shape), order


def checked_shape(shape: Any) -> list[int]:
    """Return the shape of an array if there can be one like it."""
    good = (
        isinstance(shape, list)
        and len(shape) <= MOST_DIMENSIONS
        and all(type(n) is int and n >= 0 for n in shape)
        and (0 not in shape or math.prod(n for n in shape if n) <= MOST_EMPTY)
    )
    require(good, "an array has an absurd shape.")
    return list(shape)
