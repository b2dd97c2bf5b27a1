"""Cluster means and widths from the spread of centers and samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.datasets import make_blobs

from drumlin.basis import (
    cluster_means,
    cluster_widths,
    clustering_cost,
    encoder,
    spread_width,
)
from tests.helpers import EXACT, assert_close


def blobs(seed, n=200, centers=4):
    return make_blobs(n, centers=centers, cluster_std=0.5, center_box=(-20, 20), random_state=seed)


def test_means_are_those_of_their_samples(seed):
    X, _ = blobs(seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(X))
    means = cluster_means(X, weight, 4, 5, np.random.RandomState(seed))
    nearest = cdist(X, means).argmin(axis=1)
    for j in range(4):
        rows = nearest == j
        assert_close(means[j], np.average(X[rows], axis=0, weights=weight[rows]))  # (5.28)


def test_encoder_and_cost(seed):
    """(5.29) by all distances; (5.26); and (5.25), which is N_j times as much per cluster."""
    X, _ = blobs(seed)
    means = cluster_means(X, np.ones(len(X)), 4, 5, np.random.RandomState(seed))
    labels = encoder(X, means)
    np.testing.assert_array_equal(labels, cdist(X, means).argmin(axis=1))
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(X))
    assert_close(clustering_cost(X, weight, means), weight @ cdist(X, means).min(axis=1) ** 2)
    inside = [cdist(X[labels == j], X[labels == j], "sqeuclidean") for j in range(4)]
    assert_close(
        clustering_cost(X, np.ones(len(X)), means), sum(0.5 * d.sum() / len(d) for d in inside)
    )


def test_a_cluster_per_sample(seed):
    X, _ = blobs(seed, n=7)
    means = cluster_means(X, np.ones(7), 7, 1, np.random.RandomState(0))
    assert_close(means[np.lexsort(means.T)], X[np.lexsort(X.T)])


def test_rows_equal_to_rounding_are_one_cluster():
    X = np.array([[1.0], [1.0 + 1e-15], [2.0], [3.0]])
    means = cluster_means(X, np.ones(4), 4, 1, np.random.RandomState(0))
    assert 3 <= len(means) <= 4
    assert len(np.unique(means)) == len(means)


def test_spread(seed):
    """Eq. (5.49)."""
    centers = np.random.default_rng(seed).standard_normal((9, 3))
    assert_close(spread_width(centers), cdist(centers, centers).max() / np.sqrt(18.0), EXACT)
    assert spread_width(centers[:1]) == 0.0


def test_cluster_widths(seed):
    """Eq. (5.27), divided by the number of samples."""
    X, _ = blobs(seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(X))
    centers = X[:5]
    widths = cluster_widths(X, weight, centers)
    distances = cdist(X, centers)
    nearest = distances.argmin(axis=1)
    for j in range(5):
        rows = nearest == j
        squares = distances[rows, j] ** 2
        assert_close(widths[j] ** 2, np.average(squares, weights=weight[rows]))


@pytest.mark.parametrize("error", [0.0, 1e-15])
def test_a_node_without_spread_reaches_to_the_next(error):
    X = np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])
    centers = X + error
    widths = cluster_widths(X, np.ones(3), centers)
    assert_close(widths, [5.0, 1.0, 1.0])
