r"""Skewed inputs, drawn in half-way to what would look normal.

Nodes are as wide on the side of a long tail as on the other, where the rows are. A Yeo-Johnson
power (``basis/powers.py``) of greatest likelihood would make an input as normal as it can be; the
way is gone half, because what an answer depends on may be the input itself as well as its
logarithm. Knows no targets: whether it helps is for samples left out to say (``views.py``).
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.basis import InputMap, Powers, Standardizer
from drumlin.basis.powers import MOST_POWER, yeo_johnson
from drumlin.flagship.recipe import ViewRule
from drumlin.flagship.view import usual_range
from drumlin.sample import Rows

NORMAL_QUARTILES = 1.349
"""Standard deviations between the quartiles of normal numbers."""

NARROW = 0.05
"""Standard deviations below which the quartiles tell no spread: most entries are one value."""

LIKELY = (-2.0, 4.0)
"""Powers among which the likeliest is looked for."""

STEPS = 24
"""Golden sections of that range: the power is then known to less than it is rounded to."""

TINY = 1e-300
"""What divisors and logarithms are kept from: an input that does not vary has no power."""

GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def with_powers(plain: Standardizer, rows: Rows, rule: ViewRule) -> InputMap | None:
    """Return the map, without a clip, that draws skewed inputs in; None where no input is skewed.

    Parameters
    ----------
    plain : Standardizer
        Mean and standard deviation of every input.
    rows : Rows
        A draw of them tells the powers, and what spread is behind them.
    rule : ViewRule
    """
    sample = rows.draw(rule.power_rows)
    T = plain.transform(np.clip(sample.X, *usual_range(sample, rule.reach)))
    share = sample.weight / sample.total
    skewed = np.flatnonzero(_is_skewed(T, share, rule.skewed))
    if not skewed.size:
        return None
    middle, spread = np.zeros(T.shape[1]), np.ones(T.shape[1])
    middle[skewed], spread[skewed] = _quartiles(T[:, skewed], sample.weight)
    power = np.ones(T.shape[1])
    likeliest = likeliest_powers(((T - middle) / spread)[:, skewed], share)
    half_way = 1.0 + rule.half_way * (likeliest - 1.0)
    power[skewed] = np.round(np.clip(half_way, 0.0, MOST_POWER), 2)  # to be read, and to be sure
    bent = power != 1.0
    if not bent.any():
        return None
    middle, spread = np.where(bent, middle, 0.0), np.where(bent, spread, 1.0)
    behind = Standardizer.fit(yeo_johnson((T - middle) / spread, power), sample.weight)
    behind = Standardizer(np.where(bent, behind.shift, 0.0), np.where(bent, behind.scale, 1.0))
    scaler = Standardizer(
        plain.shift + middle * np.where(bent, plain.scale, 1.0), plain.scale * spread
    )
    return InputMap(scaler, np.inf, powers=Powers(power, behind))


def _is_skewed(T: FloatArray, share: FloatArray, least: float) -> BoolArray:
    """Whether inputs are skewed, and have more than two values: of two, no map changes anything."""
    centered = T - share @ T
    spread = np.sqrt(share @ centered**2)
    skewness = share @ centered**3 / np.maximum(spread**3, TINY)
    low, high = T.min(axis=0), T.max(axis=0)
    return (np.abs(skewness) > least) & ((low < T) & (high > T)).any(axis=0)


def _quartiles(T: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Median and spread (n_features,), as that of normal numbers with the same quartiles."""
    quantiles = np.quantile(T, [0.25, 0.5, 0.75], axis=0, weights=weight, method="inverted_cdf")
    spread = (quantiles[2] - quantiles[0]) / NORMAL_QUARTILES
    return quantiles[1], np.where(spread > NARROW, spread, 1.0)


def likeliest_powers(T: FloatArray, share: FloatArray) -> FloatArray:
    r"""Powers (n_features,) behind which inputs look most like normal numbers.

    The logarithm of the likelihood per row, but for a constant, is
    :math:`-\frac12 \log \operatorname{var} v + (p - 1) \operatorname{mean} \pm\log(1 + |t|)`.

    Parameters
    ----------
    T : ndarray of shape (n_samples, n_features)
    share : ndarray of shape (n_samples,)
        Weights that sum to 1.
    """
    jacobian = share @ np.copysign(np.log1p(np.abs(T)), T)

    def loss(power: FloatArray) -> FloatArray:
        V = yeo_johnson(T, power)
        variance = share @ (V - share @ V) ** 2
        return np.asarray(0.5 * np.log(np.maximum(variance, TINY)) - (power - 1.0) * jacobian)

    low, high = (np.full(T.shape[1], end) for end in LIKELY)
    for _ in range(STEPS):
        first, second = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        is_below = loss(first) < loss(second)
        low, high = np.where(is_below, low, first), np.where(is_below, second, high)
    return (low + high) / 2.0
