"""Cover's theorem: the formula, its distribution, and a simulation."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import nbinom

from drumlin import cover
from drumlin.basis import Gaussian, Nodes
from drumlin.datasets import make_xor
from tests.helpers import EXACT, assert_close


@pytest.mark.parametrize("m", [1, 2, 5, 20])
def test_formula_with_whole_numbers(m):
    for n in range(1, 6 * m):
        count = 2**n if n <= m else 2 * sum(comb(n - 1, k) for k in range(m))
        assert_close(cover.separability(n, m), count / 2**n, EXACT)


@pytest.mark.parametrize("n_features, order", [(1, 1), (2, 1), (2, 2), (3, 2), (2, 4), (4, 3)])
def test_monomials_of_a_rational_variety(n_features, order, seed):
    """As many as (5.4) has terms, and any polynomial of that degree is a combination of them."""
    X = np.random.default_rng(seed).normal(size=(80, n_features))
    Phi = cover.monomials(X, order)
    assert Phi.shape == (80, cover.n_monomials(n_features, order))
    assert_close(Phi[:, 0], 1.0)
    assert np.linalg.matrix_rank(Phi) == Phi.shape[1]
    polynomial = (X @ np.arange(1.0, n_features + 1) - 0.7) ** order + 2.0 * X[:, 0] - 1.0
    found = np.linalg.lstsq(Phi, polynomial, rcond=None)[0]
    assert_close(Phi @ found, polynomial, 1e-8)  # conditioning of powers


def test_a_circle_is_a_quadric():
    """Fig. 5.1b: four points around one are separable by order 2, not by order 1."""
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [0.1, 0.0]])
    y = np.array([0, 0, 0, 0, 1])
    assert not cover.is_separable(cover.monomials(X, 1), y)
    assert cover.is_separable(cover.monomials(X, 2), y)


@pytest.mark.parametrize("n", [3, 5, 7])
def test_dichotomies_of_a_variety_are_counted(n, seed):
    """All labellings of points in the plane, tried one by one, for lines and for quadrics."""
    X = np.random.default_rng(seed).normal(size=(n, 2))
    every = np.array(list(product([0, 1], repeat=n)))
    for order in (1, 2):
        Phi = cover.monomials(X, order)
        separated = sum(cover.is_separable(Phi, y) for y in every)
        assert separated == cover.n_dichotomies(n, cover.n_monomials(2, order))


def test_dichotomies_are_the_probability_times_all():
    for n, m in ((4, 2), (30, 7), (7, 30)):
        assert cover.n_dichotomies(n, m) / 2**n == pytest.approx(cover.separability(n, m))
    assert cover.n_dichotomies(2000, 3) == 2 * (1 + 1999 + comb(1999, 2))


def test_threshold_at_twice_the_functions():
    for m in (1, 3, 50, 10_000):
        assert_close(cover.separability(2 * m, m), 0.5)
    assert cover.separability(20_000, 1000 * 11) > 1.0 - 1e-12
    assert cover.separability(20_000, 1000 * 9) < 1e-12


def test_nothing_overflows():
    assert cover.log_separability(1_000_000, 10) < -690_000.0
    assert cover.separability(1_000_000, 10) == 0.0
    assert cover.capacity_pmf(1_000_000, 10) == 0.0
    assert_close(np.exp(cover.log_separability(100_001, 50_001)), 0.5 + 0.5 * _middle(100_000))


def _middle(n):
    """Probability of exactly half heads in n tosses (Stirling, good to 1/n^3)."""
    return np.sqrt(2.0 / (np.pi * n)) * (1.0 - 1.0 / (4.0 * n))


@pytest.mark.parametrize("m", [1, 4, 12])
def test_capacity_is_a_negative_binomial(m):
    n = np.arange(1, 60 * m)
    pmf = np.array([cover.capacity_pmf(int(k), m) for k in n])
    assert_close(pmf, nbinom.pmf(n - m, m, 0.5))
    drop = [cover.separability(int(k), m) - cover.separability(int(k) + 1, m) for k in n]
    assert_close(pmf, drop)  # (5.6)
    assert_close(pmf.sum(), 1.0)
    assert_close(pmf @ n, cover.capacity_mean(m))  # (5.7)
    median = cover.capacity_median(m)  # (5.8): at least half on either side
    assert pmf[n <= median].sum() >= 0.5
    assert_close(pmf[n >= median].sum(), 0.5)


@pytest.mark.parametrize("n, m", [(4, 4), (8, 4), (12, 4)])
def test_simulation_confirms(n, m, seed):
    trials = 300
    expected = cover.separability(n, m)
    found = cover.simulate_separability(n, m, n_trials=trials, random_state=seed)
    assert abs(found - expected) <= 4.0 * np.sqrt(expected * (1.0 - expected) / trials)


def test_xor_is_separable_in_the_hidden_map_only():
    """Table 5.1: exp(-r^2) is a Gaussian of width 1/sqrt(2)."""
    X, y = make_xor()
    nodes = Nodes(np.array([[1.0, 1.0], [0.0, 0.0]]), np.full((2, 2), np.sqrt(0.5)), Gaussian())
    hidden = nodes.activate(X).T
    table = [[0.1353, 1.0], [0.3678, 0.3678], [0.3678, 0.3678], [1.0, 0.1353]]
    np.testing.assert_allclose(hidden, table, atol=1e-4)  # four printed digits, truncated
    ones = np.ones((4, 1))
    assert not cover.is_separable(np.hstack([X, ones]), y)
    assert cover.is_separable(np.hstack([hidden, ones]), y)


@pytest.mark.parametrize("bad", [0, -3, 2.5, "many"])
def test_bad_counts(bad):
    with pytest.raises(ValueError, match=r"'n_samples' parameter must be an int .* Got"):
        cover.separability(bad, 3)
    with pytest.raises(ValueError, match=r"'n_functions' parameter must be an int .* Got"):
        cover.capacity_mean(bad)


@pytest.mark.parametrize("bad", [[1, 0], [1, -1, 1], ["a", "b", "a"]])
def test_bad_labels(bad):
    with pytest.raises(ValueError, match=r"'y' parameter of is_separable .* 3 rows of Phi. Got"):
        cover.is_separable(np.eye(3), bad)
