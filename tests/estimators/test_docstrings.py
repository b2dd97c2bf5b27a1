"""Parameters are described once and shown everywhere."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

from drumlin import estimators
from drumlin.estimators.docstrings import _entries, parameters_like


@pytest.mark.parametrize("name", estimators.__all__)
def test_every_parameter_is_described_in_order(name):
    cls = getattr(estimators, name)
    described = _entries(inspect.cleandoc(cls.__doc__))
    assert list(described) == list(inspect.signature(cls).parameters)
    for parameter, text in described.items():
        shown = re.search(r"default=(.*?)\n", text)[1]
        assert ast.literal_eval(shown) == inspect.signature(cls).parameters[parameter].default


def test_own_descriptions_win():
    class Other:
        """One.

        Parameters
        ----------
        a : int, default=1
            First.
        b : int, default=2
            Second.

        Attributes
        ----------
        c_ : int
        """

        def __init__(self, a=1, b=2):
            pass

    @parameters_like(Other)
    class This:
        """Two.

        Parameters
        ----------
        b : int, default=3
            Own.

        Attributes
        ----------
        d_ : int
        """

        def __init__(self, a=1, b=3):
            pass

    expected = """Two.

Parameters
----------
a : int, default=1
    First.
b : int, default=3
    Own.

Attributes
----------
d_ : int"""
    assert This.__doc__ == expected
