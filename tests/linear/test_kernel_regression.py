"""Leave-one-out of kernel regression is brute force; the density is scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.neighbors import KernelDensity

from drumlin.basis import Gaussian, Nodes
from drumlin.linear import kernel_regression as smoother
from drumlin.linear.kernel_regression import log_density, loo_predictions
from tests.helpers import assert_close


def make_problem(seed, n=40):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, 2)), rng.standard_normal((n, 3)), rng.uniform(0.2, 3.0, n)


def average(Z, values, share, x, bandwidth):
    """Eq. (5.58) as printed."""
    k = share * np.exp(-((Z - x) ** 2).sum(axis=1) / (2.0 * bandwidth**2))
    return k @ values / k.sum()


@pytest.mark.parametrize("block", [1 << 21, 7])
def test_loo_is_brute_force(seed, block, monkeypatch):
    monkeypatch.setattr(smoother, "BLOCK", block * 40 if block == 7 else block)
    Z, values, share = make_problem(seed)
    rows, bandwidths = np.arange(3, 40, 2), np.array([0.3, 1.0])
    left_out = np.full(40, 0.7)
    shortcut = loo_predictions(Z, values, share, left_out, rows, bandwidths)
    for k, bandwidth in enumerate(bandwidths):
        for j, i in enumerate(rows):
            rest = share.copy()
            rest[i] = max(rest[i] - 0.7, 0.0)
            assert_close(shortcut[k, j], average(Z, values, rest, Z[i], bandwidth))


def test_the_nearest_neighbour_decides_in_the_limit(seed):
    Z, values, share = make_problem(seed)
    distances = ((Z[:, None] - Z) ** 2).sum(axis=2) + np.diag(np.full(40, np.inf))
    result = loo_predictions(Z, values, share, share, np.arange(40), np.array([1e-100]))[0]
    assert_close(result, values[distances.argmin(axis=1)])


def test_density_is_that_of_scikit_learn(seed):
    X, _, share = make_problem(seed)
    nodes = Nodes(X, np.full_like(X, 0.4), Gaussian())
    new = np.vstack([X + 0.1, [[1e5, 0.0]]])
    theirs = KernelDensity(bandwidth=0.4).fit(X, sample_weight=share).score_samples(new)
    assert_close(log_density(nodes, share, new), theirs)


def test_density_integrates_to_one(seed):
    X, _, share = make_problem(seed)
    nodes = Nodes(X, np.tile([0.3, np.inf], (40, 1)), Gaussian())  # the second input is ignored

    def density(x):
        return np.exp(log_density(nodes, share, np.array([[x, 5.0]])))[0]

    assert_close(quad(density, -8.0, 8.0, limit=200)[0], 1.0, 1e-7)  # quadrature
