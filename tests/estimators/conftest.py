"""Small problems for the estimators."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons


@pytest.fixture
def moons(seed):
    """Two classes that no straight line separates."""
    return make_moons(80, noise=0.2, random_state=seed)


@pytest.fixture
def blobs(seed):
    """Four overlapping classes in three dimensions."""
    return make_blobs(90, n_features=3, centers=4, cluster_std=3.0, random_state=seed)


@pytest.fixture(params=["two", "four"])
def classes(request, moons, blobs):
    """Two classes, then four."""
    return moons if request.param == "two" else blobs


@pytest.fixture
def wave(seed):
    """A smooth function of two inputs with noise."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, size=(100, 2))
    return X, np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] ** 2 + 0.1 * rng.normal(size=100)
