"""From a model to plain JSON values and plain arrays.

JSON's own values stand for themselves (numbers, text, true, false, null, lists); everything else
is an object with one of the tags listed in docs/model-files.md. ``decoding`` is the way back.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import TransformedTargetRegressor
from sklearn.preprocessing import KBinsDiscretizer

from drumlin.io.bins import edges_as_list
from drumlin.io.registry import (
    ATTRIBUTES,
    CLASSES_OF_NUMBERS,
    LATER_FIELDS,
    NAMES,
    NOT_STORED,
    NUMBERS,
    is_ours,
)
from drumlin.io.tables import plain_state
from drumlin.io.targets import name_of_function, without_copy
from drumlin.tables import TableEncoder

_PLAIN_STATES: dict[type, Callable[[dict[str, Any]], dict[str, Any]]] = {
    KBinsDiscretizer: edges_as_list,
    TableEncoder: plain_state,
    TransformedTargetRegressor: without_copy,
}
"""Estimators that hold more than plain data, and their plain form; ``upgrades`` is the way back."""

_NAME_OF_CLASS = {cls: name for name, cls in CLASSES_OF_NUMBERS.items()}
_NAME_OF_TYPE = {cls: name for name, cls in NAMES.items()}
_NAME_OF_ATTRIBUTE = {attribute: name for name, attribute in ATTRIBUTES.items()}


class Encoder:
    """Turns values into JSON values; arrays are put aside and numbered.

    Parameters
    ----------
    left_out : dict or None
        Attributes that are not encoded, by type of their estimator, by the format's names.

    Attributes
    ----------
    index : list
        Kind of number, shape and memory order of every array.
    blobs : list of bytes
        The arrays' numbers, little-endian.
    """

    def __init__(self, left_out: dict[type, frozenset[str]] | None = None) -> None:
        self._left_out = left_out or {}
        self.index: list[list[Any]] = []
        self.blobs: list[bytes] = []
        self._known: dict[tuple[Any, ...], int] = {}
        self._alive: list[np.ndarray] = []  # so that no address is used twice

    def encode(self, value: Any, where: str) -> Any:
        """Return the JSON value; ``where`` names the value in errors."""
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if kind is list:
            return self._sequence(value, where)
        if kind is tuple:
            return {"tuple": self._sequence(value, where)}
        if kind is dict:
            return self._dict(value, where)
        if kind is slice:
            parts = [value.start, value.stop, value.step]
            return {"slice": self._sequence(parts, where)}
        if isinstance(value, np.dtype):
            return {"dtype": _plain_dtype(value, where)}
        if isinstance(value, type) and value in _NAME_OF_CLASS:
            return {"class": _NAME_OF_CLASS[value]}
        if isinstance(value, np.generic):
            return self._scalar(value, where)
        if name_of_function(value) is not None:
            return {"function": name_of_function(value)}
        if kind in (np.ndarray, np.memmap):
            return self._array(value, where)
        if kind is np.random.RandomState:
            state = value.get_state()
            return {"random_state": self._sequence(list(state)[1:], where)}
        if kind in _NAME_OF_TYPE:
            return self._object(value, where)
        raise TypeError(
            f"A model file cannot hold {where}: it must be plain data, an array of numbers or "
            "text, or of a type in drumlin.io.registry. "
            f"Got a {kind.__module__}.{kind.__qualname__}."
        )

    def _sequence(self, values: Any, where: str) -> list[Any]:
        return [self.encode(value, f"{where}[{i}]") for i, value in enumerate(values)]

    def _dict(self, value: dict[Any, Any], where: str) -> dict[str, Any]:
        if all(type(key) is str for key in value):
            return {"dict": {key: self.encode(v, f"{where}[{key!r}]") for key, v in value.items()}}
        return {"items": self._sequence([[key, v] for key, v in value.items()], where)}

    def _scalar(self, value: np.generic, where: str) -> dict[str, Any]:
        if isinstance(value, np.str_):
            return {"scalar": "U", "value": str(value)}
        number = self.encode(value.item(), where)
        return {"scalar": _plain_dtype(value.dtype, where), "value": number}

    def _array(self, array: np.ndarray, where: str) -> dict[str, Any]:
        if array.dtype.kind == "U":
            texts, width = array.ravel().tolist(), array.dtype.itemsize // 4
            return {"texts": texts, "shape": list(array.shape), "width": width}
        if array.dtype.kind == "O":
            return {
                "objects": self._sequence(array.ravel().tolist(), where),
                "shape": list(array.shape),
            }
        return {"array": self._number_of(array, where)}

    def _number_of(self, array: np.ndarray, where: str) -> int:
        """Number of an array; what is one array in memory is one array in the file."""
        kind = _plain_dtype(array.dtype, where)
        address = (array.ctypes.data, array.shape, array.strides, array.dtype)
        if address not in self._known:
            # Sums of products depend on the memory order in the last bit, so it is kept.
            packed = np.array(array, dtype=f"<{kind}", order="K", copy=True)
            is_fortran = packed.flags.f_contiguous and not packed.flags.c_contiguous
            order: Literal["C", "F"] = "F" if is_fortran else "C"
            self._known[address] = len(self.index)
            self._alive.append(array)
            self.index.append([kind, list(array.shape), order])
            self.blobs.append(packed.tobytes(order=order))
        return self._known[address]

    def _object(self, value: Any, where: str) -> dict[str, Any]:
        left_out = self._left_out.get(type(value), frozenset())
        node: dict[str, Any] = {
            "type": _NAME_OF_TYPE[type(value)],
            "state": {
                name: self.encode(attribute, f"{where}.{name}")
                for name, attribute in _state(value).items()
                if name not in left_out
            },
        }
        requests = getattr(value, "_metadata_request", None)
        if requests is not None:
            node["requests"] = requests._serialize()
        return node


def _state(value: Any) -> dict[str, Any]:
    """What an object consists of: fields, or parameters and fitted attributes."""
    if isinstance(value, BaseEstimator):
        stored = {name: v for name, v in vars(value).items() if name not in NOT_STORED}
        if type(value) in _PLAIN_STATES:
            return _PLAIN_STATES[type(value)](stored)
        return {_format_name(name): v for name, v in stored.items()} if is_ours(value) else stored
    if dataclasses.is_dataclass(value):
        return _fields(value)
    return dict(value._asdict())  # a named tuple


def _fields(value: Any) -> dict[str, Any]:
    """Fields of a data class, without later ones that say nothing."""
    later = LATER_FIELDS.get(type(value), frozenset())
    stored = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {name: v for name, v in stored.items() if name not in later or v is not None}


def _format_name(attribute: str) -> str:
    if attribute.startswith("_") and attribute not in _NAME_OF_ATTRIBUTE:
        raise TypeError(
            f"A model file cannot hold {attribute!r}: private attributes of estimators must have a "
            "name in ATTRIBUTES of drumlin.io.registry."
        )
    return _NAME_OF_ATTRIBUTE.get(attribute, attribute)


def _plain_dtype(dtype: np.dtype[Any], where: str) -> str:
    """Kind and size of the numbers, without byte order."""
    kind = "O" if dtype.kind == "O" else dtype.str[1:]
    if kind not in NUMBERS | {"O"}:
        raise TypeError(
            f"A model file cannot hold {where}: its numbers must be bool, int or float of up to 64 "
            f"bits. Got {dtype}."
        )
    return kind
