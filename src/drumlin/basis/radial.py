"""Radial functions: an activation as a function of the squared distance in widths.

One class, one formula. A radial function knows neither centers nor targets.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._kernels import EXPONENT_FLOOR, backend
from drumlin._typing import FloatArray

FARTHEST = 1e300
"""Squared distances above this are not told apart: sums and squares must not overflow."""


class Radial(BaseEstimator, ABC):
    """A function of ``r2``, the squared distance between sample and center in widths.

    See Also
    --------
    Gaussian
    BSpline
    InverseMultiquadric
    Multiquadric

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import Gaussian, Radial
    >>> r2, radial = np.array([0.0, 2.0]), Gaussian()
    >>> _ = radial.activate_(r2)  # in place
    >>> isinstance(radial, Radial), r2.round(3)
    (True, array([1.   , 0.368]))
    """

    @abstractmethod
    def activate_(self, r2: FloatArray) -> FloatArray:
        """Overwrite squared distances with activations and return them."""

    @abstractmethod
    def slope(self, activations: FloatArray) -> FloatArray:
        """Derivatives of the activations with respect to ``r2``."""

    def relative_slope(self, activations: FloatArray) -> FloatArray:
        """Derivatives of the logarithms of the activations with respect to ``r2``."""
        return self.slope(activations) / activations

    def normalize_(self, r2: FloatArray, shares: FloatArray) -> FloatArray:
        r"""Overwrite squared distances with normalised activations (5.63) and return them.

        .. math:: \psi_j = s_j \varphi_j / \sum_l s_l \varphi_l

        Parameters
        ----------
        r2 : ndarray of shape (n_nodes, n_samples)
        shares : ndarray of shape (n_nodes,)
            The positive :math:`s_j`.
        """
        np.minimum(r2, FARTHEST, out=r2)
        return self._shared_(r2, shares)

    def _shared_(self, r2: FloatArray, shares: FloatArray) -> FloatArray:
        """Overwrite squared distances, none above ``FARTHEST``, with normalised activations."""
        activations = self.activate_(r2)
        if (shares != 1.0).any():
            activations *= shares[:, None]
        activations /= activations.sum(axis=0)
        return activations

    def reach(self, level: float) -> float:
        """Distance in widths at which the activation has fallen to a level (5.50)."""
        raise ValueError(
            f"{type(self).__name__} activations do not fall with the distance: there is no "
            "receptive field."
        )

    def narrow_(self, activations: FloatArray, factor: float) -> bool:
        """Overwrite activations with those of a ``factor`` times smaller width by a shortcut.

        Returns
        -------
        bool
            False where there is none: the array is untouched and must be computed anew.
        """
        return False


class Gaussian(Radial):
    r"""The Gaussian, :math:`\varphi = \exp(-r^2/2)`.

    Eq. (3) of hong2014 with :math:`\tau = 2 \, \mathrm{width}^2`.

    See Also
    --------
    BSpline
    InverseMultiquadric
    Multiquadric

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import Gaussian, Nodes
    >>> nodes = Nodes(np.zeros((1, 1)), np.ones((1, 1)), Gaussian())
    >>> nodes.activate(np.array([[0.0], [1.0]])).ravel().round(3)
    array([1.   , 0.607])
    """

    def activate_(self, r2: FloatArray) -> FloatArray:
        """Overwrite squared distances with activations and return them."""
        backend().gaussian_(r2)
        return r2

    def slope(self, activations: FloatArray) -> FloatArray:
        """Derivatives with respect to ``r2``."""
        return -0.5 * activations

    def relative_slope(self, activations: FloatArray) -> FloatArray:
        """One half downwards, where the activation itself has vanished too."""
        return np.full_like(activations, -0.5)

    def normalize_(self, r2: FloatArray, shares: FloatArray) -> FloatArray:
        """See ``Radial.normalize_``; a factor that cancels keeps the nearest node's at 1.

        So far from all nodes, where every activation would vanish, the nearest node decides.
        """
        np.minimum(r2, FARTHEST, out=r2)
        r2 -= r2.min(axis=0)
        return self._shared_(r2, shares)

    def reach(self, level: float) -> float:
        r"""Distance in widths, :math:`\sqrt{2 \log(1/a)}` (example 2 of haykin5)."""
        return math.sqrt(2.0 * math.log(1.0 / level))

    def narrow_(self, activations: FloatArray, factor: float) -> bool:
        """Square: a width smaller by sqrt(2) squares every activation, no exponential needed."""
        squarings = 2.0 * math.log2(factor)
        if abs(squarings - round(squarings)) > 1e-9 or squarings < 0.5:
            return False
        for _ in range(round(squarings)):
            np.multiply(activations, activations, out=activations)
        # Far from all nodes the squares underflow; exponentials end at a floor.
        np.maximum(activations, math.exp(EXPONENT_FLOOR), out=activations)
        return True


class Multiquadric(Radial):
    r"""Hardy's multiquadric, :math:`\varphi = \sqrt{1 + r^2}` (eq. 5.17 of haykin5, in widths).

    See Also
    --------
    Gaussian
    InverseMultiquadric

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import Multiquadric, Nodes
    >>> nodes = Nodes(np.zeros((1, 1)), np.ones((1, 1)), Multiquadric())
    >>> nodes.activate(np.array([[0.0], [1.0]])).ravel().round(3)
    array([1.   , 1.414])
    """

    def activate_(self, r2: FloatArray) -> FloatArray:
        """Overwrite squared distances with activations and return them."""
        np.minimum(r2, FARTHEST, out=r2)
        r2 += 1.0
        return np.sqrt(r2, out=r2)

    def slope(self, activations: FloatArray) -> FloatArray:
        """Derivatives with respect to ``r2``."""
        return 0.5 / activations


class InverseMultiquadric(Radial):
    r"""The inverse multiquadric, :math:`\varphi = 1/\sqrt{1 + r^2}` (eq. 5.18 of haykin5).

    See Also
    --------
    Gaussian
    Multiquadric

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import InverseMultiquadric, Nodes
    >>> nodes = Nodes(np.zeros((1, 1)), np.ones((1, 1)), InverseMultiquadric())
    >>> nodes.activate(np.array([[0.0], [1.0]])).ravel().round(3)
    array([1.   , 0.707])
    """

    def activate_(self, r2: FloatArray) -> FloatArray:
        """Overwrite squared distances with activations and return them."""
        r2 += 1.0
        np.sqrt(r2, out=r2)
        return np.reciprocal(r2, out=r2)

    def slope(self, activations: FloatArray) -> FloatArray:
        """Derivatives with respect to ``r2``."""
        return -0.5 * activations**3

    def relative_slope(self, activations: FloatArray) -> FloatArray:
        """Zero where the activation has vanished."""
        return -0.5 * activations**2

    def reach(self, level: float) -> float:
        r"""Distance in widths, :math:`\sqrt{1/a^2 - 1}`."""
        return math.sqrt(1.0 / level**2 - 1.0)


class BSpline(Radial):
    r"""The cubic B-spline: smooth, and exactly zero beyond :math:`2\sqrt3` widths.

    .. math:: \varphi = \tfrac14 (2 - q)_+^3 - (1 - q)_+^3, \qquad q = r / \sqrt3

    Kernels that hong2008 names beside the Gaussian (section 2). Knots are :math:`\sqrt3` widths
    apart, so that the center is as curved as that of a Gaussian of the same width.

    See Also
    --------
    Gaussian
    InverseMultiquadric

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import BSpline, Gaussian, Nodes
    >>> nodes = Nodes(np.zeros((1, 1)), np.ones((1, 1)), BSpline())
    >>> nodes.activate(np.array([[0.0], [4.0]])).ravel()  # zero beyond 2 sqrt(3)
    array([1., 0.])
    """

    def activate_(self, r2: FloatArray) -> FloatArray:
        """Overwrite squared distances with activations and return them."""
        np.sqrt(np.multiply(r2, 1.0 / 3.0, out=r2), out=r2)
        inner = np.maximum(1.0 - r2, 0.0)
        np.maximum(np.subtract(2.0, r2, out=r2), 0.0, out=r2)
        r2 *= 0.25 * r2 * r2
        r2 -= inner * inner * inner
        return r2

    @staticmethod
    def _outer(activations: FloatArray) -> FloatArray:
        r""":math:`2 - q`, by the inverse of each cubic.

        Near the center :math:`q^3 - 2 q^2 + \tfrac43 (1 - \varphi) = 0`, solved by a cosine.
        """
        cosine = np.clip(1.0 - 2.25 * (1.0 - activations), -1.0, 1.0)
        inner = 4.0 / 3.0 * (1.0 - np.cos((2.0 * np.pi - np.arccos(cosine)) / 3.0))
        return np.where(activations > 0.25, inner, np.cbrt(4.0 * activations))

    def slope(self, activations: FloatArray) -> FloatArray:
        """Derivatives with respect to ``r2``."""
        u = self._outer(activations)
        q = 2.0 - u
        return np.where(activations > 0.25, 0.375 * q - 0.5, -0.125 * u * u / np.maximum(q, 1.0))

    def relative_slope(self, activations: FloatArray) -> FloatArray:
        """Zero where the activation has vanished."""
        reached = np.where(activations > 0.0, activations, 1.0)
        return np.where(activations > 0.0, self.slope(activations) / reached, 0.0)

    def normalize_(self, r2: FloatArray, shares: FloatArray) -> FloatArray:
        """See ``Radial.normalize_``; where no node reaches, the nearest decides."""
        nearest = r2.argmin(axis=0)
        activations = self.activate_(r2)
        beyond = np.flatnonzero(activations.max(axis=0) == 0.0)
        activations[nearest[beyond], beyond] = 1.0
        activations *= shares[:, None]
        activations /= activations.sum(axis=0)
        return activations

    def reach(self, level: float) -> float:
        """Distance in widths: the inverse of the cubics."""
        return math.sqrt(3.0) * (2.0 - float(self._outer(np.asarray(level))))


RADIALS: dict[str, type[Radial]] = {
    "gaussian": Gaussian,
    "multiquadric": Multiquadric,
    "inverse_multiquadric": InverseMultiquadric,
    "b_spline": BSpline,
}
"""Radial functions by name."""
