"""Every kernel of both backends refuses arrays that do not fit each other, before it reads any."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from drumlin._kernels import (
    CONFUSION,
    LOGISTIC,
    SOFTMAX,
    SQUARED,
    SQUARED_ERROR,
    Candidates,
    Factor,
    Loo,
    NodeParameters,
    door,
    reference,
)
from drumlin._kernels.door import _ARGUMENTS
from tests.helpers import EXACT, assert_close

MODULES = ["drumlin._kernels.reference", "drumlin._kernels.compiled"]


@pytest.fixture(params=MODULES)
def kernels(request):
    if request.param.endswith("compiled"):
        pytest.importorskip("numba", reason="the compiled backend needs Numba")
    return importlib.import_module(request.param)


def good_arguments():
    """Arguments of every kernel: 4 candidates or nodes, 6 samples, 3 outputs, 2 inputs."""
    rng = np.random.default_rng(0)
    V, q, Q = rng.normal(size=(4, 6)), rng.normal(size=6), rng.normal(size=(2, 6))
    candidates = Candidates(np.ones(4), np.ones((4, 3)))
    labels = np.array([0, 1, 2, 0, 1, 2])
    rows = rng.normal(size=(3, 6))
    loo = Loo(
        rows, np.ones(6), rows + 1.0, rows + 2.0, labels, np.ones(6), np.ones(6), np.zeros(6), 0
    )
    factor = Factor(
        np.eye(4), np.ones((4, 3)), np.ones(4), np.ones(3), np.ones(3), np.ones(4), np.ones(2)
    )
    nodes = NodeParameters(np.ones((4, 2)), np.ones((4, 2)), np.ones((4, 3)), np.ones(3))
    Phi, targets, errors = rng.normal(size=(6, 4)), rng.normal(size=(6, 3)), np.empty((6, 3))
    X = rng.normal(size=(2, 6))
    return {
        "squared_distances_": (X, np.ones((4, 2)), np.ones((4, 2)), np.empty((4, 6))),
        "inner_": (V, q, np.zeros(4)),
        "subtract_projections_": (V, np.ones((2, 4)), Q),
        "deflate_": (V, q, np.ones(3), candidates),
        "project_": (V, Q, rows, np.empty(4), candidates),
        "score_": (V, np.arange(4), candidates, loo, 0.1, CONFUSION, np.zeros((4, 9))),
        "deflate_and_score_": (
            V, q, np.ones(3), candidates, loo, 0.1, SQUARED_ERROR, np.zeros((4, 1)),
        ),
        "rls_": (Phi, targets, np.ones(6), 0.9, 0.1, True, factor, errors),
        "lms_": (Phi, targets, np.ones(6), 1.0, np.ones((4, 3)), np.ones(3), errors),
        "value_and_gradient": (X, labels, np.ones(6), nodes, SOFTMAX),
    }  # fmt: skip


def shortened(value):
    """All ways to shorten one array of an argument by one row or column."""
    if isinstance(value, np.ndarray):
        for axis in range(value.ndim):
            yield np.ascontiguousarray(np.delete(value, -1, axis=axis))
        yield value[..., None]
    elif isinstance(value, tuple):
        for i, field in enumerate(value):
            for shorter in shortened(field):
                yield value._replace(**{value._fields[i]: shorter})


def test_all_kernels_with_arrays_are_guarded():
    assert set(_ARGUMENTS) == set(good_arguments())
    unguarded = {"gaussian_"}  # one array, of any shape
    assert {name for name in dir(reference) if name.endswith("_") and name[0] != "_"} <= (
        set(_ARGUMENTS) | unguarded
    )


@pytest.mark.parametrize("name", list(_ARGUMENTS))
def test_arrays_that_are_too_short_are_refused(kernels, name):
    kernel, arguments = getattr(kernels, name), good_arguments()[name]
    kernel(*arguments)
    n_refused = 0
    for i, value in enumerate(arguments):
        for shorter in shortened(value):
            if name == "project_" and i == 1 and shorter.shape == (1, 6):
                continue  # any number of columns will do
            changed = list(good_arguments()[name])
            changed[i] = shorter
            with pytest.raises(ValueError, match="needs"):
                kernel(*changed)
            n_refused += 1
    assert n_refused >= 4


def test_what_was_good_once_does_not_let_others_in(kernels):
    V, q, out = good_arguments()["inner_"]
    for n in range(2, door.REMEMBERED + 4):  # more shapes than are remembered
        kernels.inner_(np.ones((1, n)), np.ones(n), np.zeros(1))
    kernels.inner_(V, q, out)
    assert_close(out, V @ q, EXACT)
    with pytest.raises(ValueError, match=r"'q' of shape \(n\), where L = 4, n = 6. Got list"):
        kernels.inner_(V, q.tolist(), out)
    with pytest.raises(ValueError, match=r"'q' of shape \(n\), where L = 4, n = 6. Got \(5,\)"):
        kernels.inner_(V, q[:5], out)


@pytest.mark.parametrize("labels", [[0, 1, 2, 0, 1, 3], [0, 1, 2, 0, 1, -1]])
def test_labels_beyond_the_classes_are_refused(kernels, labels):
    arguments = good_arguments()
    X, _, weight, nodes, _ = arguments["value_and_gradient"]
    for loss in (SOFTMAX, LOGISTIC):
        with pytest.raises(ValueError, match="in the range"):
            kernels.value_and_gradient(X, np.array(labels), weight, nodes, loss)
    V, index, candidates, loo, *rest = arguments["score_"]
    with pytest.raises(ValueError, match="in the range"):
        kernels.score_(V, index, candidates, loo._replace(labels=np.array(labels)), *rest)


def test_indices_statistics_and_empty_sides_are_refused(kernels):
    arguments = good_arguments()
    V, index, candidates, loo, alpha, _, out = arguments["score_"]
    with pytest.raises(ValueError, match=r"'index' in the range \[0, 4\)"):
        kernels.score_(V, index + 1, candidates, loo, alpha, CONFUSION, out)
    with pytest.raises(ValueError, match=r"needs 1 numbers a candidate\. Got 9"):
        kernels.score_(V, index, candidates, loo, alpha, SQUARED_ERROR, out)
    with pytest.raises(ValueError, match="'XT'"):
        kernels.squared_distances_(
            np.empty((0, 6)), np.empty((4, 0)), np.empty((4, 0)), np.empty((4, 6))
        )
    X, labels, weight, nodes, _ = arguments["value_and_gradient"]
    with pytest.raises(ValueError, match="'targets'"):
        kernels.value_and_gradient(X, labels, weight, nodes, SQUARED)


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_places_of_any_type_are_counted(dtype):
    places = np.arange(6).astype(dtype)
    assert door._are_within(places, 6)
    assert not door._are_within(places, 5)
    assert dtype is np.uint8 or not door._are_within(places - 1, 6)
    assert door._are_within(places[::2], 5)
