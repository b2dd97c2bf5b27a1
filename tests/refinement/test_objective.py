"""The penalised loss: exact gradients, its curvature, noise as a factor of the loss."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.losses import Squared
from drumlin.refinement.objective import curvatures, penalized_loss
from drumlin.refinement.variables import jacobian
from tests.helpers import REFERENCE, assert_close
from tests.refinement.problems import (
    LOSSES,
    PENALTIES,
    make_sample,
    make_variables,
    random_point,
)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_gradient_is_the_finite_difference(loss, seed):
    sample = make_sample(seed, loss)
    variables = make_variables(sample, loss)
    penalties, v = variables.penalties(PENALTIES), random_point(variables, seed)
    _, gradient = penalized_loss(sample, loss, variables, v, penalties)
    for i in range(variables.size):
        step = np.zeros(variables.size)
        step[i] = 1e-5
        up, down = (
            penalized_loss(sample, loss, variables, v + s, penalties)[0] for s in (step, -step)
        )
        assert_close(gradient[i], (up - down) / 2e-5, REFERENCE)


def test_curvature_is_the_diagonal_of_gauss_newton(seed):
    loss, sample = Squared(), make_sample(seed, Squared())
    variables = make_variables(sample, loss)
    v = random_point(variables, seed)
    J = jacobian(sample.X, variables.nodes(v), variables.width)
    expected, found = sample.weight @ (J * J), curvatures(sample, loss, variables, v)
    shared = slice(variables.cuts[3], variables.cuts[4])  # nodes are taken as independent there
    expected[shared] = found[shared]
    assert_close(found, expected, 1e-7)  # by moments: some cancellation


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_noise_divides_the_loss_and_its_curvature_but_no_penalty(loss, seed):
    sample = make_sample(seed, loss)
    variables = make_variables(sample, loss)
    v, none = random_point(variables, seed), np.zeros(variables.size)
    noisy = sample.with_noise(4.0)
    value, gradient = penalized_loss(sample, loss, variables, v, none)
    quarter, slopes = penalized_loss(noisy, loss, variables, v, none)
    assert_close(4.0 * quarter, value)
    assert_close(4.0 * slopes, gradient)
    assert_close(
        4.0 * curvatures(noisy, loss, variables, v), curvatures(sample, loss, variables, v)
    )
    penalties = variables.penalties(PENALTIES)
    penalised = penalized_loss(noisy, loss, variables, v, penalties)[0]
    assert_close(penalised - quarter, 0.5 * penalties @ v**2)
