"""Normalised networks (5.63)-(5.70) and receptive fields (5.50)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from drumlin.basis import RADIALS, Gaussian, Multiquadric, Nodes
from drumlin.network import Network
from tests.helpers import assert_close


def make_network(seed, radial="gaussian", n_nodes=5, shares=None):
    rng = np.random.default_rng(seed)
    nodes = Nodes(
        rng.standard_normal((n_nodes, 2)), rng.uniform(0.5, 1.5, (n_nodes, 2)), RADIALS[radial]()
    )
    shares = rng.uniform(0.5, 2.0, n_nodes) if shares is None else shares
    return Network(nodes, rng.standard_normal((n_nodes, 2)), rng.standard_normal(2), shares=shares)


@pytest.mark.parametrize("radial", RADIALS)
def test_activations_are_shares_of_their_sum(seed, radial):
    network = make_network(seed, radial)
    X = np.random.default_rng(seed + 1).standard_normal((20, 2))
    psi = network.activations(X)
    phi = network.shares[:, None] * network.nodes.activate(X)
    assert_close(psi, phi / phi.sum(axis=0))  # (5.63)
    assert_close(psi.sum(axis=0), 1.0)  # (5.64)
    assert ((psi >= 0.0) & (psi <= 1.0)).all()  # (5.66)
    assert_close(network(X), psi.T @ network.coef + network.intercept)  # (5.65)
    assert_close(network.contributions(X).sum(axis=1), network(X))


@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("far", [1e3, 1e100, 1e300])
def test_far_away_there_is_an_answer(seed, radial, far):
    psi = make_network(seed, radial).activations(np.array([[far, 0.0], [0.0, -far]]))
    assert np.isfinite(psi).all()
    assert_close(psi.sum(axis=0), 1.0)


def test_far_away_the_nearest_node_decides():
    nodes = Nodes(np.array([[0.0], [1.0], [5.0]]), np.ones((3, 1)), Gaussian())
    network = Network(nodes, np.array([[1.0], [2.0], [3.0]]), np.zeros(1), shares=np.ones(3))
    assert_close(network(np.array([[1e6], [-1e6]]))[:, 0], [3.0, 1.0])


@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("unit", [1.0, 1e-170, 1e170])
def test_gradient_is_that_of_finite_differences(seed, radial, normalised, unit):
    """In any units of the inputs: squares of their widths may be no numbers."""
    plain = make_network(seed, radial)
    plain = plain if normalised else replace(plain, shares=None)
    nodes = Nodes(plain.nodes.centers * unit, plain.nodes.widths * unit, plain.nodes.radial)
    X = np.random.default_rng(seed + 1).standard_normal((4, 2))
    gradient = replace(plain, nodes=nodes).gradient(X * unit) * unit
    for i, x in enumerate(X):
        numeric = approx_fprime(x, lambda z: plain(z[None])[0], 1e-7)
        assert_close(gradient[i], numeric, 1e-5)  # forward differences


@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("normalised", [False, True])
def test_the_gradient_of_an_ignored_input_is_zero(seed, radial, normalised):
    network = make_network(seed, radial)
    network.nodes.widths[:, 1] = np.inf
    network = network if normalised else replace(network, shares=None)
    gradient = network.gradient(np.array([[0.3, 5.0], [1e300, -1e300], [1e3, 0.0]]))
    assert np.isfinite(gradient).all()
    assert not gradient[:, :, 1].any()
    assert gradient[0, :, 0].all()


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("place", [0, 2, 4])
@pytest.mark.parametrize("far", [1e20, -1e20])
def test_a_node_far_away_spoils_no_gradient(seed, normalised, place, far):
    """Found in a mutated file: seen from that node, all others were in one place."""
    network = make_network(seed)
    network = network if normalised else replace(network, shares=None)
    network.nodes.centers[place] = far
    kept = np.delete(np.arange(5), place)
    nodes = Nodes(network.nodes.centers[kept], network.nodes.widths[kept], network.nodes.radial)
    shares = network.shares[kept] if normalised else None
    near = Network(nodes, network.coef[kept], network.intercept, shares=shares)
    X = np.random.default_rng(seed + 1).standard_normal((4, 2))
    assert_close(network.gradient(X), near.gradient(X))


def test_a_network_is_shown_in_one_line(seed):
    network = make_network(seed)
    assert repr(network) == "Network(5 normalised Gaussian nodes, 2 inputs, 2 outputs)"
    nodes = Nodes(np.zeros((1, 1)), np.ones((1, 1)), Multiquadric())
    single = Network(nodes, np.ones((1, 1)), np.zeros(1))
    assert repr(single) == "Network(1 Multiquadric node, 1 input, 1 output)"


@pytest.mark.parametrize("radial", ["gaussian", "inverse_multiquadric"])
@pytest.mark.parametrize("level", [0.1, 0.5, 1.0])
def test_receptive_field(seed, radial, level):
    """At the radius, along every axis, the activation is the level."""
    network = make_network(seed, radial)
    radii = network.receptive_field(level)
    assert radii.shape == (5, 2)
    for j, (center, radius) in enumerate(zip(network.nodes.centers, radii, strict=True)):
        edge = center + np.diag(radius)
        assert_close(network.nodes.activate(edge)[j], level)
    if radial == "gaussian":  # example 2 of the chapter
        assert_close(radii, network.nodes.widths * np.sqrt(2.0 * np.log(1.0 / level)))


@pytest.mark.parametrize("level", [0.0, -1.0, 1.5, np.nan])
def test_levels_out_of_range(seed, level):
    with pytest.raises(ValueError, match=r"'level' parameter .* range \(0, 1\]. Got"):
        make_network(seed).receptive_field(level)


def test_growing_functions_have_no_receptive_field(seed):
    with pytest.raises(ValueError, match="Multiquadric activations do not fall"):
        make_network(seed, "multiquadric").receptive_field(0.5)


def test_multiquadrics_do_not_overflow():
    r2 = np.array([np.inf, 1e305, 4.0])
    assert np.isfinite(Multiquadric().activate_(r2)).all()


def test_many_rows_on_threads_are_few_rows_on_one(seed, monkeypatch):
    """Rows are independent: neither chunks nor threads can be seen in the scores."""
    rng = np.random.default_rng(seed)
    nodes = Nodes(rng.standard_normal((300, 3)), np.ones((300, 3)), Gaussian())
    net = Network(nodes, rng.standard_normal((300, 2)), rng.standard_normal(2))
    X = rng.standard_normal((2000, 3))
    monkeypatch.setattr("drumlin._kernels.threads.MIN_WORK", 1)
    results = []
    for n_threads in (1, 3):
        monkeypatch.setattr("drumlin.network.usable_threads", lambda n=n_threads: n)
        results.append(net(X))
    np.testing.assert_array_equal(*results)
    assert_close(results[0][700:800], net(X[700:800]))
    Phi = np.exp(-0.5 * ((X[:, None] - nodes.centers) ** 2).sum(axis=2))
    assert_close(results[0], Phi @ net.coef + net.intercept)
