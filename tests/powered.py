"""Fitted models whose input maps have powers, whatever the fit makes of the data."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache

import numpy as np

from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.basis import InputMap, Powers, Standardizer
from drumlin.flagship import Recipe
from tests.helpers import sample_of

PLAIN = replace(Recipe(), view=replace(Recipe().view, skewed=np.inf))
POWER = np.array([0.0, 1.0, 0.4, 1.7])


def skewed(seed=0, n=120):
    """Inputs with a long upper tail, none, a shorter one, and a lower one."""
    rng = np.random.default_rng(seed)
    Z = rng.standard_normal((n, len(POWER)))
    X = np.column_stack([10.0 * np.exp(1.5 * Z[:, 0]), Z[:, 1], Z[:, 2] ** 2, -np.exp(Z[:, 3])])
    return X, np.sin(Z[:, 0]) + 0.5 * Z[:, 1] + 0.3 * Z[:, 3] + 0.1 * rng.standard_normal(n)


def powered_map(X, power=POWER, clip=3.0, matrix=None):
    """A map of medians and quartile spreads, powers, means and standard deviations behind them."""
    low, middle, high = np.quantile(X, [0.25, 0.5, 0.75], axis=0)
    rough, plain = Standardizer(middle, (high - low) / 1.35), Standardizer.fit(X, np.ones(len(X)))
    bent = power != 1.0
    scaler = Standardizer(
        np.where(bent, rough.shift, plain.shift), np.where(bent, rough.scale, plain.scale)
    )
    powers = Powers.fit(power, scaler.transform(X), np.ones(len(X)))
    return InputMap(scaler, clip, matrix, powers)


def powered(model, X, power=POWER, matrix=None):
    """Return a copy of a fitted model whose nodes stand where they did, in inputs with powers."""
    network, model = model.network_, copy.copy(model)
    inputs = powered_map(X, power, network.inputs.clip, matrix)
    places = inputs(network.inputs.inverse(network.nodes.centers))
    nodes = replace(network.nodes, centers=places)
    model._set_network(replace(network, nodes=nodes, inputs=inputs))
    model._remember_rows(sample_of(X, network(X)), model._units[1])
    model._seen, model._places = model._seen_by(model._seen, inputs), nodes
    return model


def plainly_fitted(model, X, y):
    """Return the model, fitted as if no input were skewed."""
    model._recipe = PLAIN
    return model.fit(X, y)


@cache
def powered_classifier():
    """A classifier of two classes, and its inputs."""
    X, y = skewed()
    return powered(plainly_fitted(DrumlinClassifier(max_nodes=4), X, y > 0.0), X), X


@cache
def powered_regressor():
    """A regressor, and its inputs."""
    X, y = skewed()
    return powered(plainly_fitted(DrumlinRegressor(max_nodes=4), X, y), X), X
