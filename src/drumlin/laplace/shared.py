r"""Derivatives of several scores that share their nodes: no score has to be looked at alone.

A score :math:`f_k = b_k + \sum_j W_{jk} \varphi_j` has the derivatives :math:`\varphi_j` in its own
weights, none in those of other scores, and :math:`W_{jk} g_j` in what moves node j, with g_j those
of its activation: the same for every score up to a factor. So with S_i the curvature of a row's
loss in its scores, :math:`\varphi_i` its activations after a one, the *slopes* (weights of every
score, then moves of every node) have the curvature

.. math:: \sum_i S_i \otimes \varphi_i \varphi_i', \qquad
    \sum_i (S_i W')_{kj} \, \varphi_i g_{ij}', \qquad
    \sum_i (W S_i W')_{jl} \, g_{ij} g_{il}'

whose largest part, the last, costs what it does of a single score. Covariances of the scores from
that of the slopes are the same sums the other way round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from drumlin._typing import FloatArray


class SharedSlopes(NamedTuple):
    """Derivatives of activations, and the weights that turn them into those of scores.

    Parameters
    ----------
    activations : ndarray of shape (n_rows, 1 + n_nodes)
        Ones first.
    moved : ndarray of shape (n_rows, n_nodes, n_moves)
        Derivatives of the activation of every node in what moves it.
    coef : ndarray of shape (n_nodes, n_outputs)
    """

    activations: FloatArray
    moved: FloatArray
    coef: FloatArray

    @property
    def n_weights(self) -> int:
        """Number of intercepts and weights, the first of all slopes: score by score."""
        return self.activations.shape[1] * self.coef.shape[1]

    def curvature(self, S: FloatArray) -> FloatArray:
        """Curvature (n_slopes, n_slopes) of the sum of the losses.

        Parameters
        ----------
        S : ndarray of shape (n_rows, n_outputs, n_outputs)
            Curvatures of the losses in the scores.
        """
        n, m, q = self.moved.shape
        cut, size = self.n_weights, self.n_weights + m * q
        H = np.empty((size, size))
        along = S @ self.coef.T  # (n_rows, n_outputs, n_nodes)
        for own, block in enumerate(self._blocks()):
            pulled = S[:, own, :, None] * self.activations[:, None, :]
            H[block, :cut] = self.activations.T @ pulled.reshape(n, cut)
            pulled = along[:, own, :, None] * self.moved
            H[block, cut:] = self.activations.T @ pulled.reshape(n, m * q)
        H[cut:, :cut] = H[:cut, cut:].T
        for j in range(m):
            own, others = cut + j * q, cut + (j + 1) * q
            both = (along.transpose(0, 2, 1)[:, j:] @ self.coef[j])[:, :, None] * self.moved[:, j:]
            H[own:others, own:] = self.moved[:, j].T @ both.reshape(n, -1)
            H[others:, own:others] = H[own:others, others:].T
        return H

    def covariances(self, P: FloatArray) -> FloatArray:
        """Covariances (n_rows, n_outputs, n_outputs) of the scores.

        Parameters
        ----------
        P : ndarray of shape (n_slopes, n_slopes)
            Covariance of the slopes' variables.
        """
        n, m, q = self.moved.shape
        k, cut = self.coef.shape[1], self.n_weights
        A, halves = np.empty((n, k, k)), np.empty((n, k, k))  # what has a mirror image is halved
        for own, block in enumerate(self._blocks()):
            pushed = (self.activations @ P[block, :cut]).reshape(n, k, -1)
            A[:, own] = np.einsum("nka,na->nk", pushed, self.activations)
            pushed = (self.activations @ P[block, cut:]).reshape(n, m, q)
            halves[:, own] = np.einsum("njq,njq->nj", pushed, self.moved) @ self.coef
        for j in range(m):
            own, others = cut + j * q, cut + (j + 1) * q
            pushed = (self.moved[:, j] @ P[own:others, own:]).reshape(n, m - j, q)
            between = np.einsum("njq,njq->nj", pushed, self.moved[:, j:])
            between[:, 0] *= 0.5  # the node with itself
            halves += self.coef[j][:, None] * (between @ self.coef[j:])[:, None, :]
        return np.asarray(A + halves + halves.transpose(0, 2, 1))

    def _blocks(self) -> list[slice]:
        """Where the weights of every score stand."""
        step = self.activations.shape[1]
        return [slice(i * step, (i + 1) * step) for i in range(self.coef.shape[1])]
