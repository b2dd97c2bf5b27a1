"""Novelty: distances to the nearest node, compared with those of the training samples."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import Gaussian, InputMap, Nodes, Standardizer
from drumlin.network import Network
from drumlin.novelty import GRID, Novelty, _next_least_
from tests.helpers import EXACT, assert_close


def make_network(seed, n_nodes=3, inputs=None):
    rng = np.random.default_rng(seed)
    centers, widths = rng.standard_normal((n_nodes, 2)), rng.uniform(0.5, 2.0, (n_nodes, 2))
    nodes = Nodes(centers, widths, Gaussian())
    return Network(nodes, rng.standard_normal((n_nodes, 1)), np.zeros(1), inputs)


def distances(network, X):
    """The definition once more."""
    t = (network.mapped(X)[:, None] - network.nodes.centers) / network.nodes.widths
    return np.sqrt((t**2).sum(axis=2)).min(axis=1)


def test_the_part_of_samples_that_are_nearer(seed):
    network, rng = make_network(seed), np.random.default_rng(seed + 1)
    X, new = rng.standard_normal((500, 2)), rng.standard_normal((50, 2))
    novelty = Novelty.of(network, X, np.ones(500))
    known = distances(network, X)
    expected = [(known < distance).mean() for distance in distances(network, new)]
    assert_close(novelty(new), expected, 2 / 200)  # 200 quantiles are remembered
    ends = np.array([known.min(), known.max()])
    assert_close(novelty.quantiles[[0, -1]], ends, 2e-7)  # single precision
    assert (novelty.quantiles[[0, -1]] >= ends).all()  # rounded up
    assert novelty(network.nodes.centers).max() == 0.0
    assert len(novelty.quantiles) == len(GRID)


def test_integer_weights_are_copies(seed):
    network, rng = make_network(seed), np.random.default_rng(seed + 1)
    X, counts = rng.standard_normal((60, 2)), rng.integers(1, 4, 60)
    weighted = Novelty.of(network, X, counts.astype(float)).quantiles
    copied = Novelty.of(network, np.repeat(X, counts, axis=0), np.ones(counts.sum())).quantiles
    assert_close(weighted, copied, EXACT)


def test_ties_are_nearer():
    """Where all samples are at one distance, so is a sample at that distance, and none beyond."""
    nodes = Nodes(np.zeros((1, 2)), np.ones((1, 2)), Gaussian())
    network = Network(nodes, np.ones((1, 1)), np.zeros(1))
    X = np.tile([[3.0, 4.0]], (20, 1))
    novelty = Novelty.of(network, X, np.ones(20))
    np.testing.assert_array_equal(novelty(X), 0.0)
    np.testing.assert_array_equal(novelty(np.array([[3.0, 4.1], [0.0, 1.0]])), [1.0, 0.0])
    np.testing.assert_array_equal(novelty.is_beyond(X), False)
    np.testing.assert_array_equal(novelty.is_beyond(1.001 * X), True)


def test_what_is_clipped_for_the_network_is_far_for_novelty(seed):
    X = np.random.default_rng(seed).standard_normal((100, 2))
    inputs = InputMap(Standardizer.fit(X, np.ones(100)), clip=3.0)
    network = make_network(seed, inputs=inputs)
    novelty = Novelty.of(network, X, np.ones(100))
    assert np.isinf(novelty.network.inputs.clip)
    assert network.inputs.clip == 3.0  # unchanged
    far = np.outer([1e2, 1e4, 1e8], [1.0, 1.0])
    assert novelty.is_beyond(far).all()
    assert not novelty.is_beyond(X).any()


@pytest.mark.parametrize("n", [0, 1, 5])
def test_without_nodes_nothing_is_far(n):
    empty = np.empty((0, 2))
    network = Network(Nodes(empty, empty, Gaussian()), np.empty((0, 1)), np.zeros(1))
    novelty = Novelty.of(network, np.ones((10, 2)), np.ones(10))
    np.testing.assert_array_equal(novelty(np.full((n, 2), 1e9)), np.zeros(n))
    assert not novelty.is_beyond(np.full((n, 2), 1e9)).any()


def test_the_second_nearest_node_is_that_of_a_sort(seed):
    r2 = np.random.default_rng(seed).integers(0, 6, size=(5, 200)).astype(float)  # with ties
    second = np.sort(r2, axis=0)[1]
    assert (_next_least_(r2) == second).all()
