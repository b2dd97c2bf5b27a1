"""What a network of searched nodes promises."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV

from drumlin import TunableRBFClassifier, TunableRBFRegressor, presets
from drumlin.basis import RADIALS
from drumlin.criteria import CRITERIA
from drumlin.linear import REGULARIZERS
from drumlin.search import BOX_SEARCHES, DifferentialEvolution, PolishedSearch, SwarmSearch
from tests.estimators.witness import Counting
from tests.helpers import EXACT, assert_close

SMALL = SwarmSearch(n_particles=8, n_iterations=5)


def activations(model, X):
    """Gaussian activations by the printed formula, shape (n_samples, n_nodes)."""
    r = (X[:, None, :] - model.centers_) / model.widths_
    return np.exp(-0.5 * (r**2).sum(axis=2))


# ------------------------------------------------------------------ fitted attributes
@pytest.mark.parametrize("isotropic", [True, False])
def test_classifier_attributes(classes, isotropic):
    X, y = classes
    model = TunableRBFClassifier(SMALL, isotropic=isotropic).fit(X, y)
    n_outputs = 1 if len(model.classes_) == 2 else len(model.classes_)
    assert model.centers_.shape == model.widths_.shape == (model.n_nodes_, X.shape[1])
    assert model.coef_.shape == (n_outputs, model.n_nodes_)
    assert not hasattr(model, "support_")
    assert not hasattr(model, "width_")
    scores = activations(model, X) @ model.coef_.T + model.intercept_
    assert_close(model.decision_function(X).reshape(scores.shape), scores)
    round_nodes = np.ptp(model.widths_ / X.std(axis=0), axis=1) < 1e-9
    assert round_nodes.all() == isotropic


def test_nodes_are_inside_the_box(moons):
    X, y = moons
    model = TunableRBFClassifier(SMALL, width_range=(0.5, 2.0), min_nodes=5).fit(X, y)
    assert (model.centers_ >= X.min(axis=0) - 1e-12).all()
    assert (model.centers_ <= X.max(axis=0) + 1e-12).all()
    widths = model.widths_ / X.std(axis=0)
    assert ((widths >= 0.5 - 1e-12) & (widths <= 2.0 + 1e-12)).all()


def test_paths(moons):
    model = TunableRBFClassifier(SMALL, min_nodes=3, max_nodes=5).fit(*moons)
    n_stages = len(model.path_["cost"])
    assert {len(values) for values in model.path_.values()} == {n_stages}
    assert len(model.search_path_) == n_stages
    for costs, cost in zip(model.search_path_, model.path_["loo_squared_error"], strict=True):
        assert len(costs) == SMALL.n_iterations + 1
        assert (np.diff(costs) <= 0.0).all()
        assert_close(costs[-1], cost)


def test_the_first_node_can_be_chosen_by_the_criterion(moons):
    """chen2010 prints the criterion for all stages: the swarm must have minimised it."""
    settings = {"criterion": "misclassification", "max_nodes": 1}
    literal = TunableRBFClassifier(first="criterion", **settings).fit(*moons)
    usual = TunableRBFClassifier(**settings).fit(*moons)
    assert literal.search_path_[0][-1] == pytest.approx(literal.path_["cost"][0])
    assert usual.search_path_[0][-1] == pytest.approx(usual.path_["loo_squared_error"][0])


@pytest.mark.parametrize("n_outputs", [None, 3])
def test_regressor(wave, n_outputs):
    X, y = wave
    Y = y if n_outputs is None else np.column_stack([y * k for k in range(n_outputs)])
    model = TunableRBFRegressor().fit(X, Y)
    assert model.predict(X).shape == Y.shape
    assert model.loo_score_ > 0.9
    assert_close(model.predict(X), activations(model, X) @ model.coef_.T + model.intercept_)


def test_units_do_not_matter(moons):
    X, y = moons
    scale, shift = np.array([1e-6, 1e7]), np.array([3.0, -1e8])
    model, moved = (TunableRBFClassifier(SMALL).fit(Z, y) for Z in (X, X * scale + shift))
    # Standardising numbers shifted this far loses about six digits.
    assert_close(moved.decision_function(X * scale + shift), model.decision_function(X), 1e-4)
    assert_close(moved.centers_, model.centers_ * scale + shift, 1e-4)


@pytest.mark.parametrize("start", ["samples", "box"])
@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_part_works(criterion, regularizer, radial, start, moons):
    X, y = moons
    model = TunableRBFClassifier(
        SMALL,
        criterion=criterion,
        regularizer=regularizer,
        radial=radial,
        start=start,
        max_nodes=6,
    ).fit(X, y)
    assert model.score(X, y) > 0.7  # of two equal classes, by a small swarm
    np.testing.assert_array_equal(
        model.classes_[model.predict_proba(X).argmax(axis=1)], model.predict(X)
    )


def test_truncate_is_slicing(classes):
    X, y = classes
    model = TunableRBFClassifier(SMALL, min_nodes=4, max_nodes=4).fit(X, y)
    short = TunableRBFClassifier(SMALL, min_nodes=2, max_nodes=2).fit(X, y)
    assert_close(model.truncate(2).decision_function(X), short.decision_function(X), EXACT)
    assert model.n_nodes_ == 4
    with pytest.raises(ValueError, match=r"'n_nodes' .* range \[1, 4\]. Got 5"):
        model.truncate(5)


# Shorter than by default where a search asks for points one by one, each of them of all threads.
@pytest.mark.parametrize("search", BOX_SEARCHES)
def test_threads_do_not_matter(search, classes, monkeypatch):
    monkeypatch.setattr("drumlin._kernels.threads.MIN_WORK", 1)
    X, y = classes
    settings = {"n_generations": 4, "n_boosts": 5} if search == "boosting" else {}
    search = BOX_SEARCHES[search](**settings)
    scores = [
        TunableRBFClassifier(search, max_nodes=3, n_jobs=n).fit(X, y).decision_function(X)
        for n in (1, 2, 5)
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


def test_seed_decides(moons):
    X, y = moons
    scores = [
        TunableRBFClassifier(SMALL, random_state=seed).fit(X, y).decision_function(X)
        for seed in (3, 3, 4)
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    assert (scores[0] != scores[2]).any()


def test_rows_of_weight_zero_are_not_there(moons, seed):
    X, y = moons
    weight = np.random.default_rng(seed).integers(0, 3, len(y)).astype(float)
    used = weight > 0.0
    model = TunableRBFClassifier(SMALL)
    whole = clone(model).fit(X, y, weight).decision_function(X)
    fewer = clone(model).fit(X[used], y[used], weight[used]).decision_function(X)
    np.testing.assert_array_equal(whole, fewer)


def test_pickle_and_nested_grid_search(moons):
    X, y = moons
    grid = {"search__n_particles": [5, 10], "width_range": [(0.5, 2.0), "auto"]}
    search = GridSearchCV(TunableRBFClassifier(SMALL, max_nodes=4), grid, cv=3).fit(X, y)
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))
    assert SMALL.n_particles == 8


# ------------------------------------------------------------------ how large it grows
def test_size_pays_for_what_was_tuned(seed):
    """Many inputs, mostly noise: the uncorrected criterion grows on, and predicts worse."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((1200, 20))
    y = (X[:, 0] + X[:, 1] + 0.8 * rng.standard_normal(1200) > 0.0).astype(int)
    train, test = slice(200), slice(200, None)
    kept, free = (
        TunableRBFClassifier(isotropic=False, penalize_size=penalize, max_nodes=40).fit(
            X[train], y[train]
        )
        for penalize in (True, False)
    )
    assert kept.n_nodes_ <= 3
    assert free.n_nodes_ > 10
    assert kept.score(X[test], y[test]) > free.score(X[test], y[test]) + 0.02


@pytest.mark.parametrize("scale", [1e-12, 1.0 / 80])
def test_weights_count_observations(scale, moons):
    """A total weight of one or less is one observation or less: the smallest network, no overflow.

    The penalty is scaled with the weights, so that only the price of size differs.
    """
    X, y = moons
    plain = TunableRBFClassifier(SMALL, max_nodes=6).fit(X, y)
    model = TunableRBFClassifier(SMALL, max_nodes=6, alpha=0.1 * scale)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y, sample_weight=np.full(len(X), scale))
    assert model.n_nodes_ == 1
    assert plain.n_nodes_ > 1
    assert_close(model.path_["loo_squared_error"][0], plain.path_["loo_squared_error"][0])
    assert model.set_params(min_nodes=3).fit(X, y, np.full(len(X), scale)).n_nodes_ == 3


def test_curved_boundaries_get_nodes(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (600, 2))
    y = (np.sin(4.0 * X[:, 0]) > 2.0 * X[:, 1]).astype(int)
    model = TunableRBFClassifier().fit(X[:300], y[:300])
    assert 3 <= model.n_nodes_ <= 20
    assert model.score(X[300:], y[300:]) > 0.92


# ------------------------------------------------------------------ callbacks and Ctrl-C
class Witness(Counting):
    """Counts tasks; ``at(task, n)`` may stop or interrupt."""

    def __init__(self, at=lambda task, n: False):
        super().__init__()
        self.at = at

    def on_fit_task_end(
        self, estimator, context, *, X=None, y=None, metadata=None, fitted_estimator=None
    ):
        return self.at(context.task_name, self.count(context))


@pytest.mark.parametrize("search", BOX_SEARCHES)
def test_one_task_per_node_and_step(search, moons):
    witness = Witness()
    part = BOX_SEARCHES[search]()
    model = TunableRBFClassifier(part, max_nodes=2, min_nodes=2).set_callbacks(witness)
    model.fit(*moons)
    assert witness.begun == witness.ended
    assert witness.begun["fit"] == witness.begun["grow"] == 1
    assert witness.begun["node"] == 2
    assert witness.begun["step"] == sum(len(costs) for costs in model.search_path_)
    plain = TunableRBFClassifier(part, max_nodes=2, min_nodes=2).fit(*moons)
    np.testing.assert_array_equal(model.coef_, plain.coef_)


def test_a_true_answer_ends_the_search_for_a_node(moons):
    witness = Witness(lambda task, n: task == "step")
    model = TunableRBFClassifier(SMALL, max_nodes=3, min_nodes=3).set_callbacks(witness)
    model.fit(*moons)
    assert [len(costs) for costs in model.search_path_] == [1, 1, 1]


def test_a_true_answer_ends_the_growth(moons):
    witness = Witness(lambda task, n: task == "node" and n == 2)
    model = TunableRBFClassifier(SMALL).set_callbacks(witness).fit(*moons)
    assert len(model.path_["cost"]) == 2


@pytest.mark.parametrize("at_step, n_nodes", [(2, 1), (9, 2)])
def test_interrupt_keeps_the_best_so_far(at_step, n_nodes, moons):
    """Even in the search for the first node: the best found by then is the network."""

    def at(task, n):
        if task == "step" and n == at_step:
            raise KeyboardInterrupt

    model = TunableRBFClassifier(SMALL, min_nodes=9).set_callbacks(Witness(at))
    with pytest.warns(ConvergenceWarning, match=rf"interrupted.*\({n_nodes} nodes\)"):
        model.fit(*moons)
    assert model.n_nodes_ == n_nodes
    assert model.score(*moons) > 0.5


# ------------------------------------------------------------------ bad parameters
@pytest.mark.parametrize("kind", [TunableRBFClassifier, TunableRBFRegressor])
@pytest.mark.parametrize(
    "settings, message",
    [
        ({"width_range": (2.0, 1.0)}, r"'width_range' .* smaller one first. Got \(2.0, 1.0\)"),
        ({"width_range": (0.0, 1.0)}, r"'width_range' .* positive .* Got \(0.0, 1.0\)"),
        ({"width_range": (-1, 1.0)}, r"'width_range' .* positive .* Got"),
        ({"width_range": (1.0, np.inf)}, r"'width_range' .* Got"),
        ({"width_range": (1.0, np.nan)}, r"'width_range' .* Got"),
        ({"width_range": [1.0]}, r"'width_range' .* Got \[1.0\]"),
        ({"width_range": "wide"}, r"'width_range' .* Got 'wide'"),
        ({"width_range": ["a", "b"]}, r"'width_range' .* Got"),
        ({"search": "annealing"}, r"'search' .* Got 'annealing'"),
        ({"width_range": (1e-200, 1.0)}, r"'width_range' .* 1e-150 .* Got \(1e-200, 1.0\)"),
        ({"width_range": (1.0, 1e200)}, r"'width_range' .* 1e\+150\).* Got \(1.0, 1e\+200\)"),
        ({"search": SwarmSearch(n_particles=0)}, r"'n_particles' .* Got 0"),
        ({"search": SwarmSearch(n_particles=-3)}, r"'n_particles' .* Got -3"),
        ({"search": SwarmSearch(n_particles="all")}, r"'n_particles' .* Got 'all'"),
        ({"search": SwarmSearch(n_iterations="all")}, r"'n_iterations' .* Got 'all'"),
        (
            {"search": PolishedSearch("swarm")},
            r"'search' parameter of PolishedSearch .* Got 'swarm'",
        ),
        ({"search": PolishedSearch(DifferentialEvolution(2))}, r"'n_particles' .* Got 2"),
        ({"start": "anywhere"}, r"'start' .* Got 'anywhere'"),
        ({"width_scale": "linear"}, r"'width_scale' .* Got 'linear'"),
        ({"isotropic": "yes"}, r"'isotropic' .* Got 'yes'"),
        ({"min_nodes": 81}, r"'min_nodes' .* must not exceed 80.* Got 81"),
    ],
)
def test_bad_parameters(kind, settings, message, moons):
    with pytest.raises(ValueError, match=message):
        kind(**settings).fit(*moons)


def test_class_criteria_are_not_for_numbers(wave):
    with pytest.raises(ValueError, match="'criterion'"):
        TunableRBFRegressor(criterion=CRITERIA["misclassification"]()).fit(*wave)


@pytest.mark.parametrize("standardize", [True, False])
def test_constant_inputs_give_a_constant(standardize):
    with pytest.warns(ConvergenceWarning, match="found no node to add"):
        model = TunableRBFClassifier(SMALL, standardize=standardize).fit(
            np.ones((9, 2)), [0] * 3 + [1] * 6
        )
    np.testing.assert_array_equal(model.predict(np.ones((2, 2))), [1, 1])


def test_fewer_samples_than_particles():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    assert TunableRBFClassifier().fit(X, y).score(X, y) == 1.0


# ------------------------------------------------------------------ the paper's settings
def test_preset():
    model = presets("chen2010")
    assert (model.patience, model.fit_intercept, model.isotropic) == (1, False, False)
    assert (model.search.n_particles, model.search.n_iterations) == (10, 20)
    assert model.search.inertia == "random"
    thyroid = presets("chen2010", dataset="thyroid")
    assert thyroid.search.n_particles == 20
    thyroid.search.n_particles = 3
    assert presets("chen2010", dataset="thyroid").search.n_particles == 20
