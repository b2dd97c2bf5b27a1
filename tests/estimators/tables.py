"""Small tables for the estimators, and flagship models that are fitted to them once."""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.base import is_classifier
from sklearn.datasets import make_blobs, make_moons

from drumlin import DrumlinClassifier, DrumlinRegressor

ROUNDING = 1e-6
"""Rounding depends on units, and the refinement amplifies it."""


def moons(seed):
    """Two classes that no straight line separates."""
    return make_moons(80, noise=0.2, random_state=seed)


def blobs(seed):
    """Four overlapping classes in three dimensions."""
    return make_blobs(90, n_features=3, centers=4, cluster_std=3.0, random_state=seed)


def skewed(seed):
    """Three classes told apart by directions of small variance, in very different units."""
    rng = np.random.default_rng(seed)
    mixing = np.random.default_rng(5).normal(size=(4, 4)) @ np.diag([1.0, 1.0, 0.1, 0.05])
    y = rng.integers(0, 3, 250)
    Z = rng.normal(size=(250, 4))
    Z[:, 3] += 3.0 * (y - 1)
    Z[:, 2] += 3.0 * (y == 1)
    return Z @ mixing.T * [1.0, 10.0, 0.1, 1e3], y


def wave(seed):
    """A smooth function of two inputs with noise."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, size=(100, 2))
    return X, np.sin(2.0 * X[:, 0]) + 0.3 * X[:, 1] ** 2 + 0.1 * rng.normal(size=100)


def bump(seed):
    """A narrow bump on a slope: nodes of one width would have to be many."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2.0, 2.0, size=(100, 2))
    height = np.exp(-4.0 * ((X - [0.5, -0.5]) ** 2).sum(axis=1))
    return X, 2.0 * height + 0.4 * X[:, 0] + 0.1 * rng.normal(size=100)


def plane(seed):
    """A sloping plane with a slight bend, which needs no node of its own anywhere.

    One draw for all seeds: in some 5 % of draws the two networks differ by less than their standard
    error, and the refined one stays.
    """
    rng = np.random.default_rng(42)
    X = rng.normal(size=(150, 3)) * [1.0, 1e3, 1e-3] + [0.0, 1e4, 1.0]
    T = (X - X.mean(axis=0)) / X.std(axis=0)
    return X, 10.0 + T @ [2.0, 1.0, 0.5] + 0.3 * T[:, 0] * T[:, 1] + rng.normal(size=150)


def sine(seed, n_samples=300, noise=0.2):
    """One input."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3.0, 3.0, size=(n_samples, 1))
    return X, np.sin(2.0 * X[:, 0]) + noise * rng.normal(size=n_samples)


KINDS = {
    "two": (DrumlinClassifier(), moons),
    "four": (DrumlinClassifier(), blobs),
    "mixed": (DrumlinClassifier(), skewed),
    "squares": (DrumlinRegressor(), bump),
    "smooth": (DrumlinRegressor(), plane),
    "huber": (DrumlinRegressor(loss="huber"), wave),
    "sine": (DrumlinRegressor(), sine),
}
"""Models of every kind: two and four classes, three in a whitened metric, and numbers."""


@cache
def fitted_to(kind, seed):
    """Return a fitted model, the same one every time: it is not to be changed."""
    model, table = KINDS[kind]
    return type(model)(**model.get_params()).fit(*table(seed))


def scores_of(model, X):
    """Scores of shape (n_samples, n_outputs)."""
    scores = model.decision_function(X) if is_classifier(model) else model.predict(X)
    return scores.reshape(len(X), -1)


def spoiled(X, value):
    """Return a copy with one bad entry."""
    Z = np.asarray(X, dtype=float).copy()
    Z.flat[3] = value
    return Z
