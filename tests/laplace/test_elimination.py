"""Pruning by the quadratic model: dropping a node is refitting without it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations
from drumlin.laplace import Elimination
from drumlin.laplace.quadratic import LEAST_CURVATURE
from drumlin.linear.weights import fit_weights
from drumlin.losses import Logistic, Softmax, Squared
from tests.helpers import REFERENCE, assert_close
from tests.refinement.problems import LOSSES, PENALTIES, make_sample

PAIR = (1e-6, 0.3)


@dataclass(frozen=True)
class Weighed:
    """Round nodes at rows of a sample with the best weights."""

    centers: FloatArray
    coef: FloatArray
    intercept: FloatArray

    def nodes(self):
        inv_widths = np.full(self.centers.shape, 0.7)
        return NodeParameters(self.centers, inv_widths, self.coef, self.intercept)

    def weight_penalties(self):
        return PENALTIES.of_weights(len(self.centers))


def weighed(sample, loss, rows):
    """Fit the weights of nodes at some rows; return the activations, too."""
    centers = sample.X[rows]
    Phi = gaussian_activations(sample.X, centers, np.full(centers.shape, 0.7))
    return Phi, Weighed(centers, *fit_weights(Phi, sample.targets, sample.loss_weight, loss, PAIR))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_dropping_a_node_is_refitting_without_it(loss, seed):
    """For squared loss the quadratic model is exact; else it is close for a useless node."""
    sample = make_sample(seed, loss)
    Phi, solution = weighed(sample, loss, np.arange(5))
    candidates = Elimination.of(solution, sample, loss)
    j, rise = candidates.cheapest()
    candidates.drop(j)
    others = np.delete(np.arange(5), j)
    less, refitted = weighed(sample, loss, others)
    tolerance = REFERENCE if loss == Squared() else 0.3
    assert_close(candidates.weights[others], refitted.coef, tolerance)
    assert_close(candidates.weights[-1], refitted.intercept, tolerance)
    if loss == Squared():
        before, after = (
            0.5 * sample.weight @ ((sample.targets - P @ s.coef - s.intercept) ** 2)[:, 0]
            + 0.15 * (s.coef**2).sum()
            for P, s in ((Phi, solution), (less, refitted))
        )
        assert_close(rise, after - before, REFERENCE)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize("noise", [1.0, 0.1])
def test_the_inverse_is_that_of_the_hessian(loss, noise, seed):
    """Of every output, or of the mean curvature for all; noise divides the loss."""
    sample = make_sample(seed, loss).with_noise(noise)
    Phi, solution = weighed(sample, loss, np.arange(5))
    curvature = loss.curvatures(Phi @ solution.coef + solution.intercept)
    curvature = np.maximum(curvature, LEAST_CURVATURE)
    H = np.column_stack([Phi, np.ones(len(Phi))])

    def hessian(q):
        return (H * (sample.weight / noise * q)[:, None]).T @ H + np.diag(
            solution.weight_penalties()
        )

    each = Elimination.of(solution, sample, loss).inverse
    for inverse, q in zip(each, curvature.T, strict=True):
        assert_close(inverse @ hessian(q), np.eye(6))
    (shared,) = Elimination.of(solution, sample, loss, shared=True).inverse
    assert_close(shared @ hessian(curvature.mean(axis=1)), np.eye(6))


@pytest.mark.parametrize("loss", [Logistic(), Softmax(3)], ids=["logistic", "softmax"])
def test_nodes_go_until_the_price_or_the_number_is_reached(loss, seed):
    sample = make_sample(seed, loss)
    _, solution = weighed(sample, loss, np.arange(6))
    whole = Elimination.of(solution, sample, loss)
    rises, kept = [], []
    for n_nodes in (5, 4, 3, 2, 1):
        rises.append(whole.cheapest()[1])
        kept.append(whole.prune(0.0, n_nodes))
        assert len(kept[-1]) == n_nodes
    assert all(set(few) < set(many) for many, few in pairwise(kept))
    priced = Elimination.of(solution, sample, loss)
    assert len(priced.prune(0.0, None)) == 6
    assert len(priced.prune(np.nextafter(rises[0], np.inf), None)) < 6
    assert len(priced.prune(np.inf, None)) == 1


def test_a_reduced_model_is_that_of_the_nodes_left(seed):
    """Of the quadratic: costs add up, and reducing twice is reducing once; itself unchanged."""
    loss, sample = Softmax(3), make_sample(seed, Softmax(3))
    _, solution = weighed(sample, loss, np.arange(6))
    model = Elimination.of(solution, sample, loss)
    weights, inverse = model.weights.copy(), model.inverse.copy()
    kept, smaller, cost = model.reduced(4)
    again, smallest, more = smaller.reduced(2)
    once, direct, total = model.reduced(2)
    np.testing.assert_array_equal(kept[again], once)
    assert_close(smallest.weights, direct.weights)
    assert_close(smallest.inverse, direct.inverse)
    assert_close(cost + more, total)
    np.testing.assert_array_equal(model.weights, weights)
    np.testing.assert_array_equal(model.inverse, inverse)
    assert model.alive.all()
