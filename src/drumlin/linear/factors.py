"""Cholesky factors of matrices that are positive definite but for rounding."""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpotri

from drumlin._typing import BoolArray, FloatArray

_JITTER = 1e-14
"""First raise of a singular matrix's diagonal, in parts of each entry."""

_LEAST = 1e-30
"""Diagonal entries are not taken to be below this part of the trace."""

_MOST = 1.0
"""A matrix that needs more is not singular but wrong."""


def cholesky(systems: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Lower factors of a batch; where a system is singular to rounding its diagonal is raised.

    Every entry is raised in proportion to itself, so units of the variables do not matter.

    Parameters
    ----------
    systems : ndarray of shape (n_systems, n, n)

    Returns
    -------
    factors : ndarray of shape (n_systems, n, n)
    raised : ndarray of bool of shape (n_systems,)
    """
    raised = np.zeros(len(systems), dtype=bool)
    try:
        return np.asarray(np.linalg.cholesky(systems)), raised
    except np.linalg.LinAlgError:
        factors = np.empty_like(systems)
    for i, system in enumerate(systems):
        factors[i], raised[i] = _raised(system)
    return factors, raised


def cholesky_factor(system: FloatArray) -> FloatArray:
    """Lower factor (n, n) of one matrix, see ``cholesky``."""
    return cholesky(system[None])[0][0]


def inverse_of_factor(lower: FloatArray) -> FloatArray:
    """Return the inverse (n, n) of ``L L'`` from its lower factor."""
    upper, failed = dpotri(lower.T, lower=0)
    if failed:
        raise np.linalg.LinAlgError("The factor is singular.")
    above = np.triu(upper, 1)
    return np.asarray(above + above.T + np.diag(np.diag(upper)))


def _raised(system: FloatArray) -> tuple[FloatArray, bool]:
    """Factor of one matrix, and whether its diagonal was raised."""
    diagonal = np.diag(system)
    unit = np.diag(np.maximum(diagonal, _LEAST * diagonal.sum()) + np.finfo(float).tiny)
    jitter = 0.0
    while True:
        try:
            return np.asarray(np.linalg.cholesky(system + jitter * unit)), jitter > 0.0
        except np.linalg.LinAlgError:
            jitter = 10.0 * jitter or _JITTER
            if not jitter <= _MOST:
                raise
