"""Greedy search in Gram space is orthogonal least squares."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import Gaussian, Nodes
from drumlin.linear import OrthogonalRegression
from drumlin.linear.gram import gram_path
from tests.helpers import assert_close
from tests.selection.problems import codes, three_blobs, two_moons


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_prefixes_are_those_of_orthogonal_regression(problem, weighted, seed):
    X, labels = problem(seed)
    weight = np.random.default_rng(seed).uniform(0.2, 1.0, len(X)) if weighted else np.ones(len(X))
    Phi = Nodes(X, np.ones_like(X), Gaussian()).activate(X).T
    path = gram_path(Phi, codes(labels), weight, 10, 0.1)
    model = OrthogonalRegression(codes(labels), weight, fit_intercept=True)
    expected = [model.loo_squared_error()]
    for j in path.order:
        model.append(*model.basis.orthogonalize(model.root * Phi[:, j]), alpha=0.1)
        expected.append(model.loo_squared_error())
    assert len(path.order) == 10
    assert_close(path.squared_errors, expected)
    loo = path.loo_predictions(codes(labels), weight, weight, 10)
    assert_close(loo, model.loo_predictions())


def test_integer_weights_are_repeated_rows(seed):
    X, labels = three_blobs(seed, 60)
    counts = np.random.default_rng(seed).integers(1, 4, 60)
    rows = np.repeat(np.arange(60), counts)
    Phi = Nodes(X, np.ones_like(X), Gaussian()).activate(X).T
    weighted = gram_path(Phi, codes(labels), counts.astype(float), 8, 0.1)
    repeated = gram_path(Phi[rows], codes(labels[rows]), np.ones(len(rows)), 8, 0.1)
    np.testing.assert_array_equal(weighted.order, repeated.order)
    assert_close(weighted.squared_errors, repeated.squared_errors)


def test_every_step_is_the_largest_drop(seed):
    X, labels = two_moons(seed, 40)
    Phi, targets = Nodes(X, np.ones_like(X), Gaussian()).activate(X).T, codes(labels)
    order = gram_path(Phi, targets, np.ones(40), 4, 0.1).order
    model = OrthogonalRegression(targets, np.ones(40), fit_intercept=True)
    for j in order:
        drops = []
        for phi in Phi.T:
            w, _ = model.basis.orthogonalize(phi)
            norm2 = w @ w
            drops.append((w @ model.residual[:, 0]) ** 2 / (norm2 + 0.1) if norm2 > 1e-6 else 0.0)
        assert j == np.argmax(drops)
        model.append(*model.basis.orthogonalize(Phi[:, j]), alpha=0.1)


def test_dependent_columns_end_the_path():
    X = np.repeat(np.array([[0.0], [1.0], [5.0]]), 4, axis=0)
    Phi = Nodes(X, np.ones_like(X), Gaussian()).activate(X).T
    path = gram_path(Phi, np.arange(12.0)[:, None], np.ones(12), 11, 0.1)
    assert len(path.order) == 2  # three different points and a constant
    constant = gram_path(np.ones((12, 3)), np.arange(12.0)[:, None], np.ones(12), 5, 0.1)
    assert len(constant.order) == 0
    assert constant.squared_errors.shape == (1,)
