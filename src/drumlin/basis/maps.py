r"""Input maps: from raw inputs to the space in which nodes are round or elliptical.

.. math:: t_i = (x_i - \mathrm{shift}_i)/\mathrm{scale}_i, \qquad v_i = \mathrm{power}_i(t_i),
          \qquad u_i = v_i / \sqrt{1 + (v_i/c)^2}, \qquad z = u A

Optional powers (``powers.py``) draw in long tails; the smooth clip keeps outliers within c standard
deviations without an edge; the optional matrix A whitens the inputs, or projects them to fewer.
Knows no targets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis.powers import Powers
from drumlin.basis.scaling import Standardizer

CLIP = 3.0
"""Standard deviations that no input can exceed after the smooth clip."""

FARTHEST = 1e100
"""Standard deviations beyond which distances are not told apart: squares must not overflow."""


@dataclass(frozen=True)
class InputMap:
    """Standardise, perhaps draw in long tails, clip smoothly, and perhaps mix the inputs.

    Parameters
    ----------
    scaler : Standardizer
    clip : float or ndarray of shape (n_features,)
        The bound c; infinity switches the clip off.
    matrix : ndarray of shape (n_features, n_mapped) or None
        The matrix A; None means the identity.
    powers : Powers or None
        Of standardised inputs, before the clip.

    See Also
    --------
    Powers
    Standardizer

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import InputMap, Standardizer
    >>> view = InputMap(Standardizer.identity(1), clip=3.0)
    >>> abs(view(np.array([[100.0]])).item()) <= 3.0
    True
    """

    scaler: Standardizer
    clip: float | FloatArray = CLIP
    matrix: FloatArray | None = None
    powers: Powers | None = None

    @property
    def size(self) -> int:
        """Numbers that are stored."""
        arrays = [self.scaler.shift, self.scaler.scale, self.clip, self.matrix]
        if self.powers is not None:
            arrays += [self.powers.power, self.powers.scaler.shift, self.powers.scaler.scale]
        return sum(array.size for array in arrays if isinstance(array, np.ndarray))

    @property
    def n_mapped(self) -> int:
        """Number of mapped inputs."""
        return len(self.scaler.shift) if self.matrix is None else self.matrix.shape[1]

    def unclipped(self) -> InputMap:
        """Return this map without the clip: what is far away stays far away."""
        return replace(self, clip=np.inf)

    def __call__(self, X: FloatArray) -> FloatArray:
        """Map inputs (n_samples, n_features) to mapped inputs (n_samples, n_mapped)."""
        U = self._clip(self._powered(self._standardized(X)))
        return U if self.matrix is None else U @ self.matrix

    def followed_by(self, matrix: FloatArray | None) -> InputMap:
        """Return this map with a further matrix behind it; None changes nothing."""
        if matrix is None:
            return self
        return replace(self, matrix=matrix if self.matrix is None else self.matrix @ matrix)

    def pull_back(self, X: FloatArray, gradient: FloatArray) -> FloatArray:
        """Turn gradients with respect to z into gradients with respect to x (chain rule).

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
        gradient : ndarray of shape (n_samples, ..., n_mapped)

        Returns
        -------
        ndarray of shape (n_samples, ..., n_features)
            Infinite where units are such that no number can hold the derivative.
        """
        if self.matrix is not None:
            gradient = gradient @ self.matrix.T
        slope = self.slope(X).reshape(len(X), *[1] * (gradient.ndim - 2), -1)
        with np.errstate(over="ignore"):
            return np.asarray(gradient * slope)

    def slope(self, X: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_features) of the clipped inputs in the raw ones."""
        T = self._standardized(X)
        slope = (1.0 + (self._powered(T) / self.clip) ** 2) ** -1.5 / self.scaler.scale
        return slope if self.powers is None else slope * self.powers.slope(T)

    def inverse(self, Z: FloatArray) -> FloatArray:
        """Original units of mapped points; what lies beyond the clip is put at its edge.

        Of the many inputs that a projection maps to one point, those nearest to the mean are taken.
        """
        U = self._unmixed(Z)
        edge = self.clip * (1.0 - 1e-6)
        U = np.clip(U, -edge, edge)
        U = U / np.sqrt(1.0 - (U / self.clip) ** 2)
        U = U if self.powers is None else self.powers.inverse(U)
        return self.scaler.inverse_transform(np.asarray(U, dtype=np.float64))

    def _unmixed(self, Z: FloatArray) -> FloatArray:
        if self.matrix is None:
            return Z
        if self.matrix.shape[0] == self.matrix.shape[1]:
            return np.asarray(np.linalg.solve(self.matrix.T, Z.T).T)
        return Z @ np.linalg.pinv(self.matrix)

    def _standardized(self, X: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):
            T = self.scaler.transform(X)
        return _limited(T)

    def _powered(self, T: FloatArray) -> FloatArray:
        return T if self.powers is None else _limited(self.powers(T))

    def _clip(self, T: FloatArray) -> FloatArray:
        return T / np.sqrt(1.0 + (T / self.clip) ** 2)


def _limited(T: FloatArray) -> FloatArray:
    return np.minimum(np.maximum(T, -FARTHEST), FARTHEST)
