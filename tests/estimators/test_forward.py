"""What a fitted forward-selection network promises."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score

from drumlin import ForwardRBFClassifier, ForwardRBFRegressor
from drumlin.basis import RADIALS, Gaussian
from drumlin.criteria import CRITERIA
from drumlin.linear import REGULARIZERS, OrthogonalRegression
from drumlin.sample.codes import encode_classes
from drumlin.selection import Inputs, SamplePool, Scoring, Stopping, WidthLadder, select_forward
from tests.helpers import EXACT, assert_close


def activations(model, X):
    """Gaussian activations by the printed formula, shape (n_samples, n_nodes)."""
    r = (X[:, None, :] - model.centers_) / model.widths_
    return np.exp(-0.5 * (r**2).sum(axis=2))


# ------------------------------------------------------------------ fitted attributes
def test_classifier_attributes(classes):
    X, y = classes
    model = ForwardRBFClassifier().fit(X, y)
    n_nodes, n_features = model.n_nodes_, X.shape[1]
    n_outputs = 1 if len(np.unique(y)) == 2 else len(np.unique(y))
    assert model.centers_.shape == model.widths_.shape == (n_nodes, n_features)
    assert model.coef_.shape == (n_outputs, n_nodes)
    assert model.intercept_.shape == (n_outputs,)
    np.testing.assert_array_equal(model.centers_, X[model.support_])
    np.testing.assert_array_equal(model.classes_, np.unique(y))
    assert_close(model.widths_, np.tile(model.width_ * X.std(axis=0), (n_nodes, 1)))


def test_scores_follow_from_public_attributes(classes):
    X, y = classes
    model = ForwardRBFClassifier().fit(X, y)
    scores = activations(model, X) @ model.coef_.T + model.intercept_
    decision = model.decision_function(X)
    assert_close(decision.reshape(scores.shape), scores)
    np.testing.assert_array_equal(decision.reshape(scores.shape), model.network_(X))


@pytest.mark.parametrize("n_outputs", [None, 1, 3])
def test_regressor_shapes(wave, n_outputs):
    X, y = wave
    Y = y if n_outputs is None else np.column_stack([y * k for k in range(n_outputs)])
    model = ForwardRBFRegressor(width=1.0).fit(X, Y)
    outputs = () if n_outputs is None else (n_outputs,)
    assert model.coef_.shape == (*outputs, model.n_nodes_)
    assert np.shape(model.intercept_) == outputs
    assert model.predict(X).shape == Y.shape
    assert_close(model.predict(X), activations(model, X) @ model.coef_.T + model.intercept_)


def test_widths_can_be_judged_by_the_criterion(moons):
    """hong2014: the width with the most leave-one-out information."""
    widths, settings = [4.0, 2.0, 1.0, 0.5, 0.25], {"criterion": "mutual_information"}
    model = ForwardRBFClassifier(widths, width_by="criterion", **settings).fit(*moons)
    path = model.width_path_
    least = path["cost"] == path["cost"].min()
    assert (
        model.width_ == path["width"][np.where(least, path["loo_squared_error"], np.inf).argmin()]
    )
    assert path["cost"].min() == model.path_["cost"][model.n_nodes_ - 1]
    for width, cost in zip(path["width"], path["cost"], strict=True):
        single = ForwardRBFClassifier(float(width), **settings).fit(*moons)
        assert cost == pytest.approx(single.path_["cost"][single.n_nodes_ - 1])
    by_squares = ForwardRBFClassifier(widths, **settings).fit(*moons)
    assert by_squares.width_ == path["width"][path["loo_squared_error"].argmin()]


def test_the_first_node_can_be_chosen_by_the_criterion(moons):
    settings = {"fit_intercept": False, "ties": "first", "max_nodes": 1}
    literal = ForwardRBFClassifier(1.0, first="criterion", **settings).fit(*moons)
    usual = ForwardRBFClassifier(1.0, **settings).fit(*moons)
    assert literal.path_["cost"][0] <= usual.path_["cost"][0]
    assert literal.path_["loo_squared_error"][0] > usual.path_["loo_squared_error"][0]
    with pytest.raises(ValueError, match="The 'first' parameter of ForwardRBFClassifier must be"):
        ForwardRBFClassifier(first="information").fit(*moons)
    with pytest.raises(ValueError, match="'width_by' parameter of ForwardRBFClassifier must be"):
        ForwardRBFClassifier(width_by="information").fit(*moons)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_stage_evidence_tells_its_precisions(fit_intercept, moons):
    """hong2014: epsilon, h and the log evidence of every stage; others infer none."""
    model = ForwardRBFClassifier(
        1.0, regularizer="stage_evidence", fit_intercept=fit_intercept
    ).fit(*moons)
    path = model.path_
    assert {len(values) for values in path.values()} == {len(path["cost"])}
    assert_close(path["h"] / path["epsilon"], path["alpha"])
    assert (np.diff(path["epsilon"]) > 0.0).all()  # every node explains some of the noise
    assert np.isfinite(path["log_evidence"]).all()
    assert "log_evidence" not in ForwardRBFClassifier(1.0).fit(*moons).path_


def test_path_holds_every_stage(moons):
    X, y = moons
    model = ForwardRBFClassifier(patience=4).fit(X, y)
    path = model.path_
    assert {len(column) for column in path.values()} == {model.n_nodes_ + 4}
    np.testing.assert_array_equal(path["node"][: model.n_nodes_], model.support_)
    best = path["cost"][model.n_nodes_ - 1]
    assert best == path["cost"].min()
    assert (path["cost"][: model.n_nodes_ - 1] > best).all()  # the smallest of the best prefixes
    assert_close(path["loo_score"], 1.0 - path["cost"])
    assert path["loo_score"][model.n_nodes_ - 1] == model.loo_score_


def test_width_of_least_squared_error_is_kept(moons):
    X, y = moons
    model = ForwardRBFClassifier(width=[0.3, 3.0, 1.0]).fit(X, y)
    np.testing.assert_array_equal(model.width_path_["width"], [3.0, 1.0, 0.3])
    best = model.width_path_["loo_squared_error"].argmin()
    assert model.width_ == model.width_path_["width"][best]
    alone = ForwardRBFClassifier(width=model.width_).fit(X, y)
    np.testing.assert_array_equal(model.support_, alone.support_)
    assert_close(model.coef_, alone.coef_)


@pytest.mark.parametrize("radial", sorted(RADIALS))
def test_every_radial_function_learns(radial, moons):
    X, y = moons
    model = ForwardRBFClassifier(radial=radial).fit(X, y)
    assert model.score(X, y) > 0.85
    same = ForwardRBFClassifier(radial=RADIALS[radial]()).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), same.decision_function(X))


@pytest.mark.parametrize("part, registry", [("criterion", CRITERIA), ("regularizer", REGULARIZERS)])
def test_parts_by_name_and_as_objects(part, registry, moons):
    X, y = moons
    for name, build in registry.items():
        thing = build(alpha=1e-3) if part == "regularizer" else build()
        before = clone(thing).get_params()
        named = ForwardRBFClassifier(width=1.0, **{part: name}).fit(X, y)
        given = ForwardRBFClassifier(width=1.0, **{part: thing}).fit(X, y)
        np.testing.assert_array_equal(named.decision_function(X), given.decision_function(X))
        assert thing.get_params() == before  # fit changes no part


def test_min_nodes_rules_over_width(moons):
    """Non-regression: a wide width that ran out of candidates used to win below the minimum."""
    X, y = moons
    model = ForwardRBFClassifier(min_nodes=30).fit(X, y)
    assert model.n_nodes_ >= 30
    assert model.width_path_["n_nodes"].min() < 30
    with pytest.warns(ConvergenceWarning, match=r"below 'min_nodes' \(30\)") as caught:
        ForwardRBFClassifier(min_nodes=30, width=20.0).fit(X, y)
    assert caught[0].filename == __file__  # warnings point at the line that called fit


@pytest.mark.parametrize("max_nodes", [1, 2, 5])
def test_max_nodes(max_nodes, blobs):
    assert ForwardRBFClassifier(max_nodes=max_nodes).fit(*blobs).n_nodes_ <= max_nodes


# ------------------------------------------------------------------ resizing
@pytest.mark.parametrize("criterion", sorted(CRITERIA))
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_truncated_model_is_the_smaller_fit(criterion, fit_intercept, moons):
    X, y = moons
    settings = {"criterion": criterion, "width": 0.7, "fit_intercept": fit_intercept}
    full = ForwardRBFClassifier(min_nodes=6, max_nodes=6, **settings).fit(X, y)
    for k in range(1, 7):
        small = ForwardRBFClassifier(min_nodes=k, max_nodes=k, **settings).fit(X, y)
        cut = full.truncate(k)
        assert cut.n_nodes_ == k
        np.testing.assert_array_equal(cut.support_, small.support_)
        assert_close(cut.decision_function(X), small.decision_function(X))
        assert_close(cut.predict_proba(X), small.predict_proba(X))
        assert cut.loo_score_ == small.loo_score_
        assert_close(cut.loo_log_loss_, small.loo_log_loss_)


def test_truncated_regressor_is_the_smaller_fit(wave):
    X, y = wave
    full = ForwardRBFRegressor(width=1.0).fit(X, y)
    small = ForwardRBFRegressor(width=1.0, min_nodes=5, max_nodes=5).fit(X, y)
    assert_close(full.truncate(5).predict(X), small.predict(X))
    assert_close(full.truncate(5).loo_score_, small.loo_score_)


def test_truncate_leaves_the_original_alone(moons):
    X, y = moons
    model = ForwardRBFClassifier(min_nodes=6).fit(X, y)
    before = pickle.dumps(vars(model))
    smaller = model.truncate(4)
    assert pickle.dumps(vars(model)) == before
    np.testing.assert_array_equal(
        smaller.truncate(2).decision_function(X), model.truncate(2).decision_function(X)
    )
    same = model.truncate(model.n_nodes_)
    np.testing.assert_array_equal(same.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("n_nodes", [0, -1, 7, 2.5, "3", None])
def test_truncate_names_the_range(n_nodes, moons):
    model = ForwardRBFClassifier(min_nodes=6, max_nodes=6).fit(*moons)
    with pytest.raises(ValueError, match=r"'n_nodes' parameter .*truncate .*\[1, 6\]. Got"):
        model.truncate(n_nodes)


# ------------------------------------------------------------------ labels and probabilities
@pytest.mark.parametrize("radial", sorted(RADIALS))
def test_probabilities(classes, radial, seed):
    X, y = classes
    rng = np.random.default_rng(seed)
    far = rng.normal(size=(200, X.shape[1])) * 10.0 ** rng.uniform(-3, 6, size=(200, 1))
    Z = np.vstack([X, far, np.full((1, X.shape[1]), 1e6)])
    model = ForwardRBFClassifier(radial=radial, max_nodes=8).fit(X, y)
    p = model.predict_proba(Z)
    assert p.shape == (len(Z), len(model.classes_))
    assert (p >= 0.0).all()
    assert_close(p.sum(axis=1), 1.0, EXACT)
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(Z))


def test_two_class_probability_rises_with_the_score(moons):
    X, y = moons
    model = ForwardRBFClassifier().fit(X, y)
    scores, p = model.decision_function(X), model.predict_proba(X)[:, 1]
    assert_close(np.log(p / (1.0 - p)), model.temperature_ * scores, 1e-8)  # log of a rounded 1 - p
    np.testing.assert_array_equal(model.predict(X), model.classes_[(scores > 0.0).astype(int)])


@pytest.mark.parametrize(
    "names",
    [
        ["no", "yes"],
        np.array(["no", "yes"], dtype=object),
        [False, True],
        [-7, -2],
        [-1.0, 1.0],
        np.array([0, 255], dtype=np.uint8),
    ],
    ids=str,
)
def test_labels_keep_their_type(names, moons):
    X, y = moons
    names = np.asarray(names)
    plain = ForwardRBFClassifier(width=1.0).fit(X, y)
    model = ForwardRBFClassifier(width=1.0).fit(X, names[y])
    predicted = model.predict(X)
    assert predicted.dtype == names.dtype
    np.testing.assert_array_equal(predicted, names[plain.predict(X)])
    np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))


@pytest.mark.parametrize("criterion", ["misclassification", "mutual_information", "squared_error"])
@pytest.mark.parametrize("regularizer", sorted(REGULARIZERS))
def test_two_classes_as_two_outputs(criterion, regularizer, moons):
    """The papers' single output y and the general code (-y, y) select the same network."""
    X, y = moons
    settings = {"criterion": criterion, "regularizer": regularizer, "max_nodes": 8}
    model = ForwardRBFClassifier(width=0.5, standardize=False, **settings).fit(X, y)
    code = encode_classes(y, 2)
    weight = np.ones(len(y))
    regression = OrthogonalRegression(np.hstack([-code, code]), weight, fit_intercept=True)
    ladder = WidthLadder(Inputs(np.ascontiguousarray(X.T), weight), X, Gaussian(), memory=1e9)
    part = REGULARIZERS[regularizer](alpha=model.alpha)
    selection = select_forward(
        SamplePool(ladder.candidates(0.5, regression)),
        Scoring(CRITERIA[criterion](), y, weight),
        regression,
        part,
        Stopping(model.min_nodes, 8, model.patience),
    )
    chosen = [proposal.index for proposal in selection.proposals]
    np.testing.assert_array_equal(chosen, model.path_["node"])
    assert selection.size == model.n_nodes_
    best = selection.best_regression()
    coef, intercept = best.with_alphas(part.on_finish(best)).coefficients()
    assert_close(coef, np.hstack([-model.coef_.T, model.coef_.T]))
    assert_close(intercept, [-model.intercept_[0], model.intercept_[0]])


# ------------------------------------------------------------------ leave-one-out scores
def loo_by_refitting(Phi, targets, weight):
    """Prediction of every sample by least squares on the others."""
    predictions = np.empty_like(targets)
    root = np.sqrt(weight)[:, None]
    for i in range(len(Phi)):
        rest = np.arange(len(Phi)) != i
        coef = np.linalg.lstsq((root * Phi)[rest], (root * targets)[rest])[0]
        predictions[i] = Phi[i] @ coef
    return predictions


@pytest.mark.parametrize("weighted", [False, True])
def test_loo_accuracy_is_that_of_refits(moons, weighted, seed):
    X, y = moons
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, len(y)).astype(float) if weighted else np.ones(len(y))
    model = ForwardRBFClassifier(
        1.0, alpha=0.0, candidates=X[:4], min_nodes=4, standardize=False
    ).fit(X, y, weight)
    Phi = np.column_stack([np.ones(len(X)), activations(model, X)])
    scores = loo_by_refitting(Phi, encode_classes(y, 2), weight)
    right = (scores[:, 0] > 0.0) == (y == 1)
    assert_close(model.loo_score_, weight @ right / weight.sum())


def test_loo_figures_count_samples_as_they_came(moons):
    """Class weights move the refits, but not what their errors count: as on new rows."""
    X, y = moons
    factors = np.array([1.0, 5.0])
    model = ForwardRBFClassifier(
        1.0, alpha=0.0, candidates=X[:4], min_nodes=4, standardize=False,
        class_weight=dict(enumerate(factors)),
    ).fit(X, y)  # fmt: skip
    Phi = np.column_stack([np.ones(len(X)), activations(model, X)])
    left = np.array([
        Phi[i] @ np.linalg.lstsq(root[:, None] * Phi, root * (2.0 * y - 1.0), rcond=None)[0]
        for i, root in enumerate(np.sqrt(factors[y] * (1.0 - np.eye(len(y)))))
    ])  # fmt: skip
    right = (left > 0.0) == (y == 1)
    assert_close(model.loo_score_, right.mean())
    assert abs(right.mean() - factors[y] @ right / factors[y].sum()) > 0.01
    own = np.logaddexp(0.0, -model.temperature_ * left * (2.0 * y - 1.0))
    assert_close(model.loo_log_loss_, own.mean(), 1e-6)


def test_loo_r2_is_that_of_refits(wave, seed):
    X, y = wave
    Y = np.column_stack([y, y**2 + 50.0])
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    model = ForwardRBFRegressor(
        1.0, alpha=0.0, candidates=X[:6], min_nodes=6, standardize=False
    ).fit(X, Y, weight)
    Phi = np.column_stack([np.ones(len(X)), activations(model, X)])
    predictions = loo_by_refitting(Phi, Y, weight)
    assert_close(model.loo_score_, r2_score(Y, predictions, sample_weight=weight))


# ------------------------------------------------------------------ invariances
@pytest.mark.parametrize("settings", [{"memory_budget": 1.0}, {"memory_budget": 1.2e5}], ids=str)
@pytest.mark.parametrize("criterion", sorted(CRITERIA))
def test_memory_budget_changes_nothing(settings, criterion, blobs):
    X, y = blobs
    free = ForwardRBFClassifier(criterion=criterion).fit(X, y)
    tight = ForwardRBFClassifier(criterion=criterion, **settings).fit(X, y)
    np.testing.assert_array_equal(tight.support_, free.support_)
    assert tight.width_ == free.width_
    assert_close(tight.coef_, free.coef_)


@pytest.mark.parametrize("memory_budget", [1e9, 1.0])
def test_threads_change_nothing(memory_budget, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(800, 3))  # large enough for two threads to get work
    y = (X**2).sum(axis=1) + rng.normal(size=800) > 3.0
    models = [
        ForwardRBFClassifier(1.0, max_nodes=5, n_jobs=n_jobs, memory_budget=memory_budget).fit(X, y)
        for n_jobs in (1, 2)
    ]
    np.testing.assert_array_equal(models[0].support_, models[1].support_)
    np.testing.assert_array_equal(models[0].coef_, models[1].coef_)


def test_units_of_the_inputs_do_not_matter(classes, seed):
    X, y = classes
    rng = np.random.default_rng(seed)
    factor = 10.0 ** rng.uniform(-6, 6, X.shape[1])
    shift = factor * rng.normal(size=X.shape[1])
    one = ForwardRBFClassifier().fit(X, y)
    other = ForwardRBFClassifier().fit(X * factor + shift, y)
    np.testing.assert_array_equal(one.support_, other.support_)
    assert_close(other.decision_function(X * factor + shift), one.decision_function(X))


@pytest.mark.parametrize("regularizer", sorted(REGULARIZERS))
@pytest.mark.parametrize("factor, shift", [(1e6, 1e9), (-1e-9, 0.0), (1e200, -1e201)])
def test_units_of_the_target_do_not_matter(factor, shift, regularizer, wave):
    X, y = wave
    one = ForwardRBFRegressor(1.0, regularizer=regularizer).fit(X, y)
    other = ForwardRBFRegressor(1.0, regularizer=regularizer).fit(X, factor * y + shift)
    np.testing.assert_array_equal(one.support_, other.support_)
    assert_close((other.predict(X) - shift) / factor, one.predict(X))
    assert_close(other.loo_score_, one.loo_score_)


def test_outputs_share_nodes_and_lose_nothing(wave):
    """An output in other units, one that is constant, and one that is there twice."""
    X, y = wave
    single = ForwardRBFRegressor(1.0).fit(X, y)
    Y = np.column_stack([y, 1e6 * y + 1e9, np.full(len(y), 0.1)])
    joint = ForwardRBFRegressor(1.0).fit(X, Y)
    np.testing.assert_array_equal(joint.support_, single.support_)
    P = joint.predict(X)
    assert_close(P[:, 0], single.predict(X))
    assert_close((P[:, 1] - 1e9) / 1e6, single.predict(X))
    np.testing.assert_array_equal(P[:, 2], 0.1)
    assert joint.score(X, Y) > single.score(X, y)  # a constant output is predicted exactly


def test_candidates_are_drawn_by_random_state(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(2100, 2))
    y = X[:, 0] * X[:, 1] > 0.0

    def support(random_state):
        model = ForwardRBFClassifier(1.0, max_nodes=3, random_state=random_state)
        return model.fit(X, y).support_

    np.testing.assert_array_equal(support(1), support(1))
    np.testing.assert_array_equal(support(1), support(np.random.RandomState(1)))
    assert (support(1) != support(2)).any()


def test_equal_samples_are_one_candidate(moons):
    """Repeating rows that are not chosen adds no candidate; the first of equals is named."""
    X, y = moons
    model = ForwardRBFClassifier(1.0, max_nodes=6).fit(np.tile(X, (3, 1)), np.tile(y, 3))
    assert (model.support_ < len(X)).all()
    assert len(np.unique(model.support_)) == model.n_nodes_


@pytest.mark.parametrize("candidates", [10, "given"])
def test_candidates(candidates, moons):
    X, y = moons
    if candidates == "given":
        centers = np.array([[0.0, 0.0], [1.0, 0.5], [-1.0, 0.5], [2.0, 0.5]])
        model = ForwardRBFClassifier(candidates=centers).fit(X, y)
        np.testing.assert_array_equal(model.centers_, centers[model.support_])
    else:
        model = ForwardRBFClassifier(candidates=10, min_nodes=10, width=0.3).fit(X, y)
        assert model.n_nodes_ == 10
