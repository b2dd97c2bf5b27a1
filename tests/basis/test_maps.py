"""Input maps and the parts of a network that use them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from drumlin.basis import Gaussian, InputMap, Nodes, Powers, Standardizer
from drumlin.basis.maps import CLIP
from drumlin.network import Network
from tests.helpers import EXACT, REFERENCE, assert_close


def make_map(seed, mixed, powered=False):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 3)) * [1.0, 10.0, 0.1] + [0.0, 5.0, 100.0]
    matrix = np.eye(3) + 0.2 * rng.standard_normal((3, 3)) if mixed else None
    behind = Standardizer(np.array([0.3, 0.0, -0.2]), np.array([0.8, 1.0, 1.3]))
    powers = Powers(np.array([0.4, 1.0, 2.0]), behind) if powered else None
    return X, InputMap(Standardizer.fit(X, np.ones(40)), matrix=matrix, powers=powers)


@pytest.mark.parametrize("clip", [CLIP, np.inf, np.array([CLIP, np.inf, 5.0])])
@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("powered", [False, True])
def test_the_inverse_undoes_the_map(seed, powered, mixed, clip):
    X, inputs = make_map(seed, mixed, powered)
    inputs = replace(inputs, clip=clip)
    assert_close(inputs.inverse(inputs(X)), X)
    clips = np.size(clip) * isinstance(clip, np.ndarray)
    assert inputs.size == 6 + clips + 9 * mixed + 9 * powered


def test_every_column_has_its_own_clip(seed):
    X, inputs = make_map(seed, False)
    clips = [CLIP, np.inf, 5.0]
    together = replace(inputs, clip=np.array(clips))
    for i, clip in enumerate(clips):
        alone = replace(inputs, clip=clip)
        assert_close(together(X)[:, i], alone(X)[:, i], EXACT)
        assert_close(together.slope(X)[:, i], alone.slope(X)[:, i], EXACT)


def test_the_clip_is_smooth_and_bounded(seed):
    X, inputs = make_map(seed, False)
    Z = inputs(X + 1e9)
    assert (np.abs(Z) <= inputs.clip).all()
    near = inputs(X[:1] * 0 + inputs.scaler.shift + 0.01 * inputs.scaler.scale)
    assert_close(near, 0.01, 1e-4)  # nearly the identity close to the mean


def make_network(seed, mixed, powered=False):
    X, inputs = make_map(seed, mixed, powered)
    rng = np.random.default_rng(seed)
    nodes = Nodes(inputs(X)[:4].copy(), rng.uniform(0.5, 2.0, (4, 3)), Gaussian())
    return X, Network(nodes, rng.standard_normal((4, 2)), rng.standard_normal(2), inputs)


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("powered", [False, True])
def test_gradient_is_the_finite_difference_in_raw_units(seed, powered, mixed):
    X, network = make_network(seed, mixed, powered)
    gradient = network.gradient(X)
    for i, step in enumerate(1e-6 * network.inputs.scaler.scale):
        shift = np.zeros(3)
        shift[i] = step
        difference = (network(X + shift) - network(X - shift)) / (2 * step)
        scale = network.inputs.scaler.scale[i]
        assert_close(gradient[:, :, i] * scale, difference * scale, REFERENCE)


def test_contributions_sum_to_the_scores(seed):
    X, network = make_network(seed, True)
    parts = network.contributions(X)
    assert parts.shape == (40, 5, 2)
    assert_close(parts.sum(axis=1), network(X), EXACT)
    assert_close(parts[:, -1], np.tile(network.intercept, (40, 1)), EXACT)


def test_a_constant_column_is_switched_off(seed):
    X = np.c_[np.random.default_rng(seed).standard_normal((20, 1)), np.full(20, 7.0)]
    scaler = Standardizer.fit(X, np.ones(20))
    assert np.isinf(scaler.scale[1])
    assert (InputMap(scaler)(X + np.array([0.0, 5.0]))[:, 1] == 0.0).all()
    assert_close(scaler.inverse_transform(np.zeros((1, 2)))[0, 1], 7.0)
