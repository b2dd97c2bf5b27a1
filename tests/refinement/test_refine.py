"""Joint refinement: exact gradients, a lower loss, pruning by the quadratic model."""

from __future__ import annotations

import numpy as np
import pytest
from drumlin.refinement.activations import activations, jacobian

from drumlin._kernels import LOGISTIC, SOFTMAX, SQUARED, backend
from drumlin.laplace.elimination import elimination
from drumlin.laplace.quadratic import QuadraticModel, loo_scores
from drumlin.linear.weights import fit_weights
from drumlin.refinement import refine as refine_module
from drumlin.refinement.refine import (
    RefineProblem,
    curvatures,
    penalized_loss,
    refine,
)
from drumlin.refinement.variables import Penalties, Variables
from tests.helpers import IDENTITY, REFERENCE, assert_close

PENALTIES = Penalties(1e-6, 0.3, 3.0, 3.0, 30.0, 10.0)
LOSSES = {LOGISTIC: 1, SOFTMAX: 3, SQUARED: 1}


def make_problem(seed, loss, n=80, d=3):
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, d))
    signal = Z[:, 0] ** 2 + Z[:, 1] + 0.3 * rng.standard_normal(n)
    if loss == SQUARED:
        targets = (signal - signal.mean())[:, None] / signal.std()
    else:
        n_classes = 2 if loss == LOGISTIC else 3
        targets = np.digitize(signal, np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1]))
    return RefineProblem(Z, targets, rng.uniform(0.5, 2.0, n), loss)


def make_variables(problem, n_nodes=4):
    return Variables(problem.Z[:n_nodes].copy(), 1.5, LOSSES[problem.loss])


def random_point(variables, seed):
    return 0.3 * np.random.default_rng(seed).standard_normal(variables.size)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradient_is_the_finite_difference(loss, seed):
    problem = make_problem(seed, loss)
    variables = make_variables(problem)
    lam, v = variables.penalties(PENALTIES), random_point(variables, seed)
    columns = np.ascontiguousarray(problem.Z.T)
    _, gradient = penalized_loss(columns, problem, variables, v, lam)
    for i in range(variables.size):
        step = np.zeros(variables.size)
        step[i] = 1e-5
        up, down = (
            penalized_loss(columns, problem, variables, v + s, lam)[0] for s in (step, -step)
        )
        assert_close(gradient[i], (up - down) / 2e-5, REFERENCE)


def test_groups_survive_packing(seed):
    problem = make_problem(seed, SOFTMAX)
    variables = make_variables(problem)
    v = random_point(variables, seed)
    np.testing.assert_array_equal(variables.pack(*variables.split(v)), v)
    smaller, w = variables.keep(v, np.array([0, 2]))
    kept = smaller.nodes(w)
    whole = variables.nodes(v)
    assert_close(kept.centers, whole.centers[[0, 2]])
    assert_close(kept.inv_widths, whole.inv_widths[[0, 2]])
    assert_close(kept.coef, whole.coef[[0, 2]])


def test_curvature_is_the_diagonal_of_gauss_newton(seed):
    problem = make_problem(seed, SQUARED)
    variables = make_variables(problem)
    v = random_point(variables, seed)
    J = jacobian(problem.Z, variables.nodes(v), variables.width)
    expected, found = problem.weight @ (J * J), curvatures(problem, variables, v)
    shared = slice(variables.cuts[3], variables.cuts[4])  # nodes are taken as independent there
    expected[shared] = found[shared]
    assert_close(found, expected, 1e-7)  # by moments: some cancellation


def test_jacobian_is_the_finite_difference(seed):
    problem = make_problem(seed, SQUARED)
    variables = make_variables(problem)
    v = random_point(variables, seed)

    def scores(v):
        nodes = variables.nodes(v)
        Phi = activations(problem.Z, nodes.centers, nodes.inv_widths)
        return (Phi @ nodes.coef + nodes.intercept)[:, 0]

    J = jacobian(problem.Z, variables.nodes(v), variables.width)
    for i in range(variables.size):
        step = np.zeros(variables.size)
        step[i] = 1e-6
        assert_close(J[:, i], (scores(v + step) - scores(v - step)) / 2e-6, REFERENCE)


@pytest.mark.parametrize("loss", LOSSES)
def test_refinement_lowers_the_penalised_loss_to_a_stationary_point(loss, seed, monkeypatch):
    monkeypatch.setattr(refine_module, "ROUNDS", (200, 200))
    monkeypatch.setattr(refine_module, "_TOLERANCE", 1e-13)
    problem = make_problem(seed, loss)
    variables = make_variables(problem)
    lam = variables.penalties(PENALTIES)
    columns = np.ascontiguousarray(problem.Z.T)
    Phi = activations(problem.Z, variables.centers, np.full(variables.centers.shape, 1 / 1.5))
    weights = fit_weights(Phi, problem.targets, problem.weight, loss, (1e-6, 0.3))
    start = penalized_loss(columns, problem, variables, variables.with_weights(*weights), lam)[0]
    result = refine(problem, variables, lambda m: PENALTIES, price=0.0)
    value, gradient = penalized_loss(columns, problem, variables, result.vector, lam)
    assert value < start - 1.0
    assert np.abs(gradient).max() < 1e-2
    assert len(result.kept) == 4


def test_a_callback_stops_and_an_interrupt_keeps_the_best(seed):
    problem = make_problem(seed, LOGISTIC)
    rounds = []

    def stop(state):
        rounds.append(state)
        return True

    result = refine(problem, make_variables(problem), lambda m: PENALTIES, 0.0, stop)
    assert len(rounds) == 1
    assert not result.interrupted

    def interrupt(state):
        raise KeyboardInterrupt

    result = refine(problem, make_variables(problem), lambda m: PENALTIES, 0.0, interrupt)
    assert result.interrupted
    np.testing.assert_array_equal(result.vector, rounds[0].vector)


def test_an_interrupt_inside_a_round_keeps_the_best_point(seed, monkeypatch):
    problem = make_problem(seed, LOGISTIC)
    variables = make_variables(problem)
    module, calls = backend(), []
    original = module.value_and_gradient

    def interrupted(*args, **kwargs):
        calls.append(1)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return original(*args, **kwargs)

    monkeypatch.setattr(module, "value_and_gradient", interrupted)
    result = refine(problem, variables, lambda m: PENALTIES, 0.0)
    monkeypatch.undo()
    assert result.interrupted
    lam, columns = variables.penalties(PENALTIES), np.ascontiguousarray(problem.Z.T)
    full = refine(problem, variables, lambda m: PENALTIES, 0.0)
    reached = penalized_loss(columns, problem, variables, result.vector, lam)[0]
    best = penalized_loss(columns, problem, variables, full.vector, lam)[0]
    start = penalized_loss(columns, problem, variables, np.zeros(variables.size), lam)[0]
    assert best - IDENTITY <= reached < start


@pytest.mark.parametrize("loss", LOSSES)
def test_dropping_a_node_is_refitting_without_it(loss, seed):
    """For squared loss the quadratic model is exact; else it is close for a useless node."""
    problem = make_problem(seed, loss)
    Phi = activations(problem.Z, problem.Z[:5], np.full((5, 3), 0.7))
    pair = (1e-6, 0.3)
    weights = fit_weights(Phi, problem.targets, problem.weight, loss, pair)
    candidates = elimination(Phi, *weights, problem.weight, loss, PENALTIES.of_weights(5))
    j, rise = candidates.cheapest()
    candidates.drop(j)
    others = np.delete(np.arange(5), j)
    coef, intercept = fit_weights(Phi[:, others], problem.targets, problem.weight, loss, pair)
    tolerance = REFERENCE if loss == SQUARED else 0.3
    assert_close(candidates.weights[others], coef, tolerance)
    assert_close(candidates.weights[-1], intercept, tolerance)
    if loss == SQUARED:
        before, after = (
            0.5 * problem.weight @ ((problem.targets - P @ W - b) ** 2)[:, 0] + 0.15 * (W**2).sum()
            for P, W, b in ((Phi, *weights), (Phi[:, others], coef, intercept))
        )
        assert_close(rise, after - before, REFERENCE)


def test_a_higher_price_leaves_fewer_nodes(seed):
    problem = make_problem(seed, LOGISTIC, n=300)
    variables = Variables(problem.Z[:8].copy(), 1.5, 1)
    sizes = [
        len(refine(problem, variables, lambda m: PENALTIES, price).kept)
        for price in (0.0, 1.0, 1e6)
    ]
    assert sizes[0] == 8
    assert 1 < sizes[1] < 8
    assert sizes[2] == 1


def test_leave_one_out_by_newton_is_exact_for_least_squares(seed):
    """With squared loss and only weights to fit, one Newton step is the refit."""
    problem = make_problem(seed, SQUARED, n=30)
    Phi = activations(problem.Z, problem.Z[:4], np.full((4, 3), 0.7))
    H = np.column_stack([np.ones(30), Phi])
    penalties = np.array([1e-6, 0.3, 0.3, 0.3, 0.3])
    weight, target = problem.weight, problem.targets[:, 0]

    def fit(rows):
        system = (H[rows] * weight[rows, None]).T @ H[rows] + np.diag(penalties)
        return np.linalg.solve(system, H[rows].T @ (weight[rows] * target[rows]))

    scores = H @ fit(np.arange(30))
    model = QuadraticModel.fit(H, weight, penalties)
    loo = loo_scores(scores, scores - target, np.ones(30), model.variances(H), weight)
    expected = [H[i] @ fit(np.delete(np.arange(30), i)) for i in range(30)]
    assert_close(loo, expected)


def test_large_tables_are_refined_on_samples_first(monkeypatch, seed):
    """Same minimum, within single precision, whatever the schedule."""
    problem = make_problem(seed, LOGISTIC, n=3000)
    variables = make_variables(problem)
    whole = refine(problem, variables, lambda m: PENALTIES, price=0.0)
    monkeypatch.setattr(refine_module, "LARGE", 1000)
    monkeypatch.setattr(refine_module, "SAMPLE", 300)
    parts = refine(problem, variables, lambda m: PENALTIES, price=0.0)
    lam, columns = variables.penalties(PENALTIES), np.ascontiguousarray(problem.Z.T)
    values = [penalized_loss(columns, problem, variables, r.vector, lam)[0] for r in (whole, parts)]
    assert_close(values[0] / 3000, values[1] / 3000, 5e-3)  # both stop on progress, not at the end
