"""Laws of all estimators: what they answer, under one name, from their network."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.metrics import log_loss, r2_score, root_mean_squared_error

import drumlin
from drumlin import estimators
from drumlin.basis import RADIALS
from drumlin.estimators import table
from tests.helpers import EXACT, IDENTITY, assert_close

DOCS = Path(__file__).parents[2] / "docs"

QUICK = {
    "ForwardRBFClassifier": {"max_nodes": 8},
    "ForwardRBFRegressor": {"max_nodes": 8},
    "RBFNetworkClassifier": {"n_nodes": 9, "n_init": 1},
    "RBFNetworkRegressor": {"n_nodes": 9, "n_init": 1},
    "SparseKernelLogisticRegression": {"width": 1.5},
    "TunableRBFClassifier": {"max_nodes": 4},
    "TunableRBFRegressor": {"max_nodes": 4},
}
EVERY = estimators.__all__
CLASSIFIERS = [name for name in EVERY if is_classifier(getattr(estimators, name)())]
REGRESSORS = [name for name in EVERY if name not in CLASSIFIERS]


def make(name, **parameters):
    return getattr(estimators, name)(**{**QUICK.get(name, {}), **parameters})


def targets_of(name, X, n_targets):
    """Classes, or as many outputs in different units."""
    rng = np.random.default_rng(7)
    signal = np.column_stack([np.sin(2.0 * X[:, 0]), X[:, 1], X[:, 0] * X[:, 1]])
    signal += 0.1 * rng.standard_normal(signal.shape)
    if name in CLASSIFIERS:
        edges = np.quantile(signal[:, 0], np.arange(1, n_targets) / n_targets)
        return np.array(["a", "b", "c"])[np.digitize(signal[:, 0], edges)]
    return signal[:, 0] if n_targets == 1 else (signal * [1.0, 100.0, 0.01])[:, :n_targets]


@pytest.fixture(scope="module")
def inputs(seed):
    return np.random.default_rng(seed).standard_normal((70, 2)) * [1.0, 50.0] + [3.0, 0.0]


@pytest.fixture(scope="module")
def fitted(inputs):
    """Models by name and number of classes or outputs, each fitted once."""
    known = {}

    def get(name, n_targets):
        if (name, n_targets) not in known:
            X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
            known[name, n_targets] = make(name).fit(inputs, targets_of(name, X, n_targets))
        return known[name, n_targets]

    return get


def every_case():
    return [(name, n) for name in EVERY for n in ((2, 3) if name in CLASSIFIERS else (1, 3))]


@pytest.fixture(params=every_case(), ids=lambda case: f"{case[0]}-{case[1]}")
def case(request, fitted, inputs):
    """A fitted model of every kind, its name, and the number of its classes or outputs."""
    name, n_targets = request.param
    return fitted(name, n_targets), name, n_targets


def test_the_table_of_the_docs_is_that_of_the_code():
    page = (DOCS / "estimators.md").read_text(encoding="utf-8")
    assert table.with_table(page) == page
    shown = {name for name in EVERY if any(map(name.startswith, table.FAMILIES))}
    assert shown == set(EVERY)


def test_weights_are_those_of_the_network(case):
    model, _, n_targets = case
    network, single = model.network_, n_targets == 1
    np.testing.assert_array_equal(model.coef_, network.coef[:, 0] if single else network.coef.T)
    np.testing.assert_array_equal(model.intercept_, network.intercept[0 if single else slice(None)])
    assert isinstance(model.intercept_, float) == single
    numbers = [network.nodes.centers, network.nodes.widths, network.coef, network.intercept]
    numbers += [] if network.shares is None else [network.shares]
    stored = sum(array.size for array in numbers)
    stored += 0 if network.inputs is None else network.inputs.size
    assert model.n_bytes_ == 8 * stored


def test_contributions_sum_to_the_scores(case, inputs):
    model = case[0]
    parts = model.contributions(inputs)
    assert parts.shape == (len(inputs), model.n_nodes_ + 1, len(model.network_.intercept))
    assert_close(parts.sum(axis=1), model.network_(inputs))


def test_gradient_is_that_of_finite_differences(case, inputs):
    model, _, n_targets = case
    gradient = model.gradient(inputs)
    n_outputs = len(model.network_.intercept)
    axes = () if n_targets == 1 else (n_outputs,)
    assert gradient.shape == (len(inputs), *axes, 2)
    scale = inputs.std(axis=0)
    for i, step in enumerate(np.diag(1e-5 * scale)):
        rise = model.network_(inputs + step) - model.network_(inputs - step)
        slope = gradient.reshape(len(inputs), n_outputs, 2)[:, :, i] * scale[i]
        size = np.abs(slope).max(axis=0) + 1e-12
        assert_close(slope / size, rise / 2e-5 / size, 1e-5)  # central differences


def test_novelty(case, inputs):
    model = case[0]
    novelty = model.novelty(inputs)
    assert ((novelty >= 0.0) & (novelty <= 1.0)).all()
    np.testing.assert_array_equal(model.novelty(inputs + 1e4), 1.0)
    moved = model.novelty(inputs + 0.3 * inputs.std(axis=0))
    assert 0.0 < np.median(moved) < 1.0  # samples like the training ones are not new


def test_relevance(case):
    model = case[0]
    assert model.relevance_.shape == (2,)
    assert (model.relevance_ >= 0.0).all()
    assert_close(model.relevance_.sum(), 1.0)


@pytest.mark.parametrize("name", EVERY)
def test_relevance_knows_what_does_not_matter(name, inputs):
    """In any units, of inputs and of outputs."""
    X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of(name, X, 2)
    X = X * [1e3, 1e-3]
    wanted = [0] if name in CLASSIFIERS else [0, 1]
    relevance = make(name).fit(X, y).relevance_
    assert relevance[wanted].min() > (0.5 if name in CLASSIFIERS else 0.25)


def test_truncate(case, inputs):
    model, name, _ = case
    if name.startswith("NadarayaWatson"):
        assert not hasattr(model, "truncate")  # weights are the targets: nothing to readjust
        return
    before = model.predict(inputs)
    for n_nodes in (1, model.n_nodes_ - 1, model.n_nodes_):
        small = model.truncate(n_nodes)
        assert small.n_nodes_ == len(small.network_.nodes) == n_nodes
        assert small.coef_.shape[-1] == n_nodes
        assert small.predict(inputs).shape == before.shape
        np.testing.assert_array_equal(small.novelty(inputs), model.novelty(inputs))
    np.testing.assert_array_equal(model.truncate(model.n_nodes_).predict(inputs), before)
    np.testing.assert_array_equal(model.predict(inputs), before)
    with pytest.raises(ValueError, match=r"'n_nodes' parameter .* range \[1, "):
        model.truncate(0)


def test_leave_one_out_figures(case):
    model, name, n_targets = case
    assert np.isfinite(model.loo_error_)
    assert isinstance(model.loo_error_, float)
    if name in CLASSIFIERS:
        assert_close(model.loo_error_, 1.0 - model.loo_score_, EXACT)
        # Shares of local averages may be 0: then one sample alone costs 36.
        most = 36.1 if name.startswith("NadarayaWatson") else np.log(n_targets)
        assert 0.0 < model.loo_log_loss_ < most
    elif name == "DrumlinRegressor" and n_targets > 1:
        assert not hasattr(model, "loo_score_")
    else:
        assert model.loo_score_ > 0.5
        assert not hasattr(model, "loo_log_loss_")


@pytest.mark.parametrize("name", ["NadarayaWatsonRegressor", "RBFNetworkRegressor"])
def test_leave_one_out_of_numbers_is_brute_force(name, inputs):
    """Refitted without each sample, the nodes and units as they are."""
    X = (inputs[:25] - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of(name, X, 2)
    given = {"bandwidth": 0.5} if name.startswith("N") else {"centers": X[:4], "width": 1.0}
    model = make(name, standardize=False, **given)
    rest = [np.delete(np.arange(len(X)), i) for i in range(len(X))]
    refits = [clone(model).fit(X[rows], y[rows]) for rows in rest]
    left = np.concatenate([refit.predict(X[[i]]) for i, refit in enumerate(refits)])
    model.fit(X, y)
    tolerance = IDENTITY if name.startswith("N") else 1e-4  # units of the targets are refitted
    assert_close(model.loo_error_, root_mean_squared_error(y, left), tolerance)
    assert_close(model.loo_score_, r2_score(y, left), tolerance)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_leave_one_out_of_sparse_kernels_is_nearly_brute_force(n_classes, inputs):
    """One Newton step per sample, against refits of the weights of the same kernels."""
    X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of("SparseKernelLogisticRegression", X, n_classes)
    model = make("SparseKernelLogisticRegression", alpha=0.02, standardize=False).fit(X, y)
    left = np.array([refitted(model, X, y, i) for i in range(len(X))])
    assert_close(model.loo_log_loss_, log_loss(y, left), 0.01)  # the second order of the step
    error = float((model.classes_[left.argmax(axis=1)] != y).mean())
    assert abs(model.loo_error_ - error) <= 1.0 / len(X)


def refitted(model, X, y, i):
    """Probabilities of sample i by the model's kernels, fitted to the other samples."""
    from drumlin.linear.logistic import LogisticProblem, class_rates
    from drumlin.linear.newton import fit_logistic
    from drumlin.linear.whitening import whiten

    labels, weight = np.searchsorted(model.classes_, y), np.ones(len(X))
    weight[i] = 1e-12
    nodes = model.network_.nodes
    whitened = whiten(nodes.activate(X)[None], nodes.activate(nodes.centers)[None])
    plain = LogisticProblem(labels, weight, len(model.classes_))
    problem = plain.compared_with(model.reference_)
    fits = fit_logistic(whitened.columns, problem, len(X) * model.alpha_[None])
    return class_rates(fits.scores[0])[np.argsort(problem.contrasts.order), i]


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_and_doubt(name, n_classes, fitted, inputs):
    model = fitted(name, n_classes)
    with np.errstate(divide="ignore"):
        expected = np.log(model.predict_proba(inputs))
    np.testing.assert_array_equal(model.predict_log_proba(inputs), expected)
    labels, largest = model.predict(inputs), model.predict_proba(inputs).max(axis=1)
    far = np.concatenate([inputs, inputs[:3] + 1e4])
    answers = model.predict(far, reject=0.8)
    assert answers.dtype == object
    assert [answer is None for answer in answers[-3:]] == [True] * 3
    for answer, label, p in zip(answers, labels, largest, strict=False):
        assert answer == (label if p >= 0.8 else None)
    assert model.predict(inputs, reject=1.0).tolist().count(None) == (largest < 1.0).sum()
    with pytest.raises(ValueError, match=r"'reject' parameter of .*range \[0, 1\]. Got 2"):
        model.predict(inputs, reject=2)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_two_classes_have_the_shapes_of_three(name, fitted, inputs):
    """All arrays have as many axes, and differ in the number of nodes and outputs only."""
    two, three = fitted(name, 2), fitted(name, 3)
    assert len(two.network_.intercept) == (2 if name.startswith("NadarayaWatson") else 1)
    assert len(three.network_.intercept) == 3
    for ask in ("contributions", "gradient", "novelty", "predict", "predict_proba"):
        assert getattr(two, ask)(inputs).ndim == getattr(three, ask)(inputs).ndim
    for attribute in ("coef_", "intercept_", "relevance_", "coef_cov_"):
        if hasattr(two, attribute):
            assert getattr(two, attribute).ndim == getattr(three, attribute).ndim


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_standard_deviations(name, n_outputs, fitted, inputs):
    model = fitted(name, n_outputs)
    if name == "NadarayaWatsonRegressor":  # averages have no covariance
        assert "return_std" not in inspect.signature(model.predict).parameters
        return
    mean, std = model.predict(inputs, return_std=True)
    np.testing.assert_array_equal(mean, model.predict(inputs))
    assert std.shape == mean.shape
    assert (std > 0.0).all()
    units = [1.0, 100.0, 0.01][:n_outputs]
    spread = (std / units).reshape(len(std), -1).mean(axis=0)
    assert ((spread > 0.05) & (spread < 1.0)).all()  # the noise is 0.1; few nodes miss some signal


def test_standard_deviations_of_least_squares(inputs):
    """Ridge on the same nodes, by its normal equations: penalties are those of the columns."""
    X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of("ForwardRBFRegressor", X, 1)
    model = make("ForwardRBFRegressor", alpha=1e-9).fit(X, y)
    H = np.column_stack([np.ones(len(X)), model.network_.activations(X).T])
    residual = y - H @ np.linalg.lstsq(H, y)[0]
    noise = residual @ residual / (len(X) - H.shape[1])
    leverage = np.einsum("ij,jk,ik->i", H, np.linalg.inv(H.T @ H), H)
    assert_close(model.predict(X, return_std=True)[1], np.sqrt(noise * (1.0 + leverage)), 1e-5)


@pytest.mark.parametrize("name", [n for n in EVERY if not n.startswith("NadarayaWatson")])
def test_max_nodes(name, inputs):
    X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of(name, X, 2 if name in CLASSIFIERS else 1)
    assert 1 <= make(name, max_nodes=2).fit(X, y).n_nodes_ <= 2


@pytest.mark.parametrize("radial", RADIALS)
@pytest.mark.parametrize("normalized", [False, True])
def test_gradients_of_all_radial_functions(radial, normalized, inputs):
    y = targets_of("RBFNetworkRegressor", inputs, 1)
    model = make("RBFNetworkRegressor", radial=radial, normalized=normalized).fit(inputs, y)
    scale = inputs.std(axis=0)
    for i, step in enumerate(np.diag(1e-5 * scale)):
        rise = model.predict(inputs + step) - model.predict(inputs - step)
        slope = model.gradient(inputs)[:, i] * scale[i]
        assert_close(slope, rise / 2e-5, 1e-5)  # central differences
    assert hasattr(model, "truncate") == (not normalized)


def test_a_truncated_network_is_least_squares_with_its_nodes(inputs):
    """Weights are readjusted exactly, and the model learns on as the smaller one would."""
    X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of("RBFNetworkRegressor", X, 3)
    small = make("RBFNetworkRegressor", solver="ridge").fit(X[:50], y[:50]).truncate(4)
    given = {"centers": small.centers_, "width": 1.0, "standardize": False, "solver": "ridge"}
    same = make("RBFNetworkRegressor", **given)
    same.fit(X[:50], y[:50])
    same._placed = small._placed
    same._set_nodes(small._placed)
    same._learner = same._new_learner(SimpleNamespace(X=X[:50]))  # as many rows
    training, _ = same._prepare(X[:50], y[:50], None, units=same._units)
    same._learn(training, np.arange(50))
    assert_close(small.predict(X), same.predict(X), 1e-7)  # normal equations of two routes
    small.partial_fit(X[50:], y[50:])
    assert not hasattr(small, "loo_error_")
    assert small.n_nodes_ == 4


def test_a_stream_remembers_how_far_its_samples_were(inputs):
    X = (inputs - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of("RBFNetworkRegressor", X, 1)
    model = make("RBFNetworkRegressor").partial_fit(X[:40], y[:40])
    far = X[40:] + 10.0
    assert (model.novelty(far) == 1.0).all()
    model.partial_fit(far, y[40:])
    assert model.novelty(far).max() > 0.95
    assert (model.novelty(far) < 1.0).sum() > 20
    assert (model.novelty(X[:40]) <= 0.6).all()  # 40 of 70 samples were nearer
    with pytest.raises(AttributeError, match="does not know 'loo_error_'"):
        model.loo_error_  # noqa: B018


@pytest.mark.parametrize("name", EVERY)
def test_before_fit_nothing_is_known(name):
    model = make(name)
    learned = ("coef_", "intercept_", "n_bytes_", "relevance_", "loo_error_", "temperature_")
    assert not any(hasattr(model, attribute) for attribute in learned)


@pytest.mark.parametrize("name", ["DrumlinClassifier", "DrumlinRegressor"])
def test_the_flagship_shows_no_parameters_that_it_has_not(name, fitted):
    model = fitted(name, 2 if name in CLASSIFIERS else 1)
    for attribute in ("standardize", "fit_intercept", "temperature_"):
        assert not hasattr(model, attribute)


@pytest.mark.parametrize("name", EVERY)
def test_files_keep_the_answers(name, fitted, inputs, tmp_path):
    model = fitted(name, 3)
    drumlin.save(model, tmp_path / "model.drumlin")
    loaded = drumlin.load(tmp_path / "model.drumlin")
    for ask in ("novelty", "contributions", "gradient", "predict"):
        np.testing.assert_array_equal(getattr(loaded, ask)(inputs), getattr(model, ask)(inputs))
    np.testing.assert_array_equal(loaded.relevance_, model.relevance_)
    assert (loaded.loo_error_, loaded.n_bytes_) == (model.loo_error_, model.n_bytes_)


def test_models_of_older_files_say_what_they_do_not_know(inputs, tmp_path):
    golden = Path(__file__).parents[1] / "io" / "golden" / "v1-NadarayaWatsonRegressor.drumlin"
    model = drumlin.load(golden)
    assert not hasattr(model, "novelty")
    with pytest.raises(AttributeError, match="no attribute 'novelty'") as caught:
        model.novelty(inputs)
    assert "older version" in str(caught.value.__cause__)
    with pytest.raises(AttributeError, match="does not know 'relevance_'"):
        model.relevance_  # noqa: B018
    assert model.coef_.shape[-1] == model.n_nodes_


def test_explanations(case, inputs):
    """What inputs add sums to the score minus the background's, whatever the network is."""
    model = case[0]
    told, given = model.explain(inputs[:4]), model.explain(inputs[:4], inputs[5:8])
    scores = model.network_(inputs[:4])
    size = np.abs(told.nodes).sum(axis=1).max()
    for one in (told, given):
        assert one.inputs.shape == (4, 2, len(model.network_.intercept))
        assert_close((one.inputs.sum(axis=1) + one.base) / size, scores / size)
    assert_close(told.base, model.network_(inputs.mean(axis=0)[None])[0], 1e-6)
    assert_close(given.base, model.network_(inputs[5:8]).mean(axis=0))
    np.testing.assert_array_equal(told.nodes, model.contributions(inputs[:4]))
    np.testing.assert_array_equal(model.feature_importances_, model.relevance_)


def test_counterfactuals(case, inputs):
    model, name, n_targets = case
    if name in REGRESSORS and n_targets > 1:
        return
    x = inputs[0]
    if name in CLASSIFIERS:
        target = next(label for label in model.classes_ if label != model.predict(x[None])[0])
    else:
        target = (None, float(model.predict(x[None])[0]) - 0.3)
    told = model.counterfactual(x, target)
    assert told.found
    answer = model.predict(told.x[None])[0]
    assert answer == target if name in CLASSIFIERS else answer < target[1]
    assert (told.x >= inputs.min(axis=0)).all()
    assert (told.x <= inputs.max(axis=0)).all()


def test_a_stream_remembers_what_its_inputs_were(inputs):
    y = targets_of("RBFNetworkRegressor", inputs, 1)
    model = make("RBFNetworkRegressor").partial_fit(inputs[:40], y[:40])
    model.partial_fit(inputs[40:] + 1.0, y[40:])
    everything = np.concatenate([inputs[:40], inputs[40:] + 1.0])
    assert_close(model._seen.mean, everything.mean(axis=0))
    assert_close(model._seen.spread, everything.std(axis=0))
    np.testing.assert_array_equal(model._seen.low, everything.min(axis=0))
    np.testing.assert_array_equal(model._seen.high, everything.max(axis=0))
