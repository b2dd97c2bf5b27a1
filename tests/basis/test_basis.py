"""Radial functions, nodes and placement."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import BSpline
from scipy.spatial.distance import cdist, pdist

from drumlin.basis import (
    LADDER,
    RADIALS,
    Gaussian,
    Nodes,
    distinct_rows,
    reference_width,
    sample_candidates,
)
from drumlin.basis.placement import ALL_UP_TO, SAMPLED, _lower_median, _weighted_lower_median
from drumlin.network import CHUNK, Network
from tests.helpers import EXACT, assert_close

FORMULAS = {
    "gaussian": lambda r2: np.exp(-r2 / 2),
    "multiquadric": lambda r2: np.sqrt(1 + r2),
    "inverse_multiquadric": lambda r2: 1 / np.sqrt(1 + r2),
    "b_spline": lambda r2: _cubic(np.sqrt(r2 / 3)),
}


def _cubic(q):
    """SciPy's B-spline on the knots -2, ..., 2, with height 1."""
    element = BSpline.basis_element(np.arange(-2.0, 3.0), extrapolate=False)
    return np.nan_to_num(element(q)) * 1.5


@pytest.mark.parametrize("name", RADIALS)
def test_nodes_are_their_formula(name, seed):
    rng = np.random.default_rng(seed)
    X, centers = rng.standard_normal((9, 3)), rng.standard_normal((4, 3))
    widths = rng.uniform(0.5, 2.0, (4, 3))
    activations = Nodes(centers, widths, RADIALS[name]()).activate(X)
    r2 = np.array(
        [
            cdist((c / s)[None], X / s, "sqeuclidean")[0]
            for c, s in zip(centers, widths, strict=True)
        ]
    )
    assert_close(activations, FORMULAS[name](r2))


def test_b_splines_end_and_are_as_curved_as_gaussians():
    spline = RADIALS["b_spline"]()
    end = 2.0 * np.sqrt(3.0)
    assert (spline.activate_(np.array([12.0 + 1e-9, 1e3, 1e300, np.inf])) == 0.0).all()
    assert spline.activate_(np.array([(end - 1e-3) ** 2]))[0] > 0.0
    assert_close(spline.slope(np.ones(1)), Gaussian().slope(np.ones(1)))
    for level in (1e-9, 0.1, 0.25, 0.7, 1.0):
        distance = spline.reach(level)
        assert_close(spline.activate_(np.array([distance**2])), level, 1e-7)  # flat at both ends


def test_the_nearest_b_spline_decides_where_none_reaches(seed):
    """Normalised activations sum to 1 everywhere."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.standard_normal((20, 2)), [[50.0, 0.0], [0.0, -1e6]]])
    centers = rng.standard_normal((5, 2))
    nodes = Nodes(centers, np.ones((5, 2)), RADIALS["b_spline"]())
    psi = nodes.radial.normalize_(nodes.squared_distances(X), rng.uniform(0.5, 2.0, 5))
    assert_close(psi.sum(axis=0), 1.0)
    nearest = nodes.squared_distances(X[-2:]).argmin(axis=0)
    assert (psi[nearest, [-2, -1]] == 1.0).all()


def test_an_infinite_width_ignores_an_input(seed):
    rng = np.random.default_rng(seed)
    X, centers = rng.standard_normal((9, 2)), rng.standard_normal((4, 2))
    both = Nodes(centers, np.tile([1.0, np.inf], (4, 1)), Gaussian()).activate(X)
    one = Nodes(centers[:, :1], np.ones((4, 1)), Gaussian()).activate(X[:, :1])
    np.testing.assert_array_equal(both, one)


def test_gaussian_tau():
    """hong2014 writes exp(-r2 / tau); tau = 2 width^2."""
    tau = 0.06
    node = Nodes(np.zeros((1, 1)), np.full((1, 1), np.sqrt(tau / 2)), Gaussian())
    assert_close(node.activate(np.array([[0.3]])), np.exp(-0.09 / tau), EXACT)


@pytest.mark.parametrize("factor", [np.sqrt(2.0), 2.0, 4.0])
def test_narrowing_is_squaring(seed, factor):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 2))
    wide = Nodes(X, np.full((20, 2), 4.0), Gaussian()).activate(X)
    narrow = Nodes(X, np.full((20, 2), 4.0 / factor), Gaussian()).activate(X)
    assert Gaussian().narrow_(wide, factor)
    assert_close(wide, narrow, EXACT)


@pytest.mark.parametrize("factor", [1.0, 1.3, 0.5])
def test_other_factors_have_no_shortcut(factor):
    activations = np.full((2, 2), 0.5)
    assert not Gaussian().narrow_(activations, factor)
    assert (activations == 0.5).all()
    assert not RADIALS["multiquadric"]().narrow_(activations, 2.0)


def test_far_points_do_not_underflow_to_denormals():
    activation = Gaussian().activate_(np.array([1e6, 1e300, np.inf]))
    assert (activation > 1e-307).all()


def test_the_ladder_needs_one_exponential():
    factors = np.array(LADDER[:-1]) / np.array(LADDER[1:])
    assert_close(factors, np.sqrt(2.0), EXACT)
    assert (LADDER[0], LADDER[-1]) == (8.0, 0.5)


def test_candidates_are_all_samples_or_a_seeded_sample():
    rng = np.random.RandomState(0)
    np.testing.assert_array_equal(sample_candidates(ALL_UP_TO, None, rng), np.arange(ALL_UP_TO))
    drawn = sample_candidates(ALL_UP_TO + 1, None, rng)
    assert len(np.unique(drawn)) == SAMPLED
    assert (np.diff(drawn) > 0).all()
    assert len(sample_candidates(100, 7, rng)) == 7
    again = [sample_candidates(5000, 50, np.random.RandomState(3)) for _ in range(2)]
    np.testing.assert_array_equal(*again)


def test_reference_width_is_the_median_distance():
    X = np.array([[0.0], [0.0], [1.0], [3.0]])
    rng = np.random.RandomState(0)
    # Squared distances of pairs that differ: 1, 1, 9, 9, 4.
    assert_close(reference_width(X, np.ones(4), rng), np.sqrt(4.0 / 2.0), EXACT)
    assert reference_width(np.ones((5, 2)), np.ones(5), rng) == 1.0


@pytest.mark.parametrize("n_samples", [2, 3, 4, 30, 31])
def test_reference_width_of_equal_weights_is_the_weighted_one(seed, n_samples):
    X = np.random.default_rng(seed).normal(size=(n_samples, 2)).round(1)  # with ties
    d2 = pdist(X, "sqeuclidean")
    assert _lower_median(d2) == _weighted_lower_median(d2, np.ones(len(d2)))


def test_reference_width_counts_weights_as_copies(seed):
    rng = np.random.default_rng(seed)
    X, counts = rng.standard_normal((30, 2)), rng.integers(1, 4, 30)
    weighted = reference_width(X, counts.astype(float), np.random.RandomState(0))
    rows = np.repeat(np.arange(30), counts)
    repeated = reference_width(X[rows], np.ones(len(rows)), np.random.RandomState(0))
    assert_close(weighted, repeated, EXACT)


def test_network_is_a_weighted_sum_in_chunks(seed):
    rng = np.random.default_rng(seed)
    nodes = Nodes(rng.standard_normal((3, 2)), np.ones((3, 2)), Gaussian())
    network = Network(nodes, rng.standard_normal((3, 2)), rng.standard_normal(2))
    X = rng.standard_normal((CHUNK // 3 * 2 + 5, 2))
    assert_close(network(X), nodes.activate(X).T @ network.coef + network.intercept, EXACT)
    assert_close(network(X[:1]), network(X)[:1], EXACT)
    assert network(X[:0]).shape == (0, 2)


def test_a_network_without_nodes_is_its_intercept():
    nodes = Nodes(np.empty((0, 2)), np.empty((0, 2)), Gaussian())
    network = Network(nodes, np.empty((0, 1)), np.array([0.3]))
    assert_close(network(np.zeros((4, 2))), np.full((4, 1), 0.3), EXACT)


def test_equal_rows_are_one_candidate():
    X = np.array([[1.0, 0.0], [2.0, 0.0], [1.0, -0.0], [2.0, 0.0], [0.0, 5.0]])
    assert distinct_rows(X).tolist() == [0, 1, 4]
