"""Generated problems of the papers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state


def make_waveform(
    n_samples: int = 300, random_state: int | np.random.RandomState | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    r"""Breiman's waveforms: 21 inputs, 3 classes of equal probability.

    Every sample is a random convex combination of two of three triangular waves plus noise of unit
    variance, eq. (21) of ando2004:

    .. math:: x_k = u H_a(k) + (1 - u) H_b(k) + \varepsilon_k, \qquad
              H_1(k) = \max(6 - |k - 11|, 0),\; H_2(k) = H_1(k - 4),\; H_3(k) = H_1(k + 4),

    for k = 1, ..., 21, with waves (1, 2), (1, 3) and (2, 3) in the three classes. The Bayes error
    is about 14 %.

    Parameters
    ----------
    n_samples : int, default=300
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 21)
    y : ndarray of shape (n_samples,)
        Classes 0, 1, 2.
    """
    rng = check_random_state(random_state)
    k = np.arange(1, 22)
    waves = np.maximum(6.0 - np.abs(k - np.array([[11], [15], [7]])), 0.0)
    y = rng.randint(3, size=n_samples).astype(np.int64)
    u = rng.uniform(size=(n_samples, 1))
    noise = rng.normal(size=(n_samples, 21))
    X = u * waves[[0, 0, 1]][y] + (1.0 - u) * waves[[1, 2, 2]][y] + noise
    return X, y
