"""Joint descent on weights, centers and widths (Problem 5.8)."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from drumlin._kernels import NodeParameters
from drumlin.losses import Squared
from drumlin.refinement import RoundVariables, descend, penalized_loss
from drumlin.sample import Sample
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
    labels = np.zeros(n, dtype=np.int64)
    return Problem(
        Sample.of(Z, targets, labels, weight, 1), RoundVariables(start, fit_intercept), alpha
    ), true


class Problem:
    """What is minimised, by joint descent from a start."""

    def __init__(self, rows, variables, alpha):
        self.rows, self.variables = rows, variables
        self.penalties = variables.penalties(alpha)

    def __call__(self, v):
        return penalized_loss(self.rows, Squared(), self.variables, v, self.penalties)

    def descend(self, max_iter, on_iteration):
        """Best network found, and whether it was interrupted."""
        found = descend(
            self,
            self.variables.vector(),
            {"maxcor": 20, "maxiter": max_iter},
            lambda best: on_iteration(self.variables.nodes(best)),
        )
        return self.variables.nodes(found.vector), found.interrupted

    @property
    def start(self):
        return self.variables.start


def squared_error(problem, nodes):
    r2 = (((problem.rows.X[:, None] - nodes.centers) * nodes.inv_widths) ** 2).sum(axis=2)
    errors = problem.rows.codes - np.exp(-0.5 * r2) @ nodes.coef - nodes.intercept
    return float(problem.rows.weight @ (errors**2).sum(axis=1))


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_gradient_is_that_of_finite_differences(seed, fit_intercept):
    problem, _ = make_problem(seed, fit_intercept=fit_intercept)
    v = 0.1 * np.random.default_rng(seed).standard_normal(2 + 6 + 6 + 3)
    if not fit_intercept:
        v[:2] = 0.0
    _, gradient = problem(v)
    numeric = approx_fprime(v, lambda u: problem(u)[0], 1e-7)
    if not fit_intercept:
        np.testing.assert_array_equal(gradient[:2], 0.0)  # the constant does not move
        numeric[:2] = 0.0
    assert_close(gradient, numeric, 1e-4)  # forward differences


def test_gradient_of_a_common_width(seed):
    problem, _ = make_problem(seed)
    variables = dataclasses.replace(problem.variables, common_width=True)
    common = Problem(problem.rows, variables, 1e-3)
    v = 0.1 * np.random.default_rng(seed).standard_normal(2 + 6 + 6 + 1)
    value, gradient = common(v)
    assert_close(gradient, approx_fprime(v, lambda u: common(u)[0], 1e-7), 1e-4)
    spread = np.concatenate([v[:-1], np.full(3, v[-1])])
    assert_close(value, problem(spread)[0])  # it is the other problem on a plane
    assert_close(gradient[-1], problem(spread)[1][-3:].sum())


def test_a_planted_network_is_found(seed):
    problem, true = make_problem(seed, alpha=1e-8)
    path = [squared_error(problem, problem.start)]
    nodes, interrupted = problem.descend(
        500, lambda nodes: path.append(squared_error(problem, nodes))
    )
    assert not interrupted
    assert path[-1] < 1e-6 * path[0]
    assert (np.diff(path) <= 0.0).all()
    assert_close(nodes.centers, true.centers, 0.02)  # as far as L-BFGS goes
    assert_close(nodes.inv_widths, true.inv_widths, 0.02)


def test_a_true_answer_stops(seed):
    problem, _ = make_problem(seed)
    seen = []
    nodes, _ = problem.descend(50, lambda nodes: seen.append(nodes) or len(seen) == 3)
    assert len(seen) == 3
    np.testing.assert_array_equal(nodes.coef, seen[-1].coef)


def test_an_interrupt_keeps_the_best(seed):
    problem, _ = make_problem(seed)

    def interrupt(nodes):
        raise KeyboardInterrupt

    nodes, interrupted = problem.descend(50, interrupt)
    assert interrupted
    assert squared_error(problem, nodes) < squared_error(problem, problem.start)
    vector = problem.variables.vector()
    assert_close(problem.variables.nodes(vector).coef, problem.start.coef)
    assert not np.allclose(nodes.centers, problem.start.centers)
