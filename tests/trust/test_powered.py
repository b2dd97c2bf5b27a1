"""All that is asked of a model holds where its inputs have powers, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.basis import Gaussian, InputMap, Nodes, Powers, Standardizer
from drumlin.deploy import check, train
from drumlin.deploy.drift import _units
from drumlin.network import Network
from drumlin.novelty import Novelty
from drumlin.trust import Question, Region, Wanted
from drumlin.trust.counterfactual import _nearest, counterfactual
from drumlin.trust.seeds import on_lattice
from drumlin.trust.shapley import path_integral, shapley_by_subsets
from tests.helpers import REFERENCE, assert_close
from tests.powered import POWER, plainly_fitted, powered, skewed

MATRIX = np.linalg.qr(np.random.default_rng(1).standard_normal((4, 4)))[0]


@pytest.fixture(scope="module", params=["classes", "numbers", "mixed classes", "mixed numbers"])
def asked(request):
    """A fitted model with powers, perhaps with mixed inputs, and its inputs."""
    X, y = skewed()
    matrix = MATRIX if request.param.startswith("mixed") else None
    if request.param.endswith("numbers"):
        return powered(plainly_fitted(DrumlinRegressor(max_nodes=4), X, y), X, matrix=matrix), X
    return powered(plainly_fitted(DrumlinClassifier(max_nodes=4), X, y > 0.0), X, matrix=matrix), X


def scores(model, X):
    return model.network_(X)[:, 0]


def test_gradients_are_derivatives(asked):
    model, X = asked
    slopes, step = model.gradient(X).reshape(X.shape), 1e-5 * model.network_.inputs.scaler.scale
    for i, h in enumerate(step):
        move = h * np.eye(X.shape[1])[i]
        found = (scores(model, X + move) - scores(model, X - move)) / (2.0 * h)
        assert_close(slopes[:, i], found, REFERENCE)


def test_contributions_and_explanations_add_up_to_scores(asked):
    model, X = asked
    assert_close(model.contributions(X).sum(axis=1)[:, 0], scores(model, X))
    told = model.explain(X[:4], X[10:20])
    assert_close(told.inputs.sum(axis=1) + told.base, model.network_(X[:4]))
    by_definition = shapley_by_subsets(model.network_, X[0], X[10:20], np.arange(4))
    assert_close(told.inputs[0], by_definition)
    along = path_integral(model.network_, X[0], X[10:20])
    assert_close(along.sum(axis=0), told.inputs[0].sum(axis=0))


def test_partial_dependence_is_a_mean_of_scores(asked):
    model, X = asked
    found = model.partial_dependence(X, [0], grid_resolution=5)
    for value, average in zip(found.grid_values[0], found.average[0], strict=True):
        moved = X.copy()
        moved[:, 0] = value
        assert_close(average, scores(model, moved).mean())


def other_answer(model, x):
    if hasattr(model, "classes_"):
        return not model.predict(x[None])[0]
    return (float(model.predict(x[None])[0]) + 0.8, None)


def is_other(model, X, target):
    answers = model.predict(X)
    return answers == target if hasattr(model, "classes_") else answers >= target[0]


@pytest.mark.parametrize("row", range(4))
def test_counterfactuals_of_one_input_are_the_nearest(asked, row):
    """By looking at many values of every input, evenly as nodes see them."""
    model, X = asked
    seen, target = model._seen, other_answer(model, X[row])
    found = model.counterfactual(X[row], target, max_changed=1)
    nearest = np.inf
    for i in range(X.shape[1]):
        values = np.unique(np.quantile(X[:, i], np.linspace(0.0, 1.0, 5001)))
        rows = np.tile(X[row], (len(values), 1))
        rows[:, i] = values
        good = is_other(model, rows, target) & ~model._novelty.is_beyond(rows)
        far = np.abs(values - X[row, i])[good] / seen.spread[i]
        nearest = min(nearest, far.min(initial=np.inf))
    assert found.distance <= nearest + 1e-9
    assert found.found == np.isfinite(nearest)
    if found.found:
        assert is_other(model, found.x[None], target)[0]


@pytest.mark.parametrize("pair", [(1, 3), (2, 3), (0, 2)])
@pytest.mark.parametrize("row", [0, 2, 3, 6])
def test_answers_of_two_inputs_are_nearer_than_those_of_a_grid(asked, row, pair):
    model, X = asked
    seen, target, pair = model._seen, other_answer(model, X[row]), np.array(pair)
    region = Region(seen.low, seen.high, seen.spread, seen.whole, model._novelty)
    question = Question(model.network_, model._wanted(target), region, X[row])
    found = _nearest(question, [pair], climb=True)
    grids = [np.quantile(X[:, i], np.linspace(0.0, 1.0, 121)) for i in pair]
    rows = np.tile(X[row], (121**2, 1))
    rows[:, pair] = np.stack([axis.ravel() for axis in np.meshgrid(*grids)], axis=1)
    good = rows[question.is_answer(rows)]
    assert not len(good) or found is not None
    if found is not None:
        assert is_other(model, found[None], target)[0]
        assert set(np.flatnonzero(found != X[row])) <= set(pair)
        far = question.distances(good).min(initial=np.inf)
        assert question.distances(found[None])[0] <= far + 1e-9


def test_novelty_is_the_part_of_samples_that_are_nearer(asked):
    model, X = asked
    network, inputs = model.network_, model.network_.inputs
    T = inputs.powers((X - inputs.scaler.shift) / inputs.scaler.scale)
    Z = T if inputs.matrix is None else T @ inputs.matrix
    scaled = (Z[:, None, :] - network.nodes.centers) / network.nodes.widths
    distance = np.sqrt((scaled**2).sum(axis=2)).min(axis=1)
    nearer = (distance[:, None] >= distance).mean(axis=1)
    assert np.abs(model.novelty(X) - nearer).max() < 0.01  # of the quantiles remembered
    assert model.novelty(X + 1e6).min() == 1.0


def test_relevance_is_slope_times_spread_of_clipped_inputs(asked):
    model, X = asked
    inputs = model.network_.inputs
    slope = inputs.slope(X)
    by_clipped = np.abs(model.gradient(X).reshape(X.shape) / slope).mean(axis=0)
    expected = by_clipped * replace(inputs, matrix=None)(X).std(axis=0)
    assert_close(model.relevance_, expected / expected.sum(), REFERENCE)


def test_nodes_are_described_where_they_are(asked):
    model, _ = asked
    network, inputs = model.network_, model.network_.inputs
    back = inputs.inverse(network.nodes.centers)
    low, high = model._data_range
    assert_close(model.centers_, np.clip(back, low, high))
    for node, (center, widths) in enumerate(zip(model.centers_, model.widths_, strict=True)):
        h = 1e-5 * np.minimum(widths, inputs.scaler.scale)
        moved = inputs(center + np.diag(h)) - inputs(center - np.diag(h))
        far = np.linalg.norm(moved / network.nodes.widths[node], axis=1)
        assert_close(far / (2.0 * h) * widths, np.ones(4), REFERENCE)


def test_smaller_models_keep_the_map_and_what_is_novel(asked):
    model, X = asked
    smaller = model.truncate(1)
    assert smaller.network_.inputs is model.network_.inputs
    assert smaller.novelty(X).tolist() == model.novelty(X).tolist()
    assert np.isfinite(smaller.predict(X).astype(float)).all()


# ---------------------------------------------------------------------- long tails
def tail(x, low=0.0, high=1e6):
    """Answers are near 2, in a range of a million: a question of one input by its logarithm."""
    powers = Powers(np.zeros(1), Standardizer.identity(1))
    inputs = InputMap(Standardizer.identity(1), np.inf, None, powers)
    nodes = Nodes(inputs(np.array([[2.0]])), np.full((1, 1), 0.5), Gaussian())
    network = Network(nodes, np.ones((1, 1)), np.zeros(1), inputs)
    ends = (np.array([low]), np.array([high]))
    region = Region(*ends, np.full(1, 1e3), np.zeros(1, bool), Novelty.within(network, 1e3))
    return Question(network, Wanted.of_range(0.5, np.inf), region, np.array([x]))


def test_answers_in_a_small_part_of_a_long_range_are_found():
    found = counterfactual(tail(3e4), np.array([0]), 1)
    edge = np.expm1(np.log(3.0) + 0.5 * np.sqrt(2.0 * np.log(2.0)))
    assert found.found
    assert found.x[0] == pytest.approx(edge, rel=1e-5)


def test_lattices_are_even_as_nodes_see_them():
    rows = on_lattice(tail(3e4), np.array([0]), 1001)
    assert np.median(rows) == pytest.approx(1e3, rel=0.05)
    assert ((rows >= 0.0) & (rows <= 1e6)).all()


# ---------------------------------------------------------------------- drift
@pytest.fixture(scope="module")
def deployed():
    """A model of a table whose inputs have powers, fitted to 400 rows."""
    frame = table_of(0, 400)
    made = train(frame, "y").deployed
    model = made.fitted.model
    rows = np.asarray(made.rows(made.read(frame)[0]), dtype=np.float64)
    vars(model).update(vars(powered(model, rows)))
    return made


def table_of(seed, n):
    X, y = skewed(seed, n)
    return pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(y=np.where(y > 0.0, "yes", "no"))


def test_drift_is_told_of_means_and_not_of_medians(deployed):
    frame = table_of(1, 300)
    assert deployed.fitted.model.network_.inputs.powers.power.tolist() == POWER.tolist()
    same = check(deployed, frame)
    assert {f.what for f in same.drifted} <= {"error"}  # its weights are those of other inputs
    assert {f.column for f in same.findings if f.what == "shift"} == {"a", "b", "c", "d"}
    moved = check(deployed, frame.assign(a=frame["a"] * 3.0))
    assert ("shift", "a") in {(f.what, f.column) for f in moved.drifted}


def test_without_means_there_is_nothing_to_compare_with(deployed):
    model = deployed.fitted.model
    assert _units(model)[0] is model._seen.mean
    bare = powered_without_seen(model)
    assert _units(bare) is None


def powered_without_seen(model):
    bare = DrumlinClassifier()
    vars(bare).update({name: v for name, v in vars(model).items() if name != "_seen"})
    return bare
