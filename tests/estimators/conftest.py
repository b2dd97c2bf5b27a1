"""Small problems for the estimators."""

from __future__ import annotations

from functools import partial

import pytest

from tests.estimators import tables


@pytest.fixture
def moons(seed):
    """Two classes that no straight line separates."""
    return tables.moons(seed)


@pytest.fixture
def blobs(seed):
    """Four overlapping classes in three dimensions."""
    return tables.blobs(seed)


@pytest.fixture(params=["two", "four"])
def classes(request, moons, blobs):
    """Two classes, then four."""
    return moons if request.param == "two" else blobs


@pytest.fixture
def wave(seed):
    """A smooth function of two inputs with noise."""
    return tables.wave(seed)


# ------------------------------------------------------------------ flagship models, fitted once
@pytest.fixture
def fitted_to(seed):
    """From a kind of table to the flagship fitted to it, which is not to be changed."""
    return partial(tables.fitted_to, seed=seed)


@pytest.fixture(params=["two", "four", "mixed", "squares", "smooth", "huber"])
def fitted(request, fitted_to, seed):
    """Every kind of model, with its training data."""
    return fitted_to(request.param), tables.KINDS[request.param][1](seed)


@pytest.fixture(params=["two", "four", "mixed"])
def classifier(request, fitted_to, seed):
    """A model of two classes, of four, of three in a whitened metric, with its training data."""
    return fitted_to(request.param), tables.KINDS[request.param][1](seed)
