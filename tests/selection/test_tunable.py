"""Searched nodes: their cost is brute force, their gradient finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from drumlin.basis import RADIALS, Gaussian
from drumlin.criteria import CRITERIA, Criterion, LOOSquaredError
from drumlin.linear import FixedRegularizer, OrthogonalRegression
from drumlin.search import BOX_SEARCHES, SwarmSearch
from drumlin.selection import (
    Inputs,
    NodeSpace,
    Scoring,
    Stopping,
    TunableNode,
    select_forward,
)
from drumlin.selection.tunable import NodeCost, SmoothNodeCost
from tests.helpers import EXACT, IDENTITY, assert_close
from tests.selection.problems import (
    chosen,
    codes,
    constant_columns,
    equal_activations,
    run,
    three_blobs,
    two_moons,
)
from tests.selection.test_forward import brute_force_loo

ALPHA = 0.05


class MeanAbsolute(Criterion):
    """A criterion the kernels do not know."""

    def cost(self, targets, predictions, labels, weight):
        return float((weight @ np.abs(targets - predictions)).sum() / weight.sum())


class Problem:
    """A model with some nodes, and what is needed to add one."""

    def __init__(
        self,
        seed,
        problem=two_moons,
        *,
        weighted=True,
        fit_intercept=False,
        log_widths=True,
        isotropic=False,
        radial="gaussian",
        n_nodes=2,
    ):
        rng = np.random.RandomState(seed)
        self.X, self.labels = problem(seed, 40)
        n = len(self.X)
        self.weight = rng.uniform(0.5, 2.0, n) if weighted else np.ones(n)
        self.space = NodeSpace(
            self.X.min(axis=0),
            self.X.max(axis=0),
            (0.5, 4.0),
            log_widths,
            isotropic,
            RADIALS[radial](),
        )
        self.inputs = Inputs(np.ascontiguousarray(self.X.T), np.sqrt(self.weight))
        self.targets = codes(self.labels)
        self.regression = OrthogonalRegression(
            self.targets, self.weight, fit_intercept=fit_intercept
        )
        self.nodes = self.space.nodes(self.space.box.sample(n_nodes, rng))
        for j in range(n_nodes):
            column = self.inputs.column(self.nodes.take(slice(j, j + 1)))
            basis = self.regression.basis
            self.regression.append(*basis.orthogonalize(column), alpha=ALPHA)
        self.points = self.space.box.sample(7, rng)

    def cost(self, criterion, kind=NodeCost, n_threads=1):
        scoring = Scoring(criterion, self.labels, self.weight)
        return kind(self.space, self.inputs, scoring, self.regression, ALPHA, n_threads)

    def brute_force(self, criterion, point):
        node = self.space.nodes(point[None])
        columns = np.vstack([self.nodes.activate(self.X), node.activate(self.X)])
        predictions = brute_force_loo(columns, self.targets, self.weight, ALPHA)
        return criterion.cost(self.targets, predictions, self.labels, self.weight)


@pytest.fixture(params=["numpy", "numba"])
def backend(request, monkeypatch):
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", request.param)


# ------------------------------------------------------------------ cost
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", [*CRITERIA, "unknown to the kernels"])
@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_cost_is_brute_force(problem, criterion, weighted, seed, backend):
    part = CRITERIA.get(criterion, MeanAbsolute)()
    setting = Problem(seed, problem, weighted=weighted)
    expected = [setting.brute_force(part, point) for point in setting.points]
    assert_close(setting.cost(part)(setting.points), expected)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("n_nodes", [0, 1, 4])
def test_backends_agree(criterion, n_nodes, seed, monkeypatch):
    pytest.importorskip("numba")
    setting = Problem(seed, three_blobs, fit_intercept=True, n_nodes=n_nodes)
    costs = []
    for name in ("numpy", "numba"):
        monkeypatch.setenv("DRUMLIN_BACKEND", name)
        costs.append(setting.cost(CRITERIA[criterion]())(setting.points))
    assert_close(costs[0], costs[1], EXACT)


def test_threads_do_not_matter(seed, monkeypatch):
    monkeypatch.setattr("drumlin._kernels.threads.MIN_WORK", 1)
    setting = Problem(seed)
    costs = [setting.cost(LOOSquaredError(), n_threads=n)(setting.points) for n in (1, 2, 3, 20)]
    for other in costs[1:]:
        np.testing.assert_array_equal(costs[0], other)


def test_batches_do_not_matter(seed):
    """One cost object scores batches of any size, one after the other."""
    setting = Problem(seed)
    cost = setting.cost(LOOSquaredError())
    whole = cost(setting.points)
    one_by_one = [cost(point[None])[0] for point in setting.points]
    np.testing.assert_array_equal(whole, one_by_one)
    np.testing.assert_array_equal(whole, cost(setting.points))


@pytest.mark.parametrize("criterion", [LOOSquaredError(), MeanAbsolute()])
def test_node_that_is_there_already_is_inadmissible(criterion, seed, backend):
    setting = Problem(seed)
    node = setting.nodes.take(slice(0, 1))
    there = np.append(node.centers[0], np.log(node.widths[0]))
    costs = setting.cost(criterion)(np.vstack([there, setting.points[0]]))
    assert np.isinf(costs[0])
    assert np.isfinite(costs[1])


# ------------------------------------------------------------------ gradient
@pytest.mark.parametrize("fit_intercept", [False, True])
@pytest.mark.parametrize("isotropic", [False, True])
@pytest.mark.parametrize("log_widths", [False, True])
@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_gradient_is_finite_difference(problem, radial, log_widths, isotropic, fit_intercept, seed):
    setting = Problem(
        seed,
        problem,
        radial=radial,
        log_widths=log_widths,
        isotropic=isotropic,
        fit_intercept=fit_intercept,
    )
    cost = setting.cost(LOOSquaredError(), SmoothNodeCost)
    for point in setting.points[:3]:
        value, gradient = cost.value_and_gradient(point)
        assert_close(value, cost(point[None])[0])
        step = 1e-5 * np.eye(len(point))
        forth, back = cost(point + step), cost(point - step)
        # Central differences of a smooth function at this step are right to about 1e-8.
        assert_close(gradient, (forth - back) / 2e-5, 1e-6)


# ------------------------------------------------------------------ selection
def grow(setting, search, *, criterion="squared_error", max_nodes=4, space=None, seed=0):
    proposals = TunableNode(
        setting.inputs,
        setting.space if space is None else space,
        search,
        np.random.RandomState(seed),
        start_at_samples=True,
    )
    regression = OrthogonalRegression(setting.targets, setting.weight, fit_intercept=True)
    scoring = Scoring(CRITERIA[criterion](), setting.labels, setting.weight)
    stopping = Stopping(max_nodes, max_nodes, 99)
    return select_forward(proposals, scoring, regression, FixedRegularizer(alpha=1e-3), stopping)


@pytest.mark.parametrize("problem", [two_moons, three_blobs])
def test_at_samples_with_one_width_it_is_exhaustive_search(problem, seed):
    setting = Problem(seed, problem, weighted=False)
    space = NodeSpace(
        setting.X.min(axis=0), setting.X.max(axis=0), (1.0, 1.0), True, True, Gaussian()
    )
    search = SwarmSearch(n_particles=len(setting.X), n_iterations=0)
    ours = grow(setting, search, space=space)
    theirs, _ = run(
        setting.X, setting.labels, criterion="squared_error", fit_intercept=True, max_nodes=4
    )
    np.testing.assert_array_equal(
        np.vstack([proposal.node.centers for proposal in ours.proposals]),
        setting.X[chosen(theirs)],
    )
    assert_close(ours.costs, theirs.costs)


@pytest.mark.parametrize("name", BOX_SEARCHES)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_path_is_brute_force(name, criterion, seed):
    """Leave-one-out predictions of a searched network are those of n refits."""
    setting = Problem(seed, n_nodes=0)
    selection = grow(setting, BOX_SEARCHES[name](), criterion=criterion, max_nodes=3)
    nodes = selection.nodes()
    columns = np.vstack([np.ones(len(setting.X)), nodes.activate(setting.X)])
    model = OrthogonalRegression(setting.targets, setting.weight, fit_intercept=False)
    for column in columns:
        model.append(*model.basis.orthogonalize(model.root * column), alpha=0.0)
    A = model.basis.A
    penalty = A.T @ np.diag([0.0, *[1e-3] * len(nodes)]) @ A
    weighted = setting.weight[:, None] * columns.T
    for i, prediction in enumerate(selection.best_regression().loo_predictions()):
        keep = np.arange(len(setting.X)) != i
        normal = weighted[keep].T @ columns.T[keep] + penalty
        coef = np.linalg.solve(normal, weighted[keep].T @ setting.targets[keep])
        assert_close(prediction, columns[:, i] @ coef, IDENTITY)


@pytest.mark.parametrize("name", BOX_SEARCHES)
def test_backends_find_the_same_nodes(name, seed, monkeypatch):
    pytest.importorskip("numba")
    found = []
    for backend in ("numpy", "numba"):
        monkeypatch.setenv("DRUMLIN_BACKEND", backend)
        selection = grow(Problem(seed), BOX_SEARCHES[name]())
        found.append(selection.nodes())
    assert_close(found[0].centers, found[1].centers)
    assert_close(found[0].widths, found[1].widths)


def test_searching_beats_the_best_sample(seed):
    setting = Problem(seed, n_nodes=0)
    free = grow(setting, BOX_SEARCHES["polished_swarm"](), max_nodes=1)
    theirs = grow(setting, SwarmSearch(n_particles=len(setting.X), n_iterations=0), max_nodes=1)
    assert free.costs[0] < theirs.costs[0]


def test_no_node_where_inputs_are_constant(seed):
    X, labels = equal_activations(seed)
    setting = Problem(seed, lambda seed, n: (X, labels), n_nodes=0)
    assert not grow(setting, SwarmSearch()).proposals


def test_constant_inputs_do_not_matter(seed):
    setting = Problem(seed, lambda seed, n: constant_columns(seed), n_nodes=0)
    selection = grow(setting, SwarmSearch())
    assert len(selection.proposals) == 4
    assert (selection.nodes().centers[:, 1] == 3.0).all()
