"""What fitted regressions answer: numbers, noise, smooth networks, outliers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.model_selection import cross_val_predict

from drumlin import DrumlinRegressor
from tests.estimators.tables import bump, plane, sine
from tests.helpers import assert_close


def test_leave_one_out_of_the_regressor(seed, fitted_to):
    X, y = sine(seed)
    model = fitted_to("sine")
    errors = y - cross_val_predict(DrumlinRegressor(), X, y, cv=10)
    assert abs(model.loo_error_ / np.sqrt(np.mean(errors**2)) - 1.0) < 0.1
    assert model.loo_error_ > np.sqrt(np.mean((y - model.predict(X)) ** 2))


def test_uncertain_numbers(seed, fitted_to):
    X, y = bump(seed)
    model = fitted_to("squares")
    mean, std = model.predict(X, return_std=True)
    assert mean.shape == std.shape == (len(X),)
    np.testing.assert_array_equal(mean, model.predict(X))
    assert (std >= model.noise_std_).all()
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("loss", ["squared_error", "huber"])
def test_coverage_and_noise(loss, seed):
    X, y = sine(seed)
    model = DrumlinRegressor(loss=loss).fit(X, y)
    assert 0.17 < model.noise_std_ < 0.23
    new, truth = sine(seed + 1, 3000)
    mean, std = model.predict(new, return_std=True)
    assert 0.85 < np.mean(np.abs(mean - truth) < 1.645 * std) < 0.95
    hidden = np.sin(2.0 * new[:, 0])
    assert np.sqrt(np.mean((mean - hidden) ** 2)) < 0.08


@pytest.mark.parametrize("share, ratio", [(0.02, 0.6), (0.05, 0.9)])
def test_huber_resists_outliers(share, ratio, seed):
    """With many outliers now and then a narrow node isolates some of them."""
    errors = np.zeros(2)
    for draw in range(4):
        X, y = sine(seed + draw)
        rng = np.random.default_rng([seed, draw])
        y = y + 20.0 * (rng.random(len(y)) < share) * rng.choice([-1.0, 1.0], len(y))
        hidden = np.sin(2.0 * X[:, 0])
        for i, loss in enumerate(("squared_error", "huber")):
            model = DrumlinRegressor(loss=loss).fit(X, y)
            mean = model.predict(X)
            errors[i] += np.sqrt(np.mean((mean - hidden) ** 2))
        assert np.abs(model.noise_std_ - 0.2) < 0.2
    assert errors[1] < ratio * errors[0]


def test_every_output_has_its_own_noise(seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, (600, 2))
    truth = np.column_stack([np.sin(2.0 * X[:, 0]), 10.0 * np.cos(2.0 * X[:, 0])])
    y = truth + rng.standard_normal((600, 2)) * [0.5, 1.0]  # 70 and 14 % of the spreads
    model = DrumlinRegressor().fit(X[:300], y[:300])
    mean, std = model.predict(X[300:], return_std=True)
    errors = np.sqrt(np.mean((mean - y[300:]) ** 2, axis=0))
    assert np.all(np.abs(errors / model.noise_std_ - 1.0) < 0.25)
    assert_close(std, np.tile(model.noise_std_, (300, 1)))
    low, high = np.moveaxis(model.predict_interval(X[300:], 0.9), -1, 0)
    held = ((low <= y[300:]) & (y[300:] <= high)).mean(axis=0)
    assert np.all((held > 0.83) & (held < 0.96))
    small = model.truncate(max(1, model.n_nodes_ - 1))
    assert np.all(small.noise_std_ >= model.noise_std_)


def test_outliers_are_not_the_noise_of_a_robust_constant(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.standard_normal((200, 2)), rng.standard_normal(200)
    y[:10] = 100.0
    model = DrumlinRegressor(loss="huber").fit(X, y)
    assert model.n_nodes_ == 0
    assert 0.8 < model.noise_std_ < 1.3


def has_shared_widths(model):
    return np.ptp(model.network_.nodes.widths, axis=0).max() == 0.0


def test_a_smooth_surface_gets_a_smooth_network(seed, fitted_to):
    """Other tests rely on it: widths are shared, and errors left out are lower."""
    smooth = fitted_to("smooth")
    assert has_shared_widths(smooth)
    assert not has_shared_widths(fitted_to("squares"))
    huber = DrumlinRegressor(loss="huber").fit(*plane(seed))
    assert not has_shared_widths(huber)
    assert smooth.loo_error_ < huber.loo_error_


def test_few_rows_with_many_nodes_are_told_honestly(seed):
    """A node stands on a row: without both, less is known than a quadratic model says."""
    held, ratio = [], []
    for draw in range(8):
        X, y = make_friedman1(1060, n_features=5, noise=0.5, random_state=8 * seed + draw)
        model = DrumlinRegressor().fit(X[:60], y[:60])
        low, high = model.predict_interval(X[60:], 0.9).T
        held.append(np.mean((low <= y[60:]) & (y[60:] <= high)))
        error = np.sqrt(np.mean((model.predict(X[60:]) - y[60:]) ** 2))
        ratio.append(np.log(error / model.loo_error_))
    assert 0.83 < np.mean(held) < 0.96
    assert 0.75 < np.exp(np.mean(ratio)) < 1.25


@pytest.mark.parametrize("n_rows", [5, 8, 15])
def test_a_line_is_a_line(n_rows):
    """Without noise, and with hardly any rows."""
    x = np.linspace(0.0, 1.0, n_rows)[:, None]
    model = DrumlinRegressor().fit(x, 2.0 * x[:, 0] + 1.0)
    new = np.linspace(0.0, 1.0, 101)[:, None]
    assert np.abs(model.predict(new) - 2.0 * new[:, 0] - 1.0).max() < 0.02


def test_a_smooth_network_is_honest(seed, fitted_to):
    X, y = plane(seed)
    model = fitted_to("smooth")
    errors = y - cross_val_predict(DrumlinRegressor(), X, y, cv=10)
    assert abs(model.loo_error_ / np.sqrt(np.mean(errors**2)) - 1.0) < 0.1
    assert 0.85 < model.noise_std_ < 1.15
    rng = np.random.default_rng(seed + 1)
    T = rng.normal(size=(3000, 3))
    truth = 10.0 + T @ [2.0, 1.0, 0.5] + 0.3 * T[:, 0] * T[:, 1]
    mean, std = model.predict(T * X.std(axis=0) + X.mean(axis=0), return_std=True)
    assert np.sqrt(np.mean((mean - truth) ** 2)) < 0.4
    assert 0.85 < np.mean(np.abs(mean - truth - rng.normal(size=3000)) < 1.645 * std) < 0.95


def test_without_noise(seed):
    X, y = sine(seed, noise=0.0)
    model = DrumlinRegressor().fit(X, y)
    assert model.score(X, y) > 0.999
    assert model.noise_std_ < 0.03
