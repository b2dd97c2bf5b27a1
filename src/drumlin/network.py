r"""The network: a weighted sum of nodes. THE prediction formula lives here and nowhere else.

.. math:: f_k(x) = b_k + \sum_{j=1}^{M} W_{jk} \,
          \varphi\!\left(\sum_i \frac{(x_i - c_{ji})^2}{s_{ji}^2}\right)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import Nodes

CHUNK = 65_536
"""Activations computed at once: they stay in cache and memory stays bounded."""


@dataclass(frozen=True)
class Network:
    """Nodes with output weights, in the units of the raw inputs.

    Parameters
    ----------
    nodes : Nodes
    coef : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    """

    nodes: Nodes
    coef: FloatArray
    intercept: FloatArray

    def __call__(self, X: FloatArray) -> FloatArray:
        """Scores of shape (n_samples, n_outputs)."""
        scores = np.empty((len(X), len(self.intercept)))
        scores[...] = self.intercept
        if not len(self.nodes):
            return scores
        step = max(1, CHUNK // len(self.nodes))
        for start in range(0, len(X), step):
            rows = slice(start, start + step)
            scores[rows] += self.nodes.activate(X[rows]).T @ self.coef
        return scores
