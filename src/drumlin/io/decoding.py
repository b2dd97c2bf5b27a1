"""From plain JSON values and arrays back to a model; nothing in the file is believed.

A file can only fill types of the registry with plain data. Values are checked as they are built:
fields against the annotations of their class, shapes and finiteness in ``laws``.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._text import brief
from drumlin.estimators.surface import Remembered
from drumlin.io.arrays import checked_shape
from drumlin.io.budget import MOST_ATTRIBUTES, Budget
from drumlin.io.errors import ModelFileError, require
from drumlin.io.hints import fits
from drumlin.io.laws import check_object
from drumlin.io.random_states import check_random_state
from drumlin.io.registry import (
    ATTRIBUTES,
    CLASSES_OF_NUMBERS,
    DERIVED,
    ESTIMATORS,
    NAMES,
    NOT_STORED,
    NUMBERS,
    OLD_ATTRIBUTES,
    OLD_PARTS,
)
from drumlin.io.upgrades import upgrade
from drumlin.tables.transformed import FUNCTIONS

MOST_LEVELS = 64
"""Levels of nesting; a pipeline of pipelines needs some twenty."""

INTS = range(-(1 << 63), 1 << 64)
"""Whole numbers that a file may hold. Larger ones can be chosen to have one hash value all."""

_PLAIN = (type(None), bool, int, str)
_READABLE = {**NAMES, **OLD_PARTS}
_FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}


class Decoder:
    """Builds values from JSON values.

    Parameters
    ----------
    arrays : list of ndarray
        What ``{"array": i}`` refers to.
    budget : Budget
        What the file may cost.
    plain : bool
        Whether there may be nothing but text, numbers and containers of such.
    """

    def __init__(self, arrays: list[np.ndarray], budget: Budget, *, plain: bool = False) -> None:
        self._arrays = arrays
        self._budget = budget
        self._levels = 0
        self._builders: dict[frozenset[str], Callable[..., Any]] = {
            frozenset({"dict"}): self._dict,
            frozenset({"float"}): self._float,
            frozenset({"items"}): self._items,
            frozenset({"objects", "shape"}): self._objects,
            frozenset({"scalar", "value"}): self._scalar,
            frozenset({"texts", "shape", "width"}): self._texts,
            frozenset({"tuple"}): self._tuple,
        }
        if not plain:
            self._builders |= {
                frozenset({"array"}): self._array,
                frozenset({"class"}): self._class,
                frozenset({"dtype"}): self._dtype,
                frozenset({"function"}): self._function,
                frozenset({"random_state"}): self._random_state,
                frozenset({"slice"}): self._slice,
                frozenset({"type", "state"}): self._object,
                frozenset({"type", "state", "requests"}): self._object,
            }

    def decode(self, node: Any) -> Any:
        """Return the value of a JSON value."""
        if isinstance(node, _PLAIN):
            require(type(node) is not int or node in INTS, "a whole number has over 64 bits.")
            return node
        if isinstance(node, float):
            require(math.isfinite(node), f"the number {node} is not finite.")
            return node
        self._levels += 1
        require(self._levels <= MOST_LEVELS, f"it is nested deeper than {MOST_LEVELS} levels.")
        value = self._list(node) if isinstance(node, list) else self._tagged(node)
        self._levels -= 1
        return value

    def _tagged(self, node: dict[str, Any]) -> Any:
        build = self._builders.get(frozenset(node))
        if build is None:
            keys = ", ".join(map(_brief, sorted(node)[:5]))
            raise ModelFileError(f"an object has the unknown keys {keys}.")
        return build(**{f"{key}_": value for key, value in node.items()})

    def _list(self, list_: Any) -> list[Any]:
        require(isinstance(list_, list), f"a list is expected. Got {_brief(list_)}.")
        return [self.decode(node) for node in list_]

    # ------------------------------------------------------------------ plain values
    def _tuple(self, tuple_: Any) -> tuple[Any, ...]:
        return tuple(self._list(tuple_))

    def _dict(self, dict_: Any) -> dict[str, Any]:
        require(isinstance(dict_, dict), f"a dict is expected. Got {_brief(dict_)}.")
        return {key: self.decode(node) for key, node in dict_.items()}

    def _items(self, items_: Any) -> dict[Any, Any]:
        result = {}
        for pair in self._list(items_):
            require(isinstance(pair, list) and len(pair) == 2, "a dict needs keys and values.")
            key, value = pair
            require(isinstance(key, (*_PLAIN, float, np.generic)), f"{_brief(key)} is no key.")
            result[key] = value
        return result

    def _slice(self, slice_: Any) -> slice:
        parts = self._list(slice_)
        good = len(parts) == 3 and all(part is None or type(part) is int for part in parts)
        require(good, f"a slice needs three ints or None. Got {_brief(parts)}.")
        return slice(*parts)

    def _float(self, float_: Any) -> float:
        require(isinstance(float_, str) and float_ in _FLOATS, f"{_brief(float_)} is no number.")
        return _FLOATS[float_]

    def _class(self, class_: Any) -> type:
        known = isinstance(class_, str) and class_ in CLASSES_OF_NUMBERS
        require(known, f"{_brief(class_)} is no class of numbers.")
        return CLASSES_OF_NUMBERS[class_]

    def _function(self, function_: Any) -> np.ufunc:
        known = isinstance(function_, str) and function_ in FUNCTIONS
        require(known, f"{_brief(function_)} is none of the functions {list(FUNCTIONS)}.")
        return FUNCTIONS[function_]

    def _dtype(self, dtype_: Any) -> np.dtype[Any]:
        known = isinstance(dtype_, str) and dtype_ in NUMBERS | {"O"}
        require(known, f"{_brief(dtype_)} is no kind of number.")
        return np.dtype(dtype_)

    def _scalar(self, scalar_: Any, value_: Any) -> Any:
        value = self.decode(value_)
        if scalar_ == "U":
            require(isinstance(value, str), f"text is expected. Got {_brief(value)}.")
            return np.str_(value)
        dtype = self._dtype(scalar_)
        wanted = {"b": bool, "i": int, "u": int, "f": float}.get(dtype.kind)
        require(type(value) is wanted, f"{_brief(value)} is no {dtype}.")
        try:
            return dtype.type(value)
        except OverflowError as error:
            raise ModelFileError(f"{_brief(value)} is no {dtype}.") from error

    # ------------------------------------------------------------------ arrays
    def _array(self, array_: Any) -> np.ndarray:
        known = type(array_) is int and 0 <= array_ < len(self._arrays)
        require(known, f"there is no array number {_brief(array_)}.")
        array = self._arrays[array_]
        self._budget.spend_reference(array.nbytes)
        return array

    def _texts(self, texts_: Any, shape_: Any, width_: Any) -> np.ndarray:
        good = isinstance(texts_, list) and all(isinstance(text, str) for text in texts_)
        require(good, "an array of text holds something else.")
        require(type(width_) is int and width_ >= 0, f"{_brief(width_)} is no width of text.")
        require(all(len(text) <= width_ for text in texts_), "a text is longer than its array.")
        width = max(width_, 1)
        self._budget.spend_memory(4 * width * max(len(texts_), 1), "an array of text")
        return _shaped(np.array(texts_, dtype=f"U{width}"), shape_)

    def _objects(self, objects_: Any, shape_: Any) -> np.ndarray:
        values = self._list(objects_)
        good = all(isinstance(value, (*_PLAIN, float)) for value in values)
        require(good, "an array of objects holds more than text and numbers.")
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return _shaped(array, shape_)

    def _random_state(self, random_state_: Any) -> np.random.RandomState:
        self._budget.spend_object()
        state = self._list(random_state_)
        check_random_state(state)
        result = np.random.RandomState(0)
        result.set_state(("MT19937", *state))
        return result

    # ------------------------------------------------------------------ objects
    def _object(self, type_: Any, state_: Any, requests_: Any = None) -> Any:
        known = isinstance(type_, str) and type_ in _READABLE
        require(known, f"it names the unknown type {_brief(type_)} (of a newer version?).")
        self._budget.spend_object()
        cls, state = _READABLE[type_], self._dict(state_)
        if cls in ESTIMATORS:
            state = _by_attribute(cls, state)
        state = upgrade(cls, state)
        if issubclass(cls, BaseEstimator):
            value = _estimator(cls, state)
            if requests_ is not None:
                _set_requests(value, requests_)
        else:
            value = _data(cls, state)
        check_object(value)
        return value


# To read them anew for every part took a fifth of the time of loading a small model.
@functools.cache
def _hints(cls: type) -> dict[str, Any]:
    """Annotated types of the fields."""
    return get_type_hints(cls)


@functools.cache
def _parameters(cls: type) -> Mapping[str, inspect.Parameter]:
    """What its constructor takes."""
    return inspect.signature(cls).parameters


def _data(cls: type, state: dict[str, Any]) -> Any:
    """Build a data class or named tuple whose fields have the annotated types."""
    name, hints = cls.__name__, _hints(cls)
    for field, value in state.items():
        require(field in hints, f"{name} has no field {_brief(field)}.")
        require(fits(value, hints[field]), f"{name}.{field} is not a {hints[field]}.")
    parameters = _parameters(cls).values()
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in state]
    require(not missing, f"{name} lacks {missing}.")
    return cls(**state)


def _estimator(cls: type, state: dict[str, Any]) -> BaseEstimator:
    """Fill an estimator; parameters that an older version did not have get their defaults."""
    parameters = _parameters(cls)
    require(
        len(state) <= MOST_ATTRIBUTES,
        f"{cls.__name__} takes at most {MOST_ATTRIBUTES} attributes. Got {len(state)}.",
    )
    state = {name: value for name, value in state.items() if name not in DERIVED}
    for name in state:
        allowed = name in parameters or _is_fitted_name(cls, name)
        require(
            allowed and name not in NOT_STORED,
            f"{cls.__name__} takes no {_brief(name)} from a file.",
        )
    value: Any = object.__new__(cls)
    for parameter in parameters.values():
        if parameter.name not in state:
            require(
                parameter.default is not parameter.empty,
                f"{cls.__name__} lacks its parameter {parameter.name}.",
            )
            setattr(value, parameter.name, parameter.default)
    vars(value).update(state)
    return value


def _by_attribute(cls: type, state: dict[str, Any]) -> dict[str, Any]:
    """Return what belongs to an estimator of ours under the names that it has there."""
    result = {ATTRIBUTES.get(name, name): value for name, value in state.items()}
    require(len(result) == len(state), f"{cls.__name__} has an attribute by two names.")
    for name in result:
        known = not name.startswith("_") or name in OLD_ATTRIBUTES
        require(known, f"{cls.__name__} takes no {_brief(name)} from a file.")
    return result


def _is_fitted_name(cls: type, name: str) -> bool:
    """Whether a name is that of learned data, and hides no method of the class."""
    learned = name.isidentifier() and (name[0] == "_" or name[-1] == "_") and name[:2] != "__"
    hidden = inspect.getattr_static(cls, name, None)
    if isinstance(hidden, Remembered):
        return learned
    return learned and not callable(hidden) and not hasattr(hidden, "__get__")


def _set_requests(estimator: BaseEstimator, requests: Any) -> None:
    """Restore which metadata were requested, by method and name."""
    result = estimator._get_metadata_request()
    require(isinstance(requests, dict), "metadata requests are not given by method.")
    for method, wishes in requests.items():
        good = isinstance(wishes, dict) and hasattr(result, method)
        require(good and method.isidentifier(), f"{_brief(method)} requests no metadata.")
        for name, alias in wishes.items():
            require(alias is None or isinstance(alias, (bool, str)), "an alias is no text.")
            try:
                getattr(result, method).add_request(param=name, alias=alias)
            except (ValueError, AttributeError) as error:
                raise ModelFileError(f"a request for metadata is wrong ({error}).") from error
    estimator._metadata_request = result


def _shaped(array: np.ndarray, shape: Any) -> np.ndarray:
    right = math.prod(checked_shape(shape)) == len(array)
    require(right, f"{len(array)} texts or objects do not fill the shape of their array.")
    return array.reshape(shape)


def _brief(value: Any) -> str:
    """Show a value from a file, short."""
    plain = isinstance(value, (*_PLAIN, float))
    return brief(repr(value) if plain else f"a {type(value).__name__}", 60)
