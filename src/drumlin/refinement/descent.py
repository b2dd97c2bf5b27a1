"""Downhill by L-BFGS, keeping the best point seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from drumlin._typing import FloatArray


class Descent(NamedTuple):
    """Where a descent has ended: of its own, by a callback or by an interrupt.

    ``saved`` is the part of the first value that the last one is lower by.
    """

    vector: FloatArray
    converged: bool
    interrupted: bool
    saved: float = 0.0


def descend(
    value_and_gradient: Callable[[FloatArray], tuple[float, FloatArray]],
    start: FloatArray,
    options: dict[str, float],
    on_iteration: Callable[[FloatArray], bool] = lambda best: False,
) -> Descent:
    """Minimise a function; after an interrupt the best point seen is returned.

    Parameters
    ----------
    value_and_gradient : callable
    start : ndarray of shape (n_variables,)
    options : dict
        Of ``scipy.optimize.minimize`` for L-BFGS-B, ``maxiter`` among them.
    on_iteration : callable
        Called with the best point after every iteration; a true answer stops.
    """
    best, first = (np.inf, start), np.nan

    def objective(v: FloatArray) -> tuple[float, FloatArray]:
        nonlocal best, first
        value, gradient = value_and_gradient(v)
        first = value if np.isnan(first) else first
        if value < best[0]:
            best = (value, v.copy())
        return value, gradient

    def callback(intermediate_result: object) -> None:
        if on_iteration(best[1]):
            raise StopIteration

    try:
        found = minimize(
            objective, start, jac=True, method="L-BFGS-B", callback=callback, options=options
        )
    except KeyboardInterrupt:
        return Descent(best[1], converged=False, interrupted=True)
    saved = 1.0 - found.fun / first if first > 0.0 else 0.0
    converged = found.nit < options["maxiter"]
    return Descent(np.asarray(found.x), converged, interrupted=False, saved=float(saved))
