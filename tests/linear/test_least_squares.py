"""Ridge by a factor, its uncertainty, and exact interpolation, against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.linear_model import Ridge

from drumlin.basis import RADIALS, Nodes
from drumlin.linear.least_squares import LeastSquares, closest_pair, interpolate
from tests.helpers import IDENTITY, assert_close
from tests.linear.streams import cuts, make_stream

ALPHA = 0.02


def absorbed(Phi, targets, weight, fit_intercept=True, sizes=(1000,)):
    state = LeastSquares.start(Phi.shape[1], targets.shape[1], ALPHA, fit_intercept=fit_intercept)
    for rows in cuts(len(Phi), sizes):
        state = state.absorb(Phi[rows], targets[rows], weight[rows])
    return state


def normal_matrix(Phi, weight, fit_intercept):
    """Penalised correlation matrix of the weights and, last, the intercept."""
    H = np.column_stack([Phi, np.ones(len(Phi))]) if fit_intercept else Phi
    penalty = np.full(H.shape[1], ALPHA)
    penalty[Phi.shape[1] :] = 0.0
    return H, (H * weight[:, None]).T @ H + np.diag(penalty)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("sizes", [(1000,), (1,), (2, 31, 1)])
def test_ridge(seed, fit_intercept, sizes):
    Phi, targets, weight = make_stream(seed)
    state = absorbed(Phi, targets, weight, fit_intercept, sizes)
    theirs = Ridge(alpha=ALPHA, fit_intercept=fit_intercept).fit(Phi, targets, weight)
    assert_close(state.coef, theirs.coef_.T)
    assert_close(state.intercept, theirs.intercept_ if fit_intercept else np.zeros(2))
    assert state.factor.totals[1] == len(Phi)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_uncertainty_is_the_inverse(seed, fit_intercept):
    Phi, targets, weight = make_stream(seed)
    state = absorbed(Phi, targets, weight, fit_intercept, (40,))
    H, M = normal_matrix(Phi, weight, fit_intercept)
    inverse = np.linalg.inv(M)
    assert_close(state.P, inverse[:6, :6])
    assert_close(state.variances(Phi), np.einsum("ij,jk,ik->i", H, inverse, H))
    freedom = weight.sum() - np.trace(inverse @ (H * weight[:, None]).T @ H)
    residual = targets - Phi @ state.coef - state.intercept
    assert_close(state.noise, weight @ residual**2 / freedom)


def test_noise_is_found(seed):
    Phi, targets, _ = make_stream(seed, n=4000, noise=0.3)
    noise = absorbed(Phi, targets, np.ones(4000)).noise
    assert_close(np.sqrt(noise), 0.3, 0.04)  # standard error 0.3 / sqrt(2 * 4000), three of them


def test_noise_of_too_few_samples_is_finite(seed):
    Phi, targets, _ = make_stream(seed, n=3)
    assert np.isfinite(absorbed(Phi, targets, np.ones(3)).noise).all()


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_loo_is_brute_force(seed, fit_intercept):
    Phi, targets, weight = make_stream(seed, n=30)
    left_out = np.minimum(weight, np.where(np.arange(30) % 2, 1.0, 0.4))
    shortcut = absorbed(Phi, targets, weight, fit_intercept).loo_predictions(Phi, targets, left_out)
    for i in range(30):
        rest = weight.copy()
        rest[i] -= left_out[i]
        rows = rest > 0.0
        model = Ridge(alpha=ALPHA, fit_intercept=fit_intercept)
        model.fit(Phi[rows], targets[rows], rest[rows])
        assert_close(shortcut[i], model.predict(Phi[i : i + 1])[0])


def matrix(name, X, width):
    return Nodes(X, np.full_like(X, width), RADIALS[name]()).activate(X).T


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("name", RADIALS)
def test_interpolation_passes_through_all_samples(seed, name, fit_intercept):
    rng = np.random.default_rng(seed)
    X, targets = rng.uniform(-1.0, 1.0, (60, 2)), rng.standard_normal((60, 2))
    Phi = matrix(name, X, 0.2)
    result = interpolate(Phi, targets, fit_intercept=fit_intercept)
    assert np.abs(Phi @ result.coef + result.intercept - targets).max() <= 1e-8  # the promise
    if fit_intercept:
        assert_close(result.coef.sum(axis=0), 0.0)
    else:
        np.testing.assert_array_equal(result.intercept, 0.0)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("name", RADIALS)
def test_interpolation_loo_is_brute_force(seed, name, fit_intercept):
    rng = np.random.default_rng(seed)
    X, targets = rng.uniform(-1.0, 1.0, (20, 2)), rng.standard_normal((20, 1))
    Phi = matrix(name, X, 0.3)
    errors = interpolate(Phi, targets, fit_intercept=fit_intercept).loo_errors
    for i in range(20):
        rest = np.arange(20) != i
        part = interpolate(Phi[np.ix_(rest, rest)], targets[rest], fit_intercept=fit_intercept)
        missed = targets[i] - (Phi[i, rest] @ part.coef + part.intercept)
        assert_close(errors[i], missed, 10 * IDENTITY)  # conditions of up to 1e5


def test_micchelli(seed):
    """N - 1 negative eigenvalues of the multiquadric matrix; the others are positive definite."""
    X = np.random.default_rng(seed).standard_normal((40, 3))
    eigenvalues = {name: np.linalg.eigvalsh(matrix(name, X, 0.7)) for name in RADIALS}
    assert (eigenvalues["multiquadric"] < 0.0).sum() == 39
    assert eigenvalues["multiquadric"][-1] > 0.0
    assert (eigenvalues["inverse_multiquadric"] > 0.0).all()
    assert (eigenvalues["gaussian"] > 0.0).all()


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_singular_matrix(fit_intercept):
    X = np.array([[0.0], [0.0], [1.0]])
    with pytest.raises(np.linalg.LinAlgError, match="singular to working precision"):
        interpolate(matrix("gaussian", X, 1.0), np.ones((3, 1)), fit_intercept=fit_intercept)


def test_closest_pair(seed):
    X = np.random.default_rng(seed).standard_normal((30, 2))
    X[17] = X[4] + 1e-5
    first, second, distance = closest_pair(X)
    assert (first, second) == (4, 17)
    assert_close(distance, cdist(X[[4]], X[[17]])[0, 0])
    assert closest_pair(np.zeros((3, 1)))[2] == 0.0
