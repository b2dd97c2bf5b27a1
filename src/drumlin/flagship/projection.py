r"""Wide tables: with many inputs for few samples, a linear projection before any node.

A node on a sample is as noisy as the sample; where each of many inputs says little, all of them
together may say much, but only along a direction. So a ridge regression is fitted beside the
starting path and, if its leave-one-out errors are clearly lower, nodes are placed on its scores.

.. math:: \min_{w, b} \sum_i s_i (y_i - b - z_i w)^2 + \lambda |w|^2

With :math:`S^{1/2} (Z - \bar z) = U D V'`, leverages and leave-one-out residuals of every
:math:`\lambda` come from one eigendecomposition:

.. math:: h_i = \frac{1}{N} + \frac{1}{s_i} \sum_k U_{ik}^2 \frac{D_k^2}{D_k^2 + \lambda}, \qquad
          e_i = \frac{r_i}{1 - h_i}

The nodes see every training sample by its score from the regression *without* it: a direction
that was fitted to a sample separates it better than any new one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import helmert

from drumlin._typing import FloatArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.start import Start, StartProblem
from drumlin.linear.gram import ETA_LEAST

WIDE = 0.1
"""Inputs per sample above which a projection is tried."""

LEAST_ROWS, MOST_ROWS = 5, 2000
"""Projections are tried for tables of so many rows: time grows with their third power."""

CLEAR = 3.0
"""Standard errors by which the projection's squared errors must be lower."""

PENALTIES = 10.0 ** np.arange(-3.0, 4.5, 0.5)
"""Penalties to try, in units of the mean squared distance of the samples from their mean."""


@dataclass(frozen=True)
class Projection:
    """Scores of a ridge regression.

    Parameters
    ----------
    matrix : ndarray of shape (n_features, n_outputs)
        The weights w.
    scores : ndarray of shape (n_samples, n_outputs)
        ``z w`` of every sample, with the weights of a regression without it.
    errors : ndarray of shape (n_samples,)
        Squared leave-one-out errors, summed over outputs.
    """

    matrix: FloatArray
    scores: FloatArray
    errors: FloatArray


def find_projection(problem: StartProblem, start: Start | None) -> Projection | None:
    """Return a projection if the table is wide and the projection clearly beats the start.

    Parameters
    ----------
    problem : StartProblem
    start : Start or None
        None means that the rival is a constant.
    """
    if problem.inputs_per_sample <= WIDE or not LEAST_ROWS <= len(problem.Z) <= MOST_ROWS:
        return None
    projection = ridge_projection(problem)
    if problem.n_classes > 2:  # codes of classes sum to a constant, and so do scores
        contrasts = helmert(problem.n_classes).T
        projection = replace(
            projection,
            matrix=projection.matrix @ contrasts,
            scores=projection.scores @ contrasts,
        )
    gain = _start_errors(problem, start) - projection.errors
    return projection if is_clear(gain, problem.weight, problem.total, CLEAR) else None


def ridge_projection(problem: StartProblem) -> Projection:
    """Ridge regression with the penalty of least leave-one-out squared error."""
    root = np.sqrt(problem.weight)[:, None]
    share = problem.weight / problem.total
    left = np.minimum(problem.weight, 1.0)
    center, mean = share @ problem.Z, share @ problem.targets
    A, y = root * (problem.Z - center), root * (problem.targets - mean)
    values, U = np.linalg.eigh(A @ A.T)
    values = np.maximum(values, 0.0)
    rotated = U.T @ y
    best: tuple[float, FloatArray, float] | None = None
    for penalty in PENALTIES * (float(values.sum()) / problem.total or 1.0):
        kept = values / (values + penalty)
        leverage = 1.0 / problem.total + (U * U) @ kept / problem.weight
        residual = (y - U @ (kept[:, None] * rotated)) / root
        errors = residual / np.maximum(1.0 - left * leverage, ETA_LEAST)[:, None]
        value = float(share @ (errors**2).sum(axis=1))
        if best is None or value < best[0]:
            best = value, errors, penalty
    assert best is not None
    _, errors, penalty = best
    matrix = A.T @ (U @ (rotated / (values + penalty)[:, None]))
    scores = problem.targets - errors - mean + center @ matrix
    return Projection(matrix, scores, (errors**2).sum(axis=1))


def _start_errors(problem: StartProblem, start: Start | None) -> FloatArray:
    """Squared leave-one-out errors of the start, or of a constant where it has no node."""
    if start is not None and len(start.centers):
        return np.asarray(((problem.targets - start.loo_predictions) ** 2).sum(axis=1))
    mean = problem.weight @ problem.targets / problem.total
    left = np.minimum(problem.weight, 1.0) / problem.total
    errors = (problem.targets - mean) / (1.0 - left)[:, None]
    return np.asarray((errors**2).sum(axis=1))
