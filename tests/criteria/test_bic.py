"""The information criterion: printed formulas, Laplace's approximation, the integral itself."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import dblquad

from drumlin.criteria.bic import MODEL_PRIORS, bayesian_information, kinds, subset_surprise
from drumlin.linear.logistic import LogisticProblem
from drumlin.linear.newton import fit_logistic
from drumlin.linear.whitening import whiten
from tests.helpers import REFERENCE, assert_close
from tests.linear.test_logistic import kernels, make_problem


def pieces(X, problem, members, alphas):
    """Fit in whitened coordinates; what the criterion needs, and the fit in those of the paper."""
    n = problem.n_samples
    Phi, K = kernels(X, X[members]), kernels(X[members], X[members])
    batch = whiten(Phi[None], K[None])
    fits = fit_logistic(batch.columns, problem, n * alphas[None])
    gamma = batch.original(fits.coef)[0]
    w = np.column_stack([fits.coef[0, :, 0], gamma])
    return fits, w, np.vstack([np.ones(len(X)), Phi]), K


def ours(fits, problem, alphas, rank):
    penalties = problem.n_samples * alphas[None]
    return bayesian_information(fits.loss, fits.penalty, fits.log_det, penalties, rank)[0]


def penalty_matrix(K):
    R = np.zeros((len(K) + 1, len(K) + 1))
    R[1:, 1:] = K
    return R


@pytest.fixture(params=[2, 3, 4])
def n_classes(request):
    return request.param


@pytest.fixture
def case(seed, n_classes):
    X, problem = make_problem(seed, n_classes)
    alphas = np.random.default_rng(seed).uniform(0.005, 0.05, n_classes - 1)
    members = np.array([3, 14, 15, 27])
    return problem, alphas, *pieces(X, problem, members, alphas)


def test_two_classes_are_equation_13(seed):
    X, problem = make_problem(seed, 2)
    alphas = np.array([0.01])
    members = np.array([3, 14, 15, 27])
    fits, w, Phi, K = pieces(X, problem, members, alphas)
    n, m, R, w, lam = problem.n_samples, 4, penalty_matrix(K), w[0], alphas[0]
    h = w @ Phi
    odds = np.exp(h)
    H = (Phi * problem.weight * odds / (1.0 + odds) ** 2) @ Phi.T / n + lam * R
    printed = (
        2.0 * problem.weight @ (np.log(1.0 + odds) - problem.labels * h)
        + n * lam * w @ R @ w
        - np.log(2.0 * np.pi / n)
        + np.linalg.slogdet(H)[1]
        - np.linalg.slogdet(K)[1]
        - m * np.log(lam)
    )
    assert_close(ours(fits, problem, alphas, m), printed)


def test_equation_20_with_its_constant_corrected(case, n_classes):
    problem, alphas, fits, w, Phi, K = case
    n, m, k, R = problem.n_samples, len(K), n_classes - 1, penalty_matrix(K)
    h = np.vstack([np.zeros(Phi.shape[1]), w @ Phi])
    pi = np.exp(h) / np.exp(h).sum(axis=0)
    own = pi[problem.labels, np.arange(Phi.shape[1])]
    root = np.sqrt(problem.weight)
    BA = np.hstack([(root * pi[j] * Phi).T for j in range(1, n_classes)])  # B times A, elementwise
    H = -BA.T @ BA / n
    for j in range(k):
        block = slice(j * (m + 1), (j + 1) * (m + 1))
        H[block, block] += (Phi * problem.weight * pi[j + 1]) @ Phi.T / n + alphas[j] * R
    printed = (
        -2.0 * problem.weight @ np.log(own)
        + n * sum(a * v @ R @ v for a, v in zip(alphas, w, strict=True))
        + np.linalg.slogdet(H)[1]
        - k * np.linalg.slogdet(K)[1]
        + k * np.log(n / (2.0 * np.pi))
        - m * np.log(alphas).sum()
    )
    assert_close(ours(fits, problem, alphas, m), printed, REFERENCE)


def test_coordinates_do_not_matter(case, n_classes):
    """With the determinants of the paper's coordinates in place of the whitened ones."""
    problem, alphas, fits, w, _, K = case
    n, R = problem.n_samples, penalty_matrix(K)
    penalty = n * sum(a * v @ R @ v for a, v in zip(alphas, w, strict=True))
    log_det_K = np.linalg.slogdet(K)[1]
    log_det = fits.log_det[0] + (n_classes - 1) * log_det_K
    value = bayesian_information(
        fits.loss, np.array([penalty]), np.array([log_det]), n * alphas[None], len(K), log_det_K
    )
    assert_close(value[0], ours(fits, problem, alphas, len(K)), REFERENCE)


def log_posterior(w, Phi, K, problem, alphas):
    """Log-likelihood plus log-prior (12), the latter with its constants, of stacked weights."""
    w = w.reshape(len(alphas), -1)
    n, m = problem.n_samples, len(K)
    h = np.vstack([np.zeros(Phi.shape[1]), w @ Phi])
    own = h[problem.labels, np.arange(Phi.shape[1])]
    value = problem.weight @ (own - np.log(np.exp(h).sum(axis=0)))
    for alpha, v in zip(alphas, w, strict=True):
        value += 0.5 * (m * np.log(n * alpha / (2.0 * np.pi)) + np.linalg.slogdet(K)[1])
        value -= 0.5 * n * alpha * v[1:] @ K @ v[1:]
    return value


def test_numerical_laplace_approximation(case):
    """-2 log of the integral of a Gaussian with the numerical curvature at the maximum."""
    problem, alphas, fits, w, Phi, K = case
    q, step = w.size, 1e-4
    shifts = step * np.eye(q)

    def f(x):
        return log_posterior(x, Phi, K, problem, alphas)

    x = w.ravel()
    H = np.array(
        [
            [(f(x + a + b) - f(x + a - b) - f(x - a + b) + f(x - a - b)) for b in shifts]
            for a in shifts
        ]
    ) / (4.0 * step**2)
    laplace = -2.0 * f(x) - q * np.log(2.0 * np.pi) + np.linalg.slogdet(-H)[1]
    # Second differences of a sum near 50 with steps of 1e-4 resolve 1e-6 of a curvature.
    assert_close(ours(fits, problem, alphas, len(K)), laplace, 1e-4)


def test_it_approximates_the_integral(seed):
    """One kernel, two weights: the probability of the data by quadrature."""
    X, problem = make_problem(seed, 2, n=200)
    alphas = np.array([0.01])
    fits, w, Phi, K = pieces(X, problem, np.array([0]), alphas)
    peak = log_posterior(w.ravel(), Phi, K, problem, alphas)

    def density(slope, intercept):
        return np.exp(log_posterior(np.array([intercept, slope]), Phi, K, problem, alphas) - peak)

    (b, g) = w[0]
    total, _ = dblquad(density, b - 3.0, b + 3.0, g - 8.0, g + 8.0, epsabs=1e-6, epsrel=1e-4)
    # Laplace's approximation is good to O(1/n); a wrong constant would be off by log(200/2pi).
    assert ours(fits, problem, alphas, 1) == pytest.approx(-2.0 * (peak + np.log(total)), abs=0.2)


def test_filling_up_with_zeros_changes_nothing(seed):
    X, _ = make_problem(seed, 3)
    problem = LogisticProblem(np.arange(len(X)) % 3, np.ones(len(X)), 3)
    alphas = np.array([0.01, 0.03])
    penalties = problem.n_samples * alphas[None]
    values = []
    for n_zeros in (0, 3):
        Phi = np.vstack([kernels(X, X[:2]), np.zeros((n_zeros, len(X)))])
        K = np.eye(2 + n_zeros)
        K[:2, :2] = kernels(X[:2], X[:2])
        fits = fit_logistic(whiten(Phi[None], K[None]).columns, problem, penalties)
        values.append(ours(fits, problem, alphas, 2 + n_zeros))
    assert_close(values[1], values[0])


# ------------------------------------------------------------------ model priors
def test_sizes_are_equally_probable():
    """The probabilities of all subsets of one size add up to the same, by enumeration."""
    surprise = subset_surprise("sizes", 6, 3.0)
    every = np.array(list(itertools.product([0, 1], repeat=6)))
    total = np.bincount(every.sum(axis=1), np.exp(-0.5 * surprise[every.sum(axis=1)]))
    assert_close(total, np.ones(7))


@pytest.mark.parametrize("n_kinds", [1, 3, 6])
def test_kinds_are_counted_with_repetition(n_kinds):
    surprise = subset_surprise("kinds", 6, float(n_kinds))
    for m in range(7):
        choices = len(list(itertools.combinations_with_replacement(range(n_kinds), m)))
        assert surprise[m] == pytest.approx(2.0 * math.log(choices))


def test_equal_priors_charge_nothing():
    np.testing.assert_array_equal(subset_surprise("equal", 6, 3.0), np.zeros(7))


@pytest.mark.parametrize("prior", MODEL_PRIORS)
def test_no_kernel_is_no_surprise(prior):
    surprise = subset_surprise(prior, 50, 7.5)
    assert surprise[0] == 0.0
    assert (surprise >= 0.0).all()
    assert surprise.shape == (51,)


def test_kinds_of_kernels(seed):
    """Between one and all, whatever the width; copies are no further kinds."""
    assert kinds(np.eye(9)) == pytest.approx(9.0)
    assert kinds(np.ones((9, 9))) == pytest.approx(1.0)
    x = np.random.default_rng(seed).normal(size=20)
    K = np.exp(-0.5 * (x[:, None] - x) ** 2)
    assert 1.0 < kinds(K) < 20.0
    assert kinds(np.tile(K, (2, 2))) == pytest.approx(kinds(K))
    narrow, wide = (kinds(np.exp(-0.5 * ((x[:, None] - x) / w) ** 2)) for w in (0.1, 10.0))
    assert narrow > kinds(K) > wide
