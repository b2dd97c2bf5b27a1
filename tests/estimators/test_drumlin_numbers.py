"""What fitted regressions answer: numbers, noise, smooth networks, outliers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import cross_val_predict

from drumlin import DrumlinRegressor
from tests.estimators.tables import plane, sine


def test_leave_one_out_of_the_regressor(seed, fitted_to):
    X, y = sine(seed)
    model = fitted_to("sine")
    errors = y - cross_val_predict(DrumlinRegressor(), X, y, cv=10)
    assert abs(model.loo_error_ / np.sqrt(np.mean(errors**2)) - 1.0) < 0.1
    assert model.loo_error_ > np.sqrt(np.mean((y - model.predict(X)) ** 2))


def test_uncertain_numbers(wave, fitted_to):
    X, y = wave
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
