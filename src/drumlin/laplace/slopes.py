r"""How the single score of a network moves with its weights, centers and widths.

With :math:`d_{ji} = (z_i - c_{ji}) / s_{ji}` the score :math:`b + \sum_j w_j \varphi_j` has the
derivatives 1 in b, :math:`\varphi_j` in :math:`w_j`, :math:`w_j \varphi_j d_{ji}` in centers (in
widths) and :math:`w_j \varphi_j d_{ji}^2` in log-widths.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations


class Slopes(NamedTuple):
    """Derivatives of the score of a Gaussian network with one output.

    Parameters
    ----------
    weights : ndarray of shape (n_samples, n_nodes)
    centers : ndarray of shape (n_samples, n_nodes, n_features)
        In centers that move in units of their widths.
    log_widths : ndarray of shape (n_samples, n_nodes, n_features)
    """

    weights: FloatArray
    centers: FloatArray
    log_widths: FloatArray

    @classmethod
    def of(
        cls, Z: FloatArray, centers: FloatArray, inv_widths: FloatArray, coef: FloatArray
    ) -> Slopes:
        """Derivatives at mapped samples Z (n_samples, n_features); ``coef`` is (n_nodes, 1)."""
        Phi = gaussian_activations(Z, centers, inv_widths)
        distance = (Z[:, None, :] - centers) * inv_widths
        by_center = (Phi * coef[:, 0])[:, :, None] * distance
        return cls(Phi, by_center, by_center * distance)

    def rows(self, *, shared: bool) -> FloatArray:
        """Derivatives side by side, those in the intercept first.

        Parameters
        ----------
        shared : bool
            Whether centers are fixed and every input has one width for all nodes.

        Returns
        -------
        ndarray of shape (n_samples, n_slopes)
            See ``n_slopes``.
        """
        n = len(self.weights)
        if shared:
            return np.column_stack([np.ones(n), self.weights, self.log_widths.sum(axis=1)])
        moved = (self.centers.reshape(n, -1), self.log_widths.reshape(n, -1))
        return np.column_stack([np.ones(n), self.weights, *moved])


def n_slopes(n_nodes: int, n_features: int, *, shared: bool) -> int:
    """Number of derivatives: of intercept, weights, and widths (or centers and widths)."""
    return 1 + n_nodes + (n_features if shared else 2 * n_nodes * n_features)
