"""Leave-one-out of networks with several scores."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.laplace import LocalFit, network_scores, several
from drumlin.laplace.several import (
    LARGEST_MOVE,
    curvatures_of,
    loo_scores_of_several,
)
from drumlin.losses import Logistic, Softmax, Squared, log_loss
from drumlin.refinement import refine
from drumlin.refinement.descent import descend
from drumlin.refinement.objective import penalized_loss
from tests.helpers import assert_close
from tests.refinement.problems import (
    SCHEDULE,
    jacobians,
    make_objective,
    make_sample,
    make_variables,
)

LOSS = Softmax(3)
LOSSES = (LOSS, Logistic())
"""Three scores of three classes, and one of two."""


def fitted(seed, n=90, loss=LOSS):
    sample = make_sample(seed, loss, n)
    return refine(make_variables(sample, loss), sample, make_objective(loss), SCHEDULE), sample


def test_jacobians_are_finite_differences(seed):
    state, sample = fitted(seed)
    Z, step = sample.X[:7], 1e-6
    J = jacobians(state, Z)
    for v in range(state.size):
        moved = [state.vector.copy(), state.vector.copy()]
        moved[0][v] -= step
        moved[1][v] += step
        low, high = (network_scores(replace(state, vector=m), Z) for m in moved)
        assert_close(J[:, :, v], (high - low) / (2.0 * step), 1e-7)


def settled(state, sample, loss=LOSS):
    """Go downhill to the end."""

    def value_and_gradient(v):
        return penalized_loss(sample, loss, state.variables, v, state.precision())

    options = {"maxcor": 60, "maxiter": 300, "ftol": 1e-9}
    return replace(state, vector=descend(value_and_gradient, state.vector, options).vector)


def test_curvature_and_bends_are_finite_differences_of_the_gradient(seed):
    state, sample = fitted(seed)
    J, scores = jacobians(state, sample.X), network_scores(state, sample.X)
    S = curvatures_of(LOSS.link(scores))
    H = np.einsum("n,nkp,nkl,nlq->pq", sample.loss_weight, J, S, J, optimize=True)
    pull = sample.loss_weight[:, None] * LOSS.slopes(sample.targets, scores)
    H += state.bends(sample.X, pull)
    none, step = np.zeros(state.size), 1e-5
    for v in range(state.size):
        moved = step * np.eye(state.size)[v]
        low, high = (
            penalized_loss(sample, LOSS, state.variables, state.vector + m, none)[1]
            for m in (-moved, moved)
        )
        assert_close(H[v], (high - low) / (2.0 * step), 1e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_losses_left_out_are_those_of_refits(seed, loss):
    """Some samples left out, one by one, and the network refitted, from the optimum with it."""
    state, sample = fitted(seed, 60, loss)
    state, rows = settled(state, sample, loss), np.arange(0, sample.n_rows, 8)
    truth = np.empty((len(rows), sample.codes.shape[1]))
    for at, i in enumerate(rows):
        weight = sample.weight.copy()
        weight[i] -= sample.left_out[i]
        without = settled(state, replace(sample, weight=weight), loss)
        truth[at] = network_scores(without, sample.X[[i]])[0]
    told, straight, train, true = (
        log_loss(scores, sample.labels[rows], np.ones(len(rows)), 1.0)
        for scores in (
            loo_scores_of_several(state, sample, loss)[rows],
            loo_scores_of_several(state, sample, loss, bent=False)[rows],
            network_scores(state, sample.X)[rows],
            truth,
        )
    )
    assert abs(told - true) < 0.2 * (true - train)
    assert abs(told - true) < abs(straight - true)


def test_no_more_bends_than_leave_the_curvature_positive_definite(seed):
    H, R = np.eye(4), np.diag([1.0, 0.0, 0.0, -3.0])
    assert_close(several._factor(H, R) @ several._factor(H, R).T, H + 0.25 * R)
    assert_close(several._factor(H, 100.0 * R), H)


def test_bends_never_leave_a_direction_that_nothing_holds(seed):
    """Positive definite by a hair is not enough: such a direction moved every row to its limit."""
    H = np.cov(np.random.default_rng(seed).standard_normal((4, 30)))
    L = np.linalg.cholesky(H)
    barely = L @ np.diag([1.0, 0.0, 0.0, -0.999]) @ L.T
    assert np.linalg.eigvalsh(H + barely)[0] > 0.0
    factor = several._factor(H, barely)
    assert_close(factor @ factor.T, H + 0.5 * barely)
    enough = L @ np.diag([1.0, 0.0, 0.0, -0.9]) @ L.T
    factor = several._factor(H, enough)
    assert_close(factor @ factor.T, H + enough)


def test_rows_in_parts_give_the_same(seed, monkeypatch):
    state, sample = fitted(seed)
    whole = loo_scores_of_several(state, sample, LOSS)
    monkeypatch.setattr(several, "AT_ONCE", 20 * state.size)  # 20 rows at once
    assert_close(loo_scores_of_several(state, sample, LOSS), whole)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("bent", [False, True])
def test_a_newton_step_without_the_sample(seed, bent, whole):
    """By brute force: the model of all other samples, solved for every one of them."""
    state, sample = fitted(seed)
    J, scores = jacobians(state, sample.X), network_scores(state, sample.X)
    S = curvatures_of(LOSS.link(scores))
    slopes = LOSS.slopes(sample.targets, scores)
    left = sample.weight if whole else np.minimum(sample.weight, 1.0)
    parts = np.einsum("nkp,nkl,nlq->npq", J, S, J)
    H = np.einsum("n,npq->pq", sample.loss_weight, parts) + np.diag(state.precision())
    if bent:
        H += state.bends(sample.X, sample.loss_weight[:, None] * slopes)
    found = loo_scores_of_several(state, sample, LOSS, bent=bent, whole=whole)
    for i in range(sample.n_rows):
        step = np.linalg.solve(H - left[i] * parts[i], left[i] * J[i].T @ slopes[i])
        move = J[i] @ step
        move -= move.mean()  # a common shift means nothing
        if np.abs(move).max() < LARGEST_MOVE:
            assert_close(found[i], scores[i] + move, 1e-7)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_no_sample_moves_far(seed, loss):
    """A single score is the difference of two."""
    state, sample = fitted(seed, loss=loss)
    certain = replace(state, vector=40.0 * state.vector)
    moves = loo_scores_of_several(certain, sample, loss) - network_scores(certain, sample.X)
    assert np.abs(moves).max() <= LARGEST_MOVE * (1 + 1e-9) * (1 if loss == LOSS else 2)


def test_without_bends_one_score_is_that_of_the_quadratic_model(seed):
    state, sample = fitted(seed, loss=Logistic())
    local = LocalFit.of(state, sample, Logistic()).loo_scores()
    found = loo_scores_of_several(state, sample, Logistic(), bent=False)[:, 0]
    short = np.abs(local - network_scores(state, sample.X)[:, 0]) < 2.0 * LARGEST_MOVE
    assert short.mean() > 0.9
    assert_close(found[short], local[short], 1e-7)  # other floors of curvatures


def test_single_precision_is_close(seed):
    state, sample = fitted(seed, loss=Logistic())
    double = loo_scores_of_several(state, sample, Logistic())
    single = loo_scores_of_several(state, sample.in_single(True), Logistic())
    assert_close(single, double, 1e-3)


def test_roots_of_the_curvature(seed):
    scores = np.random.default_rng(seed).standard_normal((6, 4))
    R = Softmax(4).curvature_roots(scores)
    assert_close(R @ R.transpose(0, 2, 1), curvatures_of(Softmax(4).link(scores)))
    np.testing.assert_array_equal(Squared().curvature_roots(scores), np.tile(np.eye(4), (6, 1, 1)))


def test_several_outputs_by_brute_force(seed):
    """The quadratic model of all other samples, refitted without every one of them."""
    sample = make_sample(seed, Squared(), 60)
    codes = np.column_stack([sample.codes[:, 0], np.sin(sample.X[:, 0]), sample.X[:, 1]])
    sample = sample.with_codes(codes).with_noise(0.3)
    variables = replace(make_variables(sample, Squared()), n_outputs=3)
    objective = make_objective(Squared())
    state = refine(variables, sample, objective, SCHEDULE)
    J, scores = jacobians(state, sample.X), network_scores(state, sample.X)
    parts = np.einsum("nkp,nkq->npq", J, J)
    H = np.einsum("n,npq->pq", sample.loss_weight, parts) + np.diag(state.precision())
    H += state.bends(sample.X, sample.loss_weight[:, None] * (scores - codes))
    found, left = loo_scores_of_several(state, sample, Squared()), sample.left_out / sample.noise
    for i in range(sample.n_rows):
        step = np.linalg.solve(H - left[i] * parts[i], left[i] * J[i].T @ (scores - codes)[i])
        assert_close(found[i], scores[i] + J[i] @ step, 1e-7)
