"""Damaged and edited files: a clear error or a model that works, never anything else."""

from __future__ import annotations

import copy
import json
import os
import struct
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.pipeline import Pipeline

import drumlin
from drumlin.io import ModelFileError, describe
from tests.io.models import MODELS, archive_of, everything, fit, members

MANY = 25 if os.environ.get("DRUMLIN_SEEDS") == "all" else 1


def examples(n_examples):
    """So many mutations, or 25 times as many others where all seeds are wanted."""
    return settings(
        max_examples=MANY * n_examples,
        derandomize=MANY == 1,
        suppress_health_check=list(HealthCheck),
    )


KINDS = ("DrumlinClassifier", "DrumlinRegressor", "parts", "polished", "pipeline")


@dataclass(repr=False)
class Victim:
    """A place for files, the bytes of a good one, and inputs."""

    path: Path
    content: bytes
    X: object

    def __iter__(self):
        return iter((self.path, self.content, self.X))


@pytest.fixture(scope="module", params=[*KINDS, "table"])
def victim(request, tmp_path_factory):
    """A saved model."""
    if request.param == "table":
        # Without missing values: an edit may tell the pipeline that there are none.
        model, (X, _) = request.getfixturevalue("table_model"), request.getfixturevalue("table")
        X = X.dropna()
    else:
        model, X = fit(MODELS[request.param])
    path = tmp_path_factory.mktemp("mutations") / "model.drumlin"
    drumlin.save(model, path)
    return Victim(path, path.read_bytes(), X[-12:])


def assert_refused_or_usable(path, content, X):
    path.write_bytes(content)
    try:
        describe(path)
    except ModelFileError as error:
        assert str(path) in str(error)
    # Edited versions and names cause warnings; odd numbers overflow on the way to finite answers.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", UserWarning)
        try:
            model = drumlin.load(path)
        except ModelFileError as error:
            assert str(path) in str(error)
            return
        assert_usable(model, X)


def assert_usable(model, X):
    models = [model]
    if hasattr(model, "truncate") and model.n_nodes_:
        models += [model.truncate(size) for size in range(1, model.n_nodes_ + 1)]
    for usable in models:
        try:
            answers = everything(usable, X)
        except ValueError:
            # A pipeline may have become a sound model of tables with other columns or categories.
            assert isinstance(model, Pipeline)
            return
        for name, answer in answers.items():
            assert answer.dtype.kind in "OU" or np.isfinite(answer).all(), name


@examples(30)
@given(data=st.data())
def test_flipped_bytes(victim, data):
    path, content, X = victim
    changed = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        # Half of them in the directory at the end, where a byte means most.
        low = data.draw(st.sampled_from([0, max(0, len(content) - 250)]))
        changed[data.draw(st.integers(low, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    assert_refused_or_usable(path, bytes(changed), X)


@examples(30)
@given(data=st.data())
def test_cut_and_spliced_bytes(victim, data):
    path, content, X = victim
    a, b = sorted(data.draw(st.tuples(*[st.integers(0, len(content))] * 2)))
    extra = data.draw(st.binary(max_size=20))
    choice = data.draw(st.integers(0, 3))
    changed = (content[:a], content[b:], content[:a] + extra + content[b:], content[a:b])[choice]
    assert_refused_or_usable(path, changed, X)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-1, 0, 1, 2, 3, 7, 10**9, 2**63, -(2**63), 10**30]),
    st.sampled_from([0.0, -1.0, 0.5, 1e308, -1e-308]),
    st.sampled_from(["", "nan", "auto", "predict", "Network", "f8", "O", "__class__", "../x"]),
    st.sampled_from([[], {}, [[]], [1, 2], {"array": 0}, {"array": 1}, {"float": "nan"}]),
    st.sampled_from([{"float": "inf"}, {"tuple": []}, {"dict": {}}, {"items": [[[], 1]]}]),
    st.sampled_from([{"dtype": "f4"}, {"class": "float32"}, {"scalar": "i8", "value": 3}]),
    st.sampled_from([{"texts": ["a"], "shape": [1], "width": 1}, {"slice": [0, 1, None]}]),
    st.sampled_from([{"objects": ["a", None, 1.5], "shape": [3]}]),
    st.sampled_from([{"type": "Gaussian", "state": {}}, {"type": "os.system", "state": {}}]),
    st.sampled_from([{"type": "Pipeline", "state": {"steps": []}}]),
)

NAMES = (
    "predict", "_validate_params", "__class__", "memory", "n_jobs", "new_", "x", "transform",
    "classes_",
)  # fmt: skip


def places(value, found=None):
    """All places in a JSON value that can be edited: containers and keys."""
    found = [] if found is None else found
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in list(entries):
        found.append((value, key))
        if isinstance(child, (dict, list)):
            places(child, found)
    return found


EDITS = st.tuples(
    st.sampled_from(["replace", "replace again", "delete", "copy", "rename", "add"]),
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.sampled_from(NAMES),
    VALUES,
)


def edit_tree(tree, choice, place, other_place, name, value):
    found = places(tree)
    container, key = found[place % len(found)]
    other, other_key = found[other_place % len(found)]
    value = copy.deepcopy(value)  # a second edit may go into the value of the first
    if choice == "delete":
        del container[key]
    elif choice == "copy":
        container[key] = copy.deepcopy(other[other_key])
    elif choice == "rename" and isinstance(container, dict):
        container[str(other_key)] = container.pop(key)
    elif choice == "add" and isinstance(container, dict):
        container[name] = value
    elif choice == "add":
        container.insert(key, value)
    else:
        container[key] = value


@examples(80)
@given(
    member=st.integers(0, 3).map(lambda i: "model.json" if i else "manifest.json"),
    edits=st.lists(EDITS, min_size=1, max_size=2),
)
def test_edited_json(victim, member, edits):
    path, content, X = victim
    parts = members(content)
    tree = json.loads(parts[member])
    for edit in edits:
        edit_tree(tree, *edit)
    parts[member] = json.dumps(tree).encode()
    assert_refused_or_usable(path, archive_of(parts), X)


@examples(30)
@given(data=st.data())
def test_edited_numbers(victim, data):
    path, content, X = victim
    parts = members(content)
    numbers = bytearray(parts["arrays.bin"])
    odd = [np.nan, np.inf, -np.inf, 0.0, -1.0, 1e150, -1e150, 5e-324, 1e-300, 1e20]
    for _ in range(data.draw(st.integers(1, 3))):
        start = 8 * data.draw(st.integers(0, len(numbers) // 8 - 1))
        numbers[start : start + 8] = struct.pack("<d", data.draw(st.sampled_from(odd)))
    parts["arrays.bin"] = bytes(numbers)
    assert_refused_or_usable(path, archive_of(parts), X)
