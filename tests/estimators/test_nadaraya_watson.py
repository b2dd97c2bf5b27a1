"""Kernel regression with the bandwidth by exact leave-one-out."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from sklearn.callback import FitCallback
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import r2_score
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KernelDensity, KNeighborsRegressor

from drumlin import NadarayaWatsonClassifier, NadarayaWatsonRegressor
from drumlin.datasets import make_ripley_mixture
from drumlin.estimators import nadaraya_watson
from tests.estimators.test_callbacks import Witness
from tests.helpers import assert_close


def test_formula(wave):
    """Eq. (5.69) in standardised inputs."""
    X, y = wave
    model = NadarayaWatsonRegressor(0.5).fit(X, y)
    new = X[:7] + 0.1
    r2 = (((new[:, None] - X) / (0.5 * X.std(axis=0))) ** 2).sum(axis=2)
    k = np.exp(-r2 / 2.0)
    assert_close(model.predict(new), k @ y / k.sum(axis=1))
    assert_close(model.bandwidth_, 0.5 * X.std(axis=0))


def test_it_is_a_normalized_network_of_the_targets(wave):
    X, y = wave
    model = NadarayaWatsonRegressor(0.5).fit(X, y)
    np.testing.assert_array_equal(model.centers_, X[model.support_])
    assert_close(model.coef_, y[model.support_])
    assert (model.n_nodes_, model.intercept_) == (100, 0.0)
    assert_close(model.network_.activations(X).sum(axis=0), 1.0)


@pytest.mark.parametrize("bandwidth", [0.4, [0.3, 0.8]])
def test_loo_score_is_that_of_refits(bandwidth, wave, moons):
    settings = {"bandwidth": bandwidth, "standardize": False}  # refits would scale anew
    model = NadarayaWatsonRegressor(**settings)
    refits = cross_val_predict(model, *wave, cv=LeaveOneOut())
    assert_close(model.fit(*wave).loo_score_, r2_score(wave[1], refits))
    model = NadarayaWatsonClassifier(**settings)
    refits = cross_val_predict(model, *moons, cv=LeaveOneOut())
    assert_close(model.fit(*moons).loo_score_, (refits == moons[1]).mean())


def test_the_path_is_that_of_refits(wave):
    X, y = wave
    path = NadarayaWatsonRegressor(standardize=False).fit(X, y).bandwidth_path_
    for bandwidth, cost in list(zip(*path.values(), strict=True))[::7]:
        model = NadarayaWatsonRegressor(bandwidth, standardize=False)
        refits = cross_val_predict(model, X, y, cv=LeaveOneOut())
        assert_close(cost, np.mean((y - refits) ** 2) / y.var())


def test_the_best_bandwidth_is_taken(wave):
    model = NadarayaWatsonRegressor().fit(*wave)
    path = model.bandwidth_path_
    best = path["bandwidth"][path["loo_squared_error"].argmin()]
    assert_close(model.bandwidth_, best * wave[0].std(axis=0))
    assert len(path["bandwidth"]) == 15
    assert model.loo_score_ > 0.8
    assert not hasattr(model.set_params(bandwidth=1.0).fit(*wave), "bandwidth_path_")


def test_close_to_the_bayes_error(seed):
    X, y = make_ripley_mixture(1000, random_state=seed)
    model = NadarayaWatsonClassifier().fit(X, y)
    assert model.score(*make_ripley_mixture(5000, random_state=seed + 1)) > 0.895  # Bayes 91.1 %


def test_probabilities_are_shares_of_the_classes(classes):
    X, y = classes
    model = NadarayaWatsonClassifier(0.5).fit(X, y)
    p = model.predict_proba(X)
    k = model.network_.activations(X)
    for j, label in enumerate(model.classes_):
        assert_close(p[:, j], k[y[model.support_] == label].sum(axis=0))
    np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    decision = model.decision_function(X)
    if len(model.classes_) == 2:
        np.testing.assert_array_equal(decision > 0.0, model.predict(X) == model.classes_[1])
    else:
        np.testing.assert_array_equal(decision, p)


def test_where_nothing_is_the_nearest_decides(wave):
    """All kernels underflow; the limit of the formula is the nearest neighbour."""
    X, y = wave
    new = np.array([[1e4, 0.0], [-30.0, 40.0], [0.0, -1e8]])
    model = NadarayaWatsonRegressor(1e-3, standardize=False).fit(X, y)
    assert_close(model.predict(new), KNeighborsRegressor(1).fit(X, y).predict(new))
    assert np.isfinite(model.predict([[1e200, 0.0], [1e308, -1e308]])).all()
    labels = NadarayaWatsonClassifier(1e-3).fit(X, y > 0.5).predict_proba(new)
    assert_close(labels.sum(axis=1), 1.0)


def test_density(wave, seed):
    X, y = wave
    weight = np.random.default_rng(seed).uniform(0.5, 2.0, len(y))
    model = NadarayaWatsonRegressor(0.3, standardize=False).fit(X, y, weight)
    theirs = KernelDensity(bandwidth=0.3).fit(X, sample_weight=weight)
    assert_close(model.score_samples(X + 0.2), theirs.score_samples(X + 0.2))
    per_unit = NadarayaWatsonRegressor(0.3).fit(100.0 * X, y, weight)
    scaled = NadarayaWatsonRegressor(0.3).fit(X, y, weight)
    expected = scaled.score_samples(X) - 2.0 * np.log(100.0)
    assert_close(per_unit.score_samples(100.0 * X), expected)


def test_weights_are_copies(blobs, wave, seed):
    for model, (X, y) in ((NadarayaWatsonClassifier(), blobs), (NadarayaWatsonRegressor(), wave)):
        copies = np.random.default_rng(seed).integers(0, 4, len(y))
        method = "predict_proba" if hasattr(model, "predict_proba") else "predict"
        weighted = model.fit(X, y, copies.astype(float))
        first, score = getattr(weighted, method)(X), weighted.loo_score_
        repeated = model.fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
        assert_close(getattr(repeated, method)(X), first)
        assert_close(repeated.loo_score_, score)


def test_heavy_classes_are_not_copies(moons):
    """Leave-one-out leaves out a sample with the weight of its class."""
    X, y = moons
    heavy = NadarayaWatsonClassifier(class_weight={0: 1e3, 1: 1e3}).fit(X, y)
    plain = NadarayaWatsonClassifier().fit(X, y)
    assert_close(heavy.predict_proba(X), plain.predict_proba(X))


def test_several_outputs(wave):
    X, y = wave
    both = NadarayaWatsonRegressor(0.4).fit(X, np.column_stack([y, -3.0 * y]))
    assert_close(both.predict(X)[:, 1], -3.0 * NadarayaWatsonRegressor(0.4).fit(X, y).predict(X))


def test_constant_inputs_are_ignored(wave):
    X, y = wave
    model = NadarayaWatsonRegressor().fit(np.column_stack([X, np.full(100, 7.0)]), y)
    assert np.isinf(model.bandwidth_[2])
    plain = NadarayaWatsonRegressor().fit(X, y)
    assert_close(model.predict(np.column_stack([X, np.zeros(100)])), plain.predict(X))
    assert_close(model.score_samples(np.column_stack([X, np.zeros(100)])), plain.score_samples(X))


@pytest.mark.parametrize("n", [1, 2])
def test_hardly_any_samples(n):
    model = NadarayaWatsonRegressor().fit(np.arange(n)[:, None], np.arange(n) + 5.0)
    assert np.isfinite(model.predict([[0.0], [0.5], [9.0]])).all()


def test_many_samples_in_bounded_memory(seed):
    """The kernel matrix would have 3.2 GB; a sample of rows chooses the bandwidth."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20_000, 2))
    y = np.sin(2.0 * X[:, 0]) + 0.1 * rng.standard_normal(20_000)
    tracemalloc.start()
    model = NadarayaWatsonRegressor(0.1).fit(X, y)
    model.predict(X[:500])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 150e6
    assert model.loo_score_ > 0.9


@pytest.mark.parametrize("bandwidth", ["loo", 0.5])
def test_callbacks(bandwidth, wave):
    witness = Witness()
    assert isinstance(witness, FitCallback)
    NadarayaWatsonRegressor(bandwidth).set_callbacks(witness).fit(*wave)
    assert witness.begun == witness.ended
    assert witness.ended["bandwidths"] == (2 if bandwidth == "loo" else 0)


def test_interrupt_keeps_the_best_so_far(wave, monkeypatch):
    calls, original = [], nadaraya_watson.loo_predictions

    def limited(*args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return original(*args)

    monkeypatch.setattr(nadaraya_watson, "loo_predictions", limited)
    with pytest.warns(ConvergenceWarning, match="interrupted") as caught:
        model = NadarayaWatsonRegressor().fit(*wave)
    assert caught[0].filename == __file__
    assert len(model.bandwidth_path_["bandwidth"]) == 9
    assert model.loo_score_ > 0.8
