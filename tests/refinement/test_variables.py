"""The variables of the refinement: packing, dropping nodes, derivatives of the score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.basis import gaussian_activations
from drumlin.losses import Softmax, Squared
from drumlin.refinement.variables import jacobian
from tests.helpers import REFERENCE, assert_close
from tests.refinement.problems import make_sample, make_variables, random_point


def test_groups_survive_packing(seed):
    loss = Softmax(3)
    variables = make_variables(make_sample(seed, loss), loss)
    v = random_point(variables, seed)
    np.testing.assert_array_equal(variables.pack(*variables.split(v)), v)
    smaller, w = variables.keep(v, np.array([0, 2]))
    kept = smaller.nodes(w)
    whole = variables.nodes(v)
    assert_close(kept.centers, whole.centers[[0, 2]])
    assert_close(kept.inv_widths, whole.inv_widths[[0, 2]])
    assert_close(kept.coef, whole.coef[[0, 2]])


@pytest.mark.parametrize("width", [1.5, np.array([0.7, 3.0, 9.0])])
def test_jacobian_is_the_finite_difference(width, seed):
    sample = make_sample(seed, Squared())
    variables = replace(make_variables(sample, Squared()), width=width)
    v = random_point(variables, seed)

    def scores(v):
        nodes = variables.nodes(v)
        Phi = gaussian_activations(sample.X, nodes.centers, nodes.inv_widths)
        return (Phi @ nodes.coef + nodes.intercept)[:, 0]

    J = jacobian(sample.X, variables.nodes(v), variables.width)
    for i in range(variables.size):
        step = np.zeros(variables.size)
        step[i] = 1e-6
        assert_close(J[:, i], (scores(v + step) - scores(v - step)) / 2e-6, REFERENCE)
