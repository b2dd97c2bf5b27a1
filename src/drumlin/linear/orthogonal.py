"""Gram-Schmidt: the selected columns as ``Phi = W A``, grown one column at a time."""

from __future__ import annotations

import copy

import numpy as np

from drumlin._typing import FloatArray

DEPENDENT = 1e-8
"""A column whose squared norm falls below this part of its start is linearly dependent."""


class OrthogonalBasis:
    """Orthogonal columns W with ``W W' = diag(norms2)`` and unit upper triangular A.

    Columns are stored as rows: ``W`` has shape (k, n). Eqs. (4)-(6) of hong2008.

    See Also
    --------
    OrthogonalRegression

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.linear import OrthogonalBasis
    >>> basis = OrthogonalBasis(2)
    >>> basis.append(*basis.orthogonalize(np.array([1.0, 1.0])))
    >>> w, a = basis.orthogonalize(np.array([3.0, 1.0]))
    >>> w, a
    (array([ 1., -1.]), array([2.]))
    """

    def __init__(self, n_samples: int) -> None:
        self._store: FloatArray = np.empty((8, n_samples))  # room to grow without copying
        self.W: FloatArray = self._store[:0]
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
        if k == len(self._store):
            self._store = np.concatenate([self._store, np.empty_like(self._store)])
        self._store[k] = w
        self.W, self.norms2, self.A = self._store[: k + 1], np.append(self.norms2, w @ w), A

    def prefix(self, k: int) -> OrthogonalBasis:
        """Return the basis of the first k columns (views, no copies)."""
        part = copy.copy(self)
        part.W, part.norms2, part.A = self.W[:k], self.norms2[:k], self.A[:k, :k]
        part._store = part.W  # full: appending to a prefix copies instead of overwriting
        return part
