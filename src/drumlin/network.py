r"""The network: a weighted sum of nodes. THE prediction formula lives here and nowhere else.

.. math:: f_k(x) = b_k + \sum_{j=1}^{M} W_{jk} \,
          \varphi\!\left(\sum_i \frac{(z_i - c_{ji})^2}{s_{ji}^2}\right), \qquad z = \mathrm{map}(x)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import InputMap, Nodes

CHUNK = 65_536
"""Activations computed at once: they stay in cache and memory stays bounded."""


@dataclass(frozen=True)
class Network:
    """Nodes with output weights.

    Parameters
    ----------
    nodes : Nodes
        In the space that ``inputs`` maps to.
    coef : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    inputs : InputMap or None
        Applied to raw inputs first; None where nodes are in the units of the raw inputs.
    """

    nodes: Nodes
    coef: FloatArray
    intercept: FloatArray
    inputs: InputMap | None = None

    def __call__(self, X: FloatArray) -> FloatArray:
        """Scores of shape (n_samples, n_outputs)."""
        scores = np.empty((len(X), len(self.intercept)))
        scores[...] = self.intercept
        for rows in self._chunks(len(X), 1):
            scores[rows] += self.activations(X[rows]).T @ self.coef
        return scores

    def mapped(self, X: FloatArray) -> FloatArray:
        """Inputs in the space of the nodes."""
        return X if self.inputs is None else self.inputs(X)

    def activations(self, X: FloatArray) -> FloatArray:
        """Activations of shape (n_nodes, n_samples)."""
        return self.nodes.activate(self.mapped(X))

    def contributions(self, X: FloatArray) -> FloatArray:
        """What every node, and last the intercept, adds to every score.

        Returns
        -------
        ndarray of shape (n_samples, n_nodes + 1, n_outputs)
            Sums to the scores over the second axis.
        """
        parts = np.empty((len(X), len(self.nodes) + 1, len(self.intercept)))
        parts[:, :-1] = self.activations(X).T[:, :, None] * self.coef
        parts[:, -1] = self.intercept
        return parts

    def gradient(self, X: FloatArray) -> FloatArray:
        r"""Exact derivatives of the scores of a Gaussian network with respect to the raw inputs.

        .. math:: \partial f_k / \partial z_i = -\sum_j W_{jk} \varphi_j (z_i - c_{ji}) / s_{ji}^2

        Returns
        -------
        ndarray of shape (n_samples, n_outputs, n_features)
        """
        result = np.zeros((len(X), len(self.intercept), X.shape[1]))
        inv2 = self.nodes.widths**-2.0
        for rows in self._chunks(len(X), len(self.intercept)):
            Z = self.mapped(X[rows])
            Phi = self.nodes.activate(Z).T
            weighted = Phi[:, :, None] * self.coef  # (n, M, K)
            pull = np.einsum("nmk,md->nkd", weighted, self.nodes.centers * inv2)
            push = np.einsum("nmk,md->nkd", weighted, inv2) * Z[:, None, :]
            slope = pull - push
            result[rows] = slope if self.inputs is None else self.inputs.pull_back(X[rows], slope)
        return result

    def _chunks(self, n_samples: int, n_outputs: int) -> Iterator[slice]:
        """Slices of samples whose activations stay in cache (none where there are no nodes)."""
        if not len(self.nodes):
            return
        step = max(1, CHUNK // (len(self.nodes) * n_outputs))
        for start in range(0, n_samples, step):
            yield slice(start, start + step)
