"""Samples left out together with the nodes that stand on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.flagship.own_nodes import scores_left_out
from drumlin.flagship.smooth import smooth_network
from drumlin.laplace import LocalFit, network_scores
from drumlin.losses import Squared
from drumlin.refinement import Penalties, Refined, Variables
from tests.helpers import REFERENCE, assert_close, sample_of

SHAPE = np.log([1.0, 1.5, 0.05])


def make_sample(seed, n=30, weighted=False):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (n, 2))
    y = X[:, 0] * X[:, 1] + 0.2 * rng.standard_normal(n)
    weight = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    return sample_of(X, (y - y.mean()) / y.std(), weight)


def local_of(smooth, sample):
    return LocalFit.of(smooth, sample.with_noise(smooth.noise), Squared())


def moved_to_the_next(smooth, sample, support, j):
    """Centers where node j stands on the nearest row without a node."""
    free = np.setdiff1d(np.arange(sample.n_rows), support)
    distance = (((sample.X[free] - smooth.centers[j]) / np.exp(SHAPE[:-1])) ** 2).sum(axis=1)
    centers = smooth.centers.copy()
    centers[j] = sample.X[free[distance.argmin()]]
    return centers


@pytest.mark.parametrize("whole", [False, True])
def test_a_node_stands_on_the_next_row_where_its_own_is_left_out(whole, seed):
    """By brute force: fitted to the other samples, with the node there."""
    sample = make_sample(seed, weighted=True)
    support = np.array([3, 11, 20, 7])
    smooth = smooth_network(sample, sample.X[support], SHAPE, 1e-3)
    local = local_of(smooth, sample)
    found = scores_left_out(smooth, support, local, whole=whole)
    for j, i in enumerate(support):
        weight = sample.weight.copy()
        weight[i] -= weight[i] if whole else 1.0
        others = replace(sample, weight=weight)
        moved = smooth_network(others, moved_to_the_next(smooth, sample, support, j), SHAPE, 1e-3)
        assert_close(found[i], network_scores(moved, sample.X[[i]])[0, 0], REFERENCE)
    rest = np.setdiff1d(np.arange(30), support)
    assert_close(found[rest], local.loo_scores(whole=whole)[rest])


def test_where_every_row_has_a_node_it_goes(seed):
    sample = make_sample(seed, 12)
    support = np.arange(12)
    smooth = smooth_network(sample, sample.X, SHAPE, 1e-3)
    found = scores_left_out(smooth, support, local_of(smooth, sample))
    for i in support:
        rest = support != i
        others = smooth_network(sample.take(rest), sample.X[rest], SHAPE, 1e-3)
        assert_close(found[i], network_scores(others, sample.X[[i]])[0, 0], REFERENCE)


def test_rows_may_be_a_part_in_any_order(seed):
    """Nodes on rows that are not there are left in."""
    sample = make_sample(seed)
    support = np.array([3, 11, 20, 7])
    smooth = smooth_network(sample, sample.X[support], SHAPE, 1e-3)
    some = sample.take(np.array([20, 5, 3, 9, 1, 14, 28]))
    local = local_of(smooth, some)
    found, plain = scores_left_out(smooth, support, local), local.loo_scores()
    assert (found != plain).tolist() == [True, False, True, False, False, False, False]


def test_refined_nodes_have_moved_away(seed):
    sample = make_sample(seed)
    variables = Variables(sample.X[:3], 1.0, 1, np.arange(3))
    vector = variables.with_weights(np.ones((3, 1)), np.zeros(1))
    refined = Refined(variables, vector, Penalties(1e-6, 1.0, 6.0, 6.0, 30.0, 4.0))
    local = LocalFit.of(refined, sample, Squared())
    assert_close(scores_left_out(refined, np.arange(3), local), local.loo_scores())
