"""Looking inside: contributions, gradients, novelty."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.datasets import make_moons

from drumlin import DrumlinClassifier
from drumlin.novelty import _distances
from tests.estimators.tables import scores_of
from tests.helpers import EXACT, assert_close


def test_contributions_sum_to_the_scores(fitted):
    model, (X, _) = fitted
    parts = model.contributions(X)
    scores = scores_of(model, X)
    assert parts.shape == (len(X), model.n_nodes_ + 1, scores.shape[1])
    assert_close(parts.sum(axis=1), scores, EXACT)
    assert (np.ptp(parts[:, -1], axis=0) == 0.0).all()  # the intercept


def test_gradient_in_raw_units(fitted):
    model, (X, y) = fitted
    X = np.column_stack([X, np.full(len(X), 3.0)])  # a constant has no slope
    model = clone(model).fit(X, y)
    scores = scores_of(model, X)
    gradient = model.gradient(X)
    axes = scores.shape if is_classifier(model) else (len(X),)
    assert gradient.shape == (*axes, X.shape[1])
    gradient = gradient.reshape(*scores.shape, X.shape[1])
    for i, spread in enumerate(X.std(axis=0)):
        step = np.zeros(X.shape[1])
        step[i] = 1e-5 * (spread or 1.0)
        difference = (scores_of(model, X + step) - scores_of(model, X - step)) / (2.0 * step[i])
        unit = spread or 1.0
        assert_close(gradient[:, :, i] * unit, difference * unit, 1e-6)  # of finite differences
    assert not gradient[:, :, -1].any()


def test_novelty_of_training_and_new_samples(fitted):
    model, (X, _) = fitted
    novelty = model.novelty(X)
    assert novelty.shape == (len(X),)
    assert novelty.min() >= 0.0
    assert novelty.max() <= 1.0
    expected = np.arange(len(X)) / len(X)
    on_nodes = np.count_nonzero(novelty == 0.0)  # where nodes still stand on samples
    assert on_nodes <= max(model.n_nodes_, 2)
    expected[:on_nodes] = 0.0
    assert_close(np.sort(novelty), expected, 2.0 / len(X) + 0.01)
    far = X.mean(axis=0) + 50.0 * X.std(axis=0)
    assert model.novelty([far]) == 1.0


def test_new_samples_are_like_training_samples(seed):
    X, y = make_moons(300, noise=0.25, random_state=seed)
    model = DrumlinClassifier().fit(X, y)
    novelty = model.novelty(make_moons(3000, noise=0.25, random_state=seed + 1)[0])
    quantiles = np.quantile(novelty, [0.1, 0.3, 0.5, 0.7, 0.9])
    assert_close(quantiles, [0.1, 0.3, 0.5, 0.7, 0.9], 0.08)  # 2.5 standard errors of 300


def test_novelty_grows_along_a_ray(fitted, seed):
    """From outside all nodes outwards: no clip, no end before the largest numbers."""
    model, (X, _) = fitted
    directions = np.random.default_rng(seed).normal(size=(5, X.shape[1]))
    directions *= X.std(axis=0) / np.linalg.norm(directions, axis=1, keepdims=True)
    reach = np.append(np.linspace(20.0, 100.0, 50), [1e3, 1e9, 1e50, 1e160, 1e300])
    for direction in directions:
        points = X.mean(axis=0) + np.outer(reach, direction)
        assert (np.diff(_distances(model._novelty.network, points[:-2])) > 0.0).all()
        novelty = model.novelty(points)
        assert (np.diff(novelty) >= 0.0).all()
        assert novelty[-1] == 1.0
