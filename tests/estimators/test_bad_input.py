"""Bad input is refused by name, rule and value; extreme but legal input gives right answers."""

from __future__ import annotations

import time

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from drumlin import ForwardRBFClassifier, ForwardRBFRegressor, presets
from drumlin.criteria import LOOMisclassification, LOOMutualInformation, LOOSquaredError
from tests.estimators.tables import spoiled
from tests.helpers import assert_close

ESTIMATORS = [ForwardRBFClassifier, ForwardRBFRegressor]


@pytest.fixture(params=ESTIMATORS, ids=lambda kind: kind.__name__)
def kind(request):
    return request.param


# ------------------------------------------------------------------ parameters
@pytest.mark.parametrize(
    "name, value, rule",
    [
        ("width", 0, r"range \(0.0, inf\)"),
        ("width", -1.5, r"range \(0.0, inf\)"),
        ("width", np.nan, r"range \(0.0, inf\)"),
        ("width", np.inf, r"range \(0.0, inf\)"),
        ("width", "wide", "'auto'"),
        ("width", None, "'auto'"),
        ("width", [], "list of positive numbers"),
        ("width", [1.0, -2.0], "list of positive numbers"),
        ("width", [1.0, np.nan], "list of positive numbers"),
        ("width", ["wide"], "list of positive numbers"),
        ("width", [[1.0, 2.0], [3.0, 4.0]], "list of positive numbers"),
        ("criterion", "gini", "'squared_error'"),
        ("criterion", LOOSquaredError, "instance of 'drumlin.criteria.base.Criterion'"),
        ("regularizer", "lasso", "'stage_evidence'"),
        ("radial", "cubic", "'gaussian'"),
        ("ties", "random", "'squared_error'"),
        ("alpha", -1.0, r"range \[0.0, inf\)"),
        ("alpha", np.nan, r"range \[0.0, inf\)"),
        ("min_nodes", 0, r"range \[1, inf\)"),
        ("min_nodes", 81, "exceed 80"),
        ("max_nodes", 0, r"range \[1, inf\)"),
        ("max_nodes", 2.5, r"range \[1, inf\)"),
        ("patience", 0, r"range \[1, inf\)"),
        ("candidates", 0, r"range \[1, inf\)"),
        ("candidates", 2.5, r"range \[1, inf\)"),
        ("candidates", 81, "exceed .* 80"),
        ("candidates", [[1.0, 2.0, 3.0]], "one column per feature of X, 2"),
        ("memory_budget", 0, r"range \(0.0, inf\)"),
        ("fit_intercept", "yes", "'bool'"),
        ("standardize", 2, "'bool'"),
        ("n_jobs", "all", "'int'"),
        ("random_state", "dice", "'numpy.random.mtrand.RandomState'"),
    ],
)
def test_bad_parameters(kind, name, value, rule, moons):
    message = rf"The '{name}' parameter of {kind.__name__} must .*{rule}.* Got "
    with pytest.raises(ValueError, match=message):
        kind(**{name: value}).fit(*moons)


@pytest.mark.parametrize(
    "candidates, message",
    [
        (np.full((3, 2), np.nan), "Input candidates contains NaN"),
        (np.full((3, 2), np.inf), "Input candidates contains infinity"),
        (np.empty((0, 2)), r"0 sample\(s\)"),
        (np.ones(2), "Expected 2D array, got 1D"),
        ([["a", "b"]], "could not convert"),
    ],
)
def test_bad_candidates(kind, candidates, message, moons):
    with pytest.raises(ValueError, match=message):
        kind(candidates=candidates).fit(*moons)


@pytest.mark.parametrize("limit", ["max_nodes", "candidates"])
def test_min_above_max(kind, limit, moons):
    with pytest.raises(ValueError, match=r"'min_nodes' parameter .* must not exceed 3.* Got 5"):
        kind(min_nodes=5, **{limit: 3}).fit(*moons)


@pytest.mark.parametrize(
    "criterion",
    ["misclassification", "mutual_information", LOOMisclassification(), LOOMutualInformation()],
    ids=str,
)
def test_class_criterion_in_regression(criterion, moons):
    message = "'criterion' parameter of ForwardRBFRegressor must .*squared_error.* Got"
    with pytest.raises(ValueError, match=message):
        ForwardRBFRegressor(criterion=criterion).fit(*moons)


def test_unknown_preset():
    with pytest.raises(
        ValueError, match=r"'citation' .* \['ando2004', 'chen2010', .*\]. Got 'me2020'"
    ):
        presets("me2020")


def test_unknown_backend(kind, moons, monkeypatch):
    monkeypatch.setenv("DRUMLIN_BACKEND", "abacus")
    message = r"DRUMLIN_BACKEND must be one of \('numpy', 'numba'\). Got 'abacus'"
    with pytest.raises(ValueError, match=message):
        kind().fit(*moons)


def test_parameters_are_checked_by_fit_only():
    ForwardRBFClassifier(width=-1).set_params(criterion="gini")


# ------------------------------------------------------------------ prediction
@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "decision_function", "truncate", "score"]
)
def test_unfitted(kind, method, moons):
    if not hasattr(kind, method):
        pytest.skip("regressors have none")
    arguments = {"truncate": (1,), "score": moons}.get(method, moons[:1])
    with pytest.raises(NotFittedError, match=f"This {kind.__name__} instance is not fitted yet"):
        getattr(kind(), method)(*arguments)


def test_bad_data_in_prediction(kind, moons):
    X, y = moons
    model = kind(1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 2"):
        model.predict(X[:, :1])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        model.predict(spoiled(X, np.nan))
    with pytest.raises(TypeError, match="Sparse data"):
        model.predict(sp.csr_array(X))


# ------------------------------------------------------------------ extreme but legal
@pytest.fixture(params=["numpy", "numba"])
def backend(request, monkeypatch):
    if request.param == "numba":
        pytest.importorskip("numba")
    monkeypatch.setenv("DRUMLIN_BACKEND", request.param)


@pytest.fixture
def extreme(backend):
    """Fit a classifier to extreme inputs; whatever it says must be finite numbers."""

    def fit(X, y, **settings):
        model = ForwardRBFClassifier(**settings).fit(X, y)
        p = model.predict_proba(X)
        assert np.isfinite(p).all()
        assert np.isfinite(model.coef_).all()
        np.testing.assert_array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
        return model

    return fit


@pytest.mark.parametrize(
    "factor", [(1e-12, 1e12), (1e300, 1e300), (1e-290, 1e290), (1e307, 1.0)], ids=str
)
def test_any_scale(factor, extreme, moons):
    X, y = moons
    model, same = extreme(X * factor, y), extreme(X, y)
    np.testing.assert_array_equal(model.support_, same.support_)
    assert_close(model.predict_proba(X * factor), same.predict_proba(X))


@pytest.mark.parametrize("factor", [1e-200, 1e150, 1e200])
def test_any_scale_without_standardizing(factor, extreme, moons):
    """Automatic widths follow the data, however large or small."""
    X, y = moons
    model, same = extreme(X * factor, y, standardize=False), extreme(X, y, standardize=False)
    np.testing.assert_array_equal(model.support_, same.support_)
    assert_close(model.predict_proba(X * factor), same.predict_proba(X))


def test_numbers_too_small_to_tell_apart(extreme, moons):
    X, y = moons
    with pytest.warns(ConvergenceWarning, match="found no node"):
        extreme(X * 1e-310, y)


def test_large_offset(extreme, moons):
    X, y = moons
    model = extreme(X + 1e9, y)  # leaves seven digits
    np.testing.assert_array_equal(model.support_, extreme(X, y).support_)


def test_far_away_there_is_only_the_intercept(extreme, moons):
    X, y = moons
    model = extreme(X, y)
    far = np.array([[1e6, 0.0], [-1e100, 1e100], [1e308, -1e308]])
    assert_close(model.decision_function(far), model.intercept_[0])


@pytest.mark.parametrize("value", [0.0, 0.1, 1e6, -1e300])
def test_constant_input_is_ignored(value, extreme, moons):
    X, y = moons
    Z = np.column_stack([X, np.full(len(X), value)])
    model, same = extreme(Z, y), extreme(X, y)
    assert np.isinf(model.widths_[:, 2]).all()
    np.testing.assert_array_equal(model.support_, same.support_)
    Z[:, 2] = 7.0
    assert_close(model.predict_proba(Z), same.predict_proba(X))


@pytest.mark.parametrize("standardize", [True, False])
def test_nothing_but_constants(standardize, extreme, moons):
    y = moons[1].copy()
    y[:10] = 1
    with pytest.warns(ConvergenceWarning, match="found no node to add.*predicts a constant") as log:
        model = extreme(np.ones((80, 2)), y, standardize=standardize)
    assert log[0].filename == __file__
    assert model.n_nodes_ == 0
    assert model.centers_.shape == (0, 2)
    np.testing.assert_array_equal(model.predict(np.ones((80, 2))), 1)
    with pytest.raises(ValueError, match="'n_nodes' parameter"):
        model.truncate(1)


def test_a_hundred_thousand_equal_rows(extreme):
    X, y = np.ones((100_000, 2)), np.arange(100_000) % 3 == 0
    start = time.perf_counter()
    with pytest.warns(ConvergenceWarning, match="found no node"):
        model = extreme(X, y)
    assert time.perf_counter() - start < 10.0  # about 0.5 s; 20 s before equal rows were merged
    assert not model.predict(X).any()
    assert_close(model.predict_proba(X[:1])[0, 1], 1.0 / 3.0, 1e-3)  # smoothed, and a Newton step


def test_nine_of_ten_rows_equal(extreme, moons):
    X, y = moons
    X, y = np.vstack([np.repeat(X[:1], 720, axis=0), X]), np.append(np.repeat(y[:1], 720), y)
    model = extreme(X, y)
    assert model.score(X[720:], y[720:]) > 0.85


@pytest.mark.parametrize("criterion", ["misclassification", "mutual_information", "squared_error"])
@pytest.mark.parametrize("labels", [[0, 1], [0, 1, 1], [0, 1, 2], [0, 1, 0, 1]], ids=str)
def test_hardly_any_rows(labels, criterion, extreme):
    X = np.array([[0.0], [1.0], [3.0], [4.0]])[: len(labels)]
    extreme(X, labels, criterion=criterion)
    extreme(X, labels, criterion=criterion, fit_intercept=False, regularizer="evidence")


def test_too_few_rows_to_leave_one_out(extreme):
    """Intercept and one unpenalised node pass through both points: no error is left to judge."""
    with pytest.warns(ConvergenceWarning, match="too few samples"):
        extreme(np.array([[0.0], [1.0]]), [0, 1], alpha=0.0)


def test_two_rows_are_learnt(extreme):
    model = extreme(np.array([[0.0], [1.0]]), ["a", "b"])
    np.testing.assert_array_equal(model.predict([[0.0], [1.0]]), ["a", "b"])


def test_one_row_regression(backend):
    with pytest.warns(ConvergenceWarning, match="found no node"):
        model = ForwardRBFRegressor().fit([[2.0]], [5.0])
    assert_close(model.predict([[7.0]]), [5.0])


def test_more_inputs_than_rows(extreme, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(30) % 2
    X = rng.normal(size=(30, 1000)) + y[:, None]
    model = extreme(X, y)
    assert model.loo_score_ == model.score(X, y) == 1.0
    assert model.score(rng.normal(size=(30, 1000)) + y[:, None], y) > 0.95


def test_equal_rows_with_other_labels(extreme, moons):
    X, y = moons
    contradicted = np.arange(8)
    Z, z = np.vstack([X, X[contradicted]]), np.append(y, 1 - y[contradicted])
    model = extreme(Z, z, alpha=0.0)
    assert model.score(Z, z) <= 80 / 88
    assert model.score(X, y) > 0.8


def test_nothing_but_contradictions(extreme, moons):
    X, y = moons
    model = extreme(np.vstack([X, X]), np.append(y, 1 - y))
    assert_close(model.predict_proba(X), 0.5, 0.1)  # no opinion, but for the first node's noise


def test_heavy_tails(extreme, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_cauchy(size=(300, 2))
    y = X.sum(axis=1) > 0.0
    model = extreme(X, y)
    assert model.score(X, y) > 0.75  # most samples sit within a hundredth of a standard deviation


def test_very_unequal_weights(extreme, moons):
    X, y = moons
    for criterion in ("misclassification", "mutual_information", "squared_error"):
        weights = {0: 1e6, 1: 1e-6}
        model = extreme(X, y, criterion=criterion, class_weight=weights)
        assert (model.predict(X[y == 0]) == 0).all()


@pytest.mark.parametrize("value", [0.0, 0.1, -7.3, 1e9, 1e300])
def test_constant_target(value, backend, wave):
    model = ForwardRBFRegressor().fit(wave[0], np.full(100, value))
    np.testing.assert_array_equal(model.predict(wave[0]), value)


@pytest.mark.parametrize("alpha", [0.0, 1e-12, 1e12])
@pytest.mark.parametrize("regularizer", ["fixed", "evidence", "stage_evidence"])
def test_any_penalty(alpha, regularizer, extreme, moons):
    extreme(*moons, alpha=alpha, regularizer=regularizer, max_nodes=6, width=[1.0, 0.3])
