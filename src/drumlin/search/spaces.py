"""Where searches look: points of a box, subsets of things."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import BoolArray, FloatArray


@dataclass(frozen=True)
class Box:
    """Points between two corners, each coordinate by itself.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_dimensions,)
        ``lower <= upper``; where they are equal the coordinate is fixed.

    See Also
    --------
    BitStrings

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import Box
    >>> Box(np.zeros(2), np.array([1.0, 2.0])).clip(np.array([[0.5, 3.0]]))
    array([[0.5, 2. ]])
    """

    lower: FloatArray
    upper: FloatArray

    @property
    def n_dimensions(self) -> int:
        """Coordinates of a point."""
        return len(self.lower)

    @property
    def span(self) -> FloatArray:
        """Edges of the box."""
        return self.upper - self.lower

    def sample(self, n: int, rng: np.random.RandomState) -> FloatArray:
        """Points (n, n_dimensions) drawn uniformly."""
        return self.lower + rng.uniform(size=(n, self.n_dimensions)) * self.span

    def clip(self, points: FloatArray) -> FloatArray:
        """Nearest points of the box."""
        return np.clip(points, self.lower, self.upper)


@dataclass(frozen=True)
class BitStrings:
    """Subsets of ``n_bits`` things, as rows of booleans.

    Parameters
    ----------
    n_bits : int

    See Also
    --------
    Box

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import BitStrings
    >>> BitStrings(5).sample(np.array([0.0, 5.0]), np.random.RandomState(0)).sum(axis=1)
    array([0, 5])
    """

    n_bits: int

    def sample(self, sizes: FloatArray, rng: np.random.RandomState) -> BoolArray:
        """Subsets (len(sizes), n_bits) of given expected sizes, every thing by itself."""
        chance = np.minimum(sizes / self.n_bits, 1.0)
        return np.asarray(rng.uniform(size=(len(sizes), self.n_bits)) < chance[:, None])
