"""Which of two models left-out samples prefer."""

from __future__ import annotations

import numpy as np

from drumlin.criteria.paired import is_clear


def edge(gain, weight, unit):
    """The margin up to which a gain is clear."""
    low, high = -1e3, 1e3
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if is_clear(gain, weight, unit, middle) else (low, middle)
    return low


def test_the_margin_is_in_standard_errors_of_the_mean(seed):
    gain = np.random.default_rng(seed).standard_normal(50) + 0.3
    expected = gain.mean() / (gain.std() / np.sqrt(50))
    np.testing.assert_allclose(edge(gain, np.ones(50), np.ones(1)), expected, rtol=1e-9)


def test_copies_are_samples(seed):
    rng = np.random.default_rng(seed)
    gain, copies = rng.standard_normal(20) + 0.3, rng.integers(1, 5, 20)
    repeated = np.repeat(gain, copies)
    ones = np.ones(len(repeated))
    np.testing.assert_allclose(
        edge(gain, copies.astype(float), np.ones(1)), edge(repeated, ones, np.ones(1)), rtol=1e-9
    )


def test_heavier_samples_are_not_more_of_them(seed):
    """By brute force: how much weighted means of noise differ from draw to draw."""
    rng = np.random.default_rng(seed)
    weight = np.where(np.arange(400) < 20, 10.0, 0.5)  # a rare class that weighs as much
    margins = [edge(rng.standard_normal(400), weight, weight) for _ in range(300)]
    assert 0.85 < np.std(margins) < 1.15
    alike = rng.standard_normal(400)
    np.testing.assert_allclose(
        edge(alike, np.full(400, 10.0), np.full(400, 10.0)), edge(alike, np.ones(400), np.ones(1))
    )
