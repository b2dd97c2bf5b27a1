"""Both backends of the sample-by-sample solvers compute the same."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from drumlin._kernels import Factor, reference
from tests.helpers import EXACT, assert_close

pytest.importorskip("numba", reason="the compiled backend needs Numba")
compiled = importlib.import_module("drumlin._kernels.compiled")


def problem(seed, n=60, n_nodes=7, n_outputs=2):
    rng = np.random.default_rng(seed)
    centers, X = rng.standard_normal((n_nodes, 3)), rng.standard_normal((n, 3))
    Phi = np.exp(-0.5 * ((X[:, None] - centers) ** 2).sum(axis=2))
    return Phi, rng.standard_normal((n, n_outputs)), rng.uniform(0.2, 3.0, n)


def start(n_nodes, n_outputs, alpha):
    return Factor(
        np.sqrt(alpha) * np.eye(n_nodes),
        np.zeros((n_nodes, n_outputs)),
        np.zeros(n_nodes),
        np.zeros(n_outputs),
        np.zeros(n_outputs),
        np.full(n_nodes, alpha),
        np.zeros(2),
    )


@pytest.mark.parametrize("forgetting", [1.0, 0.9])
@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("shape", [(60, 7, 2), (1, 3, 1), (5, 1, 3)])
def test_rls_agrees(seed, shape, centered, forgetting):
    Phi, targets, weight = problem(seed, *shape)
    results = []
    for backend in (reference, compiled):
        factor, errors = start(*shape[1:], alpha=1e-2), np.empty_like(targets)
        backend.rls_(Phi, targets, weight, forgetting, 1e-2, centered, factor, errors)
        results.append([*factor, errors])
    for ours, theirs in zip(*results, strict=True):
        assert_close(theirs, ours, 1e-10)  # rotations, summed in another order
        assert np.isfinite(ours).all()


@pytest.mark.parametrize("constant", [0.0, 1.0])
def test_lms_agrees(seed, constant):
    Phi, targets, weight = problem(seed)
    Phi[3] = 0.0  # nothing to learn from without a constant
    results = []
    for backend in (reference, compiled):
        coef, intercept = np.zeros((7, 2)), np.zeros(2)
        errors = np.empty_like(targets)
        backend.lms_(Phi, targets, weight / 4.0, constant, coef, intercept, errors)
        results.append([coef, intercept, errors])
    for ours, theirs in zip(*results, strict=True):
        assert_close(theirs, ours, EXACT)
