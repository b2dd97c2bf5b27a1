"""Generated problems."""

from __future__ import annotations

import numpy as np

from drumlin.datasets import make_waveform


def test_waveform_shapes_and_seed():
    X, y = make_waveform(50, random_state=3)
    again = make_waveform(50, random_state=3)
    assert X.shape == (50, 21) and y.shape == (50,)
    np.testing.assert_array_equal(X, again[0])
    np.testing.assert_array_equal(y, again[1])
    assert not np.array_equal(X, make_waveform(50, random_state=4)[0])


def test_waveform_means_are_those_of_the_formula():
    """Halfway between two triangles, with unit noise where both are zero."""
    X, y = make_waveform(60_000, random_state=0)
    k = np.arange(1, 22)

    def wave(center):
        return np.maximum(6 - np.abs(k - center), 0)

    pairs = [(11, 15), (11, 7), (15, 7)]
    for label, (a, b) in enumerate(pairs):
        mean = X[y == label].mean(axis=0)
        # Six standard errors of a mean of 20000 numbers whose deviation is below 2.
        np.testing.assert_allclose(mean, 0.5 * (wave(a) + wave(b)), atol=0.085)
        assert abs((y == label).mean() - 1 / 3) < 0.012
    assert abs(X[y == 0, 0].std() - 1.0) < 0.03
