"""Whether values are what annotations promise: the data classes' own, so none is written twice."""

from __future__ import annotations

import types
from numbers import Integral, Real
from typing import Any, Union, get_args, get_origin

import numpy as np

_ABSTRACT: dict[type, type] = {float: Real, int: Integral}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value has an annotated type; what is not understood fits nothing.

    Parameters
    ----------
    value : object
    hint : type annotation
        A class, None, a union, a tuple or list of such, or an array of one kind of number.
    """
    hint = _spelled_out(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(fits(value, argument) for argument in arguments)
    if hint is None or hint is type(None):
        return value is None
    if origin is np.ndarray:
        (number,) = get_args(arguments[1])
        return isinstance(value, np.ndarray) and value.dtype == np.dtype(number)
    if origin is tuple:
        return (
            isinstance(value, tuple)
            and len(value) == len(arguments)
            and all(map(fits, value, arguments))
        )
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if not isinstance(hint, type):
        return False
    if isinstance(value, bool) and hint is not bool:
        return False
    return isinstance(value, _ABSTRACT.get(hint, hint))


def _spelled_out(hint: Any) -> Any:
    """Return what an alias stands for: ``NDArray`` is a named one from NumPy 2.5 on."""
    alias = get_origin(hint)
    value = getattr(alias, "__value__", None)  # of typing.TypeAliasType, Python 3.12
    return hint if value is None else value[get_args(hint)]
