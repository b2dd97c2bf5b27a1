"""Joint refinement: a lower loss, pruning at a price, draws first, interrupts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin._kernels import backend
from drumlin.basis import gaussian_activations
from drumlin.linear.weights import fit_weights
from drumlin.losses import Logistic, Squared
from drumlin.refinement import Variables, description_length, refine
from drumlin.refinement.objective import penalized_loss
from tests.helpers import IDENTITY, assert_close
from tests.refinement.problems import (
    LOSSES,
    PENALTIES,
    SCHEDULE,
    make_objective,
    make_sample,
    make_variables,
)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_refinement_lowers_the_penalised_loss_to_a_stationary_point(loss, seed):
    sample = make_sample(seed, loss)
    variables = make_variables(sample, loss)
    penalties = variables.penalties(PENALTIES)
    inv_widths = np.full(variables.centers.shape, 1 / 1.5)
    Phi = gaussian_activations(sample.X, variables.centers, inv_widths)
    weights = fit_weights(Phi, sample.targets, sample.weight, loss, (1e-6, 0.3))
    start = penalized_loss(sample, loss, variables, variables.with_weights(*weights), penalties)[0]
    long = replace(SCHEDULE, rounds=(200, 200), tolerance=1e-13)
    result = refine(variables, sample, make_objective(loss), long)
    value, gradient = penalized_loss(sample, loss, variables, result.vector, penalties)
    assert value < start - 1.0
    assert np.abs(gradient).max() < 1e-2
    assert result.n_nodes == 4


def test_a_callback_stops_and_an_interrupt_keeps_the_best(seed):
    loss, sample = Logistic(), make_sample(seed, Logistic())
    variables, objective = make_variables(sample, loss), make_objective(loss)
    rounds = []

    def stop(state):
        rounds.append(state)
        return True

    result = refine(variables, sample, objective, SCHEDULE, stop)
    assert len(rounds) == 1
    assert not result.interrupted

    def interrupt(state):
        raise KeyboardInterrupt

    result = refine(variables, sample, objective, SCHEDULE, interrupt)
    assert result.interrupted
    np.testing.assert_array_equal(result.vector, rounds[0].vector)


def test_an_interrupt_inside_a_round_keeps_the_best_point(seed, monkeypatch):
    loss, sample = Logistic(), make_sample(seed, Logistic())
    variables, objective = make_variables(sample, loss), make_objective(loss)
    module, calls = backend(), []
    original = module.value_and_gradient

    def interrupted(*args, **kwargs):
        calls.append(1)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return original(*args, **kwargs)

    monkeypatch.setattr(module, "value_and_gradient", interrupted)
    result = refine(variables, sample, objective, SCHEDULE)
    monkeypatch.undo()
    assert result.interrupted
    full = refine(variables, sample, objective, SCHEDULE)
    reached, best, start = (
        penalized_loss(sample, loss, variables, v, variables.penalties(PENALTIES))[0]
        for v in (result.vector, full.vector, np.zeros(variables.size))
    )
    assert best - IDENTITY <= reached < start


def test_a_higher_price_leaves_fewer_nodes(seed):
    sample = make_sample(seed, Logistic(), n=300)
    variables = Variables(sample.X[:8].copy(), 1.5, 1, np.arange(8))
    sizes = [
        refine(variables, sample, make_objective(Logistic(), price), SCHEDULE).n_nodes
        for price in (0.0, 1.0, 1e6)
    ]
    assert sizes[0] == 8
    assert 1 < sizes[1] < 8
    assert sizes[2] == 1


def test_nodes_beyond_the_limit_go_after_the_first_round(seed):
    sample = make_sample(seed, Logistic(), n=300)
    sizes = []

    def count(state):
        sizes.append(state.n_nodes)
        return False

    objective = make_objective(Logistic(), max_nodes=3)
    result = refine(
        Variables(sample.X[:8].copy(), 1.5, 1, np.arange(8)), sample, objective, SCHEDULE, count
    )
    assert set(sizes) == {3}
    nodes = result.nodes()
    assert len(nodes.centers) == result.n_nodes == len(set(result.variables.support)) == 3


def test_noise_is_learned_after_every_round(seed):
    """What the objective says of the noise is the noise of the next round, and of the result."""
    loss, sample = Squared(), make_sample(seed, Squared())
    noises, seen = iter((0.5, 0.25, 0.125)), []

    def noise(state, rows):
        seen.append((state.noise, rows.noise))
        return next(noises)

    objective = make_objective(loss, noise=noise)
    # One iteration a round never converges, so there are three of them.
    brief = replace(SCHEDULE, rounds=(1, 1, 1))
    result = refine(make_variables(sample, loss), sample.with_noise(2.0), objective, brief)
    assert seen == [(2.0, 2.0), (0.5, 0.5), (0.25, 0.25)]
    assert result.noise == 0.125


def test_description_length_is_the_likelihood_with_the_noise_and_the_price(seed):
    loss, sample = Squared(), make_sample(seed, Squared())
    objective = make_objective(loss, price=0.7, noise=lambda state, rows: 0.25)
    state = refine(make_variables(sample, loss), sample, objective, SCHEDULE)
    nodes, v = state.nodes(), state.vector
    scores = gaussian_activations(sample.X, nodes.centers, nodes.inv_widths) @ nodes.coef
    squares = ((sample.codes - scores - nodes.intercept) ** 2)[:, 0]
    expected = 0.5 * sample.weight @ (squares / 0.25 + np.log(0.25))
    expected += 0.5 * state.precision() @ v**2 + 0.7 * state.n_nodes
    assert_close(description_length(state, sample, objective), expected)
