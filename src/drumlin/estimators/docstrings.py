"""Docstrings that share their pieces: a parameter of two classes is described once."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import TypeVar

Class = TypeVar("Class", bound=type)

_SECTION = re.compile(r"^Parameters\n-+\n(.*?\n)\n(?=\w[^\n]*\n-+\n)", re.M | re.S)
_ENTRY = re.compile(r"^(\w+) : [^\n]*\n(?:[ ]+[^\n]*\n)*", re.M)


def parameters_like(other: type) -> Callable[[Class], Class]:
    """Return a decorator that completes the section Parameters of a class.

    Parameters that its docstring does not describe are described as in another class. They come
    in the order of the constructor, before the section Attributes.
    """

    def decorate(cls: Class) -> Class:
        if cls.__doc__ and other.__doc__:  # there are none with python -OO
            cls.__doc__ = _completed(cls, inspect.cleandoc(other.__doc__))
        return cls

    return decorate


def _completed(cls: type, like: str) -> str:
    doc = inspect.cleandoc(cls.__doc__ or "")
    known = _entries(like) | _entries(doc)
    wanted = "".join(known[name] for name in inspect.signature(cls).parameters)
    before, _, after = _SECTION.sub("", doc).partition("Attributes\n----------\n")
    return f"{before}Parameters\n----------\n{wanted}\nAttributes\n----------\n{after}"


def _entries(doc: str) -> dict[str, str]:
    """Descriptions of the parameters by name."""
    section = _SECTION.search(doc)
    return {} if section is None else {m[1]: m[0] for m in _ENTRY.finditer(section[1])}
