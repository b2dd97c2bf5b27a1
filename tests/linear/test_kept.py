"""Newton steps of many contrasts: factors of older systems give the fits of fresh ones."""

from __future__ import annotations

import numpy as np
import pytest

import drumlin.linear.newton as newton
from drumlin.linear.kept import KeptFactors, conjugate_gradients
from tests.helpers import IDENTITY, assert_close
from tests.linear.test_logistic import make_batch, make_problem

CONVERGED = 1e-8  # Newton's decrement ends at 1e-10 either way


def symmetric(seed, n=30, change=0.0):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(n, n)) + change * np.random.default_rng(seed + 1).normal(size=(n, n))
    return root @ root.T + n * np.eye(n)


def test_conjugate_gradients_solve_a_system_near_the_factored_one(seed):
    near, wanted = symmetric(seed, change=0.1), np.random.default_rng(seed).normal(size=30)
    factor = np.linalg.cholesky(symmetric(seed))
    found = conjugate_gradients(lambda x: near @ x, wanted, factor)
    # Accurate to 1e-4 of the solution's length, as one step of Newton's method needs.
    assert_close(found, np.linalg.solve(near, wanted), 1e-3)


def test_a_factor_of_another_system_is_given_up(seed):
    far = symmetric(seed, n=200) + np.diag(np.logspace(0.0, 9.0, 200))
    factor = np.linalg.cholesky(symmetric(seed + 7, n=200))
    wanted = np.random.default_rng(seed).normal(size=200)
    assert conjugate_gradients(lambda x: far @ x, wanted, factor) is None
    kept = KeptFactors()
    kept.solve(0, lambda: symmetric(seed + 7, n=200), lambda x: x, wanted)
    found, raised = kept.solve(0, lambda: far, lambda x: far @ x, wanted)
    assert_close(found, np.linalg.solve(far, wanted), IDENTITY)
    assert not raised


@pytest.mark.parametrize("n_classes", [3, 6])
def test_large_fits_are_those_of_plain_newton(monkeypatch, seed, n_classes):
    X, problem = make_problem(seed, n_classes, n=150)
    rng = np.random.default_rng(seed + 1)
    members = [rng.choice(len(X), 8, replace=False) for _ in range(3)]
    batch, penalties = make_batch(X, members), rng.uniform(0.01, 1.0, size=(3, n_classes - 1))
    plain = newton.fit_logistic(batch.columns, problem, penalties)
    start = plain.scores[0]
    monkeypatch.setattr(newton, "_LARGE", 1)
    for fits in (
        newton.fit_logistic(batch.columns, problem, penalties),
        newton.fit_logistic(batch.columns, problem, penalties, start),
    ):
        assert fits.converged.all()
        for name in ("loss", "penalty", "log_det", "scores"):
            assert_close(getattr(fits, name), getattr(plain, name), CONVERGED)


def test_large_fits_form_fewer_hessians(monkeypatch, seed):
    X, problem = make_problem(seed, 6, n=150)
    batch, penalties = make_batch(X, [np.arange(0, 80, 10)]), np.full((1, 5), 0.3)
    start = newton.fit_logistic(batch.columns[:, :-1], problem, penalties).scores[0]
    formed, hessian = [], newton.hessian
    monkeypatch.setattr(newton, "hessian", lambda *a: formed.append(1) or hessian(*a))
    counts = []
    for large in (10_000, 1):
        monkeypatch.setattr(newton, "_LARGE", large)
        formed.clear()
        newton.fit_logistic(batch.columns, problem, penalties, start)
        counts.append(len(formed))
    assert counts[1] < counts[0]
    assert counts[1] == 2  # where fits start, and at the end for the determinant
