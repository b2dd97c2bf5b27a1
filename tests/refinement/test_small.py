"""Small tables: longer rounds and more nodes, as long as samples left out gain."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.laplace import LocalFit
from drumlin.losses import Logistic, Squared
from drumlin.refinement import GrowthRule, Unseen, refine
from drumlin.refinement import small as module
from tests.refinement.problems import SCHEDULE, make_objective, make_sample, make_variables

RULE = GrowthRule()
MANY = 10_000
"""Variables of the largest network that samples left out may judge."""

BRIEF = replace(SCHEDULE, rounds=(1,))  # one iteration a round never converges


def scripted(errors, sample):
    """Errors left out of one network after another, all rows alike; None where not known."""
    script = iter(errors)

    def left_out(state, rows):
        error = next(script)
        return None if error is None else (sample, sample.codes + np.sqrt(error))

    return left_out, script


@pytest.mark.parametrize(
    ("errors", "n_kept"),
    [((1.0, 0.9, 0.8, 0.79), 2), ((1.0, 0.99), 0), ((1.0, 0.5, 0.4, 0.3), 3), ((None,), 0)],
)
def test_further_rounds_are_kept_while_errors_left_out_clearly_fall(errors, n_kept, seed):
    """The scripted errors are of the scheduled rounds, then of every further one."""
    loss, sample = Squared(), make_sample(seed, Squared())
    variables, told = make_variables(sample, loss), []
    left_out, script = scripted(errors, sample)
    objective = make_objective(loss, left_out=left_out)
    brief = replace(BRIEF, further=(1, 1, 1), worth=0.02)
    result = refine(variables, sample, objective, brief, lambda state: bool(told.append(state)))
    assert next(script, "nothing") == "nothing"  # asked once for every state
    assert len(told) == 1 + n_kept
    assert result is told[-1]
    # Further rounds are rounds without pruning.
    plain = refine(
        variables, sample, make_objective(loss), replace(brief, rounds=(1,) * (1 + n_kept))
    )
    np.testing.assert_array_equal(result.vector, plain.vector)


def test_an_interrupt_in_a_further_round_keeps_the_last_one(seed):
    loss, sample = Squared(), make_sample(seed, Squared())
    calls = []

    def left_out(state, rows):
        if calls:
            raise KeyboardInterrupt
        calls.append(state)
        return sample, sample.codes + 1.0

    objective = make_objective(loss, left_out=left_out)
    result = refine(make_variables(sample, loss), sample, objective, BRIEF)
    assert result.interrupted
    np.testing.assert_array_equal(result.vector, calls[0].vector)


def by_quadratic_model(loss):
    def left_out(state, rows):
        local = LocalFit.of(state, rows.with_noise(state.noise), loss)
        return rows, local.loo_scores()[:, None]

    return left_out


def grow(sample, loss, rule=RULE, **limits):
    """Refine one node and grow; networks told on the way, and the last."""
    told = []
    objective = make_objective(
        loss, price=0.5, left_out=by_quadratic_model(loss), most_variables=MANY, **limits
    )
    variables = make_variables(sample, loss, 1)
    found = refine(variables, sample, objective, SCHEDULE, lambda s: bool(told.append(s)), rule)
    return told, found


@pytest.mark.parametrize("loss", [Logistic(), Squared()], ids=["logistic", "squared"])
def test_networks_grow_while_samples_left_out_gain(loss, seed):
    sample = make_sample(seed, loss, n=400)
    told, found = grow(sample, loss)
    assert found.n_nodes > 1
    assert found is told[-1]
    assert len(set(found.variables.support)) == found.n_nodes
    assert set(found.variables.support) <= set(sample.index)
    left_out = by_quadratic_model(loss)
    losses = [Unseen.by(loss, state, *left_out(state, sample)).loss for state in told]
    first = next(i for i, state in enumerate(told) if state.n_nodes > 1)
    assert np.all(np.diff(losses[first - 1 :]) < 0.0)


@pytest.mark.parametrize(
    "rule",
    [
        None,
        replace(RULE, variables=1),
        replace(RULE, signal=1e3),
        replace(RULE, least_saved=1e6),
        replace(RULE, margin=1e3),
    ],
    ids=["no rule", "too many variables", "luck", "little saved", "not clear"],
)
def test_no_node_is_added_without_a_reason(rule, seed):
    loss = Logistic()
    assert grow(make_sample(seed, loss, n=400), loss, rule)[1].n_nodes == 1


def test_growth_stays_within_the_limit_of_nodes(seed):
    loss = Logistic()
    sample = make_sample(seed, loss, n=400)
    assert grow(sample, loss)[1].n_nodes > 2
    assert grow(sample, loss, max_nodes=2)[1].n_nodes <= 2


def test_growth_fills_the_room_that_variables_leave(seed):
    """A network that would have too many variables grows by fewer nodes."""
    loss = Logistic()
    sample = make_sample(seed, loss, n=400)
    free = grow(sample, loss)[1]
    most = free.size - free.variables.per_node
    found = grow(sample, loss, replace(RULE, variables=most))[1]
    assert 1 < found.n_nodes < free.n_nodes
    assert found.size <= most


def test_heavier_classes_are_no_more_samples(seed):
    """What nodes must save is counted in samples, whatever these weigh."""
    loss, least = Logistic(), []
    sample = make_sample(seed, loss, n=400)
    even = replace(sample, weight=np.ones(400))
    heavy = replace(even, weight=np.full(400, 10.0), class_weights=(10.0, 10.0))
    for rows in (even, heavy):
        left_out = by_quadratic_model(loss)
        work = module.SmallRefinement(rows, make_objective(loss), SCHEDULE, RULE)
        state = refine(make_variables(rows, loss, 2), rows, make_objective(loss), SCHEDULE)
        judged = Unseen.by(loss, state, *left_out(state, rows))
        work.take(replace(judged, losses=judged.losses + 1.0))
        saved = 400.0 * (work.judged.loss - judged.loss)
        answers = [
            work._pays(judged, replace(RULE, least_saved=saved * factor, margin=0.0))
            for factor in (0.99, 1.01)
        ]
        least.append(answers)
    assert least == [[True, False]] * 2


def test_growth_does_not_depend_on_the_order_of_the_rows(seed, monkeypatch):
    """Candidates are drawn by their content: first rows are not first choices."""
    loss = Logistic()
    sample = make_sample(seed, loss, n=400)
    order = np.random.default_rng(seed).permutation(400)
    drawn = []

    def watched(state, sample, *others):
        drawn.append(sample.index)

    monkeypatch.setattr(module, "grown", watched)
    for rows in (sample, sample.take(order)):
        grow(rows, loss)
    np.testing.assert_array_equal(*drawn)


def test_no_network_grows_beyond_what_samples_left_out_can_judge(seed):
    loss, sample = Logistic(), make_sample(seed, Logistic(), n=400)
    variables, sizes = make_variables(sample, loss, 1), []
    for most in (MANY, variables.size + variables.per_node):
        objective = make_objective(
            loss, price=0.5, left_out=by_quadratic_model(loss), most_variables=most
        )
        found = refine(variables, sample, objective, SCHEDULE, growth=RULE)
        assert found.size <= most
        sizes.append(found.size)
    assert sizes[0] > sizes[1]


def test_an_audience_stops_the_growth(seed):
    loss, sample = Logistic(), make_sample(seed, Logistic(), n=400)
    objective = make_objective(
        loss, price=0.5, left_out=by_quadratic_model(loss), most_variables=MANY
    )
    variables = make_variables(sample, loss, 1)
    found = refine(variables, sample, objective, SCHEDULE, lambda s: s.n_nodes > 1, RULE)
    assert found.n_nodes == next(s.n_nodes for s in grow(sample, loss)[0] if s.n_nodes > 1)
    assert not found.interrupted
