"""Seeded problems with known geometry."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from drumlin.datasets import (
    make_checkerboard,
    make_double_moon,
    make_ripley_mixture,
    make_spirals,
    make_waveform,
    make_xor,
)

ALL = [
    make_checkerboard,
    make_double_moon,
    make_ripley_mixture,
    make_spirals,
    make_waveform,
    make_xor,
]


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_shapes_and_seeds(make, seed):
    settings = {"noise": 0.1} if make is make_xor else {}
    X, y = make(101, random_state=seed, **settings)
    assert X.shape == (101, 21 if make is make_waveform else 2)
    assert X.dtype == np.float64
    assert y.dtype == np.int64
    assert set(y) == set(range(3 if make is make_waveform else 2))
    again, _ = make(101, random_state=seed, **settings)
    other, _ = make(101, random_state=seed + 1, **settings)
    np.testing.assert_array_equal(again, X)
    assert not np.array_equal(other, X)


@pytest.mark.parametrize("d", [-6.0, 1.0])
def test_moons_are_half_rings(d, seed):
    X, y = make_double_moon(2000, r=10.0, w=6.0, d=d, random_state=seed)
    upper, lower = X[y == 1], X[y == 0] - [10.0, -d]
    for moon, side in ((upper, 1.0), (lower, -1.0)):
        radius = np.hypot(*moon.T)
        assert radius.min() >= 7.0 - 1e-9
        assert radius.max() <= 13.0 + 1e-9
        assert (side * moon[:, 1] >= 0.0).all()
    assert abs(y.mean() - 0.5) < 1e-9


def test_xor():
    X, y = make_xor()
    np.testing.assert_array_equal(X, [[0, 0], [0, 1], [1, 0], [1, 1]])
    np.testing.assert_array_equal(y, [0, 1, 1, 0])


def test_ripley_bayes_error(seed):
    """8.9 % of the samples are on the wrong side of the true densities."""
    X, y = make_ripley_mixture(20_000, random_state=seed)
    means = np.array([[[-0.7, 0.3], [0.3, 0.3]], [[-0.3, 0.7], [0.4, 0.7]]])
    r2 = ((X[:, None, None] - means) ** 2).sum(axis=-1)
    densities = np.exp(-r2 / (2 * 0.03)).sum(axis=2)
    error = (densities.argmax(axis=1) != y).mean()
    assert abs(error - 0.089) < 4 * np.sqrt(0.089 * 0.911 / 20_000)


def test_waveforms_are_triangles(seed):
    X, y = make_waveform(30_000, random_state=seed)
    h1 = np.maximum(6 - np.abs(np.arange(1, 22) - 11), 0)
    h2, h3 = np.roll(h1, 4), np.roll(h1, -4)
    for k, (a, b) in enumerate([(h1, h2), (h1, h3), (h2, h3)]):
        mean = X[y == k].mean(axis=0)
        np.testing.assert_allclose(mean, (a + b) / 2, atol=0.1)  # six standard errors
    model = LinearDiscriminantAnalysis().fit(X[:5000], y[:5000])
    assert 0.80 < model.score(X[5000:], y[5000:]) < 0.87  # Bayes 86 %


def test_spirals_and_checkerboard_need_curves(seed):
    for make, settings in ((make_spirals, {}), (make_checkerboard, {"n_tiles": 3})):
        X, y = make(1500, random_state=seed, **settings)
        curved = KNeighborsClassifier(3).fit(X[:1000], y[:1000]).score(X[1000:], y[1000:])
        straight = LinearDiscriminantAnalysis().fit(X, y).score(X, y)
        assert curved > 0.9
        assert straight < 0.7


def test_checkerboard_colors(seed):
    X, y = make_checkerboard(500, n_tiles=4, random_state=seed)
    np.testing.assert_array_equal(y, ((4 * X[:, 0]).astype(int) + (4 * X[:, 1]).astype(int)) % 2)
    _, noisy = make_checkerboard(20_000, noise=0.5, random_state=seed)
    _, clean = make_checkerboard(20_000, noise=0.0, random_state=seed)
    assert abs((noisy != clean).mean() - 0.25) < 0.02


@pytest.mark.parametrize(
    "make, settings",
    [
        *[(make, {"n_samples": 0}) for make in ALL],
        *[(make, {"n_samples": 2.5}) for make in ALL],
        (make_double_moon, {"r": 0.0}),
        (make_double_moon, {"w": 21.0}),
        (make_xor, {"noise": -1.0}),
        (make_spirals, {"turns": 0.0}),
        (make_spirals, {"noise": -1.0}),
        (make_checkerboard, {"n_tiles": 0}),
        (make_checkerboard, {"n_tiles": 2.5}),
        (make_checkerboard, {"noise": 2.0}),
    ],
)
def test_bad_parameters(make, settings):
    name = next(iter(settings))
    with pytest.raises(ValueError, match=f"'{name}' parameter of {make.__name__} must be .* Got"):
        make(**settings)
