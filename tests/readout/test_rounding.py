"""Refinement with weights so large that rounding decides what is positive."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin._kernels import LOGISTIC, SOFTMAX, SQUARED
from drumlin.readout.pruning import elimination
from drumlin.readout.refine import RefineProblem, curvatures
from drumlin.readout.variables import Variables
from drumlin.readout.weights import fit_weights


def test_curvatures_are_not_negative(seed):
    """Saturated probabilities, large weights: the variance p W^2 - (p W)^2 loses all digits."""
    rng = np.random.default_rng(seed)
    Z, labels = rng.standard_normal((7, 2)), np.arange(7) % 3
    variables = Variables(Z[:4], 1.0, 3)
    problem = RefineProblem(Z, labels, np.full(7, 1e12), SOFTMAX)
    for _ in range(20):
        v = variables.with_weights(1e6 + 50.0 * rng.standard_normal((4, 3)), np.zeros(3))
        found = curvatures(problem, variables, v)
        assert (found >= 0.0).all()


def test_nodes_of_any_log_width():
    """A line search may try what no width can be."""
    variables = Variables(np.zeros((2, 1)), 1.0, 1)
    v = np.zeros(variables.size)
    variables.split(v)[3][:] = [-1e5, 1e5]
    inv_widths = variables.nodes(v).inv_widths
    assert np.isfinite(inv_widths**2).all()
    assert (inv_widths > 0.0).all()


@pytest.mark.parametrize("loss", [LOGISTIC, SQUARED])
def test_equal_columns_of_large_weight(loss, seed):
    """The penalty is below the rounding error of a singular system."""
    rng = np.random.default_rng(seed)
    column = rng.standard_normal(30)
    Phi = np.column_stack([column, column, 3.0 * column])
    weight = 10.0 ** rng.uniform(0.0, 14.0, 30)
    labels = (rng.random(30) > 0.5).astype(np.int64)
    targets = labels if loss == LOGISTIC else rng.standard_normal((30, 1))
    coef, intercept = fit_weights(Phi, targets, weight, loss, (1e-6, 1e-12))
    assert np.isfinite(coef).all() and np.isfinite(intercept).all()
    candidates = elimination(Phi, coef, intercept, weight, loss, np.full(4, 1e-12))
    assert len(candidates.until(n_nodes=1)) == 1
    assert np.isfinite(candidates.weights).all()
