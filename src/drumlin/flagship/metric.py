"""Metrics: linear maps to a space in which nodes start round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.flagship.recipe import StartRule
from drumlin.flagship.screen import gains_of_inputs
from drumlin.sample import Sample

SINGULAR = 1e-12
"""Eigenvalues below this part of the largest make a covariance singular to rounding."""


@dataclass(frozen=True)
class Metric:
    """A matrix or factors that inputs are multiplied by, or neither for the identity.

    Parameters
    ----------
    matrix : ndarray of shape (n_features, n_features) or None
        It stays in the network, as a part of its view of the inputs.
    factors : ndarray of shape (n_features,) or None
        They only say how wide nodes start along every input: nothing of them stays.
    advantage : float
        Log error by which it must be better than the plain metric.
    trust : float
        Part of the covariance in it that was learned, from 0 to 1.
    """

    matrix: FloatArray | None = None
    factors: FloatArray | None = None
    advantage: float = 0.0
    trust: float = 0.0

    def handicap(self, sample: Sample) -> float:
        """Return the log error by which it must be better on a sample: it has seen the labels."""
        return self.advantage + self.trust * sample.n_features / sample.effective

    def unfolded(self, width: float) -> tuple[Metric, float | FloatArray]:
        """Return a metric without factors, and the widths of a node of this one in it."""
        if self.factors is None:
            return self, width
        return Metric(), width / self.factors

    def __call__(self, Z: FloatArray) -> FloatArray:
        """Mapped inputs."""
        Z = Z if self.factors is None else Z * self.factors
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
            yield Metric(matrix, advantage=rule.handicap, trust=1.0 - shrinkage)


def screened(sample: Sample, rule: StartRule) -> Iterator[Metric]:
    """Yield metrics in which inputs that tell nothing alone are short: if others tell something."""
    gains = gains_of_inputs(sample, rule.degree, float(np.log(sample.effective) / sample.effective))
    if not gains.max() > 0.0:
        return
    for least in rule.least_factors:
        yield Metric(factors=np.maximum(np.sqrt(gains / gains.max()), least))


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
