"""How far a sample is from everything a network was fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from drumlin._typing import BoolArray, FloatArray
from drumlin.network import Network

GRID = np.linspace(0.0, 1.0, 201)
"""Quantiles of the training distances that are remembered."""


@dataclass(frozen=True)
class Novelty:
    """Distances to the nearest node, compared with those of the training samples.

    Parameters
    ----------
    network : Network
        With the nodes that stood where data were, and inputs that are not clipped.
    quantiles : ndarray of shape (201,)
        Of the training samples' distances; in single precision, rounded up.
    """

    network: Network
    quantiles: FloatArray | NDArray[np.float32]

    @classmethod
    def of(cls, network: Network, X: FloatArray, weight: FloatArray) -> Novelty:
        """Remember how far samples of given weights are from the nodes of a network."""
        inputs = network.inputs
        unclipped = network if inputs is None else replace(network, inputs=inputs.unclipped())
        quantiles = np.quantile(
            _distances(unclipped, X), GRID, weights=weight, method="inverted_cdf"
        )
        return cls(unclipped, _in_single(quantiles))

    def __call__(self, X: FloatArray) -> FloatArray:
        """Part of the training samples that are nearer to a node, 0 to 1."""
        distances, known = _distances(self.network, X), self.quantiles
        novelty = np.interp(distances, known, GRID, left=0.0, right=1.0)
        first = np.minimum(np.searchsorted(known, distances), len(known) - 1)
        return np.where(known[first] == distances, GRID[first], novelty)  # ties are nearer

    def is_beyond(self, X: FloatArray) -> BoolArray:
        """Whether a sample is farther from all nodes than every training sample was."""
        return np.asarray(_distances(self.network, X) > self.quantiles[-1] * (1.0 + 1e-9))


def _in_single(distances: FloatArray) -> NDArray[np.float32]:
    """Round up: no training sample shall be farther away than all of them."""
    bounded = np.minimum(distances, np.finfo(np.float32).max)
    single = bounded.astype(np.float32)
    return np.where(single < bounded, np.nextafter(single, np.float32(np.inf)), single)


def _distances(network: Network, X: FloatArray) -> FloatArray:
    """Distance (n_samples,) to the nearest node, in its widths; zero where there is none."""
    distances = np.zeros(len(X))

    def measure(rows: slice) -> None:
        mapped = network.mapped(X[rows])
        distances[rows] = network.nodes.squared_distances(mapped).min(axis=0)

    network.over_rows(measure, len(X))
    return np.sqrt(distances)
