"""Smooth networks: the bound and its gradient, weights, and the models they are cases of."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from drumlin.basis import gaussian_activations
from drumlin.flagship import Recipe
from drumlin.flagship.smooth import evidence_bound, fit_shape, smooth_network
from drumlin.laplace import Elimination
from drumlin.losses import Squared
from tests.helpers import REFERENCE, assert_close, sample_of

SHAPE = np.log([1.5, 2.0, 3.0, 0.05])
NUGGET = 1e-8
"""Of identities with a Gaussian process, which has none."""


def make_sample(seed, n=60, *, weighted=True):
    rng = np.random.default_rng(seed)
    Z = rng.uniform(-2.0, 2.0, (n, 3))
    y = Z[:, 0] * Z[:, 1] + np.sin(Z[:, 2]) + 0.2 * rng.standard_normal(n)
    weight = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    return sample_of(Z, (y - y.mean()) / y.std(), weight)


def kernel(A, B, shape=SHAPE):
    return gaussian_activations(A, B, np.tile(np.exp(-shape[:-1]), (len(B), 1)))


def score(smooth, Z):
    nodes = smooth.nodes()
    Phi = gaussian_activations(Z, nodes.centers, nodes.inv_widths)
    return (Phi @ nodes.coef + nodes.intercept)[:, 0]


@pytest.mark.parametrize("nugget", [NUGGET, 1e-2])
def test_gradient_is_the_finite_difference(nugget, seed):
    sample = make_sample(seed)
    centers = sample.X[:6]
    _, gradient = evidence_bound(SHAPE, sample, centers, nugget)
    for i in range(len(SHAPE)):
        step = 1e-5 * np.eye(len(SHAPE))[i]
        up, down = (evidence_bound(SHAPE + s, sample, centers, nugget)[0] for s in (step, -step))
        assert_close(gradient[i], (up - down) / 2e-5, REFERENCE)


def test_differences_of_the_bound_are_those_of_the_evidence_of_all_samples(seed):
    """With a node on every sample nothing is left unexplained: the bound is the evidence.

    The flat intercept is a column of ones with a very large prior variance; the profiled noise is
    found by brute force.
    """
    sample = make_sample(seed, 20, weighted=False)
    n, y = 20, sample.targets[:, 0]

    def negative_log_evidence(shape):
        deviation = shape[:-1] - shape[:-1].mean()
        K = kernel(sample.X, sample.X, shape) / np.exp(shape[-1]) + 1e8 + np.eye(n)
        unit = multivariate_normal(np.zeros(n), K)
        square = y @ np.linalg.solve(K, y)  # times N - 1 degrees of freedom: one for the mean
        noise = square / (n - 1)
        log_density = unit.logpdf(y) + 0.5 * square  # the part without the data
        return 0.5 * (n - 1) * np.log(noise) - log_density + 0.5 * deviation @ deviation

    other = SHAPE + np.array([0.3, -0.2, 0.1, 0.5])
    expected = negative_log_evidence(other) - negative_log_evidence(SHAPE)
    found = (
        evidence_bound(other, sample, sample.X, NUGGET)[0]
        - evidence_bound(SHAPE, sample, sample.X, NUGGET)[0]
    )
    assert_close(found, expected, 1e-4)  # of the prior variance of the intercept, and the jitter


def test_fewer_nodes_never_raise_the_evidence(seed):
    """It is a bound: adding nodes can only lower the negative logarithm (Titsias, section 3.1)."""
    sample = make_sample(seed)
    values = [evidence_bound(SHAPE, sample, sample.X[:m], NUGGET)[0] for m in (2, 5, 10, 20, 40)]
    assert (np.diff(values) < 0.0).all()


def test_weights_of_samples_are_copies(seed):
    sample = make_sample(seed)
    rows = np.repeat(np.arange(60), sample.weight.astype(int))
    copies = sample_of(sample.X[rows], sample.codes[rows])
    centers = sample.X[:6]
    for found, expected in zip(
        evidence_bound(SHAPE, sample, centers, NUGGET),
        evidence_bound(SHAPE, copies, centers, NUGGET),
        strict=True,
    ):
        assert_close(found, expected)
    one, other = (smooth_network(p, centers, SHAPE, NUGGET) for p in (sample, copies))
    assert_close(one.coef, other.coef, REFERENCE)
    assert_close(one.noise, other.noise)


def test_scratch_memory_changes_nothing(seed):
    sample = make_sample(seed)
    memory = np.full((3, 6, len(sample.X)), np.nan)
    for shape in (SHAPE, SHAPE + 0.1, SHAPE):
        value, gradient = evidence_bound(shape, sample, sample.X[:6], NUGGET, memory)
        again = evidence_bound(shape, sample, sample.X[:6], NUGGET)
        assert value == again[0]
        np.testing.assert_array_equal(gradient, again[1])


def test_a_nugget_keeps_weights_small(seed):
    """They cancel less, and what the network says changes by less than the noise."""
    sample, wide = make_sample(seed), np.log([6.0, 6.0, 6.0, 0.05])
    large, small = (smooth_network(sample, sample.X[:30], wide, g) for g in (NUGGET, 1e-3))
    assert np.abs(small.coef).sum() < 0.3 * np.abs(large.coef).sum()
    change = score(small, sample.X) - score(large, sample.X)
    assert np.sqrt(np.mean(change**2)) < 0.5 * np.sqrt(large.noise)


def test_a_node_on_every_sample_is_a_gaussian_process(seed):
    sample = make_sample(seed, 25, weighted=False)
    y = sample.targets[:, 0]
    smooth = smooth_network(sample, sample.X, SHAPE, NUGGET)
    process = GaussianProcessRegressor(
        RBF(np.exp(SHAPE[:-1])), alpha=np.exp(SHAPE[-1]), optimizer=None
    ).fit(sample.X, y - smooth.intercept)
    new = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, (10, 3))
    assert_close(score(smooth, new), process.predict(new) + smooth.intercept, 1e-5)  # the jitter


def test_jacobian_is_the_finite_difference(seed):
    sample = make_sample(seed)
    smooth = smooth_network(sample, sample.X[:4], SHAPE, NUGGET)
    J = smooth.jacobian(sample.X)
    assert J.shape == (60, smooth.size)
    assert_close(J[:, :5] @ np.append(smooth.intercept, smooth.coef), score(smooth, sample.X))
    for i in range(3):
        step = 1e-6 * np.eye(4)[i]
        nodes = [kernel(sample.X, smooth.centers, SHAPE + s) for s in (step, -step)]
        assert_close(J[:, 5 + i], (nodes[0] - nodes[1]) @ smooth.coef[:, 0] / 2e-6, REFERENCE)


def test_dropping_a_node_is_solving_without_it(seed):
    """With one weight at zero, the coupled penalty is that of the other nodes."""
    sample = make_sample(seed)
    smooth = smooth_network(sample, sample.X[:5], SHAPE, NUGGET)
    candidates = Elimination.of(smooth, sample.with_noise(smooth.noise), Squared())
    candidates.drop(2)
    others = np.array([0, 1, 3, 4])
    expected = smooth_network(sample, sample.X[others], SHAPE, NUGGET)
    assert_close(candidates.weights[others], expected.coef, 1e-5)  # intercepts have a tiny prior
    assert_close(candidates.weights[-1], expected.intercept, 1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_shape_found_is_a_minimum_that_tells_inputs_apart(weighted, seed):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((200, 3))
    y = np.sin(2.0 * Z[:, 0]) + 0.3 * Z[:, 1] + 0.1 * rng.standard_normal(200)
    weight = rng.integers(1, 3, 200).astype(float) if weighted else np.ones(200)
    sample = sample_of(Z, y / y.std(), weight)
    start = np.log([3.0, 3.0, 3.0, 0.01])
    found = fit_shape(sample, Z[:40], start, NUGGET, Recipe().smooth)
    value = evidence_bound(found, sample, Z[:40], NUGGET)[0]
    assert value < evidence_bound(start, sample, Z[:40], NUGGET)[0] - 10.0
    assert found[0] < found[1] - 0.5
    assert found[0] < found[2] - 0.5
    noise = smooth_network(sample, Z[:40], found, NUGGET).noise
    assert 0.05 < np.sqrt(noise) * y.std() < 0.2
