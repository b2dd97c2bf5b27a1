"""Smooth networks: the bound and its gradient, weights, and the models they are cases of."""

from __future__ import annotations

import numpy as np
import pytest
from drumlin.refinement.activations import activations
from scipy.stats import multivariate_normal
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from drumlin._kernels import SQUARED
from drumlin.flagship.smooth import evidence_bound, fit_shape, smooth_network
from drumlin.laplace.elimination import elimination
from drumlin.refinement.refine import RefineProblem
from tests.helpers import REFERENCE, assert_close

SHAPE = np.log([1.5, 2.0, 3.0, 0.05])


def make_problem(seed, n=60, *, weighted=True):
    rng = np.random.default_rng(seed)
    Z = rng.uniform(-2.0, 2.0, (n, 3))
    y = Z[:, 0] * Z[:, 1] + np.sin(Z[:, 2]) + 0.2 * rng.standard_normal(n)
    weight = rng.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    return RefineProblem(Z, ((y - y.mean()) / y.std())[:, None], weight, SQUARED)


def kernel(A, B, shape=SHAPE):
    return activations(A, B, np.tile(np.exp(-shape[:-1]), (len(B), 1)))


def score(smooth, Z):
    nodes = smooth.nodes()
    return (activations(Z, nodes.centers, nodes.inv_widths) @ nodes.coef + nodes.intercept)[:, 0]


def test_gradient_is_the_finite_difference(seed):
    problem = make_problem(seed)
    centers = problem.Z[:6]
    _, gradient = evidence_bound(SHAPE, problem, centers)
    for i in range(len(SHAPE)):
        step = 1e-5 * np.eye(len(SHAPE))[i]
        up, down = (evidence_bound(SHAPE + s, problem, centers)[0] for s in (step, -step))
        assert_close(gradient[i], (up - down) / 2e-5, REFERENCE)


def test_differences_of_the_bound_are_those_of_the_evidence_of_all_samples(seed):
    """With a node on every sample nothing is left unexplained: the bound is the evidence.

    The flat intercept is a column of ones with a very large prior variance; the profiled noise is
    found by brute force.
    """
    problem = make_problem(seed, 20, weighted=False)
    n, y = 20, problem.targets[:, 0]

    def negative_log_evidence(shape):
        deviation = shape[:-1] - shape[:-1].mean()
        K = kernel(problem.Z, problem.Z, shape) / np.exp(shape[-1]) + 1e8 + np.eye(n)
        unit = multivariate_normal(np.zeros(n), K)
        square = y @ np.linalg.solve(K, y)  # times N - 1 degrees of freedom: one for the mean
        noise = square / (n - 1)
        log_density = unit.logpdf(y) + 0.5 * square  # the part without the data
        return 0.5 * (n - 1) * np.log(noise) - log_density + 0.5 * deviation @ deviation

    other = SHAPE + np.array([0.3, -0.2, 0.1, 0.5])
    expected = negative_log_evidence(other) - negative_log_evidence(SHAPE)
    found = (
        evidence_bound(other, problem, problem.Z)[0] - evidence_bound(SHAPE, problem, problem.Z)[0]
    )
    assert_close(found, expected, 1e-4)  # of the prior variance of the intercept, and the jitter


def test_fewer_nodes_never_raise_the_evidence(seed):
    """It is a bound: adding nodes can only lower the negative logarithm (Titsias, section 3.1)."""
    problem = make_problem(seed)
    values = [evidence_bound(SHAPE, problem, problem.Z[:m])[0] for m in (2, 5, 10, 20, 40)]
    assert (np.diff(values) < 0.0).all()


def test_weights_of_samples_are_copies(seed):
    problem = make_problem(seed)
    rows = np.repeat(np.arange(60), problem.weight.astype(int))
    copies = RefineProblem(problem.Z[rows], problem.targets[rows], np.ones(len(rows)), SQUARED)
    centers = problem.Z[:6]
    for found, expected in zip(
        evidence_bound(SHAPE, problem, centers),
        evidence_bound(SHAPE, copies, centers),
        strict=True,
    ):
        assert_close(found, expected)
    one, other = (smooth_network(p, centers, SHAPE) for p in (problem, copies))
    assert_close(one.coef, other.coef, REFERENCE)
    assert_close(one.noise, other.noise)


def test_a_node_on_every_sample_is_a_gaussian_process(seed):
    problem = make_problem(seed, 25, weighted=False)
    y = problem.targets[:, 0]
    smooth = smooth_network(problem, problem.Z, SHAPE)
    process = GaussianProcessRegressor(
        RBF(np.exp(SHAPE[:-1])), alpha=np.exp(SHAPE[-1]), optimizer=None
    ).fit(problem.Z, y - smooth.intercept)
    new = np.random.default_rng(seed + 1).uniform(-2.0, 2.0, (10, 3))
    assert_close(score(smooth, new), process.predict(new) + smooth.intercept, 1e-5)  # the jitter


def test_jacobian_is_the_finite_difference(seed):
    problem = make_problem(seed)
    smooth = smooth_network(problem, problem.Z[:4], SHAPE)
    J = smooth.jacobian(problem.Z)
    assert J.shape == (60, smooth.size)
    assert_close(J[:, :5] @ np.append(smooth.intercept, smooth.coef), score(smooth, problem.Z))
    for i in range(3):
        step = 1e-6 * np.eye(4)[i]
        nodes = [kernel(problem.Z, smooth.centers, SHAPE + s) for s in (step, -step)]
        assert_close(J[:, 5 + i], (nodes[0] - nodes[1]) @ smooth.coef[:, 0] / 2e-6, REFERENCE)


def test_dropping_a_node_is_solving_without_it(seed):
    """With one weight at zero, the coupled penalty is that of the other nodes."""
    problem = make_problem(seed)
    smooth = smooth_network(problem, problem.Z[:5], SHAPE)
    candidates = elimination(
        kernel(problem.Z, smooth.centers),
        smooth.coef,
        smooth.intercept,
        problem.weight / smooth.noise,
        SQUARED,
        smooth.weight_penalties(),
    )
    candidates.drop(2)
    others = np.array([0, 1, 3, 4])
    expected = smooth_network(problem, problem.Z[others], SHAPE)
    assert_close(candidates.weights[others], expected.coef, 1e-5)  # intercepts have a tiny prior
    assert_close(candidates.weights[-1], expected.intercept, 1e-5)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_shape_found_is_a_minimum_that_tells_inputs_apart(weighted, seed):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((200, 3))
    y = np.sin(2.0 * Z[:, 0]) + 0.3 * Z[:, 1] + 0.1 * rng.standard_normal(200)
    weight = rng.integers(1, 3, 200).astype(float) if weighted else np.ones(200)
    problem = RefineProblem(Z, (y / y.std())[:, None], weight, SQUARED)
    start = np.log([3.0, 3.0, 3.0, 0.01])
    found = fit_shape(problem, Z[:40], start)
    value = evidence_bound(found, problem, Z[:40])[0]
    assert value < evidence_bound(start, problem, Z[:40])[0] - 10.0
    assert found[0] < found[1] - 0.5
    assert found[0] < found[2] - 0.5
    noise = smooth_network(problem, Z[:40], found).noise
    assert 0.05 < np.sqrt(noise) * y.std() < 0.2
