"""The reference has every public name, each with a docstring, an example and neighbours."""

from __future__ import annotations

import inspect
import pkgutil
import sys
from importlib import import_module

import pytest

import drumlin
from tests.docs.pages import DOCS

pytest.importorskip("sphinx", reason="needs the dependency group 'docs'")
sys.path.insert(0, str(DOCS / "_ext"))
from reference_pages import ROOMS, documented, public_names

INNER = {"cli", "estimators", "experiments", "flagship", "laplace", "novelty", "refinement"}
INNER |= {"relevance", "selection", "trust"}
"""Rooms that users do not import: their classes reach them through estimators and commands."""

BOTH = ("explain", "counterfactual", "truncate", "novelty", "fit_batches")
METHODS = [
    *((drumlin.DrumlinClassifier, name) for name in (*BOTH, "predict_set")),
    *((drumlin.DrumlinRegressor, name) for name in (*BOTH, "predict_interval")),
]

NAMES = [(room, name) for room in ROOMS for name in documented(room)]


def test_every_room_is_in_the_reference_or_an_inner_one():
    rooms = {room.name for room in pkgutil.iter_modules(drumlin.__path__) if room.name[0] != "_"}
    assert rooms == {room.partition(".")[2] for room in ROOMS if "." in room} | INNER
    estimators = set(import_module("drumlin.estimators").__all__)
    assert estimators <= set(public_names("drumlin"))


def has_example(text):
    return ">>> " in text.partition("Examples\n--------\n")[2]


@pytest.mark.parametrize(("room", "name"), NAMES)
def test_names_have_docstring_and_example(room, name):
    text = inspect.getdoc(getattr(import_module(room), name)) or ""
    assert text.partition("\n")[0].rstrip().endswith((".", ":")), "one sentence first"
    assert has_example(text)
    assert "See Also\n--------\n" in text


@pytest.mark.parametrize(("estimator", "method"), METHODS)
def test_methods_have_parameters_and_an_example(estimator, method):
    text = inspect.getdoc(getattr(estimator, method)) or ""
    assert "Parameters\n----------\n" in text
    assert "Returns\n-------\n" in text
    assert has_example(text)


def test_rooms_have_introductions():
    for room in ROOMS:
        assert len((inspect.getdoc(import_module(room)) or "").split()) >= 4, room
