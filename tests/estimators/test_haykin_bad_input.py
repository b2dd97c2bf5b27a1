"""Haykin's networks and kernel regression refuse bad input by name, rule and value."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from drumlin import (
    NadarayaWatsonClassifier,
    NadarayaWatsonRegressor,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
)
from tests.helpers import assert_close

NETWORKS = [RBFNetworkClassifier, RBFNetworkRegressor]
SMOOTHERS = [NadarayaWatsonClassifier, NadarayaWatsonRegressor]


@pytest.fixture(params=NETWORKS + SMOOTHERS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


@pytest.fixture(params=NETWORKS, ids=lambda kind: kind.__name__)
def network(request):
    return request.param


def test_not_fitted(kind, moons):
    with pytest.raises(NotFittedError):
        kind().predict(moons[0])
    if kind in NETWORKS:
        assert not hasattr(kind(), "mse_path_")
        assert not hasattr(kind(), "coef_cov_")


def test_equal_samples_give_a_constant(kind):
    X, y = np.ones((10, 3)), np.arange(10) % 2
    model = kind().fit(X, y)
    assert model.n_nodes_ <= 2
    answers = model.predict(np.array([[1.0, 1.0, 1.0], [5.0, -9.0, 1e200]]))
    assert answers[0] == answers[1]
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(model.predict_proba(X), 0.5, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-250, 1e-5, 1e5, 1e250])
def test_huge_and_tiny_scales(kind, scale, moons):
    X, y = moons
    plain, scaled = kind().fit(X, y), kind().fit(scale * X, y)
    np.testing.assert_allclose(scaled.predict(scale * X), plain.predict(X), atol=1e-6)


def test_constant_target(kind, moons):
    if kind in (RBFNetworkRegressor, NadarayaWatsonRegressor):
        model = kind().fit(moons[0], np.full(80, 1e7))
        np.testing.assert_allclose(model.predict(moons[0]), 1e7, rtol=1e-12)
        if kind is RBFNetworkRegressor:
            assert np.isfinite(model.predict(moons[0], return_std=True)[1]).all()


@pytest.mark.parametrize("radial", ["gaussian", "multiquadric", "inverse_multiquadric"])
@pytest.mark.parametrize("normalized", [False, True])
def test_far_away_there_is_an_answer(network, radial, normalized, moons):
    X, y = moons
    model = network(9, radial=radial, normalized=normalized).fit(X, y)
    far = np.array([[1e9, 0.0], [0.0, -1e160], [1e308, 1e308]])
    assert np.isfinite(model.predict(far)).all()


# ------------------------------------------------------------------ parameters
@pytest.mark.parametrize(
    "name, value, rule",
    [
        ("n_nodes", 0, r"range \[1, inf\)"),
        ("n_nodes", 2.5, r"range \[1, inf\)"),
        ("centers", "random", "'kmeans'"),
        ("centers", None, "'kmeans'"),
        ("centers", [[1.0, 2.0, 3.0]], "one column per feature of X, 2. Got 3"),
        ("centers", [[1.0, np.nan]], "finite numbers, a row for each node. Got .*nan"),
        ("centers", [1.0, 2.0], "finite numbers, a row for each node"),
        ("centers", [["left", "right"]], "finite numbers, a row for each node"),
        ("centers", [], "finite numbers, a row for each node"),
        ("width", 0.0, r"range \(0.0, inf\)"),
        ("width", -1.0, r"range \(0.0, inf\)"),
        ("width", np.inf, r"range \(0.0, inf\)"),
        ("width", "wide", "'cluster'"),
        ("width", [1.0, 2.0], "one for each of the 20 nodes"),
        ("width", [[1.0]], "one for each of the 20 nodes"),
        ("width", [-1.0] * 20, "a positive number or one for each"),
        ("radial", "cubic", "'gaussian'"),
        ("solver", "sgd", "'ridge'"),
        ("alpha", 0.0, r"range \(0.0, inf\)"),
        ("forgetting", 0.0, r"range \(0.0, 1.0\]"),
        ("forgetting", 1.1, r"range \(0.0, 1.0\]"),
        ("forgetting", 1e-16, "at least 1.41e-15 with 20 nodes and alpha=0.001. Got 1e-16"),
        ("learning_rate", 0.0, r"range \(0.0, 1.0\]"),
        ("learning_rate", (0.5,), "pair of them, first and last"),
        ("learning_rate", (0.5, 0.0), "pair of them, first and last"),
        ("learning_rate", ("fast", "slow"), "pair of them, first and last"),
        ("annealing", 0, r"range \[1, inf\)"),
        ("max_iter", 0, r"range \[1, inf\)"),
        ("n_init", 0, r"range \[1, inf\)"),
        ("normalized", "yes", "bool"),
        ("standardize", "yes", "bool"),
        ("fit_intercept", "yes", "bool"),
        ("random_state", "dice", "'random_state' parameter"),
    ],
)
def test_bad_network_parameters(network, name, value, rule, moons):
    with pytest.raises(ValueError, match=rule) as caught:
        network(**{name: value}).fit(*moons)
    assert name in str(caught.value)


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"solver": "exact"}, "'centers' must be 'all'. Got 'kmeans'"),
        ({"solver": "gradient", "radial": "multiquadric"}, "needs radial='gaussian' and norm"),
        ({"solver": "gradient", "normalized": True}, "needs radial='gaussian' and normalized"),
        ({"solver": "lms", "forgetting": 0.9}, "'forgetting' parameter .* 1 unless solver='rls'"),
    ],
)
def test_parts_that_do_not_go_together(network, settings, message, moons):
    with pytest.raises(ValueError, match=message):
        network(**settings).fit(*moons)


@pytest.mark.parametrize("smoother", SMOOTHERS)
@pytest.mark.parametrize(
    "bandwidth, rule",
    [
        (0.0, r"range \(0.0, inf\)"),
        ("cv", "'loo'"),
        ([1.0, 2.0, 3.0], "one for each of the 2 features"),
        ([1.0, -2.0], "a positive number or one for each"),
        ([1.0, np.nan], "a positive number or one for each"),
        (["wide", "narrow"], "a positive number or one for each"),
    ],
)
def test_bad_bandwidths(smoother, bandwidth, rule, moons):
    with pytest.raises(ValueError, match=rule) as caught:
        smoother(bandwidth).fit(*moons)
    assert "'bandwidth' parameter" in str(caught.value)


# ------------------------------------------------------------------ streams
def test_stream_needs_classes_first(moons):
    with pytest.raises(ValueError, match=r"'classes' parameter .* in the first call. Got None"):
        RBFNetworkClassifier().partial_fit(*moons)
    with pytest.raises(ValueError, match=r"at least two classes .* Got 1 class: \[0\]"):
        RBFNetworkClassifier().partial_fit(moons[0], np.zeros(80, int), classes=[0])


def test_new_classes_are_refused(moons):
    X, y = moons
    model = RBFNetworkClassifier(5).partial_fit(X, y, classes=[0, 1])
    before = model.coef_.copy()
    with pytest.raises(ValueError, match=r"knows the classes \[0, 1\] .* Got \[2\] too"):
        model.partial_fit(X, y + 1)
    with pytest.raises(ValueError, match=r"first call, \[0, 1\]. Got \[0, 1, 2\]"):
        model.partial_fit(X, y, classes=[0, 1, 2])
    np.testing.assert_array_equal(model.coef_, before)
    model.partial_fit(X, y, classes=[1, 0])  # the same ones


def test_a_class_may_come_late(blobs):
    X, y = blobs
    early = y < 3
    model = RBFNetworkClassifier(9).partial_fit(X[early], y[early], classes=range(4))
    assert model.predict_proba(X).shape == (90, 4)
    model.partial_fit(X[~early], y[~early])
    assert (model.predict(X[~early]) == 3).any()


def test_changed_features_are_refused(network, moons):
    X, y = moons
    first = {"classes": [0, 1]} if network is RBFNetworkClassifier else {}
    model = network(5).partial_fit(X, y, **first)
    with pytest.raises(ValueError, match=r"X has 1 features, but RBFNetwork.* expecting 2"):
        model.partial_fit(X[:, :1], y)


def test_changed_outputs_are_refused(wave):
    X, y = wave
    model = RBFNetworkRegressor(5).partial_fit(X, y)
    with pytest.raises(ValueError, match=r"started with 1 output\(s\); .* Got 2"):
        model.partial_fit(X, np.column_stack([y, y]))
    assert model.predict(X).shape == y.shape  # as before


def test_a_refused_fit_leaves_the_classes(moons):
    X, y = moons
    model = RBFNetworkClassifier(5).fit(X, y)
    with pytest.raises(ValueError, match="at least two classes"):
        model.fit(X, np.zeros(len(X)))
    assert set(model.predict(X)) == {0, 1}


def test_class_weights_of_classes_that_a_batch_lacks(moons):
    X, y = moons
    stream = RBFNetworkClassifier(centers=X[:5], width=1.0, class_weight={1: 2.0})
    for label in (0, 1):
        stream.partial_fit(X[y == label], y[y == label], classes=[0, 1])
    fitted = clone(stream).fit(X, y)
    assert_close(stream.coef_, fitted.coef_)


def test_a_first_batch_without_weight(moons):
    X, y = moons
    model = RBFNetworkClassifier(5, class_weight={0: 0.0})
    with pytest.raises(
        ValueError, match=r"in its first batch. Got only .*'class_weight' is 0, \{0: 0"
    ):
        model.partial_fit(X[y == 0], y[y == 0], classes=[0, 1])
    model.partial_fit(X, y, classes=[0, 1]).partial_fit(X[y == 0], y[y == 0])
    assert model.n_samples_seen_ == (y == 1).sum()


@pytest.mark.parametrize("before", [{"solver": "lms"}, {"solver": "exact", "centers": "all"}])
def test_a_stream_keeps_its_solver(network, before, moons):
    model = network(**before, width=0.1).fit(*moons).set_params(solver="rls")
    with pytest.raises(ValueError, match=r"'solver' parameter .* stay the same .* Got 'rls'"):
        model.partial_fit(*moons)


def test_a_stream_cannot_be_balanced(moons):
    model = RBFNetworkClassifier(class_weight="balanced")
    with pytest.raises(ValueError, match=r"'class_weight' parameter .* Got 'balanced'"):
        model.partial_fit(*moons, classes=[0, 1])
    assert model.fit(*moons).score(*moons) > 0.8


@pytest.mark.parametrize("solver", ["exact", "gradient"])
def test_solvers_that_need_all_samples(network, solver, moons):
    with pytest.raises(AttributeError) as caught:
        network(solver=solver).partial_fit(*moons)
    assert f"Got '{solver}'" in str(caught.value.__cause__ or caught.value)


def test_a_small_first_batch_is_warned_of(moons):
    X, y = moons
    with pytest.warns(UserWarning, match=r"only 3 nodes, fewer than 'n_nodes' \(20\)") as caught:
        model = RBFNetworkRegressor().partial_fit(X[:3], y[:3])
    assert caught[0].filename == __file__
    assert model.n_nodes_ == 3


def test_constant_inputs_of_a_first_batch_are_warned_of(moons):
    X, y = moons
    half = np.column_stack([X, np.ones(len(X))])
    with pytest.warns(UserWarning, match=r"constant inputs, columns \[2\]") as caught:
        RBFNetworkRegressor(5).partial_fit(half, y)
    assert [w.filename for w in caught] == [__file__]


@pytest.mark.parametrize("settings", [{"centers": "all"}, {"centers": [[0.0, 0.0]]}])
def test_all_is_as_many_as_there_are(settings, moons):
    X, y = moons
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RBFNetworkRegressor(**settings).partial_fit(X[:10], y[:10])


@pytest.mark.parametrize("far", [1e200, 1e308])
@pytest.mark.parametrize("width", ["auto", "spread", "cluster"])
def test_given_centers_may_be_anywhere(network, width, far, moons):
    X, y = moons
    model = network(centers=[[far, far], [-far, far], [0.0, 0.5]], width=width).fit(X, y)
    assert np.isfinite(model.predict(X)).all()
