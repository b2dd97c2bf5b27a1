"""Limits on the size of the network."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.estimators.tables import skewed


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 5])
def test_max_nodes(max_nodes, fitted):
    model, (X, y) = fitted
    small = clone(model).set_params(max_nodes=max_nodes).fit(X, y)
    assert 0 <= small.n_nodes_ <= max_nodes


def test_max_bytes_is_a_number_of_nodes(moons, fitted_to):
    X, y = moons
    free = fitted_to("two")
    fixed, node = 8 * (1 + 2 * 2), 8 * (2 * 2 + 1)
    for budget in range(fixed + node, free.n_bytes_ + 60, 12):
        model = DrumlinClassifier(max_bytes=budget).fit(X, y)
        assert model.n_bytes_ == fixed + node * model.n_nodes_ <= budget
        same = DrumlinClassifier((budget - fixed) // node).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))


def test_max_bytes_is_used_up():
    """Where all nodes are worth their price, the largest network that fits is taken."""
    X, y = make_moons(300, noise=0.25, random_state=0)
    for n_nodes in range(1, 9):
        model = DrumlinClassifier(max_bytes=40 + 40 * n_nodes + 39).fit(X, y)
        assert model.n_nodes_ == n_nodes


@pytest.mark.parametrize("budget", [200, 300, 400, 500, 700, 1000, 1500])
def test_max_bytes_counts_the_matrix(budget, seed):
    model = DrumlinClassifier(max_bytes=budget).fit(*skewed(seed))
    assert model.n_bytes_ <= budget
    smallest = 8 * (3 + 2 * 4 + 16 + 11)
    assert model.network_.inputs.matrix is None or budget >= smallest


def test_max_bytes_too_small(moons, blobs, wave):
    for kind, data, least in [
        (DrumlinClassifier, moons, 8 * (1 + 4 + 5)),
        (DrumlinClassifier, blobs, 8 * (4 + 6 + 10)),
        (DrumlinRegressor, wave, 8 * (1 + 4 + 5)),
    ]:
        message = rf"'max_bytes' parameter of {kind.__name__} must be at least {least}.*Got"
        with pytest.raises(ValueError, match=message):
            kind(max_bytes=least - 1).fit(*data)
        assert kind(max_bytes=least).fit(*data).n_bytes_ <= least


def test_the_smaller_limit_rules(moons):
    assert DrumlinClassifier(1, max_bytes=10**6).fit(*moons).n_nodes_ == 1
    assert DrumlinClassifier(10, max_bytes=80).fit(*moons).n_nodes_ == 1
