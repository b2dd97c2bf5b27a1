"""Generators whose truth is known, for learning curves of any length."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit
from scipy.stats import norm
from sklearn.datasets import make_friedman1

Table = tuple[np.ndarray, np.ndarray]


def smooth(n: int, seed: int) -> Table:
    """Six of twenty inputs matter, by waves, a product and a bump; labels are noisy."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 20))
    return X, (rng.random(n) < smooth_probabilities(X)).astype(int)


def smooth_probabilities(X: np.ndarray) -> np.ndarray:
    """Return the probability (n,) of the second class."""
    waves = np.sin(2.0 * X[:, 0]) + 0.5 * np.cos(3.0 * X[:, 4]) * X[:, 5]
    return expit(3.0 * (waves + X[:, 1] * X[:, 2] + 2.0 * np.exp(-(X[:, 3] ** 2)) - 1.2))


def shifted(n: int, seed: int, rate: float = 0.3, shift: float = 0.6) -> Table:
    """Ten normal inputs, all shifted in the second class: the truth is a plane."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < rate).astype(int)
    return rng.standard_normal((n, 10)) + shift * y[:, None], y


def friedman(n: int, seed: int) -> Table:
    """Friedman's first function with noise of deviation 1."""
    X, y = make_friedman1(n, noise=1.0, random_state=seed)
    return X, y


def bayes_smooth() -> float:
    """Least error in percent, on 10^6 rows."""
    p = smooth_probabilities(np.random.default_rng(0).standard_normal((1_000_000, 20)))
    return 100.0 * float(np.minimum(p, 1.0 - p).mean())


def bayes_shifted(rate: float = 0.3, shift: float = 0.6) -> float:
    """Least error in percent, exactly."""
    distance = shift * np.sqrt(10.0)
    cut = distance / 2.0 + np.log((1.0 - rate) / rate) / distance
    return 100.0 * float((1.0 - rate) * norm.sf(cut) + rate * norm.cdf(cut - distance))


GENERATORS: dict[str, tuple[Callable[[int, int], Table], Callable[[], float]]] = {
    "smooth": (smooth, bayes_smooth),
    "linear": (shifted, bayes_shifted),
    "friedman1": (friedman, lambda: 1.0),
}
