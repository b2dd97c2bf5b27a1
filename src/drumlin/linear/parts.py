r"""A regression on orthogonal columns as some of its rows see it, the others being elsewhere.

What all rows share is small: the triangle A, the squared norms, penalties and weights of the
orthogonal columns. With it every part of the rows makes its own piece of the orthogonal columns,
:math:`W = A^{-\top} \Phi` (eq. 4 of hong2008 solved for W), and of all that follows row by row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.linear.orthogonal import OrthogonalBasis
from drumlin.linear.regression import OrthogonalRegression


class Triangle(NamedTuple):
    """What all rows know of the orthogonal columns.

    Parameters
    ----------
    A : ndarray of shape (n_columns, n_columns)
        Unit upper triangular: coordinates of the columns in the orthogonal ones.
    norms2, alphas : ndarray of shape (n_columns,)
        Squared norms and penalties.
    g : ndarray of shape (n_columns, n_outputs)
        Weights.
    fit_intercept : bool
        Whether the first column is the constant.
    energy : ndarray of shape (n_outputs,)
        Sums of the squared targets, by weight.
    total : float
        Sum of the weights.
    """

    A: FloatArray
    norms2: FloatArray
    alphas: FloatArray
    g: FloatArray
    fit_intercept: bool
    energy: FloatArray
    total: float

    @classmethod
    def start(
        cls, sums: FloatArray, energy: FloatArray, total: float, *, fit_intercept: bool
    ) -> Triangle:
        """Before the first node; sums (n_outputs,) are those of the targets."""
        empty = cls(
            np.empty((0, 0)), np.empty(0), np.empty(0), np.empty((0, len(sums))), fit_intercept,
            energy, total,
        )  # fmt: skip
        return empty.grown(np.empty(0), total, 0.0, sums) if fit_intercept else empty

    def grown(self, a: FloatArray, norm2: float, alpha: float, dots: FloatArray) -> Triangle:
        """Return it with one more column of coordinates a and products with the residuals."""
        k = len(self.norms2)
        A = np.eye(k + 1)
        A[:k, :k], A[:k, k] = self.A, a
        return self._replace(
            A=A,
            norms2=np.append(self.norms2, norm2),
            alphas=np.append(self.alphas, alpha),
            g=np.vstack([self.g, dots / (norm2 + alpha)]),
        )

    def prefix(self, k: int) -> Triangle:
        """Return the first columns."""
        return self._replace(
            A=self.A[:k, :k], norms2=self.norms2[:k], alphas=self.alphas[:k], g=self.g[:k]
        )

    def with_alphas(self, alphas: FloatArray) -> Triangle:
        """Return the same columns with other penalties: eq. (8) of hong2008 column by column."""
        before, after = self.norms2 + self.alphas, self.norms2 + alphas
        return self._replace(alphas=alphas, g=self.g * (before / after)[:, None])

    def squares(self) -> FloatArray:
        r"""Sums of squared residuals (n_columns + 1, n_outputs) with 0, 1, 2, ... columns.

        :math:`\|e\|^2 = \|y\|^2 - \sum_j g_j^2 (\mathrm{norms2}_j + 2 \alpha_j)`.
        """
        gains = self.g**2 * (self.norms2 + 2.0 * self.alphas)[:, None]
        left = self.energy - np.vstack([np.zeros_like(self.energy), np.cumsum(gains, axis=0)])
        return np.asarray(np.maximum(left, 0.0))


class PartRegression(OrthogonalRegression):
    """A model fitted to all rows, for some of them.

    Parameters
    ----------
    targets : ndarray of shape (n_rows, n_outputs)
    weight : ndarray of shape (n_rows,)
    W : ndarray of shape (n_columns, n_rows)
        Orthogonal columns at these rows.
    triangle : Triangle
    """

    def __init__(
        self, targets: FloatArray, weight: FloatArray, W: FloatArray, triangle: Triangle
    ) -> None:
        super().__init__(targets, weight, fit_intercept=False)
        self.triangle, self.fit_intercept = triangle, triangle.fit_intercept
        basis = OrthogonalBasis(0)
        basis.W, basis._store, basis.A, basis.norms2 = W, W, triangle.A, triangle.norms2
        self.basis, self.alphas, self.g = basis, triangle.alphas, triangle.g
        for step in self._steps(0):
            self._state = self._grown(*step)

    @classmethod
    def of(
        cls, targets: FloatArray, weight: FloatArray, Phi: FloatArray, triangle: Triangle
    ) -> PartRegression:
        """Return the model for rows with weighted activations Phi (n_nodes, n_rows)."""
        columns = np.vstack([np.sqrt(weight)[None], Phi]) if triangle.fit_intercept else Phi
        if len(columns):
            columns = solve_triangular(triangle.A, columns, trans="T", unit_diagonal=True)
        return cls(targets, weight, np.ascontiguousarray(columns), triangle)

    @property
    def total(self) -> float:
        """Sum of the weights of all rows."""
        return self.triangle.total

    def squares(self) -> FloatArray:
        """Sums of squared residuals (n_outputs,) of all rows."""
        return np.asarray(self.triangle.squares()[-1])

    def prefix_squares(self) -> FloatArray:
        """Sum of squared residuals (n_nodes + 1, n_outputs) of every prefix, of all rows."""
        return self.triangle.squares()[int(self.fit_intercept) :]

    def with_alphas(self, alphas: FloatArray) -> PartRegression:
        """Return the same columns with other penalties."""
        return PartRegression(
            self.targets, self.weight, self.basis.W, self.triangle.with_alphas(alphas)
        )

    def prefix(self, n_nodes: int) -> PartRegression:
        """Return the model of the first nodes."""
        k = n_nodes + int(self.fit_intercept)
        return PartRegression(self.targets, self.weight, self.basis.W[:k], self.triangle.prefix(k))

    def _prefixes(self) -> Iterator[OrthogonalRegression]:
        """Residuals and leverages with no node, with the first, and so on; one object, updated."""
        first = int(self.fit_intercept)
        model: OrthogonalRegression = self.prefix(0)
        yield model
        for step in self._steps(first):
            model._state = model._grown(*step)
            yield model

    def _steps(self, first: int) -> Iterator[tuple[FloatArray, FloatArray, float]]:
        """Columns from one on, with their weights and what leverages are multiplied by."""
        scales = 1.0 / self.precision
        yield from zip(self.basis.W[first:], self.g[first:], scales[first:].tolist(), strict=True)
