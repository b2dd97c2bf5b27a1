"""Refinement with weights so large that rounding decides what is positive."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin._kernels import NodeParameters
from drumlin.laplace import Elimination
from drumlin.linear.weights import fit_weights
from drumlin.losses import Logistic, Softmax, Squared
from drumlin.refinement import Variables
from drumlin.refinement.objective import curvatures
from drumlin.sample import Sample


def test_curvatures_are_not_negative(seed):
    """Saturated probabilities, large weights: the variance p W^2 - (p W)^2 loses all digits."""
    rng = np.random.default_rng(seed)
    Z, labels = rng.standard_normal((7, 2)), np.arange(7) % 3
    variables = Variables(Z[:4], 1.0, 3, np.arange(4))
    sample = Sample.of(Z, np.zeros((7, 3)), labels, np.full(7, 1e12), 3)
    for _ in range(20):
        v = variables.with_weights(1e6 + 50.0 * rng.standard_normal((4, 3)), np.zeros(3))
        found = curvatures(sample, Softmax(3), variables, v)
        assert (found >= 0.0).all()


def test_nodes_of_any_log_width():
    """A line search may try what no width can be."""
    variables = Variables(np.zeros((2, 1)), 1.0, 1, np.arange(2))
    v = np.zeros(variables.size)
    variables.split(v)[3][:] = [-1e5, 1e5]
    inv_widths = variables.nodes(v).inv_widths
    assert np.isfinite(inv_widths**2).all()
    assert (inv_widths > 0.0).all()


class Equal:
    """A solution whose nodes all stand in one place."""

    def __init__(self, coef, intercept):
        ones = np.ones((3, 1))
        self._nodes = NodeParameters(np.zeros((3, 1)), ones, coef, intercept)

    def nodes(self):
        return self._nodes

    def weight_penalties(self):
        return np.full(4, 1e-12)


@pytest.mark.parametrize("loss", [Logistic(), Squared()], ids=lambda loss: type(loss).__name__)
def test_equal_columns_of_large_weight(loss, seed):
    """The penalty is below the rounding error of a singular system."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((30, 1))
    Phi = np.repeat(np.exp(-0.5 * Z**2), 3, axis=1)
    weight = 10.0 ** rng.uniform(0.0, 14.0, 30)
    labels = (rng.random(30) > 0.5).astype(np.int64)
    n_classes = 2 if loss == Logistic() else 1
    sample = Sample.of(Z, rng.standard_normal((30, 1)), labels, weight, n_classes)
    coef, intercept = fit_weights(Phi, sample.targets, weight, loss, (1e-6, 1e-12))
    assert np.isfinite(coef).all()
    assert np.isfinite(intercept).all()
    candidates = Elimination.of(Equal(coef, intercept), sample, loss)
    assert len(candidates.prune(np.inf, 1)) == 1
    assert np.isfinite(candidates.weights).all()
