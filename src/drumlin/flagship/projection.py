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
that separates its own samples perfectly would tell them nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import helmert

from drumlin._typing import FloatArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.recipe import ProjectionRule
from drumlin.flagship.start import Start
from drumlin.linear.gram import LEAST_ETA
from drumlin.sample import Rows, Sample


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

    def of(self, rows: Rows) -> Sample:
        """Return the rows that it was fitted to, with their scores as inputs."""
        return rows.draw(len(self.scores)).through(lambda X: self.scores)


def is_wide(rows: Rows, rule: ProjectionRule) -> bool:
    """Whether a table has so many inputs, and so few rows, that a projection is tried."""
    least, most = rule.rows
    return rows.n_features / rows.total > rule.wide and least <= rows.n_rows <= most


def find_projection(sample: Sample, start: Start | None, rule: ProjectionRule) -> Projection | None:
    """Return a projection if it clearly beats the start.

    Parameters
    ----------
    sample : Sample
        All rows of a wide table, those that the start was found on.
    start : Start or None
        None means that the rival is a constant.
    rule : ProjectionRule
    """
    projection = ridge_projection(sample, rule)
    if sample.n_classes > 2:  # codes of classes sum to a constant, and so do scores
        contrasts = helmert(sample.n_classes).T
        projection = replace(
            projection,
            matrix=projection.matrix @ contrasts,
            scores=projection.scores @ contrasts,
        )
    gain = _start_errors(sample, start) - projection.errors
    return projection if is_clear(gain, sample.weight, sample.unit, rule.margin) else None


def ridge_projection(sample: Sample, rule: ProjectionRule) -> Projection:
    """Ridge regression with the penalty of least leave-one-out squared error."""
    root = np.sqrt(sample.weight)[:, None]
    share = sample.weight / sample.total
    center, mean = share @ sample.X, share @ sample.codes
    A, y = root * (sample.X - center), root * (sample.codes - mean)
    values, U = np.linalg.eigh(A @ A.T)
    values = np.maximum(values, 0.0)
    rotated = U.T @ y
    best: tuple[float, FloatArray, float] | None = None
    first, last, step = rule.decades
    for power in np.arange(first, last + 0.5 * step, step):
        penalty = 10.0**power * (float(values.sum()) / sample.total or 1.0)
        kept = values / (values + penalty)
        leverage = 1.0 / sample.total + (U * U) @ kept / sample.weight
        residual = (y - U @ (kept[:, None] * rotated)) / root
        errors = residual / np.maximum(1.0 - sample.left_out * leverage, LEAST_ETA)[:, None]
        value = float(share @ (errors**2).sum(axis=1))
        if best is None or value < best[0]:
            best = value, errors, penalty
    assert best is not None
    _, errors, penalty = best
    matrix = A.T @ (U @ (rotated / (values + penalty)[:, None]))
    scores = sample.codes - errors - mean + center @ matrix
    return Projection(matrix, scores, (errors**2).sum(axis=1))


def _start_errors(sample: Sample, start: Start | None) -> FloatArray:
    """Squared leave-one-out errors of the start, or of a constant where it has no node."""
    if start is not None and start.n_nodes:
        return np.asarray(((sample.codes - start.loo_predictions) ** 2).sum(axis=1))
    mean = sample.weight @ sample.codes / sample.total
    errors = (sample.codes - mean) / (1.0 - sample.left_out / sample.total)[:, None]
    return np.asarray((errors**2).sum(axis=1))
