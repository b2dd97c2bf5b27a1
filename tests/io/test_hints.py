"""What annotations promise, on every NumPy: ``NDArray`` changed its form with 2.5."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.io.hints import fits

ARRAYS = {
    FloatArray: np.zeros(2),
    IntArray: np.zeros(2, dtype=np.int64),
    BoolArray: np.zeros(2, dtype=bool),
}


@pytest.mark.parametrize("hint", ARRAYS, ids=str)
def test_arrays_of_one_kind_of_number(hint):
    for other, array in ARRAYS.items():
        assert fits(array, hint) is (other is hint)
        assert fits(array, hint | None) is (other is hint)
        assert fits((array, 1.0), tuple[hint, float]) is (other is hint)
        assert fits([array], list[hint]) is (other is hint)
    assert not fits([0.0, 0.0], hint)
    assert not fits(np.zeros(2, dtype=np.float32), hint)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="aliases have names from Python 3.12 on")
def test_named_aliases_stand_for_their_values():
    names: dict[str, Any] = {"np": np}
    exec("type Array[T: np.generic] = np.ndarray[tuple[int, ...], np.dtype[T]]", names)
    exec("type Pair[T] = tuple[T, T]", names)
    assert fits(np.zeros(2), names["Array"][np.float64])
    assert not fits(np.zeros(2), names["Array"][np.int64])
    assert fits((1, 2), names["Pair"][int])
    assert not fits((1, "2"), names["Pair"][int])
