"""Steps by the gradients of small batches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.refinement import penalized_loss
from drumlin.refinement.objective import loss_of_part
from drumlin.refinement.rounds import with_weights
from drumlin.refinement.schedule import Stir, StirRule
from drumlin.refinement.stirring import _Adam, batches_of, stirred
from tests.helpers import assert_close
from tests.refinement.problems import (
    LOSSES,
    make_objective,
    make_sample,
    make_variables,
    random_point,
)

RULE = StirRule(rows=60, memory=(0.8, 0.95))


def start(seed, loss, n=400, n_nodes=3):
    sample = make_sample(seed, loss, n=n)
    return sample, with_weights(make_variables(sample, loss, n_nodes), sample, make_objective(loss))


def test_adam_is_the_weighted_mean_over_the_root_of_the_weighted_square(seed):
    """Weights fall with age by a factor, and sum to one from the first step on."""
    gradients = np.random.default_rng(seed).standard_normal((7, 5))
    adam = _Adam(5, (0.8, 0.95))
    found = [adam.direction(gradient) for gradient in gradients][-1]
    ages = np.arange(7)[::-1, None]
    means = []
    for stays, values in ((0.8, gradients), (0.95, gradients**2)):
        weight = stays**ages
        means.append((weight * values).sum(axis=0) / weight.sum())
    assert_close(found, means[0] / np.sqrt(means[1]))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_gradients_of_batches_sum_to_that_of_all_rows(seed, loss):
    sample, state = start(seed, loss)
    v, nothing = random_point(state.variables, seed), np.zeros(state.size)
    batches = batches_of(sample, 90)
    assert [batch.n_rows for batch in batches] == [100] * 4
    nodes = state.variables.nodes(v)
    parts = [state.variables.gradient(loss_of_part(part, nodes, loss)[1]) for part in batches]
    whole = penalized_loss(sample, loss, state.variables, v, nothing)[1]
    assert_close(sum(parts), whole)


def test_batches_do_not_depend_on_the_order_of_the_rows(seed):
    loss = LOSSES["logistic"]
    sample, state = start(seed, loss)
    order = np.random.default_rng(seed).permutation(sample.n_rows)
    one, other = (batches_of(rows, 90) for rows in (sample, sample.take(order)))
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a.X, b.X)
        np.testing.assert_array_equal(a.index, b.index)
    stir = Stir(0.02, 30, 30)
    pair = [stirred(state, rows, loss, RULE, stir).vector for rows in (sample, sample.take(order))]
    np.testing.assert_array_equal(*pair)


def test_few_rows_are_one_batch(seed):
    sample, _ = start(seed, LOSSES["squared"], n=50)
    assert len(batches_of(sample, 60)) == 1


def test_a_step_over_all_rows_is_the_sign_of_the_gradient(seed):
    """The first mean over the root of the first mean square, times the length of the step."""
    loss = LOSSES["squared"]
    sample, state = start(seed, loss)
    rule, stir = replace(RULE, rows=sample.n_rows, warm=1.0), Stir(0.3, 3, 3)
    gradient = penalized_loss(sample, loss, state.variables, state.vector, state.precision())[1]
    first = stirred(state, sample, loss, replace(rule, memory=(0.0, 0.0)), stir._replace(n_steps=1))
    np.testing.assert_array_equal(first.vector, state.vector)  # the last step has no length
    moved = stirred(state, sample, loss, rule, Stir(0.3, 2, 2)).vector - state.vector
    assert_close(moved, -rule.length(Stir(0.3, 2, 2), 1) * np.sign(gradient))


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_the_loss_falls(seed, loss):
    sample, state = start(seed, loss)
    state = replace(state, vector=random_point(state.variables, seed))

    def value(state):
        return penalized_loss(sample, loss, state.variables, state.vector, state.precision())[0]

    after = stirred(state, sample, loss, RULE, Stir(0.02, 300, 300))
    assert value(after) < value(state)
    assert after.variables is state.variables
