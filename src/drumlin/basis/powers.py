r"""Power maps of skewed inputs (Yeo and Johnson 2000): a long tail comes nearer.

.. math:: v = \operatorname{sign}(t) \frac{(1 + |t|)^e - 1}{e}, \qquad
          e = p \text{ for } t \ge 0, \quad 2 - p \text{ for } t < 0

with the logarithm :math:`\pm\log(1 + |t|)` where e = 0. The slope at t = 0 is 1, p = 1 is the
identity, p < 1 draws the upper tail in and p > 1 the lower one. Knows no targets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.basis.scaling import Standardizer

MOST_POWER = 2.0
"""Powers are within 0 (logarithm of the upper tail) and 2 (of the lower): nothing is bounded."""


def yeo_johnson(T: FloatArray, power: FloatArray | float) -> FloatArray:
    """Map standardised inputs (n_samples, n_features) by their powers (n_features,)."""
    log, exponent = np.log1p(np.abs(T)), _exponents(T, power)
    is_log = exponent == 0.0
    size = np.expm1(exponent * log) / np.where(is_log, 1.0, exponent)
    return np.copysign(np.where(is_log, log, size), T)


def _exponents(T: FloatArray, power: FloatArray | float) -> FloatArray:
    return np.where(T < 0.0, MOST_POWER - power, power)


@dataclass(frozen=True)
class Powers:
    """Yeo-Johnson powers of standardised inputs, which are standardised again behind them.

    Parameters
    ----------
    power : ndarray of shape (n_features,)
        From 0 to 2; inputs of power 1 are left as they are.
    scaler : Standardizer
        What follows the power; the identity for inputs of power 1.

    See Also
    --------
    InputMap

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import Powers, Standardizer
    >>> powers = Powers(np.array([0.0, 1.0]), Standardizer.identity(2))
    >>> powers(np.array([[np.e - 1.0, 5.0]]))
    array([[1., 5.]])
    """

    power: FloatArray
    scaler: Standardizer

    @classmethod
    def fit(cls, power: FloatArray, T: FloatArray, weight: FloatArray) -> Powers:
        """Standardise behind given powers by the rows of T (n_samples, n_features)."""
        bent, behind = power != 1.0, Standardizer.identity(len(power))
        own = Standardizer.fit(yeo_johnson(T[:, bent], power[bent]), weight)
        behind.shift[bent], behind.scale[bent] = own.shift, own.scale
        return cls(power, behind)

    @property
    def bent(self) -> BoolArray:
        """Which inputs (n_features,) have a power other than 1."""
        return np.asarray(self.power != 1.0)

    def __call__(self, T: FloatArray) -> FloatArray:
        """Map standardised inputs (n_samples, n_features)."""
        bent, mapped = self.bent, T.copy()
        mapped[:, bent] = yeo_johnson(T[:, bent], self.power[bent])
        return self.scaler.transform(mapped)

    def slope(self, T: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_features)."""
        return np.exp((_exponents(T, self.power) - 1.0) * np.log1p(np.abs(T))) / self.scaler.scale

    def inverse(self, U: FloatArray) -> FloatArray:
        """Standardised inputs that are mapped to U (n_samples, n_features)."""
        V = self.scaler.inverse_transform(U)
        exponent = _exponents(V, self.power)
        is_log = exponent == 0.0
        log = np.log1p(exponent * np.abs(V)) / np.where(is_log, 1.0, exponent)
        with np.errstate(over="ignore"):
            size = np.expm1(np.where(is_log, np.abs(V), log))
        return np.where(self.bent, np.copysign(size, V), V)
