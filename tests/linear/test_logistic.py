"""Penalised kernel logistic regression: derivatives, references, hard cases."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize
from sklearn.linear_model import LogisticRegression

from drumlin.linear.exchange import Exchange
from drumlin.linear.factors import cholesky
from drumlin.linear.logistic import (
    LogisticProblem,
    class_rates,
    gradient,
    hessian,
)
from drumlin.linear.newton import fit_logistic
from drumlin.linear.whitening import whiten
from tests.helpers import IDENTITY, REFERENCE, assert_close

SCIKIT = 1e-8  # newton-cholesky run to its limit


def kernels(X, centers, width=1.0):
    """Activations (n_centers, n_samples)."""
    return np.exp(-0.5 * ((X[None] - centers[:, None]) ** 2).sum(axis=2) / width**2)


def make_problem(seed, n_classes, n=60):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    noisy = X[:, 0] + 0.5 * rng.normal(size=n)
    labels = np.searchsorted(np.quantile(noisy, np.arange(1, n_classes) / n_classes), noisy)
    return X, LogisticProblem(labels, rng.uniform(0.5, 2.0, n), n_classes)


def make_batch(X, members, width=1.0):
    centers = [X[m] for m in members]
    return whiten(
        np.stack([kernels(X, c, width) for c in centers]),
        np.stack([kernels(c, c, width) for c in centers]),
    )


def objective(w, columns, problem, penalties):
    """F of one subset by its definition."""
    coef = w.reshape(problem.n_contrasts, -1)
    scores = np.vstack([np.zeros(columns.shape[1]), coef @ columns])
    own = scores[problem.labels, np.arange(columns.shape[1])]
    loss = problem.weight @ (np.log(np.exp(scores).sum(axis=0)) - own)
    return loss + 0.5 * penalties @ (coef[:, 1:] ** 2).sum(axis=1)


@pytest.fixture(params=[2, 3, 5])
def n_classes(request):
    return request.param


@pytest.fixture
def case(seed, n_classes):
    X, problem = make_problem(seed, n_classes)
    rng = np.random.default_rng(seed + 1)
    members = [rng.choice(len(X), 4, replace=False) for _ in range(3)]
    penalties = rng.uniform(0.1, 2.0, size=(3, n_classes - 1))
    return X, problem, make_batch(X, members), penalties


# ------------------------------------------------------------------ derivatives
def test_gradient_is_that_of_finite_differences(case, seed):
    _, problem, batch, penalties = case
    coef = np.random.default_rng(seed).normal(size=(3, problem.n_contrasts, 5))
    slopes = gradient(batch.columns, problem, penalties, coef, class_rates(coef @ batch.columns))
    for i in range(3):
        numeric = approx_fprime(
            coef[i].ravel(), objective, 1e-6, batch.columns[i], problem, penalties[i]
        )
        # Forward differences of a sum of 60 logarithms are good to five digits.
        assert_close(slopes[i].ravel(), numeric, 1e-4)


def test_hessian_is_that_of_finite_differences(case, seed):
    _, problem, batch, penalties = case
    coef = np.random.default_rng(seed).normal(size=(3, problem.n_contrasts, 5))
    H = hessian(batch.columns, problem, penalties, class_rates(coef @ batch.columns))
    step = 1e-5
    for j in range(coef[0].size):
        shift = np.zeros(coef[0].size)
        shift[j] = step
        shift = shift.reshape(coef[0].shape)
        up, down = (
            gradient(batch.columns, problem, penalties, c, class_rates(c @ batch.columns))
            for c in (coef + shift, coef - shift)
        )
        numeric = ((up - down) / (2.0 * step)).reshape(3, -1)
        assert_close(H[:, :, j], numeric, REFERENCE)


def test_loss_is_the_negative_log_likelihood(case, seed):
    _, problem, batch, _ = case
    coef = np.random.default_rng(seed).normal(size=(3, problem.n_contrasts, 5))
    scores = coef @ batch.columns
    rates = class_rates(scores)
    assert_close(rates.sum(axis=1), 1.0)
    own = rates[:, problem.labels, np.arange(len(problem.labels))]
    assert_close(problem.loss(scores), -np.log(own) @ problem.weight)


# ------------------------------------------------------------------ references
def test_batch_is_the_minimum_of_every_subset(case):
    _, problem, batch, penalties = case
    fits = fit_logistic(batch.columns, problem, penalties)
    assert fits.converged.all() and not fits.jittered.any()
    for i in range(3):
        arguments = (batch.columns[i], problem, penalties[i])
        best = minimize(objective, np.zeros(fits.coef[i].size), arguments, tol=1e-10)
        value = objective(fits.coef[i].ravel(), *arguments)
        assert value <= best.fun + IDENTITY
        assert_close(fits.loss[i] + 0.5 * fits.penalty[i], value)
        slopes = approx_fprime(fits.coef[i].ravel(), objective, 1e-7, *arguments)
        assert np.abs(slopes).max() < 1e-4  # what forward differences resolve
        single = fit_logistic(batch.columns[i : i + 1], problem, penalties[i : i + 1])
        assert_close(single.coef[0], fits.coef[i])
        assert_close(single.log_det[0], fits.log_det[i])


def test_two_classes_are_scikit_learns_logistic_regression(seed):
    """After whitening the kernel penalty is a ridge penalty, C = 1 / (n alpha)."""
    X, problem = make_problem(seed, 2)
    batch = make_batch(X, [np.arange(5)])
    fits = fit_logistic(batch.columns, problem, np.array([[0.3]]))
    reference = LogisticRegression(C=1.0 / 0.3, solver="newton-cholesky", tol=1e-14, max_iter=200)
    reference.fit(batch.columns[0, 1:].T, problem.labels, sample_weight=problem.weight)
    assert_close(fits.coef[0, 0, 1:], reference.coef_[0], SCIKIT)
    assert_close(fits.coef[0, 0, 0], reference.intercept_[0], SCIKIT)


def test_integer_weights_are_repeated_rows(seed, n_classes):
    X, problem = make_problem(seed, n_classes)
    counts = np.random.default_rng(seed).integers(1, 4, len(X))
    again = np.repeat(np.arange(len(X)), counts)
    weighted = LogisticProblem(problem.labels, counts.astype(float), n_classes)
    repeated = LogisticProblem(problem.labels[again], np.ones(len(again)), n_classes)
    batch = make_batch(X, [np.arange(4)])
    penalties = np.ones((1, n_classes - 1))
    a = fit_logistic(batch.columns, weighted, penalties)
    b = fit_logistic(batch.columns[:, :, again], repeated, penalties)
    assert_close(a.coef, b.coef)
    assert_close(a.log_det, b.log_det)


@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_any_start_ends_at_the_same_place(case, scale, seed):
    """Also far away: scores of 30 saturate every probability."""
    _, problem, batch, penalties = case
    start = scale * np.random.default_rng(seed).normal(size=problem.indicators.shape)
    cold = fit_logistic(batch.columns, problem, penalties)
    warm = fit_logistic(batch.columns, problem, penalties, start)
    assert_close(warm.coef, cold.coef, REFERENCE)
    assert_close(warm.log_det, cold.log_det, REFERENCE)
    assert warm.converged.all()


# ------------------------------------------------------------------ whitening
def test_whitened_penalty_is_the_kernel_penalty(seed):
    X, _ = make_problem(seed, 2)
    batch = make_batch(X, [np.arange(6)])
    u = np.random.default_rng(seed).normal(size=(1, 1, 7))
    gamma = batch.original(u)[0, 0]
    K = kernels(X[:6], X[:6])
    assert_close(gamma @ K @ gamma, (u[0, 0, 1:] ** 2).sum())
    assert_close(gamma @ kernels(X, X[:6]), u[0, 0, 1:] @ batch.columns[0, 1:])


@pytest.mark.parametrize("members", [[0, 1, 1], [2, 2, 2], [0, 0, 1, 1]], ids=str)
def test_duplicate_centers_change_nothing(members, seed, n_classes):
    """The kernel matrix is singular; its pseudo-determinant is that of the distinct centers."""
    X, problem = make_problem(seed, n_classes)
    distinct = np.unique(members)
    penalties = np.full((1, n_classes - 1), 0.2)
    twice, once = make_batch(X, [np.array(members)]), make_batch(X, [distinct])
    a, b = (fit_logistic(c.columns, problem, penalties) for c in (twice, once))
    assert_close(a.scores, b.scores)
    more = np.log(penalties).sum() * (len(members) - len(distinct))  # columns of zeros
    assert_close(a.log_det - more, b.log_det)
    assert np.isfinite(twice.original(a.coef)).all()


def test_nearly_singular_kernels(seed):
    """Very wide kernels: the matrix is one to rounding."""
    X, problem = make_problem(seed, 2)
    batch = make_batch(X, [np.arange(20)], width=1e3)
    fits = fit_logistic(batch.columns, problem, np.array([[1e-3]]))
    assert np.isfinite(fits.scores).all() and np.isfinite(fits.log_det).all()
    gamma = batch.original(fits.coef)[0]
    assert_close(gamma @ kernels(X, X[:20], 1e3) + fits.coef[0, :, :1], fits.scores[0], REFERENCE)


# ------------------------------------------------------------------ hard cases
@pytest.mark.parametrize("penalty", [1e-2, 1e-8, 1e-20, 1e-200])
def test_separable_classes(penalty, seed, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2))
    labels = np.searchsorted(np.quantile(X[:, 0], np.arange(1, n_classes) / n_classes), X[:, 0])
    problem = LogisticProblem(labels, np.ones(40), n_classes)
    batch = make_batch(X, [np.arange(40)])
    fits = fit_logistic(batch.columns, problem, np.full((1, n_classes - 1), penalty))
    for value in (fits.coef, fits.scores, fits.log_det, fits.loss, fits.penalty):
        assert np.isfinite(value).all()
    assert fits.loss[0] < 0.2 * 40.0 * np.log(n_classes)  # a fifth of what constants leave
    if penalty >= 1e-8:
        assert fits.converged.all()


def test_singular_hessians_are_raised_and_say_so(seed):
    """The same column twice, not whitened, and no penalty worth the name."""
    X, problem = make_problem(seed, 2)
    columns = np.stack([[np.ones(len(X)), X[:, 0], X[:, 0]]])
    fits = fit_logistic(columns, problem, np.array([[1e-300]]))
    assert fits.jittered[0]
    assert np.isfinite(fits.log_det).all() and np.isfinite(fits.coef).all()
    once = fit_logistic(columns[:, :2], problem, np.array([[1e-300]]))
    assert not once.jittered[0]
    assert_close(fits.loss, once.loss, REFERENCE)


def test_only_the_singular_system_is_raised():
    systems = np.stack([np.ones((2, 2)), np.array([[2.0, 1.0], [1.0, 2.0]])])
    factors, raised = cholesky(systems)
    np.testing.assert_array_equal(raised, [True, False])
    assert_close(factors @ factors.transpose(0, 2, 1), systems)


# ------------------------------------------------------------------ one kernel more or less
def removed_and_added(X, problem, penalties, members):
    """True changes of 2 F and log|H| for every neighbour."""

    def measured(subset):
        batch = make_batch(X, [np.array(subset, dtype=int)])
        fits = fit_logistic(batch.columns, problem, penalties[None])
        return 2.0 * fits.loss[0] + fits.penalty[0], fits.log_det[0]

    value, log_det = measured(members)
    changes = {}
    for j in range(len(X)):
        subset = [m for m in members if m != j] if j in members else [*members, j]
        new = measured(subset)
        changes[j] = new[0] - value, new[1] - log_det
    return changes


def test_exchange_guesses_what_neighbours_cost(seed, n_classes):
    """Strong penalties keep the curvature nearly constant, so one step is nearly exact."""
    X, problem = make_problem(seed, n_classes)
    penalties = np.full(n_classes - 1, 30.0)
    members = [3, 14, 15]
    true = removed_and_added(X, problem, penalties, members)
    batch = make_batch(X, [np.array(members)])
    fits = fit_logistic(batch.columns, problem, penalties[None])
    exchange = Exchange(batch, fits, problem, penalties)
    value, log_det = exchange.removals()
    # A step is exact to second order; what is left is a few percent of the change itself.
    for i, j in enumerate(members):
        assert value[i] == pytest.approx(true[j][0], rel=0.1, abs=1e-3)
        assert log_det[i] == pytest.approx(true[j][1], abs=0.1)
    out = np.setdiff1d(np.arange(len(X)), members)
    value, log_det = exchange.additions(kernels(X, X[out]), kernels(X[members], X[out]))
    wanted = np.array([true[j] for j in out])
    np.testing.assert_allclose(value, wanted[:, 0], rtol=0.1, atol=1e-3)
    np.testing.assert_allclose(log_det, wanted[:, 1], atol=0.1)


def test_a_shortlist_holds_the_best_as_they_are(seed, n_classes):
    X, problem = make_problem(seed, n_classes)
    penalties, members = np.full(n_classes - 1, 0.3), np.array([3, 14, 15])
    batch = make_batch(X, [members])
    exchange = Exchange(
        batch, fit_logistic(batch.columns, problem, penalties[None]), problem, penalties
    )
    out = np.setdiff1d(np.arange(len(X)), members)
    candidates = kernels(X, X[out]), kernels(X[members], X[out])
    value, log_det = exchange.additions(*candidates)
    few_value, few_log_det = exchange.additions(*candidates, shortlist=12)
    listed = np.isfinite(few_log_det)
    assert listed.sum() == (12 if n_classes > 2 else len(out))
    assert_close(few_value[listed], value[listed])
    assert_close(few_log_det[listed], log_det[listed])
    assert listed[np.argmin(value + log_det)]


def test_exchange_refuses_dependent_candidates(seed):
    X, problem = make_problem(seed, 2)
    batch = make_batch(X, [np.array([3, 14])])
    fits = fit_logistic(batch.columns, problem, np.ones((1, 1)))
    exchange = Exchange(batch, fits, problem, np.ones(1))
    _, log_det = exchange.additions(kernels(X, X[[14, 20]]), kernels(X[[3, 14]], X[[14, 20]]))
    np.testing.assert_array_equal(np.isinf(log_det), [True, False])


# ------------------------------------------------------------------ rounding
def test_weights_of_any_size_converge(seed):
    """With large weights the loss itself rounds: a step must not wait for what cannot be seen."""
    X, _ = make_problem(seed, 3)
    columns = np.stack([[np.ones(len(X)), *np.exp(-0.5 * (X.T - c[:, None]) ** 2)] for c in X[:20]])
    rng = np.random.default_rng(seed)
    for _ in range(5):
        weight = 10.0 ** rng.uniform(0.0, 12.0, len(X))
        heavy = LogisticProblem(rng.integers(0, 3, len(X)), weight, 3)
        assert fit_logistic(columns, heavy, np.full((20, 2), 0.01)).converged.all()
