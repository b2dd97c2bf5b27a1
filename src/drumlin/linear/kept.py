"""Large symmetric systems that change little from one to the next: factored once, then reused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_solve

from drumlin._typing import FloatArray
from drumlin.linear.factors import cholesky

_MOST_PRODUCTS = 40
"""Products after which factoring the system itself is cheaper."""

_ACCURACY = 1e-8
"""Squared error of a solution, as part of its squared length in the norm of the older system."""

_Product = Callable[[FloatArray], FloatArray]


class KeptFactors:
    """Solves positive definite systems with the Cholesky factors of older ones.

    Conjugate gradients preconditioned with the factor that is kept under a name; where there is
    none, or it is too far off, the system itself is factored and kept.
    """

    def __init__(self) -> None:
        self._factors: dict[int, FloatArray] = {}

    def solve(
        self, name: int, system: Callable[[], FloatArray], product: _Product, wanted: FloatArray
    ) -> tuple[FloatArray, bool]:
        """Solution (n,) of one system, and whether its diagonal had to be raised.

        Parameters
        ----------
        name : int
            Systems of one name resemble each other.
        system : callable
            Makes the matrix (n, n); called only where it is to be factored.
        product : callable
            From a vector (n,) to the matrix times it.
        wanted : ndarray of shape (n,)
            Right-hand side.
        """
        if name in self._factors:
            found = conjugate_gradients(product, wanted, self._factors[name])
            if found is not None:
                return found, False
        factors, raised = cholesky(system()[None])
        self._factors[name] = factors[0]
        return cho_solve((factors[0], True), wanted), bool(raised[0])


def conjugate_gradients(
    product: _Product, wanted: FloatArray, factor: FloatArray
) -> FloatArray | None:
    """Solution (n,) by preconditioned conjugate gradients; None where it takes too long.

    Parameters
    ----------
    product : callable
        From a vector (n,) to the positive definite matrix times it.
    wanted : ndarray of shape (n,)
    factor : ndarray of shape (n, n)
        Lower Cholesky factor of a matrix near that one.
    """
    solution, residual = np.zeros_like(wanted), wanted.copy()
    near = cho_solve((factor, True), residual)
    direction, size = near, float(residual @ near)
    enough = _ACCURACY * size
    for _ in range(_MOST_PRODUCTS):
        if size <= enough:
            return solution
        image = product(direction)
        curvature = float(direction @ image)
        if not 0.0 < curvature < np.inf:
            return None
        length = size / curvature
        solution += length * direction
        residual -= length * image
        near = cho_solve((factor, True), residual)
        size, before = float(residual @ near), size
        direction = near + size / before * direction
    return None
