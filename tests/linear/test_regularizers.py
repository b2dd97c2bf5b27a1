"""Evidence: the papers' updates end where the marginal likelihood is largest."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import multivariate_normal

from drumlin.linear import (
    REGULARIZERS,
    EvidenceRegularizer,
    OrthogonalRegression,
    StageEvidenceRegularizer,
)
from tests.helpers import IDENTITY, REFERENCE, assert_close
from tests.linear.test_regression import make_regression


def noisy_regression(seed, *, outputs=1, intercept=False):
    """Targets that four columns explain up to noise."""
    _, columns = make_regression(seed, n=60, outputs=outputs, intercept=intercept, alpha=1e-6)
    rng = np.random.default_rng(seed)
    first = int(intercept)
    signal = columns[first:].T @ rng.uniform(2.0, 4.0, (4, outputs))
    targets = signal + 0.3 * rng.standard_normal(signal.shape)
    grown = OrthogonalRegression(targets, np.ones(60), fit_intercept=intercept)
    for column in columns[first:]:
        grown.append(*grown.basis.orthogonalize(column), alpha=1e-6)
    return grown


def log_evidence(model, log_noise, log_alphas):
    """Log marginal likelihood of the targets given noise variance and penalties.

    g_j has prior variance noise / alpha_j; an intercept has a flat prior, so the data are first
    projected on what is orthogonal to it.
    """
    first = int(model.fit_intercept)
    noise, alphas = np.exp(log_noise), np.exp(log_alphas)
    W, targets = model.basis.W[first:], model.targets
    if first:
        constant = model.basis.W[:1]
        rotation = np.linalg.svd(constant)[2][1:]
        W, targets = W @ rotation.T, rotation @ targets
    covariance = noise * (np.eye(W.shape[1]) + W.T @ np.diag(1.0 / alphas) @ W)
    return sum(multivariate_normal.logpdf(t, cov=covariance) for t in targets.T)


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("intercept", [False, True])
def test_evidence_is_the_maximum_of_the_marginal_likelihood(seed, outputs, intercept):
    model = noisy_regression(seed, outputs=outputs, intercept=intercept)
    first = int(intercept)
    alphas = EvidenceRegularizer(alpha=1e-6, max_iter=2000, tol=1e-12).on_finish(model)
    found = model.with_alphas(alphas)
    rho = found.basis.norms2 / (found.basis.norms2 + alphas)
    noise = (found.residual**2).sum() / (outputs * (60 - rho.sum()))
    start = np.log(np.append(noise, alphas[first:]))
    numerical = minimize(lambda v: -log_evidence(model, v[0], v[1:]), start + 0.3, method="BFGS")
    assert_close(np.exp(start), np.exp(numerical.x), 1e-3)  # BFGS stops at gradients of 1e-5
    assert log_evidence(model, start[0], start[1:]) >= -numerical.fun - REFERENCE


def test_the_intercept_is_never_penalised(seed):
    model = noisy_regression(seed, intercept=True)
    assert EvidenceRegularizer().on_finish(model)[0] == 0.0


def stage_evidence(kappa, dot, norm2, n, log_precision, log_h):
    """Log evidence of one column, eq. (43) of hong2014."""
    eps, h = np.exp(log_precision), np.exp(log_h)
    g = eps * dot / (eps * kappa + h)
    return 0.5 * (
        n * log_precision
        + log_h
        - np.log(eps * kappa + h)
        - eps * norm2
        + g * g * (eps * kappa + h)
    )


def test_stage_evidence_is_the_maximum_of_eq_43(seed):
    rng = np.random.default_rng(seed)
    w = np.exp(-rng.random(50))
    residual = (0.8 * w + 0.2 * rng.standard_normal(50))[:, None]
    alpha = StageEvidenceRegularizer(n_iter=500).on_select(w, residual, 50.0)
    kappa, dot, norm2 = w @ w, (w @ residual)[0], (residual**2).sum()
    best = minimize(
        lambda v: -stage_evidence(kappa, dot, norm2, 50, *v),
        np.zeros(2),
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000},
    )
    assert_close(alpha, np.exp(best.x[1] - best.x[0]), REFERENCE)


def test_stage_evidence_resets_a_penalty_that_runs_away(seed):
    """A column without any signal has no finite best penalty."""
    rng = np.random.default_rng(seed)
    w, residual = rng.standard_normal(50), rng.standard_normal((50, 1))
    residual -= np.outer(w, (w @ residual) / (w @ w))  # orthogonal: nothing to explain
    assert StageEvidenceRegularizer(alpha=1e-6).on_select(w, residual, 50.0) == 1e-6
    # With a little signal the iteration grows past the threshold and is reset as well.
    weak = residual + 1e-4 * w[:, None]
    regularizer = StageEvidenceRegularizer(alpha=1e-6, n_iter=50, reset_above=10.0)
    assert regularizer.on_select(w, weak, 50.0) == 1e-6


@pytest.mark.parametrize("name", REGULARIZERS)
def test_outputs_share_penalties_and_copies_change_nothing(name, seed):
    """Repeating an output leaves every penalty as it was."""
    one = noisy_regression(seed)
    targets = np.repeat(one.targets, 2, axis=1)
    twice = OrthogonalRegression(targets, one.weight, fit_intercept=False)
    for k in range(4):
        twice.append(one.basis.W[k], one.basis.A[:k, k], alpha=one.alphas[k])
    regularizer = REGULARIZERS[name]()
    w = one.basis.W[0]
    assert_close(
        regularizer.on_select(w, one.targets, 60.0), regularizer.on_select(w, targets, 60.0)
    )
    assert_close(regularizer.on_finish(one), regularizer.on_finish(twice))


@pytest.mark.parametrize("name", REGULARIZERS)
def test_integer_weights_are_repeated_rows(name, seed):
    rng = np.random.default_rng(seed)
    model = noisy_regression(seed)
    counts = rng.integers(1, 4, 60)
    rows = np.repeat(np.arange(60), counts)
    columns = model.basis.A.T @ model.basis.W
    weighted = OrthogonalRegression(model.targets, counts.astype(float), fit_intercept=False)
    big = OrthogonalRegression(model.targets[rows], np.ones(len(rows)), fit_intercept=False)
    regularizer = REGULARIZERS[name]()
    for column in columns:
        for grown, phi in ((weighted, weighted.root * column), (big, column[rows])):
            w, a = grown.basis.orthogonalize(phi)
            alpha = regularizer.on_select(w, grown.residual, grown.weight.sum())
            grown.append(w, a, alpha=alpha)
    assert_close(weighted.alphas, big.alphas)
    assert_close(regularizer.on_finish(weighted), regularizer.on_finish(big), IDENTITY)


def test_evidence_without_spare_samples_keeps_the_penalties(seed):
    model, _ = make_regression(seed, n=4, k=4, alpha=1e-12)
    assert np.isfinite(EvidenceRegularizer().on_finish(model)).all()


@pytest.mark.parametrize("intercept", [False, True])
def test_log_evidence_is_the_marginal_likelihood_of_the_residual(seed, intercept):
    """Eq. (43): the residual of the last stage is normal with covariance I/epsilon + w w'/h."""
    model, _ = make_regression(seed, outputs=2, intercept=intercept)
    path = StageEvidenceRegularizer().path(model)
    first = int(intercept)
    for k in range(model.n_nodes):
        residual, w = model.prefix(k).residual, model.basis.W[first + k]
        epsilon, h = path["epsilon"][k], path["h"][k]
        covariance = np.eye(len(w)) / epsilon + np.outer(w, w) / h
        expected = multivariate_normal(np.zeros(len(w)), covariance).logpdf(residual.T).sum()
        assert_close(path["log_evidence"][k], expected)
    assert_close(path["h"] / path["epsilon"], model.alphas[first:])


def test_inferred_precisions_maximise_the_log_evidence(seed):
    """Eqs. (45), (47) are where both derivatives of (43) vanish."""
    model = noisy_regression(seed)
    w, residual, n = model.basis.W[0], model.targets, len(model.targets)
    regularizer = StageEvidenceRegularizer(n_iter=2000)
    one = OrthogonalRegression(model.targets, model.weight, fit_intercept=False)
    one.append(w, np.empty(0), alpha=regularizer.on_select(w, residual, n))
    path = regularizer.path(one)
    best = np.array([path["epsilon"][0], path["h"][0]])

    def log_evidence(precisions):
        covariance = np.eye(n) / precisions[0] + np.outer(w, w) / precisions[1]
        return multivariate_normal(np.zeros(n), covariance).logpdf(residual[:, 0])

    assert_close(log_evidence(best), path["log_evidence"][0])
    for step in ([1.02, 1.0], [0.98, 1.0], [1.0, 1.05], [1.0, 0.95]):
        assert log_evidence(best * step) < path["log_evidence"][0]
