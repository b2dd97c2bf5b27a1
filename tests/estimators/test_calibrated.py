"""Laws of sets and intervals over all estimators."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import drumlin
from drumlin.linear import OrthogonalRegression
from drumlin.linear.least_squares import LeastSquares
from tests.estimators.test_surface import (
    CLASSIFIERS,
    EVERY,
    REGRESSORS,
    fitted,  # noqa: F401  a fixture
    inputs,  # noqa: F401  a fixture
    make,
    targets_of,
)
from tests.helpers import assert_close

GOLDEN = Path(__file__).parents[1] / "io" / "golden"


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_sets_of_every_classifier(name, n_classes, fitted, inputs):  # noqa: F811
    model = fitted(name, n_classes)
    sets = model.predict_set(inputs)
    assert sets.dtype == bool
    assert sets.shape == (len(inputs), n_classes)
    winner = model.predict_proba(inputs).argmax(axis=1)
    assert sets[np.arange(len(inputs)), winner].all()
    several = model.predict_set(inputs, [0.6, 0.9, 0.999])
    assert several.shape == (*sets.shape, 3)
    np.testing.assert_array_equal(several[:, :, 1], sets)
    assert (several[:, :, :-1] <= several[:, :, 1:]).all()  # the surer, the larger
    assert several[:, :, 2].all()  # 70 samples cannot tell 0.999
    assert (model.predict_set(inputs, empty=True) <= sets).all()
    assert model.predict_set(inputs, by_class=True).shape == sets.shape


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_intervals_of_every_regressor(name, n_outputs, fitted, inputs):  # noqa: F811
    model = fitted(name, n_outputs)
    axes = () if n_outputs == 1 else (n_outputs,)
    ends, mean = model.predict_interval(inputs), model.predict(inputs)
    assert ends.shape == (len(inputs), *axes, 2)
    assert_close(ends.mean(axis=-1), mean)
    several = model.predict_interval(inputs, (0.5, 0.9, 0.99))
    assert several.shape == (*ends.shape, 3)
    np.testing.assert_array_equal(several[..., 1], ends)
    width = np.diff(several, axis=-2)
    assert (np.diff(width, axis=-1) >= 0.0).all()
    assert np.isinf(width[..., 2]).all()  # 70 samples cannot tell 0.99
    for i in (1, len(inputs) - 1):  # every row has a scale of its own
        assert_close(model.predict_interval(inputs[[i]])[0], ends[i])


@pytest.mark.parametrize("name", EVERY)
def test_files_keep_sets_and_intervals(name, fitted, inputs, tmp_path):  # noqa: F811
    model = fitted(name, 3)
    ask = "predict_set" if name in CLASSIFIERS else "predict_interval"
    drumlin.save(model, tmp_path / "model.drumlin")
    loaded = drumlin.load(tmp_path / "model.drumlin")
    found = getattr(loaded, ask)(inputs, [0.5, 0.9])
    np.testing.assert_array_equal(found, getattr(model, ask)(inputs, [0.5, 0.9]))


@pytest.mark.parametrize("name", [n for n in EVERY if not n.startswith("NadarayaWatson")])
def test_truncated_models_say_why_they_have_none(name, fitted, inputs):  # noqa: F811
    model = fitted(name, 3)
    ask = "predict_set" if name in CLASSIFIERS else "predict_interval"
    small = model.truncate(1)
    assert not hasattr(small, ask)
    with pytest.raises(AttributeError) as caught:
        getattr(small, ask)(inputs)
    assert "was truncated" in str(caught.value)
    same = model.truncate(model.n_nodes_)
    np.testing.assert_array_equal(getattr(same, ask)(inputs), getattr(model, ask)(inputs))


@pytest.mark.parametrize("file", ["v2-DrumlinClassifier", "v1-NadarayaWatsonRegressor"])
def test_older_files_say_why_they_have_none(file):
    model = drumlin.load(GOLDEN / f"{file}.drumlin")
    ask = "predict_set" if "Class" in file else "predict_interval"
    with pytest.raises(AttributeError) as caught:
        getattr(model, ask)(np.zeros((1, model.n_features_in_)))
    assert "saved by an older version" in str(caught.value)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 1.5, -0.1, np.nan, "high", [], [[0.9]], None])
def test_bad_confidences(confidence, fitted, inputs):  # noqa: F811
    for name, ask in (("ForwardRBFClassifier", "predict_set"), ("ForwardRBFRegressor", None)):
        model = fitted(name, 3)
        with pytest.raises(ValueError, match=r"'confidence' parameter of .* between 0 and 1"):
            getattr(model, ask or "predict_interval")(inputs, confidence)


def test_streams_have_no_scores_left_out(inputs):  # noqa: F811
    y = targets_of("RBFNetworkRegressor", inputs, 1)
    model = make("RBFNetworkRegressor").fit(inputs, y)
    assert hasattr(model, "predict_interval")
    assert not hasattr(model.partial_fit(inputs, y), "predict_interval")
    exact = make("RBFNetworkRegressor", centers="all", solver="exact", width=0.2).fit(inputs, y)
    width = np.diff(exact.predict_interval(inputs, 0.8))
    assert_close(width, np.full_like(width, width[0, 0]))  # no standard deviation: all alike
    errors = np.sort(np.abs(exact._learner.loo_errors[:, 0])) * exact._units.target_scale
    assert_close(width[0, 0], 2.0 * errors[int(np.ceil(71 * 0.8)) - 1], 1e-3)  # rounded up


def test_scales_of_samples_left_out_are_those_of_refits(inputs):  # noqa: F811
    """What a sample's error is divided by is what a model without it would say of it."""
    X = (inputs[:30] - [3.0, 0.0]) / [1.0, 50.0]
    y = targets_of("ForwardRBFRegressor", X, 1)
    H = np.column_stack([np.ones(30), X])
    selected = OrthogonalRegression(y[:, None], np.ones(30), fit_intercept=True)
    for column in X.T:
        selected.append(*selected.basis.orthogonalize(column), alpha=0.0)
    placed = LeastSquares.start(2, 1, 1e-12, fit_intercept=True)
    placed = placed.absorb(X, y[:, None], np.ones(30))
    residual = y - H @ np.linalg.lstsq(H, y)[0]
    noise = residual @ residual / (30 - 3)
    rest = [np.delete(H, i, axis=0) for i in range(30)]
    variance = [row @ np.linalg.inv(R.T @ R) @ row for row, R in zip(H, rest, strict=True)]
    expected = np.sqrt(noise * (1.0 + np.array(variance)))
    assert_close(selected.loo_std()[:, 0], expected)
    assert_close(placed.loo_std(X, np.ones(30))[:, 0], expected)


def test_class_weights_do_not_move_the_coverage(seed):
    """Sets are calibrated on samples as they came: class weights make them heavier, not more."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((3000, 2))
    y = (X[:, 0] + rng.logistic(size=3000) > 2.5).astype(int)
    train, test = slice(0, 600), slice(600, None)
    for weight in (None, "balanced"):
        model = drumlin.ForwardRBFClassifier(2.0, max_nodes=6, class_weight=weight)
        sets = model.fit(X[train], y[train]).predict_set(X[test], 0.9, empty=True)
        covered = sets[np.arange(len(sets)), y[test]]
        assert abs(covered.mean() - 0.9) < 0.04  # 600 ranks: a standard error of 0.012
        by_class = model.predict_set(X[test], 0.9, by_class=True, empty=True)
        for label in (0, 1):
            mine = y[test] == label
            assert abs(by_class[mine, label].mean() - 0.9) < 0.09  # about 60 samples are rare


@pytest.mark.parametrize("noise", ["normal", "cauchy"])
def test_coverage_of_the_flagship(noise, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (2200, 2))
    y = np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.2 * getattr(rng, f"standard_{noise}")(2200)
    loss = "squared_error" if noise == "normal" else "huber"
    model = drumlin.DrumlinRegressor(loss=loss).fit(X[:200], y[:200])
    ends = model.predict_interval(X[200:], [0.5, 0.9])
    covered = ((ends[:, 0] <= y[200:, None]) & (y[200:, None] <= ends[:, 1])).mean(axis=0)
    # Ranks of 200 samples have standard errors of 0.035 and 0.021.
    assert (np.abs(covered - [0.5, 0.9]) < [0.105, 0.063]).all()
