"""A recipe for small tables, to test what happens with large ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drumlin.estimators.refined import BaseRefinedNetwork
from tests.flagship.test_law_of_rows import RECIPE

N_ROWS = 12_500
SMALL = replace(RECIPE, growth=replace(RECIPE.growth, most=8000, apart=(0.1, 2000)))
"""Tables of more than 10 000 rows are not taken into memory."""


def use_small_recipe(monkeypatch):
    """Let the flagship estimators follow it."""
    monkeypatch.setattr(BaseRefinedNetwork, "_recipe", SMALL)


def make_table(kind, n=N_ROWS):
    """Inputs, targets (texts, or numbers) and weights; some are zero."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3)) * [1.0, 10.0, 1.0]
    y = np.sin(1.5 * X[:, 0]) + 0.1 * X[:, 1] + 0.3 * rng.standard_normal(n)
    weight = rng.integers(0, 12, n).clip(0, 2).astype(float)
    if kind == "classes":
        y = np.array(["no", "perhaps", "yes"])[np.digitize(y, [-0.5, 0.5])]
    return X, y, weight


def cut(arrays, sizes):
    """Batches of so many rows."""
    stops = np.cumsum(sizes)
    return [
        tuple(a[stop - size : stop] for a in arrays)
        for size, stop in zip(sizes, stops, strict=True)
    ]


def assert_same_model(one, other):
    """Bit for bit."""
    ours, theirs = one.network_, other.network_
    np.testing.assert_array_equal(one.support_, other.support_)
    for a, b in [
        (ours.nodes.centers, theirs.nodes.centers),
        (ours.nodes.widths, theirs.nodes.widths),
        (ours.coef, theirs.coef),
        (ours.intercept, theirs.intercept),
        (one.relevance_, other.relevance_),
        (one._distance_quantiles, other._distance_quantiles),
        (one.centers_, other.centers_),
    ]:
        np.testing.assert_array_equal(a, b)
    assert one.loo_error_ == other.loo_error_
