"""Shapley values: closed form against their definition, and what they sum to."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from drumlin.basis import RADIALS, InputMap, Nodes, Standardizer
from drumlin.network import Network
from drumlin.trust.shapley import (
    MIXED,
    PATH,
    SHAPLEY,
    explain,
    has_products,
    path_integral,
    shapley_by_subsets,
    shapley_of_products,
    shares_of_products,
)
from tests.helpers import IDENTITY, assert_close


def make_network(seed, d, n_outputs=2, radial="gaussian", *, mixed=False, normalized=False):
    rng = np.random.default_rng(seed)
    n_nodes = 5
    widths = rng.uniform(0.8, 3.0, (n_nodes, d))
    widths[0, 0] = np.inf  # a node that ignores an input
    nodes = Nodes(rng.standard_normal((n_nodes, d)), widths, RADIALS[radial]())
    scaler = Standardizer(rng.standard_normal(d), rng.uniform(0.5, 2.0, d))
    matrix = rng.standard_normal((d, d)) if mixed else None
    shares = rng.uniform(0.5, 2.0, n_nodes) if normalized else None
    coef = 10.0 * rng.standard_normal((n_nodes, n_outputs))
    return Network(
        nodes, coef, rng.standard_normal(n_outputs), InputMap(scaler, 3.0, matrix), shares
    )


def by_orders(network, x, background):
    """Shapley values by all orders in which inputs can turn: the definition itself."""
    d = len(x)
    values = np.zeros((d, len(network.intercept)))
    orders = list(permutations(range(d)))
    for order in orders:
        rows = background.copy()
        before = network(rows).mean(axis=0)
        for i in order:
            rows[:, i] = x[i]
            after = network(rows).mean(axis=0)
            values[i] += (after - before) / len(orders)
            before = after
    return values


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6])
def test_closed_form_and_subsets_are_the_definition(d, seed):
    network = make_network(seed, d)
    rng = np.random.default_rng(seed + 1)
    x, background = rng.standard_normal(d), rng.standard_normal((2, d))
    expected = by_orders(network, x, background)
    assert_close(shapley_of_products(network, x, background), expected)
    assert_close(shapley_by_subsets(network, x, background, np.arange(d)), expected)


def test_rows_of_background_are_averaged_and_so_are_single_ones(seed):
    network, rng = make_network(seed, 4), np.random.default_rng(seed)
    x, background = rng.standard_normal(4), rng.standard_normal((7, 4))
    single = [shapley_of_products(network, x, b[None]) for b in background]
    assert_close(shapley_of_products(network, x, background), np.mean(single, axis=0))


@pytest.mark.parametrize("d", [1, 7, 40, 200])
def test_shares_of_products_sum_to_their_difference(d, seed):
    """The rule of Gauss is exact for any number of factors; none divides by zero."""
    a, b = np.random.default_rng(seed).uniform(0.0, 1.3, (2, 3, d))
    a[0, 0] = b[1, d // 2] = 0.0
    shares = shares_of_products(a, b)
    assert_close(shares.sum(axis=-1), a.prod(axis=-1) - b.prod(axis=-1))


@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("kind", ["plain", "mixed", "normalized"])
@pytest.mark.parametrize("d", [3, 12])
def test_explanations_sum_to_the_scores(radial, kind, d, seed):
    network = make_network(seed, d, 3, radial, mixed=kind == "mixed", normalized=kind[0] == "n")
    rng = np.random.default_rng(seed)
    X, background = rng.standard_normal((2, d)), rng.standard_normal((3, d))
    told = explain(network, X, background)
    assert has_products(network) == (radial == "gaussian" and kind == "plain")
    assert told.method == (SHAPLEY if d == 3 or has_products(network) else PATH)
    size = np.abs(told.nodes).sum(axis=1).max()
    # Splines have kinks, which the rule along a line meets with a limited number of points.
    tolerance = 1e-6 if radial == "b_spline" and told.method == PATH else IDENTITY
    assert_close((told.inputs.sum(axis=1) + told.base) / size, network(X) / size, tolerance)
    assert_close(told.scores, network(X))


def test_every_row_has_its_own_method(seed):
    network, rng = make_network(seed, 12, 3, mixed=True), np.random.default_rng(seed)
    background = rng.standard_normal((1, 12))
    X = np.vstack([background, rng.standard_normal(12)])
    X[0, :2] += 1.0  # two inputs differ: their subsets are enumerated
    told = explain(network, X, background)
    assert (told.methods, told.method) == ((SHAPLEY, PATH), MIXED)
    for row, method in enumerate(told.methods):
        alone = explain(network, X[row : row + 1], background)
        assert alone.method == method
        assert_close(alone.inputs[0], told.inputs[row])


def test_what_stays_or_is_ignored_adds_nothing(seed):
    network, rng = make_network(seed, 4), np.random.default_rng(seed)
    network.nodes.widths[:, 2] = np.inf
    X, background = rng.standard_normal((1, 4)), rng.standard_normal((1, 4))
    X[0, 1] = background[0, 1]
    assert (explain(network, X, background).inputs[0, [1, 2]] == 0.0).all()


def test_of_one_input_the_path_is_the_difference_and_of_a_sum_each_its_own(seed):
    """Of a sum of functions of one input each, Aumann-Shapley values are Shapley values."""
    network, rng = make_network(seed, 3, 1), np.random.default_rng(seed)
    network.nodes.widths[:] = np.inf
    for j in range(5):
        network.nodes.widths[j, j % 3] = 1.0
    x, background = rng.standard_normal(3), rng.standard_normal((2, 3))
    path = path_integral(network, x, background)
    assert_close(path, shapley_of_products(network, x, background))
