"""The linear projection of wide tables: leave-one-out identities, and when it is taken."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from drumlin.flagship import projection as module
from drumlin.flagship.projection import find_projection, ridge_projection
from drumlin.flagship.start import StartProblem, find_start
from tests.helpers import IDENTITY, assert_close


def wide_problem(seed, n=30, d=40, n_outputs=1, signal=1.0):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    Z = rng.standard_normal((n, d))
    Z[:, :10] += signal * (2.0 * labels[:, None] - 1.0)
    targets = 2.0 * labels[:, None] - 1.0 + 0.1 * rng.standard_normal((n, n_outputs))
    return StartProblem(Z, targets, labels, np.ones(n), 2)


@pytest.fixture
def one_penalty(monkeypatch):
    """Only one penalty, in units of the mean squared distance, so that refits know it."""
    monkeypatch.setattr(module, "PENALTIES", np.array([0.5]))
    return 0.5


@pytest.mark.parametrize("n_outputs", [1, 3])
@pytest.mark.parametrize("d", [5, 40])
def test_leave_one_out_is_refitting(seed, one_penalty, d, n_outputs):
    problem = wide_problem(seed, d=max(d, 10), n_outputs=n_outputs)
    Z, y = problem.Z[:, :d], problem.targets
    problem = problem.seen_as(Z)
    alpha = one_penalty * Z.var(axis=0).sum()
    found = ridge_projection(problem)
    assert_close(found.matrix.T, np.atleast_2d(Ridge(alpha=alpha).fit(Z, y).coef_))
    shift = y.mean(axis=0) - Z.mean(axis=0) @ found.matrix
    for i in range(len(Z)):
        rest = np.delete(np.arange(len(Z)), i)
        answer = Ridge(alpha=alpha).fit(Z[rest], y[rest]).predict(Z[i : i + 1]).reshape(-1)
        assert_close(found.scores[i] + shift, answer)
        assert_close(found.errors[i], ((y[i] - answer) ** 2).sum())


def test_integer_weights_are_copies(seed):
    problem = wide_problem(seed)
    times = 1 + np.arange(30) % 3
    rows = np.repeat(np.arange(30), times)
    weighted = ridge_projection(
        StartProblem(problem.Z, problem.targets, problem.labels, times.astype(float), 2)
    )
    copied = ridge_projection(problem.take(rows))
    assert_close(copied.matrix, weighted.matrix)
    assert_close(copied.scores, weighted.scores[rows])
    assert_close(copied.errors, weighted.errors[rows])


def test_it_is_taken_where_it_is_clearly_better(seed):
    problem = wide_problem(seed, n=60, d=200)
    found = find_projection(problem, find_start(problem))
    assert found is not None
    assert found.matrix.shape == (200, 1)
    hits = (found.scores[:, 0] > np.median(found.scores)) == problem.labels
    assert hits.mean() > 0.8


def test_it_is_not_taken_for_noise_or_narrow_tables(seed):
    noise = wide_problem(seed, n=60, d=200, signal=0.0)
    assert find_projection(noise, None) is None
    narrow = wide_problem(seed, n=120, d=12)
    assert ridge_projection(narrow).errors.mean() < 0.8 * narrow.variance  # it would be better
    assert find_projection(narrow, None) is None
    assert find_projection(wide_problem(seed, n=4, d=20), None) is None


def test_constant_inputs(seed):
    problem = wide_problem(seed)
    found = ridge_projection(problem.seen_as(np.zeros_like(problem.Z)))
    assert np.isfinite(found.scores).all()
    assert_close(found.matrix, np.zeros_like(found.matrix), IDENTITY)
    assert find_projection(problem.seen_as(np.zeros_like(problem.Z)), None) is None
