"""Constants told apart: what is a statement about data, and what about computing time.

A recipe is a frozen dataclass whose fields are made with these; its docstring says what each means
and docs/flagship.md prints them.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeVar

Value = TypeVar("Value")


def statistical(default: Value) -> Value:
    """A constant of the method: another value gives another estimate."""
    value: Value = field(default=default, metadata={"kind": "statistical"})
    return value


def budget(default: Value) -> Value:
    """A limit on time or memory: more would be at least as good, and slower."""
    value: Value = field(default=default, metadata={"kind": "budget"})
    return value
