r"""Kernel columns made orthonormal in the kernel's own inner product.

With :math:`K = V \Lambda V'` the kernel matrix of some centers and :math:`T = \Lambda^{-1/2} V'`,
the columns :math:`\tilde\Phi = T \Phi` span the same functions and the penalty
:math:`\gamma' K \gamma` becomes :math:`u'u` for :math:`\gamma = T' u`. Eigenvalues of zero belong
to functions of norm zero, which are zero everywhere: their rows of T are zero, so that neither
likelihood, penalty nor determinants notice them (a pseudo-determinant).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray

DEPENDENT = 1e-10
"""Eigenvalues below this part of a kernel's diagonal (which is 1) count as zero."""


@dataclass(frozen=True)
class Whitened:
    """Whitened columns of many subsets of centers.

    Parameters
    ----------
    columns : ndarray of shape (n_subsets, 1 + n_centers, n_samples)
        The constant 1, then the whitened columns; zeros where a subset has fewer dimensions.
    transform : ndarray of shape (n_subsets, n_centers, n_centers)
        The matrices T.
    """

    columns: FloatArray
    transform: FloatArray

    def __len__(self) -> int:
        return len(self.columns)

    def take(self, i: int) -> Whitened:
        """One subset of the batch, as a batch of one."""
        return Whitened(self.columns[i : i + 1], self.transform[i : i + 1])

    def original(self, coef: FloatArray) -> FloatArray:
        """Weights of the centers themselves.

        Parameters
        ----------
        coef : ndarray of shape (n_subsets, n_contrasts, 1 + n_centers)

        Returns
        -------
        ndarray of shape (n_subsets, n_contrasts, n_centers)
            Without the intercept, which is ``coef[:, :, 0]`` on both sides.
        """
        return np.asarray(coef[:, :, 1:] @ self.transform)


def whiten(activations: FloatArray, kernel: FloatArray) -> Whitened:
    """Whiten the columns of many subsets at once.

    Parameters
    ----------
    activations : ndarray of shape (n_subsets, n_centers, n_samples)
        Rows of zeros fill up smaller subsets.
    kernel : ndarray of shape (n_subsets, n_centers, n_centers)
        Kernel matrices; the identity where subsets are filled up.
    """
    n_subsets, n_centers, n_samples = activations.shape
    columns = np.ones((n_subsets, 1 + n_centers, n_samples))
    eigenvalues, vectors = np.linalg.eigh(kernel)
    kept = eigenvalues > DEPENDENT
    scale = np.where(kept, 1.0 / np.sqrt(np.where(kept, eigenvalues, 1.0)), 0.0)
    transform = scale[:, :, None] * vectors.transpose(0, 2, 1)
    np.matmul(transform, activations, out=columns[:, 1:])
    return Whitened(columns, transform)
