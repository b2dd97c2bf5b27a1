"""Recursive least squares is ridge; LMS is its formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from drumlin.linear.least_squares import LeastSquares
from drumlin.linear.streaming import (
    BlockLeastSquares,
    LeastMeanSquares,
    RecursiveLeastSquares,
)
from tests.helpers import EXACT, assert_close
from tests.linear.streams import cuts, make_stream

ALPHA = 0.02


@pytest.fixture(params=["numpy", "numba"], autouse=True)
def backend(request, monkeypatch):
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", request.param)


def rls(n_nodes, n_outputs, fit_intercept=True, forgetting=1.0, alpha=ALPHA):
    state = LeastSquares.start(n_nodes, n_outputs, alpha, fit_intercept=fit_intercept)
    return RecursiveLeastSquares(state, alpha, forgetting)


def learned(learner, Phi, targets, weight, sizes=(1000,)):
    errors = []
    for rows in cuts(len(Phi), sizes):
        learner, batch = learner.learn(Phi[rows], targets[rows], weight[rows])
        errors.append(batch)
    return learner, np.concatenate(errors)


def textbook(Phi, targets, alpha):
    """Eqs. (5.44), (5.47), (5.38) and (5.48) as printed, with the corrected denominator."""
    P = np.eye(Phi.shape[1]) / alpha
    w = np.zeros((Phi.shape[1], targets.shape[1]))
    errors = []
    for phi, d in zip(Phi, targets, strict=True):
        P = P - np.outer(P @ phi, phi @ P) / (1.0 + phi @ P @ phi)
        gain = P @ phi
        errors.append(d - w.T @ phi)
        w = w + np.outer(gain, errors[-1])
    return P, w, np.array(errors)


def test_the_book(seed):
    Phi, targets, _ = make_stream(seed)
    learner, errors = learned(rls(6, 2, fit_intercept=False), Phi, targets, np.ones(len(Phi)))
    P, w, prior = textbook(Phi, targets, ALPHA)
    assert_close(learner.coef, w)
    assert_close(learner.posterior.P, P)
    assert_close(errors, prior)


@pytest.mark.parametrize("sizes", [(1000,), (1,), (7,), (1, 50, 3)])
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_rls_is_ridge_for_any_batches(seed, fit_intercept, sizes):
    Phi, targets, weight = make_stream(seed)
    learner, errors = learned(rls(6, 2, fit_intercept), Phi, targets, weight, sizes)
    theirs = Ridge(alpha=ALPHA, fit_intercept=fit_intercept).fit(Phi, targets, weight)
    assert_close(learner.coef, theirs.coef_.T)
    assert_close(learner.intercept, theirs.intercept_ if fit_intercept else np.zeros(2))
    block, _ = BlockLeastSquares(
        LeastSquares.start(6, 2, ALPHA, fit_intercept=fit_intercept)
    ).learn(Phi, targets, weight)
    assert_close(learner.posterior.P, block.posterior.P)
    assert_close(learner.posterior.noise, block.posterior.noise)
    assert_close(errors, learned(rls(6, 2, fit_intercept), Phi, targets, weight)[1], EXACT)


def test_prior_errors_are_those_of_the_model_before(seed):
    Phi, targets, weight = make_stream(seed, n=40)
    _, errors = learned(rls(6, 2), Phi, targets, weight)
    assert_close(errors[0], targets[0])  # nothing is known yet
    for i in range(2, 40):
        model = Ridge(alpha=ALPHA).fit(Phi[:i], targets[:i], weight[:i])
        assert_close(errors[i], targets[i] - model.predict(Phi[i : i + 1])[0])


@pytest.mark.parametrize("alpha", [1e-10, 1e10])
def test_extreme_penalties(seed, alpha):
    """The factor knows the root of the condition number only: tiny penalties are no problem."""
    Phi, targets, weight = make_stream(seed)
    learner, _ = learned(rls(6, 2, alpha=alpha), Phi, targets, weight)
    H = np.vstack([np.sqrt(weight)[:, None] * (Phi - weight @ Phi / weight.sum()),
                   np.sqrt(alpha) * np.eye(6)])  # fmt: skip
    d = np.vstack([np.sqrt(weight)[:, None] * (targets - weight @ targets / weight.sum()),
                   np.zeros((6, 2))])  # fmt: skip
    assert_close(learner.coef, np.linalg.lstsq(H, d)[0])


def test_an_offset_costs_no_digits(seed):
    Phi, targets, weight = make_stream(seed)
    plain, _ = learned(rls(6, 2), Phi, targets, weight)
    shifted, _ = learned(rls(6, 2), Phi, targets + 1e9, weight)
    assert_close(shifted.coef, plain.coef, 1e-6)  # 1e9 + d has lost nine of sixteen digits
    assert_close(shifted.intercept, plain.intercept + 1e9)


@pytest.mark.parametrize("sizes", [(1000,), (1,), (4, 9)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("n", [4, 90])
def test_forgetting_is_weighted_ridge(seed, n, fit_intercept, sizes):
    """Exactly, with the penalties that the learner says it has."""
    Phi, targets, weight = make_stream(seed, n=n)
    learner, _ = learned(rls(6, 2, fit_intercept, 0.9), Phi, targets, weight, sizes)
    D = learner.posterior.factor.penalties
    assert (D <= ALPHA * (1 + 1e-12)).all()
    assert (D >= 0.9**6 * ALPHA * (1 - 1e-12)).all()
    faded = weight * 0.9 ** np.arange(n - 1, -1, -1)
    share = faded / faded.sum() if fit_intercept else np.zeros(n)
    H, d = Phi - share @ Phi, targets - share @ targets
    expected = np.linalg.solve((H * faded[:, None]).T @ H + np.diag(D), (H * faded[:, None]).T @ d)
    assert_close(learner.coef, expected)
    residual = d - H @ expected
    assert_close(learner.posterior.factor.cost, faded @ residual**2 + D @ expected**2)


@pytest.mark.parametrize("first, second", [(1.0, 0.8), (0.99, 0.8), (0.8, 0.99), (0.8, 1.0)])
def test_the_factor_may_change(seed, first, second):
    """Penalties are renewed by what they lost, whatever the factor was before."""
    Phi, targets, weight = make_stream(seed, n=57)
    learner, _ = rls(6, 2, False, first).learn(Phi[:50], targets[:50], weight[:50])
    learner = replace(learner, forgetting=second)
    learner, _ = learned(learner, Phi[50:], targets[50:], weight[50:], (3, 4))
    faded = weight * np.append(
        first ** np.arange(49.0, -1.0, -1.0) * second**7, second ** np.arange(6.0, -1.0, -1.0)
    )
    D = learner.posterior.factor.penalties
    assert (D <= ALPHA * (1 + 1e-12)).all()
    R = np.triu(learner.posterior.factor.A)
    assert_close(R.T @ R, (Phi * faded[:, None]).T @ Phi + np.diag(D))


def test_no_wind_up():
    """A node that is excited no more keeps a bounded P: textbook forgetting reaches 1e200."""
    n = 5000
    Phi = np.zeros((n, 2))
    Phi[:, 0] = np.cos(np.arange(n))
    Phi[:50, 1] = 1.0
    learner, errors = learned(
        rls(2, 1, fit_intercept=False, forgetting=0.9), Phi, Phi @ [[1.0], [2.0]], np.ones(n)
    )
    assert np.isfinite(errors).all()
    assert np.diag(learner.posterior.P)[1] <= 0.9**-2 / ALPHA * (1 + 1e-9)
    assert abs(learner.coef[1, 0]) < 1e-6  # forgotten
    assert_close(learner.coef[0, 0], 1.0, 5e-3)  # as far as the penalty lets it
    eigenvalues = np.linalg.eigvalsh(learner.posterior.P)
    assert (eigenvalues > 0.0).all()


# ------------------------------------------------------------------ LMS
def lms(n_nodes, n_outputs, rates=(0.6, 0.01), annealing=100, **settings):
    settings = {"fit_intercept": True} | settings
    return LeastMeanSquares.start(n_nodes, n_outputs, rates, annealing, **settings)


@pytest.mark.parametrize("sizes", [(1000,), (1,), (4, 9)])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
def test_lms_is_its_formula(seed, normalized, fit_intercept, sizes):
    """Problem 5.11, with steps that are normalised or as the book has them."""
    Phi, targets, _ = make_stream(seed, n=150)
    Phi = Phi if normalized else 0.3 * Phi  # plain steps are stable for small activations only
    learner, errors = learned(
        lms(6, 2, fit_intercept=fit_intercept, normalized=normalized),
        Phi,
        targets,
        np.ones(150),
        sizes,
    )
    H = np.column_stack([Phi, np.ones(150)]) if fit_intercept else Phi
    w = np.zeros((H.shape[1], 2))
    for i, (h, d) in enumerate(zip(H, targets, strict=True)):
        rate = 0.6 + min(i / 99, 1.0) * (0.01 - 0.6)
        assert_close(errors[i], d - w.T @ h)
        w = w + rate * np.outer(h, d - w.T @ h) / (h @ h if normalized else 1.0)
    assert_close(learner.coef, w[:6])
    if fit_intercept:
        assert_close(learner.intercept, w[6])


@pytest.mark.parametrize("normalized", [True, False])
def test_lms_weights_are_copies(seed, normalized):
    """At a constant rate a weight of three is three steps in a row, overshooting ones too."""
    Phi, targets, _ = make_stream(seed)
    copies = np.random.default_rng(seed).integers(1, 4, len(Phi))
    weighted, _ = learned(
        lms(6, 2, (0.3, 0.3), normalized=normalized), Phi, targets, copies.astype(float)
    )
    repeated, _ = learned(
        lms(6, 2, (0.3, 0.3), normalized=normalized),
        np.repeat(Phi, copies, axis=0),
        np.repeat(targets, copies, axis=0),
        np.ones(copies.sum()),
    )
    assert_close(weighted.coef, repeated.coef)


def test_lms_does_not_know_the_size_of_activations(seed):
    """Multiquadrics grow; the plain step, not normalised, would explode at this rate."""
    Phi, targets, _ = make_stream(seed)
    small, large = (
        learned(lms(6, 2, fit_intercept=False), scale * Phi, targets, np.ones(len(Phi)))[1]
        for scale in (1.0, 1e3)
    )
    assert_close(large, small)


def test_a_rate_of_one_removes_the_error(seed):
    Phi, targets, _ = make_stream(seed, n=1)
    learner, _ = learned(lms(6, 2, (1.0, 1.0)), Phi, targets, np.ones(1))
    assert_close(Phi @ learner.coef + learner.intercept, targets)
