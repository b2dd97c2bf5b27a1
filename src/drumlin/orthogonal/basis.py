"""Gram-Schmidt: the selected columns as ``Phi = W A``, grown one column at a time."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray

DEPENDENT = 1e-8
"""A column whose squared norm falls below this part of its start is linearly dependent."""


class OrthogonalBasis:
    """Orthogonal columns W with ``W W' = diag(norms2)`` and unit upper triangular A.

    Columns are stored as rows: ``W`` has shape (k, n). Eqs. (4)-(6) of hong2008.
    """

    def __init__(self, n_samples: int) -> None:
        self.W: FloatArray = np.empty((0, n_samples))
        self.norms2: FloatArray = np.empty(0)
        self.A: FloatArray = np.empty((0, 0))

    def __len__(self) -> int:
        return len(self.W)

    def orthogonalize(self, column: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Split a column into its orthogonal part and its coordinates in the basis.

        Done twice: the second pass removes what rounding left behind ("twice is enough").

        Returns
        -------
        w : ndarray of shape (n,)
        a : ndarray of shape (k,)
            ``column = w + a @ W``.
        """
        w, a = column.copy(), np.zeros(len(self))
        for _ in range(2):
            step = (self.W @ w) / self.norms2
            w -= step @ self.W
            a += step
        return w, a

    def append(self, w: FloatArray, a: FloatArray) -> None:
        """Add an orthogonal column w whose original had coordinates a."""
        k = len(self)
        A = np.eye(k + 1)
        A[:k, :k], A[:k, k] = self.A, a
        self.W, self.norms2, self.A = (
            np.vstack([self.W, w]),
            np.append(self.norms2, w @ w),
            A,
        )

    def prefix(self, k: int) -> OrthogonalBasis:
        """Return the basis of the first k columns (views, no copies)."""
        part = OrthogonalBasis(self.W.shape[1])
        part.W, part.norms2, part.A = self.W[:k], self.norms2[:k], self.A[:k, :k]
        return part
