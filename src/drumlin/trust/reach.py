"""Where inputs are not novel: within the reach of a node, an ellipsoid.

A point is not novel where it is not farther from a node (in its widths) than every training sample
was from its nearest. Inputs are mapped to the nodes by a standardisation and a matrix, so the
points of a reach that differ from x in some inputs only are an ellipsoid, too: a *section*. Where
inputs have powers, that holds of *straightened* inputs: powered, but neither clipped nor mixed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.basis import InputMap
from drumlin.novelty import Novelty

LEAST = 1e-300
"""Least square of a distance that is divided by."""

FLATTEST = 1e-12
"""Least curvature of a section, in its largest: below, the section has no end."""


@dataclass(frozen=True)
class Reach:
    """The reaches of the nodes that tell what is novel.

    Parameters
    ----------
    novelty : Novelty
    """

    novelty: Novelty

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.novelty.network.nodes)

    @cached_property
    def _bending(self) -> tuple[BoolArray, InputMap] | None:
        """Which inputs have powers, and the map of every input by itself; None where none has."""
        inputs = self.novelty.network.inputs
        if inputs is None or inputs.powers is None:
            return None
        return inputs.powers.bent, replace(inputs, matrix=None)

    def straightened(self, X: FloatArray) -> FloatArray:
        """Inputs (n_rows, n_features) behind their powers (novelty knows no clip), others as is."""
        if self._bending is None:
            return X
        bent, view = self._bending
        return np.where(bent, view(X), X)

    def bent_back(self, S: FloatArray) -> FloatArray:
        """Inputs (n_rows, n_features) in their own units of straightened ones."""
        if self._bending is None:
            return S
        bent, view = self._bending
        return np.where(bent, view.inverse(S), S)

    @cached_property
    def _farthest(self) -> float:
        """Square of the largest distance that is not novel."""
        return max(float(self.novelty.quantiles[-1]) ** 2, LEAST)

    def nearest(self, X: FloatArray) -> IntArray:
        """Return the node (n_rows,) that is nearest to each point."""
        known = self.novelty.network
        return known.nodes.squared_distances(known.mapped(X)).argmin(axis=0)

    def most_room(self, X: FloatArray) -> FloatArray:
        """Part (n_rows,) of the largest squared distance that is left to the nearest node."""
        known = self.novelty.network
        r2 = known.nodes.squared_distances(known.mapped(X))
        return np.asarray(1.0 - r2.min(axis=0, initial=np.inf) / self._farthest)

    def rooms(self, X: FloatArray, nodes: IntArray) -> FloatArray:
        """Part (n_rows,) of the largest squared distance that is left to the node of each row."""
        distance = self._distances(X, nodes)
        return np.asarray(1.0 - (distance * distance).sum(axis=1) / self._farthest)

    def slopes(self, X: FloatArray, nodes: IntArray) -> FloatArray:
        """Derivatives (n_rows, n_features) of the rooms."""
        network = self.novelty.network
        by_mapped = -2.0 * self._distances(X, nodes) / network.nodes.widths[nodes] / self._farthest
        if network.inputs is None:
            return np.asarray(by_mapped)
        return network.inputs.pull_back(X, by_mapped[:, None, :])[:, 0]

    def _distances(self, X: FloatArray, nodes: IntArray) -> FloatArray:
        """Differences (n_rows, n_mapped) to the node of each row, in its widths."""
        known = self.novelty.network
        return (known.mapped(X) - known.nodes.centers[nodes]) / known.nodes.widths[nodes]

    def sections(self, x: FloatArray, free: IntArray, unit: FloatArray) -> list[Section]:
        """Sections of the reaches with what differs from x in free inputs, where there are any.

        Parameters
        ----------
        x : ndarray of shape (n_features,)
        free : ndarray of int of shape (n_free,)
        unit : ndarray of shape (n_free,)
            Units of the free inputs, straightened; an axis that has no end is as long as one.
        """
        nodes = np.arange(self.n_nodes)
        straight = self.straightened(x[None])
        moved = np.tile(straight, (len(free), 1))
        moved[np.arange(len(free)), free] += unit
        known = self.novelty.network
        steps = known.mapped(self.bent_back(moved)) - known.mapped(x[None])
        slopes = steps / known.nodes.widths[:, None, :]
        start = self._distances(np.tile(x, (len(nodes), 1)), nodes)
        return [
            Section(j, straight[0, free] + center * unit, axes * unit)
            for j in nodes.tolist()
            for center, axes in _ellipsoid(start[j], slopes[j], self._farthest)
        ]


@dataclass(frozen=True)
class Section:
    """Points of a node's reach that differ from x in some inputs: ``center + u @ axes``, |u| <= 1.

    Inputs are straightened.

    Parameters
    ----------
    node : int
    center : ndarray of shape (n_free,)
    axes : ndarray of shape (n_free, n_free)
    """

    node: int
    center: FloatArray
    axes: FloatArray


def _ellipsoid(
    start: FloatArray, slopes: FloatArray, farthest: float
) -> list[tuple[FloatArray, FloatArray]]:
    """Center and axes of all v with ``|start + v @ slopes|^2 <= farthest``; none if there is no v.

    Parameters
    ----------
    start : ndarray of shape (n_mapped,)
    slopes : ndarray of shape (n_free, n_mapped)
    farthest : float
    """
    curvature, V = np.linalg.eigh(slopes @ slopes.T)
    ends = curvature > FLATTEST * max(float(curvature.max()), LEAST)
    inverse = np.where(ends, 1.0 / np.where(ends, curvature, 1.0), 0.0)
    center = -(V * inverse) @ V.T @ (slopes @ start)
    left = farthest - float(((start + center @ slopes) ** 2).sum())
    if left < 0.0:
        return []
    lengths = np.where(ends, np.sqrt(left * inverse), 1.0)
    return [(center, lengths[:, None] * V.T)]
