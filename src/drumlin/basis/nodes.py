"""Nodes: centers with widths and a radial function, and their activations. Knows no targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._kernels import backend
from drumlin._typing import FloatArray, IntArray
from drumlin.basis.radial import Radial


@dataclass(frozen=True)
class Nodes:
    """A set of radial basis functions.

    Parameters
    ----------
    centers : ndarray of shape (n_nodes, n_features)
    widths : ndarray of shape (n_nodes, n_features)
        One positive width per node and input. An infinite width ignores that input.
    radial : Radial
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
        r2 = np.empty((len(self), len(X)))
        columns = np.ascontiguousarray(X.T, dtype=np.float64)
        backend().squared_distances_(columns, self.centers, 1.0 / self.widths, r2)
        return r2

    def take(self, index: IntArray | slice) -> Nodes:
        """Return some of the nodes."""
        return Nodes(self.centers[index], self.widths[index], self.radial)
