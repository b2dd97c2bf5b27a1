"""Parameters are described once and shown everywhere."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

from drumlin import estimators
from drumlin.estimators.docstrings import described_like, entries


@pytest.mark.parametrize("name", estimators.__all__)
def test_every_parameter_is_described_in_order(name):
    cls = getattr(estimators, name)
    described = entries(inspect.cleandoc(cls.__doc__), "Parameters\n----------\n")
    assert list(described) == list(inspect.signature(cls).parameters)
    for parameter, text in described.items():
        shown = re.search(r"default=(.*?)\n", text)[1]
        assert ast.literal_eval(shown) == inspect.signature(cls).parameters[parameter].default


@pytest.mark.parametrize("name", estimators.__all__)
def test_every_attribute_is_described_once(name):
    doc = inspect.cleandoc(getattr(estimators, name).__doc__)
    section = re.split(r"\n\n", doc.partition("Attributes\n----------\n")[2])[0] + "\n"
    heads = re.findall(r"^(\w[^\n]*)\n", section, re.M)
    assert all(" : " in head for head in heads)  # a mere name was not found anywhere
    names = [name for head in heads for name in head.split(" : ")[0].split(", ")]
    assert len(names) == len(set(names))
    assert {"n_features_in_", "n_nodes_", "network_"} <= set(names)


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
        c_, e_ : int
            Third and fifth.
        """

        def __init__(self, a=1, b=2):
            pass

    @described_like(Other)
    class This:
        """Two.

        Parameters
        ----------
        b : int, default=3
            Own.

        Attributes
        ----------
        d_ : int
        n_features_in_, c_, e_

        See Also
        --------
        Other : The one.
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
d_ : int
n_features_in_ : int
    Number of inputs.
c_, e_ : int
    Third and fifth.

See Also
--------
Other : The one."""
    assert This.__doc__ == expected
