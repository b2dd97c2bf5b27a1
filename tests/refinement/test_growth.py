"""New nodes where a refined network errs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.basis import gaussian_activations
from drumlin.laplace import network_scores
from drumlin.refinement import GrowthRule, refine
from drumlin.refinement.growth import _Unexplained, grown
from tests.helpers import assert_close
from tests.refinement.problems import (
    LOSSES,
    PENALTIES,
    SCHEDULE,
    make_objective,
    make_sample,
    make_variables,
)

RULE = GrowthRule()


def refined(sample, loss, n_nodes=2):
    return refine(make_variables(sample, loss, n_nodes), sample, make_objective(loss), SCHEDULE)


def penalized(state, sample, loss):
    """Summed loss and penalties of weights and intercept."""
    nodes = state.nodes()
    summed = sample.loss_weight @ loss.values(sample.targets, network_scores(state, sample.X))
    squares = np.append((nodes.coef**2).sum(axis=1), (nodes.intercept**2).sum())
    return summed + 0.5 * PENALTIES.of_weights(len(nodes.coef)) @ squares


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_new_nodes_stand_on_rows_and_lower_the_loss(seed, loss):
    sample = make_sample(seed, loss, n=300)
    before = refined(sample, loss)
    after = grown(before, sample.take(slice(300)), sample, make_objective(loss), 3, RULE)
    old = before.n_nodes
    assert old < after.n_nodes <= old + 3
    assert_close(after.nodes().centers[:old], before.nodes().centers)
    assert_close(after.nodes().inv_widths[:old], before.nodes().inv_widths)
    rows = after.variables.support[old:]
    assert_close(after.nodes().centers[old:], sample.X[rows])
    assert penalized(after, sample, loss) < penalized(before, sample, loss)


def test_the_first_new_node_is_the_one_that_explains_most(seed):
    """By brute force: least squares with and without each candidate, at both scales."""
    loss = LOSSES["squared"]
    sample = make_sample(seed, loss, n=120)
    before = refined(sample, loss)
    rule = replace(RULE, alpha=0.0, candidates=(120, 0))
    after = grown(before, sample.take(slice(120)), sample, make_objective(loss), 1, rule)
    nodes, root = before.nodes(), np.sqrt(sample.weight)
    columns = [np.ones(120), *gaussian_activations(sample.X, nodes.centers, nodes.inv_widths).T]
    slopes = root * (sample.codes - network_scores(before, sample.X))[:, 0]
    _, _, _, S, a, _ = before.variables.split(before.vector)
    best = {}
    for step in rule.scales:
        inv = np.exp(-(np.median(S) + step) - a) / before.variables.width
        Phi = gaussian_activations(sample.X, sample.X, np.tile(inv, (120, 1)))
        for j, column in enumerate(Phi.T):
            H = np.column_stack([*columns, column]) * root[:, None]
            left = slopes - H @ np.linalg.lstsq(H, slopes, rcond=None)[0]
            best[step, j] = left @ left
    per_scale = [min((v, j) for (s, j), v in best.items() if s == step)[1] for step in rule.scales]
    assert after.variables.support[-1] in per_scale


def test_what_the_present_nodes_can_say_is_taken_out(seed):
    loss = LOSSES["softmax"]
    sample = make_sample(seed, loss)
    state = refined(sample, loss)
    nodes = state.nodes()
    Phi = gaussian_activations(sample.X, nodes.centers, nodes.inv_widths)
    left = _Unexplained.by(state, sample, loss)
    for column in (*Phi.T, np.ones(len(Phi))):
        assert_close(left.freed_(column[:, None].copy()), np.zeros((len(Phi), 1)))
        assert_close(sample.weight @ (left.targets * column[:, None]), np.zeros(3), 1e-8)


def test_nothing_is_proposed_where_nothing_is_left(seed):
    """Targets that the present nodes make exactly."""
    loss = LOSSES["squared"]
    sample = make_sample(seed, loss)
    state = refined(sample, loss)
    exact = sample.with_codes(network_scores(state, sample.X))
    assert grown(state, exact.take(slice(80)), exact, make_objective(loss), 3, RULE) is None
