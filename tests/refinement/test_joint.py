"""Joint descent on weights, centers and widths (Problem 5.8)."""

from __future__ import annotations

import numpy as np
import pytest
from drumlin.refinement.joint import JointProblem, descend, unpack
from scipy.optimize import approx_fprime

from drumlin._kernels import NodeParameters
from tests.helpers import assert_close


def make_problem(seed, n=80, *, alpha=1e-3, fit_intercept=True):
    """Targets of a network, and a start nearby."""
    rng = np.random.default_rng(seed)
    Z = rng.uniform(-2.0, 2.0, (n, 2))
    true = NodeParameters(
        np.array([[-1.0, -1.0], [1.0, 1.0], [1.0, -1.0]]),
        np.array([[1.2, 1.2], [0.9, 0.9], [1.5, 1.5]]),
        np.array([[1.0, 0.5], [-2.0, 1.0], [1.5, -1.0]]),
        np.zeros(2),
    )
    r2 = (((Z[:, None] - true.centers) * true.inv_widths) ** 2).sum(axis=2)
    targets = np.exp(-0.5 * r2) @ true.coef
    start = true._replace(
        centers=true.centers + 0.3 * rng.standard_normal((3, 2)),
        inv_widths=np.ones((3, 2)),
        coef=true.coef + 0.3,
    )
    weight = rng.uniform(0.5, 2.0, n)
    return JointProblem(Z, targets, weight, alpha, fit_intercept), start, true


def squared_error(problem, nodes):
    r2 = (((problem.Z[:, None] - nodes.centers) * nodes.inv_widths) ** 2).sum(axis=2)
    errors = problem.targets - np.exp(-0.5 * r2) @ nodes.coef - nodes.intercept
    return float(problem.weight @ (errors**2).sum(axis=1))


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gradient_is_that_of_finite_differences(seed, fit_intercept):
    problem, start, _ = make_problem(seed, fit_intercept=fit_intercept)
    v = 0.1 * np.random.default_rng(seed).standard_normal(2 + 6 + 6 + 3)
    if not fit_intercept:
        v[:2] = 0.0
    _, gradient = problem.value_and_gradient(v, start)
    numeric = approx_fprime(v, lambda u: problem.value_and_gradient(u, start)[0], 1e-7)
    if not fit_intercept:
        np.testing.assert_array_equal(gradient[:2], 0.0)  # the constant does not move
        numeric[:2] = 0.0
    assert_close(gradient, numeric, 1e-4)  # forward differences


def test_a_planted_network_is_found(seed):
    problem, start, true = make_problem(seed, alpha=1e-8)
    path = [squared_error(problem, start)]
    nodes, interrupted = descend(
        problem, start, 500, lambda nodes: path.append(squared_error(problem, nodes))
    )
    assert not interrupted
    assert path[-1] < 1e-6 * path[0]
    assert (np.diff(path) <= 0.0).all()
    assert_close(nodes.centers, true.centers, 0.02)  # as far as L-BFGS goes
    assert_close(nodes.inv_widths, true.inv_widths, 0.02)


def test_a_true_answer_stops(seed):
    problem, start, _ = make_problem(seed)
    seen = []
    nodes, _ = descend(problem, start, 50, lambda nodes: seen.append(nodes) or len(seen) == 3)
    assert len(seen) == 3
    np.testing.assert_array_equal(nodes.coef, seen[-1].coef)


def test_an_interrupt_keeps_the_best(seed):
    problem, start, _ = make_problem(seed)

    def interrupt(nodes):
        raise KeyboardInterrupt

    nodes, interrupted = descend(problem, start, 50, interrupt)
    assert interrupted
    assert squared_error(problem, nodes) < squared_error(problem, start)
    vector = np.concatenate([start.intercept, start.coef.ravel(), np.zeros(9)])
    assert_close(unpack(vector, start).coef, start.coef)
    assert not np.allclose(nodes.centers, start.centers)
