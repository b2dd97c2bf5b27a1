"""Warnings point at the user's line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import drumlin
from drumlin._warnings import warn

SOURCES = sorted(Path(drumlin.__file__).parent.rglob("*.py"))


def inside(module: str, function):
    """Return a function that calls another from a module of this name."""
    names = {"__name__": module, "function": function}
    exec("def call():\n    function()", names)  # a frame with these globals
    return names["call"]


def warn_from(*modules: str) -> None:
    """Warn at the bottom of calls from modules of these names, the outermost first."""
    names = {"__name__": "drumlin.bottom", "warn": warn}
    exec("def bottom():\n    warn('deep', RuntimeWarning)", names)
    function = names["bottom"]
    for module in reversed(modules):
        function = inside(module, function)
    function()


@pytest.mark.parametrize(
    "modules", [(), ("drumlin.cli",), ("drumlin.x", "sklearn.base", "drumlin.estimators.y")]
)
def test_frames_of_the_package_are_skipped(modules):
    with pytest.warns(RuntimeWarning, match="deep") as caught:
        warn_from(*modules)
    assert caught[0].filename == __file__


def test_other_packages_are_users():
    with pytest.warns(RuntimeWarning, match="deep") as caught:
        warn_from("drumlinger.x", "drumlin.y")
    assert caught[0].filename == "<string>"


def test_a_pipeline_is_not_blamed():
    model = make_pipeline(StandardScaler(), drumlin.ForwardRBFClassifier())
    with pytest.warns(UserWarning, match="found no node") as caught:
        model.fit([[1.0], [1.0], [1.0], [1.0]], [0, 1, 0, 1])
    assert caught[0].filename == __file__


def test_nobody_counts_frames():
    counting = [p.name for p in SOURCES if re.search(r"stacklevel\s*=", p.read_text())]
    assert counting == ["_warnings.py"]
