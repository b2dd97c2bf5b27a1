"""Nodes: centers with widths and a radial function, and their activations. Knows no targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._kernels import backend
from drumlin._typing import FloatArray, IntArray
from drumlin.basis.radial import Gaussian, Radial

AT_ONCE = 2_000_000
"""Activations of a block of samples, where all of them would be too many to hold."""


@dataclass(frozen=True)
class Nodes:
    """A set of radial basis functions.

    Parameters
    ----------
    centers : ndarray of shape (n_nodes, n_features)
    widths : ndarray of shape (n_nodes, n_features)
        One positive width per node and input. An infinite width ignores that input.
    radial : Radial

    See Also
    --------
    drumlin.network.Network

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import Gaussian, Nodes
    >>> nodes = Nodes(np.array([[0.0], [1.0]]), np.ones((2, 1)), Gaussian())
    >>> nodes.activate(np.array([[0.0]])).shape, len(nodes.take([1]).centers)
    ((2, 1), 1)
    """

    centers: FloatArray
    widths: FloatArray
    radial: Radial

    def __len__(self) -> int:
        return len(self.centers)

    def activate(self, X: FloatArray) -> FloatArray:
        r"""Activations :math:`\varphi(\|(x_i - c_j)/s_j\|^2)`, node-major.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_nodes, n_samples)
        """
        return self.radial.activate_(self.squared_distances(X))

    def squared_distances(self, X: FloatArray) -> FloatArray:
        """Squared distances (n_nodes, n_samples) in widths."""
        return _squared_distances(X, self.centers, 1.0 / self.widths)

    def pull_back(self, X: FloatArray, gradient: FloatArray) -> tuple[FloatArray, FloatArray]:
        r"""Gradients of a function of the activations with respect to centers and widths.

        With :math:`r^2_i = \sum_f ((x_{if} - c_f)/s_f)^2`, the derivatives of :math:`r^2_i` are
        :math:`-2 (x_{if} - c_f)/s_f^2` and :math:`-2 (x_{if} - c_f)^2/s_f^3`.

        Parameters
        ----------
        X : ndarray of shape (n_samples, n_features)
        gradient : ndarray of shape (n_nodes, n_samples)
            With respect to the activations.

        Returns
        -------
        by_center, by_width : ndarray of shape (n_nodes, n_features)
        """
        by_r2 = gradient * self.radial.slope(self.activate(X))
        by_center, by_width = np.empty_like(self.centers), np.empty_like(self.widths)
        for j, (center, width) in enumerate(zip(self.centers, self.widths, strict=True)):
            difference = (X - center) / width
            by_center[j] = -2.0 * (by_r2[j] @ difference) / width
            by_width[j] = -2.0 * (by_r2[j] @ (difference * difference)) / width
        return by_center, by_width

    @property
    def unit(self) -> FloatArray:
        """Least width (n_features,) of every input; 1 where all nodes ignore it."""
        least = self.widths.min(axis=0, initial=np.inf)
        return np.where(np.isinf(least), 1.0, least)

    def followed_by(self, others: Nodes) -> Nodes:
        """Return these nodes and then others."""
        centers = np.vstack([self.centers, others.centers])
        return Nodes(centers, np.vstack([self.widths, others.widths]), self.radial)

    def take(self, index: IntArray | slice) -> Nodes:
        """Return some of the nodes."""
        return Nodes(self.centers[index], self.widths[index], self.radial)


def gaussian_activations(
    Z: FloatArray, centers: FloatArray, inv_widths: FloatArray, memory: FloatArray | None = None
) -> FloatArray:
    """Activations (n_samples, n_nodes) of Gaussian nodes, sample-major.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
    centers, inv_widths : ndarray of shape (n_nodes, n_features)
    memory : ndarray of shape (n_nodes, n_samples) or None
        Where they are written; None for a new array.

    See Also
    --------
    Nodes

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis import gaussian_activations
    >>> gaussian_activations(np.array([[1.0]]), np.array([[0.0]]), np.array([[1.0]])).round(3)
    array([[0.607]])
    """
    return Gaussian().activate_(_squared_distances(Z, centers, inv_widths, memory)).T


def gaussian_blocks(
    Z: FloatArray, centers: FloatArray, inv_widths: FloatArray
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield slices of samples and ``gaussian_activations`` of these, to bound memory.

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.basis.nodes import gaussian_blocks
    >>> Z, node = np.zeros((3, 1)), np.ones((1, 1))
    >>> [(rows, Phi.shape) for rows, Phi in gaussian_blocks(Z, node, node)]
    [(slice(0, 3, None), (3, 1))]
    """
    step = max(1, AT_ONCE // max(len(centers), 1))
    for start in range(0, len(Z), step):
        rows = slice(start, min(start + step, len(Z)))
        yield rows, gaussian_activations(Z[rows], centers, inv_widths)


def _squared_distances(
    X: FloatArray, centers: FloatArray, inv_widths: FloatArray, memory: FloatArray | None = None
) -> FloatArray:
    """Squared distances (n_nodes, n_samples) in widths."""
    r2 = np.empty((len(centers), len(X))) if memory is None else memory
    columns = np.ascontiguousarray(X.T, dtype=np.float64)
    backend().squared_distances_(columns, np.ascontiguousarray(centers), inv_widths, r2)
    return r2
