"""Model files damaged or edited at random, and what is asked of those that still load.

    python -m tests.io.mutations 0 1000

tries the mutations of these seeds and prints counts as JSON; a crash of the process is a failure.
Every mutation follows from its seed: ``mutated(victims(), seed)``.
"""

from __future__ import annotations

import collections
import copy
import functools
import json
import random
import struct
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.pipeline import Pipeline

import drumlin
from drumlin.io import ModelFileError, describe
from tests.backends import HERE, running_on
from tests.io.edits import Draft
from tests.io.models import (
    MODELS,
    POWERED,
    archive_of,
    encoded_table,
    everything,
    fit,
    logarithm_of_table,
    members,
    mixed_table,
    scaled_target,
    table_pipeline,
)

KINDS = (
    "DrumlinClassifier", "DrumlinRegressor", "parts", "polished", "pipeline", "rls", "lms",
    "ridge", "exact", "normalized", "NadarayaWatsonClassifier", "SparseKernelLogisticRegression",
    "CompressedClassifier", "reduced",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Victim:
    """The bytes of a good file, and inputs for its model."""

    content: bytes
    X: object


@functools.cache
def victims():
    """Saved models of many kinds, by name."""
    # Without missing values: an edit may tell the pipeline that there are none.
    table, y = mixed_table()
    fitted = {name: fit(MODELS[name]) for name in KINDS}
    fitted["table"] = table_pipeline().fit(table, y), table.dropna()
    model, X = encoded_table()
    fitted["encoded"] = model, X.dropna()
    model, X = logarithm_of_table()
    fitted["logarithm"] = model, X.dropna()
    fitted["scaled target"] = scaled_target()
    fitted |= {name: make() for name, make in POWERED.items()}
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "good.drumlin"
        for name, (model, X) in fitted.items():
            drumlin.save(model, path)
            found[name] = Victim(path.read_bytes(), X[-12:])
    return found


# ------------------------------------------------------------------ mutations
def flipped(content, rng):
    """Some bytes changed, half of them in the directory at the end, where a byte means most."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        low = rng.choice([0, max(0, len(content) - 250)])
        changed[rng.randrange(low, len(content))] ^= rng.randint(1, 255)
    return bytes(changed)


def spliced(content, rng):
    """Cut, or with something else between."""
    a, b = sorted((rng.randint(0, len(content)), rng.randint(0, len(content))))
    extra = rng.randbytes(rng.randint(0, 20))
    return rng.choice([content[:a], content[b:], content[:a] + extra + content[b:], content[a:b]])


ODD = (np.nan, np.inf, -np.inf, 0.0, -1.0, 1e150, -1e150, 5e-324, 1e-300, 1e20, 1.5, 1e300)


def renumbered(content, rng):
    """Some odd numbers in the arrays."""
    parts = members(content)
    numbers = bytearray(parts["arrays.bin"])
    for _ in range(rng.randint(1, 3)):
        start = 8 * rng.randrange(len(numbers) // 8)
        numbers[start : start + 8] = struct.pack("<d", rng.choice(ODD))
    return archive_of(parts | {"arrays.bin": bytes(numbers)})


VALUES = (
    None, True, False, -1, 0, 1, 2, 3, 7, 10**9, 2**63, -(2**63), 10**30, 0.0, -1.0, 0.5, 1e308,
    -1e-308, "", "nan", "auto", "predict", "Network", "f8", "O", "__class__", "../x", "\x1b[31m",
    [], {}, [[]], [1, 2], {"array": 0}, {"array": 1}, {"float": "nan"}, {"float": "inf"},
    {"tuple": []}, {"dict": {}}, {"items": [[[], 1]]}, {"items": [[1, 2.0]]}, {"dtype": "f4"},
    {"class": "float32"}, {"scalar": "i8", "value": 3},
    {"texts": ["a"], "shape": [1], "width": 1}, {"texts": [], "shape": [0], "width": 1 << 30},
    {"texts": ["b", "a"], "shape": [2], "width": 1}, {"slice": [0, 1, None]},
    {"objects": ["a", None, 1.5], "shape": [3]}, {"random_state": [{"dict": {}}, 1, 0, 0.0]},
    {"random_state": [{"array": 0}, 10**9, 0, 0.0]}, {"type": "Gaussian", "state": {}},
    {"type": "Multiquadric", "state": {}}, {"type": "os.system", "state": {}},
    {"type": "Pipeline", "state": {"steps": []}},
)  # fmt: skip

NAMES = (
    "predict", "_validate_params", "__class__", "memory", "n_jobs", "new_", "x", "transform",
    "classes_", "temperature_", "learner", "centers_",
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


def edit(tree, rng):
    """Change one place of a JSON value."""
    found = places(tree)
    container, key = rng.choice(found)
    other, other_key = rng.choice(found)
    value = copy.deepcopy(rng.choice(VALUES))  # a second edit may go into that of the first
    choice = rng.choice(["replace", "replace", "delete", "copy", "rename", "add"])
    if choice == "delete":
        del container[key]
    elif choice == "copy":
        container[key] = copy.deepcopy(other[other_key])
    elif choice == "rename" and isinstance(container, dict):
        container[str(other_key)] = container.pop(key)
    elif choice == "add" and isinstance(container, dict):
        container[rng.choice(NAMES)] = value
    elif choice == "add":
        container.insert(key, value)
    else:
        container[key] = value


def edited(content, rng):
    """One or two places of the JSON changed."""
    parts = members(content)
    member = rng.choice(["model.json", "model.json", "model.json", "manifest.json"])
    tree = json.loads(parts[member])
    for _ in range(rng.randint(1, 2)):
        if places(tree):
            edit(tree, rng)
    return archive_of(parts | {member: json.dumps(tree).encode()})


def rewired(content, rng):
    """Some references lead to other arrays."""
    draft = Draft(content)
    references = [container for container, key in places({"": draft.tree}) if key == "array"]
    for _ in range(rng.randint(1, 3)):
        reference, other = rng.choice(references), rng.choice(references)
        reference["array"] = other["array"]
    return draft.content()


def resized(content, rng):
    """Some arrays, wherever they are referred to, have other sides."""
    draft = Draft(content)
    for _ in range(rng.randint(1, 2)):
        number = rng.randrange(len(draft.arrays))
        array = draft.arrays[number]
        if not array.ndim:
            continue
        axis = rng.randrange(array.ndim)
        sizes = [0, 1, 2, array.shape[axis] - 1, array.shape[axis] + 1, 2 * array.shape[axis]]
        size = max(0, rng.choice(sizes))
        repeated = np.resize(np.arange(max(array.shape[axis], 1)), size) if array.size else []
        draft.arrays[number] = np.take(array, np.asarray(repeated, dtype=int), axis=axis)
    return draft.content()


MUTATIONS = (flipped, spliced, renumbered, edited, edited, edited, rewired, resized, resized)


def mutated(files, seed):
    """Return the victim, the mutation and the content that belong to a seed."""
    rng = random.Random(seed)
    name, mutation = rng.choice(list(files)), rng.choice(MUTATIONS)
    return name, mutation.__name__, mutation(files[name].content, rng)


# ------------------------------------------------------------------ what is asked
REFUSED, USABLE = "refused", "usable"


def outcome(path, content, X):
    """Assert that a file is refused by the one error, or is a model that both backends use.

    Returns
    -------
    str
        ``REFUSED`` or ``USABLE``.
    """
    path.write_bytes(content)
    # Edited versions and names cause warnings; odd numbers overflow on the way to finite answers.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        _read(describe, path)
        found = [_on(backend, path, X) for backend in HERE]
    assert_equal_answers(found[0], found[-1])
    return REFUSED if found[0] is None else USABLE


def _read(function, path):
    """Return what a file holds, None where it is refused."""
    try:
        return function(path)
    except ModelFileError as error:
        message = str(error)
        assert str(path) in message
        assert message.isprintable()
        assert len(message) < len(str(path)) + 400
        return None


def _on(backend, path, X):
    """Answers of a loaded model and of what can be made of it, on one backend."""
    with running_on(backend):
        model = _read(drumlin.load, path)
        return None if model is None else dict(_uses(model, path, X))


def _uses(model, path, X):
    """Yield answers by name: the model, smaller ones, after another batch, after a round trip."""
    yield from _answers("as it is", model, X, model)
    if hasattr(model, "truncate"):
        for size in range(1, model.n_nodes_ + 1):
            yield from _answers(f"truncated to {size}", model.truncate(size), X, model)
    if hasattr(model, "partial_fit"):
        yield from _after_a_batch(model, X)
    again = path.with_name("again.drumlin")
    drumlin.save(model, again)
    loaded = drumlin.load(again)
    for (name, ours), (_, theirs) in zip(
        _answers("", model, X, model), _answers("", loaded, X, model), strict=True
    ):
        assert isinstance(ours, str) or ours.tobytes() == theirs.tobytes() or (
            ours.dtype == object and ours.tolist() == theirs.tolist()
        ), name  # fmt: skip


def _answers(what, usable, X, model):
    try:
        answers = everything(usable, X)
    except ValueError as error:
        # A pipeline may have become a sound model of tables with other columns or categories.
        inner = getattr(model, "regressor_", model)
        assert isinstance(inner, Pipeline), error
        yield what, type(error).__name__
        return
    for name, answer in answers.items():
        assert _is_sound(name, answer), (what, name)
        yield f"{name}, {what}", answer


def _is_sound(name, answer):
    """Whether an answer has no number that it is not said to have."""
    if answer.dtype.kind in "OU":
        return True
    if name == "predict_interval":  # all numbers, where a margin is larger than any
        return bool((answer[:, 0] <= answer[:, 1]).all())
    # The logarithm of a probability that is 0 to rounding is minus infinity.
    return bool(np.isfinite(np.exp(answer) if name == "predict_log_proba" else answer).all())


def _after_a_batch(model, X):
    learner, n = copy.deepcopy(model), len(X)
    if hasattr(model, "classes_"):
        y = model.classes_[np.arange(n) % len(model.classes_)]
    else:
        y = np.cos(np.arange(n * len(model.network_.intercept))).reshape(n, -1)
    try:
        learner.partial_fit(X, y)
    except ValueError as error:  # parameters may have become such that do not go together
        yield "after a batch", type(error).__name__
        return
    for name, value in vars(learner.network_).items():
        if isinstance(value, np.ndarray):
            yield f"{name}, after a batch", value


TOLERANCE = 1e-6  # odd numbers make sums in which digits are lost


def assert_equal_answers(ours, theirs):
    """Assert that two backends refuse both, or answer the same."""
    assert (ours is None) == (theirs is None)
    for name in ours or {}:
        a, b = ours[name], theirs[name]
        if isinstance(a, str) or isinstance(b, str):
            assert a == b, name
        elif a.dtype.kind in "OUb":
            assert a.shape == b.shape, name  # labels; where two are equally likely, either
        else:
            scale = max(1.0, np.abs(a[np.isfinite(a)]).max(initial=0.0))
            np.testing.assert_allclose(a / scale, b / scale, atol=TOLERANCE, err_msg=name)


def main(first, last):
    """Try the mutations of some seeds."""
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.drumlin"
        for seed in range(int(first), int(last)):
            print(seed, file=sys.stderr, flush=True)  # the last one is to blame for a crash
            name, mutation, content = mutated(victims(), seed)
            counts[f"{mutation} {outcome(path, content, victims()[name].X)}"] += 1
    print(json.dumps(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
