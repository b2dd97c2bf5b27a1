"""The flagship refuses bad input by name, rule and value, and survives extreme but legal input."""

from __future__ import annotations

import time

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import NotFittedError

from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.estimators.tables import spoiled
from tests.helpers import assert_close


@pytest.fixture(params=[DrumlinClassifier, DrumlinRegressor], ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


def test_classes_have_one_output(moons):
    with pytest.raises(ValueError, match="y should be a 1d array"):
        DrumlinClassifier().fit(moons[0], np.column_stack([moons[1], moons[1]]))


# ------------------------------------------------------------------ parameters
@pytest.mark.parametrize(
    "name, value, rule",
    [
        ("max_nodes", 0, r"range \[1, inf\)"),
        ("max_nodes", -3, r"range \[1, inf\)"),
        ("max_nodes", 2.5, r"range \[1, inf\)"),
        ("max_nodes", "few", r"range \[1, inf\)"),
        ("max_bytes", 0, r"range \[1, inf\)"),
        ("max_bytes", 1e3, r"range \[1, inf\)"),
        ("max_bytes", 1, "at least (80|96)"),  # numbers store a clip per input
        ("max_bytes", 79, "at least (80|96)"),
        ("random_state", "dice", "'numpy.random.mtrand.RandomState'"),
    ],
)
def test_bad_parameters(kind, name, value, rule, moons):
    message = rf"The '{name}' parameter of {kind.__name__} must .*{rule}.* Got "
    with pytest.raises(ValueError, match=message):
        kind(**{name: value}).fit(*moons)


@pytest.mark.parametrize("loss", ["absolute", None, 2], ids=str)
def test_bad_loss(loss, moons):
    message = r"The 'loss' parameter of DrumlinRegressor must be a str among .*'huber'.* Got "
    with pytest.raises(ValueError, match=message):
        DrumlinRegressor(loss=loss).fit(*moons)


def test_parameters_are_checked_by_fit_only(kind):
    kind(max_nodes=-1).set_params(max_bytes=-1)


# ------------------------------------------------------------------ prediction
METHODS = ["predict", "predict_proba", "decision_function", "novelty", "contributions", "gradient"]


@pytest.mark.parametrize("method", [*METHODS, "truncate", "score"])
def test_unfitted(kind, method, moons):
    if not hasattr(kind, method):
        pytest.skip("regressors have none")
    arguments = {"truncate": (1,), "score": moons}.get(method, moons[:1])
    with pytest.raises(NotFittedError, match=f"This {kind.__name__} instance is not fitted yet"):
        getattr(kind(), method)(*arguments)


def test_unfitted_with_extras(moons):
    with pytest.raises(NotFittedError):
        DrumlinClassifier().predict(moons[0], reject=0.5)
    with pytest.raises(NotFittedError):
        DrumlinRegressor().predict(moons[0], return_std=True)


@pytest.mark.parametrize("method", METHODS)
def test_bad_data_in_prediction(kind, method, moons):
    if not hasattr(kind, method):
        pytest.skip("regressors have none")
    X, y = moons
    answer = getattr(kind().fit(X, y), method)
    with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 2"):
        answer(X[:, :1])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        answer(spoiled(X, np.nan))
    with pytest.raises(TypeError, match="Sparse data"):
        answer(sp.csr_array(X))


# ------------------------------------------------------------------ extreme but legal
@pytest.fixture(params=["numpy", "numba"])
def backend(request, monkeypatch):
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", request.param)


def check_everything(model, X):
    """Whatever a model says must be finite numbers."""
    assert np.isfinite(model.predict(X).astype(float)).all()
    novelty = model.novelty(X)
    assert ((novelty >= 0.0) & (novelty <= 1.0)).all()
    assert np.isfinite(model.contributions(X)).all()
    assert np.isfinite(model.gradient(X)).all()
    assert np.isfinite(model.centers_).all()
    assert (model.widths_ > 0.0).all()
    assert np.isfinite(model.loo_error_)
    assert_close(model.relevance_.sum(), float(model.n_nodes_ > 0))
    for k in range(1, model.n_nodes_ + 1):
        small = model.truncate(k)
        assert np.isfinite(small.network_.coef).all()
        assert np.isfinite(small.predict(X).astype(float)).all()


@pytest.fixture
def extreme(backend):
    """Fit a classifier and, to the labels as numbers, regressors."""

    def fit(X, y):
        X = np.asarray(X)
        model = DrumlinClassifier().fit(X, y)
        check_everything(model, X)
        p = model.predict_proba(X)
        assert np.isfinite(p).all()
        assert np.isfinite(model.loo_log_loss_)
        np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
        assert None not in model.predict(X, reject=0.0)
        for loss in ("squared_error", "huber"):
            regressor = DrumlinRegressor(loss=loss).fit(X, np.asarray(y, dtype=float))
            check_everything(regressor, X)
            std = regressor.predict(X, return_std=True)[1]
            assert (np.isfinite(std) & (std >= 0.0)).all()
        return model

    return fit


@pytest.mark.parametrize(
    "labels", [[0, 1], [0, 1, 1], [0, 1, 2], [0, 1, 0, 1], [0, 0, 0, 1]], ids=str
)
def test_hardly_any_rows(labels, extreme):
    extreme(np.array([[0.0], [1.0], [3.0], [4.0]])[: len(labels)], labels)


def test_one_row_regression(backend):
    model = DrumlinRegressor().fit([[2.0]], [5.0])
    mean, std = model.predict([[7.0]], return_std=True)
    assert_close(mean, [5.0])
    assert_close(std, [0.0])


def test_one_row_per_class(extreme, seed):
    X = np.random.default_rng(seed).normal(size=(10, 3))
    assert extreme(X, np.arange(10)).predict_proba(X).shape == (10, 10)


def test_more_inputs_than_rows(extreme, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 1000)) + y[:, None]
    model = extreme(X, y)
    assert model.score(X, y) == 1.0
    assert model.score(rng.normal(size=(30, 1000)) + y[:, None], y) > 0.95


@pytest.mark.parametrize("value", [0.0, 0.1, 1e6, -1e300])
def test_constant_input_is_ignored(value, extreme, moons):
    X, y = moons
    Z = np.column_stack([X, np.full(len(X), value)])
    model, same = extreme(Z, y), extreme(X, y)
    assert np.isinf(model.widths_[:, 2]).all()
    assert model.relevance_[2] == 0.0
    Z[:, 2] = 7.0
    assert_close(model.predict_proba(Z), same.predict_proba(X), 1e-3)
    assert not model.gradient(Z)[..., 2].any()


def test_nothing_but_constants(extreme, moons):
    y = moons[1].copy()
    y[:10] = 1
    model = extreme(np.ones((80, 2)), y)
    assert model.n_nodes_ == 0
    assert_close(model.predict_proba(np.zeros((1, 2)))[0, 1], y.mean())


def test_nine_of_ten_rows_equal(extreme, moons):
    X, y = moons
    X, y = np.vstack([np.repeat(X[:1], 720, axis=0), X]), np.append(np.repeat(y[:1], 720), y)
    model = extreme(X, y)
    assert model.score(X[720:], y[720:]) > 0.85


def test_a_hundred_thousand_equal_rows(extreme):
    X, y = np.ones((100_000, 2)), np.arange(100_000) % 3
    start = time.perf_counter()
    model = extreme(X, y)
    assert time.perf_counter() - start < 10.0  # equal rows are one row: about 0.5 s
    assert_close(model.predict_proba(X[:1]), 1.0 / 3.0, 1e-4)


def test_equal_rows_with_other_labels(extreme, moons):
    X, y = moons
    Z, z = np.vstack([X, X[:8]]), np.append(y, 1 - y[:8])
    model = extreme(Z, z)
    assert model.score(Z, z) <= 80 / 88
    assert model.score(X, y) > 0.8


def test_nothing_but_contradictions(extreme, moons):
    X, y = moons
    model = extreme(np.vstack([X, X]), np.append(y, 1 - y))
    assert model.n_nodes_ == 0
    assert_close(model.predict_proba(X), 0.5)


@pytest.mark.parametrize(
    "factor", [(1e-12, 1e12), (1e300, 1e300), (1e-290, 1e290), (1e307, 1.0)], ids=str
)
def test_any_scale(factor, extreme, moons):
    X, y = moons
    model, same = extreme(X * factor, y), extreme(X, y)
    assert_close(model.predict_proba(X * factor), same.predict_proba(X), 1e-6)


def test_large_offset(extreme, moons):
    X, y = moons
    model, same = extreme(X + 1e9, y), extreme(X, y)  # leaves seven digits
    assert_close(model.predict_proba(X + 1e9), same.predict_proba(X), 1e-3)


@pytest.mark.parametrize("far", [1e6, 1e100, 1e160, 1e308])
def test_far_away(far, extreme, moons):
    """Non-regression: beyond 1e154 standard deviations the clip put samples at the mean."""
    X, y = moons
    model = extreme(X, y)
    points = np.array([[far, 0.0], [-far, far], [far, -far]])
    check_everything(model, points)
    assert_close(model.predict_proba(points), model.predict_proba(np.sign(points) * 1e6), 1e-4)
    np.testing.assert_array_equal(model.novelty(points), 1.0)


def test_heavy_tails(extreme, seed):
    X = np.random.default_rng(seed).standard_cauchy(size=(300, 2))
    y = (X.sum(axis=1) > 0.0).astype(int)
    assert extreme(X, y).score(X, y) > 0.85


def test_perfectly_separable(extreme, moons):
    X = np.vstack([moons[0] - 10.0, moons[0] + 10.0])
    y = np.repeat([0, 1], 80)
    model = extreme(X, y)
    assert model.score(X, y) == 1.0
    assert model.n_nodes_ <= 2
    assert model.loo_log_loss_ < 0.05


def test_three_of_two_thousand(extreme, seed):
    X = np.random.default_rng(seed).normal(size=(2000, 2))
    y = (np.arange(2000) < 3).astype(int)
    X[:3] += 5.0
    model = extreme(X, y)
    assert model.predict_proba(X)[:3, 1].min() > model.predict_proba(X)[3:, 1].mean()
    assert abs(model.predict_proba(X)[:, 1].mean() - y.mean()) < 0.002


def test_single_precision_input(extreme, moons):
    X, y = moons[0].astype(np.float32), moons[1]
    same = extreme(X.astype(np.float64), y)
    np.testing.assert_array_equal(extreme(X, y).predict_proba(X), same.predict_proba(X))


@pytest.mark.parametrize("value", [0.0, 0.1, -7.3, 1e9, 1e300])
def test_constant_target(value, backend, wave):
    """Non-regression: the network without nodes used to predict zero."""
    model = DrumlinRegressor().fit(wave[0], np.full(100, value))
    mean, std = model.predict(wave[0], return_std=True)
    np.testing.assert_array_equal(mean, value)
    np.testing.assert_array_equal(std, 0.0)
    assert model.noise_std_ == model.loo_error_ == 0.0


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_any_scale_of_targets(scale, backend, wave):
    X, y = wave
    model = DrumlinRegressor().fit(X, scale * y)
    check_everything(model, X)
    assert np.abs(model.predict(X) / scale - y).std() < 0.3 * y.std()


def test_very_unequal_weights(extreme, moons):
    X, y = moons
    model = DrumlinClassifier(class_weight={0: 1e6, 1: 1e-6}).fit(X, y)
    check_everything(model, X)
    assert (model.predict(X[y == 0]) == 0).all()


def test_numbers_as_texts(seed):
    """Non-regression: an error from NumPy's depths."""
    X = np.random.default_rng(seed).random((30, 2))
    y = np.round(X[:, 0], 3)
    as_texts = DrumlinRegressor().fit(X, y.astype(str))
    np.testing.assert_array_equal(as_texts.predict(X), DrumlinRegressor().fit(X, y).predict(X))
    with pytest.raises(ValueError, match="could not convert string to float"):
        DrumlinRegressor().fit(X, np.repeat(["a", "b"], 15))
