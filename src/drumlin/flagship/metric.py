"""Metrics: linear maps to a space in which nodes start round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.flagship.recipe import StartRule
from drumlin.sample import Sample

SINGULAR = 1e-12
"""Eigenvalues below this part of the largest make a covariance singular to rounding."""


@dataclass(frozen=True)
class Metric:
    """A matrix that inputs are multiplied by, or None for the identity.

    Parameters
    ----------
    matrix : ndarray of shape (n_features, n_features) or None
    advantage : float
        Log error by which it must be better than the plain metric.
    trust : float
        Part of the covariance in it that was learned, from 0 to 1.
    """

    matrix: FloatArray | None = None
    advantage: float = 0.0
    trust: float = 0.0

    def handicap(self, sample: Sample) -> float:
        """Return the log error by which it must be better on a sample: it has seen the labels."""
        return self.advantage + self.trust * sample.n_features / sample.effective

    def __call__(self, Z: FloatArray) -> FloatArray:
        """Mapped inputs."""
        return Z if self.matrix is None else Z @ self.matrix


def metrics(sample: Sample, rule: StartRule) -> Iterator[Metric]:
    """Yield the plain metric first, then whitened ones where there are labels enough."""
    yield Metric()
    inputs_per_sample = sample.n_features / sample.total
    if sample.n_classes < 2 or inputs_per_sample > rule.most_whitened:
        return
    for shrinkage in rule.shrinkage:
        matrix = whitener(sample, shrinkage)
        if matrix is not None:
            yield Metric(matrix, rule.handicap, 1.0 - shrinkage)


def whitener(sample: Sample, shrinkage: float) -> FloatArray | None:
    """Inverse square root of the shrunk within-class covariance; None where it is singular."""
    residual = sample.X.copy()
    for k in range(sample.n_classes):
        own = sample.labels == k
        residual[own] -= np.average(residual[own], axis=0, weights=sample.weight[own])
    covariance = (residual * sample.weight[:, None]).T @ residual / sample.total
    n_features = len(covariance)
    sphere = np.trace(covariance) / n_features
    shrunk = (1.0 - shrinkage) * covariance + shrinkage * sphere * np.eye(n_features)
    values, vectors = np.linalg.eigh(shrunk)
    if not sphere > 0.0 or values[0] <= SINGULAR * values[-1]:
        return None
    return np.asarray((vectors / np.sqrt(values)) @ vectors.T)
