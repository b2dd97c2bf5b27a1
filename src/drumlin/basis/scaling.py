"""Standardised inputs that survive any finite numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray

CONSTANT = 1e-13
"""A column whose spread is below this part of its largest entry is constant to rounding."""

SMALLEST = 1e-305
"""A smaller spread counts as none: its inverse would overflow."""


Moments = tuple[FloatArray, FloatArray]
"""Mean and standard deviation (n_features,) of columns."""


def stable_moments(X: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Weighted mean and standard deviation of every column over its largest entry, and that entry.

    Divided by it first, squares neither overflow nor vanish at any scale.
    """
    largest = np.abs(X).max(axis=0)
    largest[largest == 0.0] = 1.0
    U = X / largest
    share = weight / weight.sum()
    mean = share @ U
    return mean, np.sqrt(share @ (U - mean) ** 2), largest


def pooled_moments(one: Moments, other: Moments, share: float) -> Moments:
    r"""Mean and standard deviation of every column over two groups of rows.

    .. math:: m = (1 - s) m_1 + s m_2, \qquad
        \sigma^2 = (1 - s) \sigma_1^2 + s \sigma_2^2 + s (1 - s) (m_2 - m_1)^2

    Parameters
    ----------
    one, other : tuple of ndarray
        Mean and standard deviation (n_features,) of each, in the same units.
    share : float
        Part of the rows that is in the other.
    """
    mean = (1.0 - share) * one[0] + share * other[0]
    within = np.hypot(np.sqrt(1.0 - share) * one[1], np.sqrt(share) * other[1])
    apart = np.sqrt(share * (1.0 - share)) * np.abs(other[0] - one[0])
    return mean, np.hypot(within, apart)  # no square overflows


@dataclass(frozen=True)
class Standardizer:
    """``z = (x - shift) / scale``; an infinite scale switches a constant column off.

    Parameters
    ----------
    shift, scale : ndarray of shape (n_features,)

    See Also
    --------
    InputMap

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import Standardizer
    >>> X = np.array([[1.0, 7.0], [3.0, 7.0]])
    >>> Standardizer.fit(X, np.ones(2)).transform(X)
    array([[-1.,  0.],
           [ 1.,  0.]])
    """

    shift: FloatArray
    scale: FloatArray

    @classmethod
    def identity(cls, n_features: int) -> Standardizer:
        """Leave the inputs as they are."""
        return cls(np.zeros(n_features), np.ones(n_features))

    @classmethod
    def fit(cls, X: FloatArray, weight: FloatArray) -> Standardizer:
        """Weighted mean and standard deviation of every column."""
        return cls.of_moments(*stable_moments(X, weight))

    @classmethod
    def of_moments(cls, mean: FloatArray, spread: FloatArray, largest: FloatArray) -> Standardizer:
        """Mean and standard deviation of columns that were divided by their largest entry."""
        scale = spread * largest
        scale[(spread <= CONSTANT) | (scale < SMALLEST)] = np.inf
        return cls(mean * largest, scale)

    def transform(self, X: FloatArray) -> FloatArray:
        """Standardised copy of X."""
        return (X - self.shift) / self.scale

    def inverse_transform(self, Z: FloatArray) -> FloatArray:
        """Return original units; a switched-off column gets its mean."""
        scale = np.where(np.isinf(self.scale), 0.0, self.scale)
        return Z * scale + self.shift
