"""Made-up problems with known geometry, seeded.

All return ``X`` of shape (n_samples, n_features) and ``y`` of shape (n_samples,), labels from 0.
"""

from __future__ import annotations

from numbers import Integral
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state, shuffle

Problem: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64]]
Seed: TypeAlias = int | np.random.RandomState | None


def make_double_moon(
    n_samples: int = 1000,
    *,
    r: float = 10.0,
    w: float = 6.0,
    d: float = -5.0,
    random_state: Seed = None,
) -> Problem:
    """Two half rings that face each other: Haykin's double moon (figure 1.8).

    Radius and angle are uniform. The upper moon (class 1) is centered on the origin, the lower one
    (class 0) on (r, -d): they interlock where d is negative, and touch at
    ``d = -sqrt((r - w / 2)^2 - (w / 2)^2)`` (-6.3 for the default rings).

    Parameters
    ----------
    n_samples : int, default=1000
        Half in each moon (one more in the lower where it is odd).
    r : float, default=10.0
        Radius of the middle of each ring.
    w : float, default=6.0
        Width of the rings, at most 2 r.
    d : float, default=-5.0
        Vertical distance between the moons.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)

    See Also
    --------
    make_spirals
    make_checkerboard

    Examples
    --------
    >>> from drumlin.datasets import make_double_moon
    >>> X, y = make_double_moon(10, d=-5, random_state=0)
    >>> X.shape, y.sum()
    ((10, 2), np.int64(5))
    """
    _require("make_double_moon", "r", r, r > 0.0, "positive")
    _require("make_double_moon", "w", w, 0.0 <= w <= 2.0 * r, f"in the range [0, {2.0 * r:g}]")
    rng = check_random_state(random_state)
    y = _half_each("make_double_moon", n_samples)
    radius = rng.uniform(r - w / 2.0, r + w / 2.0, n_samples)
    angle = rng.uniform(0.0, np.pi, n_samples)
    x1 = radius * np.cos(angle) + np.where(y == 1, 0.0, r)
    x2 = np.where(y == 1, 1.0, -1.0) * radius * np.sin(angle) - np.where(y == 1, 0.0, d)
    return _shuffled(np.column_stack([x1, x2]), y, rng)


def make_xor(n_samples: int = 4, *, noise: float = 0.0, random_state: Seed = None) -> Problem:
    """Exclusive or: class 1 where exactly one of two inputs is 1.

    Parameters
    ----------
    n_samples : int, default=4
        The four corners (0, 0), (0, 1), (1, 0), (1, 1) are repeated in this order.
    noise : float, default=0.0
        Standard deviation of normal noise on the inputs.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)

    See Also
    --------
    make_checkerboard

    Examples
    --------
    >>> from drumlin.datasets import make_xor
    >>> X, y = make_xor()
    >>> y.tolist()
    [0, 1, 1, 0]
    """
    _require("make_xor", "noise", noise, noise >= 0.0, "at least 0")
    rng = check_random_state(random_state)
    corner = np.arange(_count("make_xor", n_samples)) % 4
    bits = np.column_stack([corner // 2, corner % 2])
    X = bits + noise * rng.standard_normal(bits.shape)
    return X, (bits[:, 0] ^ bits[:, 1]).astype(np.int64)


def make_ripley_mixture(n_samples: int = 250, *, random_state: Seed = None) -> Problem:
    """Two classes, each an equal mixture of two normal clouds (Ripley, 1994).

    Means (-0.7, 0.3) and (0.3, 0.3) for class 0, (-0.3, 0.7) and (0.4, 0.7) for class 1, variance
    0.03 in every direction. The least error of any classifier is 8.9 % (8.0 % on the one published
    test sample of 1000).

    Parameters
    ----------
    n_samples : int, default=250
        Half in each class (one more in class 0 where it is odd).
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)

    See Also
    --------
    load_ripley : The published samples.

    Examples
    --------
    >>> from drumlin.datasets import make_ripley_mixture
    >>> X, y = make_ripley_mixture(100, random_state=0)
    >>> X.shape, int(y.sum())
    ((100, 2), 50)
    """
    rng = check_random_state(random_state)
    y = _half_each("make_ripley_mixture", n_samples)
    means = np.array([[[-0.7, 0.3], [0.3, 0.3]], [[-0.3, 0.7], [0.4, 0.7]]])
    cloud = rng.randint(2, size=n_samples)
    X = means[y, cloud] + np.sqrt(0.03) * rng.standard_normal((n_samples, 2))
    return _shuffled(X, y, rng)


def make_waveform(n_samples: int = 300, *, random_state: Seed = None) -> Problem:
    r"""Breiman's waveforms: 21 inputs, three classes (CART, 1984).

    Each class mixes two of three triangular waves with a uniform random share u and adds standard
    normal noise: :math:`x = u h_a + (1 - u) h_b + \varepsilon`. The waves are
    :math:`h_1(i) = \max(6 - |i - 11|, 0)`, :math:`h_2(i) = h_1(i - 4)` and
    :math:`h_3(i) = h_1(i + 4)`, i = 1 to 21; the pairs (1, 2), (1, 3), (2, 3). The least error
    of any classifier is about 14 %.

    Parameters
    ----------
    n_samples : int, default=300
        Classes are drawn with equal probabilities.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 21)
    y : ndarray of shape (n_samples,)

    See Also
    --------
    make_ripley_mixture

    Examples
    --------
    >>> from drumlin.datasets import make_waveform
    >>> X, y = make_waveform(60, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((60, 21), [0, 1, 2])
    """
    rng = check_random_state(random_state)
    i = np.arange(1, 22)
    waves = np.maximum(6.0 - np.abs(i - np.array([[11], [15], [7]])), 0.0)
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    y = rng.randint(3, size=_count("make_waveform", n_samples))
    share = rng.uniform(size=(n_samples, 1))
    first, second = waves[pairs[y, 0]], waves[pairs[y, 1]]
    X = share * first + (1.0 - share) * second + rng.standard_normal((n_samples, 21))
    return X, y.astype(np.int64)


def make_spirals(
    n_samples: int = 400, *, turns: float = 1.5, noise: float = 0.02, random_state: Seed = None
) -> Problem:
    """Two spirals wound around each other, in the unit disc.

    Parameters
    ----------
    n_samples : int, default=400
        Half in each spiral (one more in the first where it is odd).
    turns : float, default=1.5
        How often each winds around the origin.
    noise : float, default=0.02
        Standard deviation of normal noise.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)

    See Also
    --------
    make_checkerboard
    make_double_moon

    Examples
    --------
    >>> from drumlin.datasets import make_spirals
    >>> X, y = make_spirals(101, random_state=0)
    >>> X.shape, int(y.sum())
    ((101, 2), 50)
    """
    _require("make_spirals", "turns", turns, turns > 0.0, "positive")
    _require("make_spirals", "noise", noise, noise >= 0.0, "at least 0")
    rng = check_random_state(random_state)
    y = _half_each("make_spirals", n_samples)
    radius = np.sqrt(rng.uniform(size=n_samples))  # evenly along the arms
    angle = 2.0 * np.pi * turns * radius + np.pi * y
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _shuffled(X + noise * rng.standard_normal(X.shape), y, rng)


def make_checkerboard(
    n_samples: int = 400, *, n_tiles: int = 4, noise: float = 0.0, random_state: Seed = None
) -> Problem:
    """Uniform points on the unit square, colored like a checkerboard.

    Parameters
    ----------
    n_samples : int, default=400
    n_tiles : int, default=4
        Tiles along each side.
    noise : float, default=0.0
        Part of the labels that are drawn anew with equal probabilities.
    random_state : int, RandomState instance or None, default=None

    Returns
    -------
    X : ndarray of shape (n_samples, 2)
    y : ndarray of shape (n_samples,)

    See Also
    --------
    make_spirals
    make_xor

    Examples
    --------
    >>> from drumlin.datasets import make_checkerboard
    >>> X, y = make_checkerboard(100, n_tiles=3, random_state=0)
    >>> X.shape, sorted(set(y.tolist()))
    ((100, 2), [0, 1])
    """
    _count("make_checkerboard", n_tiles, "n_tiles")
    _require("make_checkerboard", "noise", noise, 0.0 <= noise <= 1.0, "in the range [0, 1]")
    rng = check_random_state(random_state)
    X = rng.uniform(size=(_count("make_checkerboard", n_samples), 2))
    y = np.floor(n_tiles * X).sum(axis=1).astype(np.int64) % 2
    anew = rng.uniform(size=n_samples) < noise
    return X, np.where(anew, rng.randint(2, size=n_samples), y).astype(np.int64)


def _half_each(function: str, n_samples: int) -> NDArray[np.int64]:
    """Labels 0 and then 1."""
    n_samples = _count(function, n_samples)
    return (np.arange(n_samples) >= (n_samples + 1) // 2).astype(np.int64)


def _shuffled(X: NDArray[np.float64], y: NDArray[np.int64], rng: np.random.RandomState) -> Problem:
    X, y = shuffle(X, y, random_state=rng)
    return X, y


def _count(function: str, number: int, name: str = "n_samples") -> int:
    good = isinstance(number, Integral) and number >= 1
    _require(function, name, number, good, "an int of at least 1")
    return number


def _require(function: str, name: str, value: float, good: bool, rule: str) -> None:
    if not good:
        raise ValueError(f"The '{name}' parameter of {function} must be {rule}. Got {value!r}.")
