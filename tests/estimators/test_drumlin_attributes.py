"""What fitted models say of themselves."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import is_regressor
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier, DrumlinRegressor
from tests.estimators.tables import ROUNDING, scores_of
from tests.helpers import EXACT, assert_close


def test_attributes(fitted):
    model, (X, _) = fitted
    m, d, k = model.n_nodes_, X.shape[1], scores_of(model, X).shape[1]
    assert m > 0
    assert model.centers_.shape == model.widths_.shape == (m, d)
    assert np.isfinite(model.centers_).all()
    assert (model.widths_ > 0.0).all()
    assert len(np.unique(model.support_)) == m
    assert ((model.support_ >= 0) & (model.support_ < len(X))).all()
    path = model.path_
    np.testing.assert_array_equal(path["n_nodes"], np.arange(len(path["n_nodes"])))
    assert len(path["loo_squared_error"]) == len(path["n_nodes"]) > m
    assert (path["loo_squared_error"] > 0.0).all()
    matrix = model.network_.inputs.matrix
    clip = model.network_.inputs.clip
    clips = d if np.ndim(clip) else 0  # one for all: of classes, and where no input is clipped
    assert np.ndim(clip) == 0 or (is_regressor(model) and np.isfinite(clip).any())
    stored = m * (2 * d + k) + k + 2 * d + clips + (0 if matrix is None else d * d)
    assert model.n_bytes_ == 8 * stored


def test_nodes_are_in_the_units_of_the_data(moons, fitted_to):
    X, y = moons
    model = fitted_to("two")
    low, high = X.min(axis=0), X.max(axis=0)
    margin = high - low
    assert (model.centers_ > low - margin).all()
    assert (model.centers_ < high + margin).all()
    units, origin = np.array([1e3, 1e-3]), np.array([5.0, -1.0])
    other = DrumlinClassifier().fit(X * units + origin, y)
    assert_close((other.centers_ - origin) / units, model.centers_, ROUNDING)
    assert_close(other.widths_ / units, model.widths_, ROUNDING)


def test_activation_halves_as_the_widths_say(fitted_to):
    """Near its center a node is the printed Gaussian of centers_ and widths_."""
    model = fitted_to("two")
    step = 1e-3
    for i in range(2):
        moved = model.centers_.copy()
        moved[:, i] += step * model.widths_[:, i]
        value = np.diag(model.network_.activations(moved))
        assert_close(value, np.exp(-0.5 * step**2), 1e-7)  # the clip bends at third order


def test_relevance_is_shared_out(fitted):
    model, (X, _) = fitted
    assert model.relevance_.shape == (X.shape[1],)
    assert (model.relevance_ > 0.0).all()
    assert_close(model.relevance_.sum(), 1.0, EXACT)


@pytest.mark.parametrize("n_samples", [300, 1000, 3000])
def test_noise_inputs_are_irrelevant(n_samples, seed):
    """Non-regression: sharpness of widths alone put noise above signal."""
    X, y = make_moons(n_samples, noise=0.25, random_state=seed)
    noise = np.random.default_rng(seed).normal(size=(n_samples, 4))
    relevance = DrumlinClassifier().fit(np.column_stack([X, 100.0 * noise]), y).relevance_
    assert relevance[:2].min() > 1.5 * relevance[2:].max()
    assert relevance[2:].mean() < 0.08


def test_noise_inputs_are_irrelevant_in_regression(seed):
    X = np.random.default_rng(seed).uniform(-2.0, 2.0, size=(300, 6))
    relevance = DrumlinRegressor().fit(X, np.sin(2.0 * X[:, 0]) + 0.5 * X[:, 1] ** 2).relevance_
    assert relevance[2:].mean() < 0.05
    assert relevance[:2].min() > 3.0 * relevance[2:].max()
