"""Many nodes in single precision by products of matrices."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from drumlin._kernels import HUBER, LOGISTIC, SOFTMAX, SQUARED, refinement_reference
from drumlin._kernels.expansion import LARGEST_SQUARE, expanded, node_gradient
from tests._kernels.test_refinement import SINGLE, assert_same, make_problem
from tests.helpers import assert_close

losses = pytest.mark.parametrize(
    ("loss", "n_outputs"), [(LOGISTIC, 1), (SOFTMAX, 2), (SOFTMAX, 7), (SQUARED, 1), (HUBER, 3)]
)


@pytest.fixture
def compiled():
    pytest.importorskip("numba", reason="the compiled backend needs Numba")
    return importlib.import_module("drumlin._kernels.refinement_compiled")


def wide_problem(seed, loss=SOFTMAX, n_outputs=3, n=700):
    """A problem whose nodes are expanded: single precision, many nodes and inputs."""
    columns, targets, weight, nodes, _ = make_problem(
        seed, loss, n_outputs, n=n, n_nodes=40, n_inputs=17
    )
    nodes = nodes._replace(inv_widths=0.3 * nodes.inv_widths)
    return columns.astype(np.float32), targets, weight, nodes, loss


def test_the_product_is_the_exponent(seed):
    columns, _, _, nodes, _ = wide_problem(seed)
    A, loops = expanded(columns, nodes)
    assert not len(loops)
    Z = columns.T.astype(np.float64)
    lifted = np.column_stack([Z, Z**2, np.ones(len(Z))])
    t = (Z[:, None] - nodes.centers) * nodes.inv_widths
    assert_close(lifted @ A.T, -0.5 * (t**2).sum(axis=2))


def test_moments_give_the_gradient(seed):
    columns, _, _, nodes, _ = wide_problem(seed)
    Z = columns.T.astype(np.float64)
    g = np.random.default_rng(seed).standard_normal((len(Z), len(nodes.centers)))
    moments = g.T @ np.column_stack([Z, Z**2, np.ones(len(Z))])
    t = (Z[:, None] - nodes.centers) * nodes.inv_widths
    centers, log_widths = node_gradient(moments, nodes)
    assert_close(centers, nodes.inv_widths * np.einsum("nm,nmd->md", g, t))
    assert_close(log_widths, np.einsum("nm,nmd->md", g, t**2))


@losses
@pytest.mark.parametrize("n", [1, 511, 700])
def test_expanded_nodes_are_the_same_function(seed, compiled, loss, n_outputs, n):
    columns, *others = wide_problem(seed, loss, n_outputs, n)
    assert len(expanded(columns, others[2])[0])
    truth = refinement_reference.value_and_gradient(columns.astype(np.float64), *others)
    assert_same(compiled.value_and_gradient(columns, *others), truth, SINGLE)


def test_what_would_cancel_is_left_to_loops(seed, compiled):
    columns, targets, weight, nodes, loss = wide_problem(seed)
    far = np.float32(2.0**9)
    moved = nodes._replace(centers=nodes.centers + far)
    assert not len(expanded(columns + far, moved)[0])
    here = compiled.value_and_gradient(columns, targets, weight, nodes, loss)
    there = compiled.value_and_gradient(columns + far, targets, weight, moved, loss)
    assert_same(there, here, 10 * SINGLE)  # adding 512 rounds the inputs themselves
    for columns_, nodes_ in [
        (columns, nodes._replace(inv_widths=nodes.inv_widths * LARGEST_SQUARE)),
        (np.full_like(columns, 1e30), nodes),
        (columns.astype(np.float64), nodes),
    ]:
        A, loops = expanded(columns_, nodes_)
        assert not len(A)
        np.testing.assert_array_equal(loops, np.arange(40))


@losses
def test_a_few_narrow_nodes_among_wide_ones(seed, compiled, loss, n_outputs):
    columns, targets, weight, nodes, _ = wide_problem(seed, loss, n_outputs)
    nodes.inv_widths[[3, 17]] *= 50.0
    nodes.centers[[3, 17]] = columns[:, [5, 6]].T + 0.01
    A, loops = expanded(columns, nodes)
    assert len(A) == 40
    np.testing.assert_array_equal(loops, [3, 17])
    problem = targets, weight, nodes, loss
    truth = refinement_reference.value_and_gradient(columns.astype(np.float64), *problem)
    assert truth[1].centers[3].any()
    assert_same(compiled.value_and_gradient(columns, *problem), truth, SINGLE)
