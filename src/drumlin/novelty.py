"""How far a sample is from everything a network was fitted to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from drumlin._typing import BoolArray, FloatArray
from drumlin.network import Network

NOVELTY_ROWS = 20_000
"""Most rows whose distances are looked at."""

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
        unclipped = _unclipped(network)
        distances = _distances(unclipped, X)
        if len(network.nodes) > 1 and not distances.any():
            distances = _distances(unclipped, X, _next_least_)  # a node on every sample: the others
        return cls(unclipped, _quantiles(distances, weight))

    def followed_by(self, X: FloatArray, weight: FloatArray, before: float) -> Novelty:
        """Remember further samples beside those of a weight before them, as far as they are known.

        The quantiles so far stand for the samples before.
        """
        old = np.full(len(GRID), before / len(GRID))
        distances = np.concatenate([self.quantiles, _distances(self.network, X)])
        return replace(self, quantiles=_quantiles(distances, np.concatenate([old, weight])))

    @classmethod
    def within(cls, network: Network, farthest: float) -> Novelty:
        """Know the greatest distance of a training sample only: enough for ``is_beyond``."""
        return cls(_unclipped(network), np.full(len(GRID), farthest))

    def __call__(self, X: FloatArray) -> FloatArray:
        """Part of the training samples that are nearer to a node, 0 to 1."""
        distances, known = _distances(self.network, X), self.quantiles
        novelty = np.interp(distances, known, GRID, left=0.0, right=1.0)
        first = np.minimum(np.searchsorted(known, distances), len(known) - 1)
        return np.where(known[first] == distances, GRID[first], novelty)  # ties are nearer

    def is_beyond(self, X: FloatArray) -> BoolArray:
        """Whether a sample is farther from all nodes than every training sample was."""
        return np.asarray(_distances(self.network, X) > self.quantiles[-1] * (1.0 + 1e-9))


def _unclipped(network: Network) -> Network:
    inputs = network.inputs
    return network if inputs is None else replace(network, inputs=inputs.unclipped())


def _in_single(distances: FloatArray) -> NDArray[np.float32]:
    """Round up: no training sample shall be farther away than all of them."""
    largest = np.finfo(np.float32).max
    bounded = np.minimum(distances, largest)
    single = bounded.astype(np.float32)
    return np.where(single < bounded, np.nextafter(single, largest), single)


def _quantiles(distances: FloatArray, weight: FloatArray) -> NDArray[np.float32]:
    return _in_single(np.quantile(distances, GRID, weights=weight, method="inverted_cdf"))


def _least(r2: FloatArray) -> FloatArray:
    """Least entry of every column."""
    return r2.min(axis=0)


def _next_least_(r2: FloatArray) -> FloatArray:
    """Second least entry of every column, equal to the least where that stands twice.

    The array is overwritten: one more of its size would be much where nodes are many.
    """
    least = r2.min(axis=0)
    is_least = r2 == least
    np.copyto(r2, np.inf, where=is_least)
    return np.where(is_least.sum(axis=0) > 1, least, r2.min(axis=0))


def _distances(
    network: Network, X: FloatArray, choose: Callable[[FloatArray], FloatArray] = _least
) -> FloatArray:
    """Distance (n_samples,) to the node chosen of every column, in its widths; zero without."""
    distances = np.zeros(len(X))

    def measure(rows: slice) -> None:
        mapped = network.mapped(X[rows])
        distances[rows] = choose(network.nodes.squared_distances(mapped))

    network.over_rows(measure, len(X))
    return np.sqrt(distances)
