"""Samples far from all nodes keep the sign of their leave-one-out scores, however small."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin import ForwardRBFClassifier, presets
from drumlin._kernels import BACKENDS, EXPONENT_FLOOR
from drumlin.basis import Gaussian, Nodes
from drumlin.criteria import LOOMisclassification, LOOMutualInformation
from drumlin.linear import FixedRegularizer, OrthogonalRegression
from drumlin.selection import (
    InplaceCandidates,
    Inputs,
    RecomputedCandidates,
    SamplePool,
    Scoring,
    Stopping,
    select_forward,
)
from tests.helpers import IDENTITY
from tests.selection.decimals import activations, loo_predictions
from tests.selection.literal import select
from tests.selection.problems import chosen, two_moons

ALPHA = 1e-6
REACH = np.sqrt(-2.0 * EXPONENT_FLOOR)  # beyond 37.4 widths activations are all alike
CRITERIA = {
    "hong2008": LOOMisclassification(zero_is_wrong=False),
    "chen2010": LOOMisclassification(zero_is_wrong=True),
    "ours": LOOMisclassification(),
    "hong2014": LOOMutualInformation(signed=False, zero_is_wrong=True),
    "signed": LOOMutualInformation(),
}


def satellites(seed, n=20, widths=(10.0, 31.0)):
    """A crowd six widths across, others ``widths`` from its edge (10-37 from all of it)."""
    rng = np.random.default_rng(seed)
    crowd = rng.uniform(-3.0, 3.0, n)
    far = (3.0 + rng.uniform(*widths, n)) * rng.choice([-1.0, 1.0], n)
    labels = (rng.random(2 * n) < 0.5).astype(np.int64)
    labels[:n] = crowd + 0.5 * rng.standard_normal(n) > 0.0
    return 0.4 * np.append(crowd, far), labels, 0.4


def brute_force(x, labels, weight, width, centers):
    """Leave-one-out predictions of the network with nodes on some samples, and their columns."""
    columns = activations(x, x[centers], width)
    targets = 2.0 * labels - 1.0
    return loo_predictions(columns, targets, weight, [ALPHA] * len(centers))


def signs(predictions):
    return np.array([float(np.sign(p)) for p in predictions])[:, None]


def rates(criterion, predictions, labels, weight):
    """Cost of predictions of which only the signs matter."""
    return criterion.cost(2.0 * labels[:, None] - 1.0, signs(predictions), labels, weight)


def grow(x, width, labels, weight, centers):
    """The library's regression on the same nodes."""
    X = x[:, None]
    model = OrthogonalRegression(2.0 * labels[:, None] - 1.0, weight, fit_intercept=False)
    Phi = Nodes(X[centers], np.full((len(centers), 1), width), Gaussian()).activate(X)
    for column in Phi * np.sqrt(weight):
        model.append(*model.basis.orthogonalize(column), alpha=ALPHA)
    return model


def weights(seed, n, weighted):
    return np.random.default_rng(seed).uniform(0.3, 3.0, n) if weighted else np.ones(n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_nodes", [1, 2, 4])
def test_scores_are_refits_in_sixty_digits(n_nodes, weighted, seed):
    x, labels, width = satellites(seed)
    weight = weights(seed, len(x), weighted)
    centers = np.random.default_rng(seed).choice(20, n_nodes, replace=False)
    model = grow(x, width, labels, weight, centers)
    exact = brute_force(x, labels, weight, width, centers)
    ours = model.loo_predictions()[:, 0]
    np.testing.assert_array_equal(np.sign(ours), signs(exact)[:, 0])
    assert np.abs(ours).min() < 1e-100  # there are samples that far away
    np.testing.assert_allclose(ours, [float(p) for p in exact], rtol=IDENTITY)
    for again in (model.prefix(n_nodes), model.with_alphas(model.alphas)):
        np.testing.assert_allclose(again.loo_predictions()[:, 0], ours, rtol=IDENTITY)
    *_, last = model.prefix_loo_predictions()
    np.testing.assert_allclose(last[:, 0], ours, rtol=IDENTITY)
    for criterion in CRITERIA.values():
        cost = Scoring(criterion, labels, weight).cost(model)
        assert cost == pytest.approx(rates(criterion, exact, labels, weight))


def naive_greedy(x, labels, weight, width, criterion, pool, n_stages):
    """Refit everything, in sixty digits, for every candidate of every stage."""
    picked, targets = [], 2.0 * labels - 1.0
    for stage in range(n_stages):
        costs = {}
        for j in (j for j in pool if j not in picked):
            exact = brute_force(x, labels, weight, width, [*picked, j])
            if stage:
                costs[j] = round(rates(criterion, exact, labels, weight), 9)
            else:
                errors = np.array([float(p) for p in exact]) - targets
                costs[j] = round(float(weight @ errors**2 / weight.sum()), 9)
        picked.append(min(costs, key=lambda j: (costs[j], j)))
    exact = brute_force(x, labels, weight, width, picked)
    return picked, rates(criterion, exact, labels, weight)


@pytest.mark.parametrize("store", ["inplace", "recompute"])
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["hong2008", "hong2014", "ours"])
def test_selection_is_naive_greedy_search_in_sixty_digits(name, backend, store, seed, monkeypatch):
    if backend == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", backend)
    x, labels, width = satellites(seed, n=9)
    weight, pool, criterion = np.ones(len(x)), np.arange(9), CRITERIA[name]
    expected, cost = naive_greedy(x, labels, weight, width, criterion, pool, 3)
    inputs = Inputs(np.ascontiguousarray(x[None]), weight)
    regression = OrthogonalRegression(2.0 * labels[:, None] - 1.0, weight, fit_intercept=False)
    nodes = Nodes(x[pool, None], np.full((9, 1), width), Gaussian())
    if store == "inplace":
        V = nodes.activate(x[:, None])
        candidates = InplaceCandidates(inputs, nodes, regression, V=V)
    else:
        candidates = RecomputedCandidates(inputs, nodes, regression)
    selection = select_forward(
        SamplePool(candidates, ties="first"),
        Scoring(criterion, labels, weight),
        regression,
        FixedRegularizer(ALPHA),
        Stopping(3, 3, 3),
    )
    assert chosen(selection) == expected
    assert selection.costs[-1] == pytest.approx(cost)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("width", [0.12, 0.2, 0.35, 0.7])
@pytest.mark.parametrize("citation", ["hong2008", "hong2014"])
def test_selection_is_the_algorithm_as_printed(citation, width, backend, seed, monkeypatch):
    """Gram-Schmidt on all columns and psi by eq. (32), without the library."""
    if backend == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", backend)
    X, labels = two_moons(seed)
    model = presets(citation).set_params(
        width=width, standardize=False, min_nodes=10, max_nodes=10, memory_budget=1.0
    )
    model.fit(X, labels)
    nodes, costs = select(X, 2.0 * labels - 1.0, width, 10, bayesian=citation == "hong2014")
    assert model.path_["node"].tolist() == nodes
    np.testing.assert_allclose(model.path_["cost"], costs, rtol=IDENTITY)


@pytest.mark.parametrize("widths", [(38.0, 50.0), (1e3, 1e5)])
def test_beyond_reach_all_nodes_count_alike_here_and_in_predict(widths, seed):
    """Activations end at exp(-700): the sum of the weights decides, as it does in ``predict``."""
    assert widths[0] > REACH
    x, labels, width = satellites(seed, widths=widths)
    centers = np.array([2, 5, 11])
    model = grow(x, width, labels, np.ones(len(x)), centers)
    coef, _ = model.coefficients()
    far = np.abs(x) > 30.0 * width
    assert far.sum() == 20
    expected = np.sign(coef.sum())
    np.testing.assert_array_equal(np.sign(model.loo_predictions()[far, 0]), expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("memory_budget", [1e9, 1.0])
def test_the_example_of_a_sample_nine_widths_away(backend, memory_budget, monkeypatch):
    """Two of seven are wrong by the papers' recursion; as zeros the far ones gave 0 or 3."""
    if backend == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", backend)
    X = np.array([0.0, 0.2, -0.2, 0.1, 9.0, 9.2, -9.0])[:, None]
    y = np.array([1, 1, 1, 1, 1, -1, -1])
    for criterion in (LOOMisclassification(None), *map(LOOMisclassification, (True, False))):
        model = ForwardRBFClassifier(
            1.0, criterion=criterion, alpha=ALPHA, max_nodes=1, fit_intercept=False,
            standardize=False, memory_budget=memory_budget,
        ).fit(X, y)  # fmt: skip
        assert model.path_["cost"].tolist() == [pytest.approx(2 / 7)]
        assert model.loo_error_ == pytest.approx(2 / 7)


def test_widths_of_a_ladder_are_those_of_one_rung(seed):
    """Squares of activations underflow where exponentials end: both must end alike."""
    x, labels, _ = satellites(seed)
    settings = {"fit_intercept": False, "standardize": False, "alpha": ALPHA, "patience": 1}
    wide, narrow = 0.8, 0.8 / 2.0**2.5
    ladder = ForwardRBFClassifier([wide, narrow], **settings).fit(x[:, None], labels)
    for width in (wide, narrow):
        single = ForwardRBFClassifier(width, **settings).fit(x[:, None], labels)
        row = int(np.flatnonzero(ladder.width_path_["width"] == width)[0])
        assert ladder.width_path_["n_nodes"][row] == single.n_nodes_
        error = single.path_["loo_squared_error"][single.n_nodes_ - 1]
        assert ladder.width_path_["loo_squared_error"][row] == pytest.approx(error)


@pytest.mark.parametrize("backend", BACKENDS)
def test_where_no_node_reaches_the_first_class_is_predicted(backend, seed, monkeypatch):
    """B-splines end: scores are exactly zero there, in leave-one-out as in ``predict``."""
    if backend == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", backend)
    x, labels, width = satellites(seed)
    X = x[:, None]
    settings = {"radial": "b_spline", "fit_intercept": False, "standardize": False, "alpha": ALPHA}
    model = ForwardRBFClassifier(
        width, candidates=X[:20], first="criterion", max_nodes=3, **settings
    ).fit(X, labels)
    far = np.abs(x) > 10.0 * width
    assert (model.decision_function(X[far]) == 0.0).all()
    assert (model.predict(X[far]) == 0).all()
    kept = model.path_["cost"][model.n_nodes_ - 1]
    assert model.loo_error_ == pytest.approx(kept)
    assert kept >= labels[far].sum() / len(x)  # all of the second class, and none of the first
    for zero_is_wrong, wrong in ((True, far.sum()), (False, 0)):
        criterion = LOOMisclassification(zero_is_wrong=zero_is_wrong)
        other = ForwardRBFClassifier(
            width, candidates=X[:20], criterion=criterion, max_nodes=3, **settings
        ).fit(X, labels)
        near = other.path_["cost"][other.n_nodes_ - 1] * len(x) - wrong
        assert 0 <= round(near, 9) <= (~far).sum()
