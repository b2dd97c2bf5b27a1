"""Nodes placed by the inputs alone: the first stage of haykin5's networks (sections 5.5, 5.7)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray, IntArray
from drumlin.basis import (
    Nodes,
    Radial,
    Standardizer,
    cluster_means,
    cluster_widths,
    distinct_rows,
    spread_width,
)
from drumlin.basis.scaling import CONSTANT
from drumlin.sample import merge_rows


@dataclass(frozen=True)
class Placed:
    """Round nodes in standardised units.

    Parameters
    ----------
    centers : ndarray of shape (n_nodes, n_features)
    widths : ndarray of shape (n_nodes,)
    scaler : Standardizer
    originals : ndarray of shape (n_nodes, n_features)
        The centers in original units.
    support : ndarray of shape (n_nodes,) or None
        Training rows the centers stand on, if they do.
    """

    centers: FloatArray
    widths: FloatArray
    scaler: Standardizer
    originals: FloatArray
    support: IntArray | None

    def parameters(self, coef: FloatArray, intercept: FloatArray) -> NodeParameters:
        """Nodes with weights (n_nodes, n_outputs) and constants, to be moved."""
        inv_widths = np.repeat(1.0 / self.widths[:, None], self.centers.shape[1], axis=1)
        return NodeParameters(self.centers, inv_widths, np.ascontiguousarray(coef), intercept)

    def moved(self, nodes: NodeParameters) -> Placed:
        """Return the nodes where a descent has moved them."""
        centers, widths = nodes.centers, 1.0 / nodes.inv_widths[:, 0]
        originals = self.scaler.inverse_transform(centers)
        return replace(self, centers=centers, widths=widths, originals=originals, support=None)

    def take(self, kept: IntArray) -> Placed:
        """Return some of the nodes."""
        return replace(
            self,
            centers=self.centers[kept],
            widths=self.widths[kept],
            originals=self.originals[kept],
            support=None if self.support is None else self.support[kept],
        )

    def nodes(self, radial: Radial) -> Nodes:
        """Nodes in original units."""
        return Nodes(self.originals, self.widths[:, None] * self.scaler.scale, radial)


@dataclass(frozen=True)
class Ground:
    """Samples that nodes are placed among.

    Equal rows are one, and their order is forgotten: a weight of three is three copies.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        In original units.
    scaler : Standardizer
    unit : float
        Distances are taken in this unit: their squares must neither overflow nor vanish.
    distinct : ndarray of shape (n_distinct,)
        Rows of X, one of all equal ones.
    weight : ndarray of shape (n_distinct,)
    """

    X: FloatArray
    scaler: Standardizer
    unit: float
    distinct: IntArray
    weight: FloatArray

    @classmethod
    def of(
        cls, X: FloatArray, weight: FloatArray, scaler: Standardizer, farthest: float = 0.0
    ) -> Ground:
        """Return the ground of weighted samples; centers may be as far away as ``farthest``."""
        Z = scaler.transform(X)
        distinct, summed = merge_rows([*Z.T], weight)
        unit = max(float(np.abs(Z).max()), farthest) or 1.0
        return cls(X, scaler, unit, distinct, summed)

    @property
    def points(self) -> FloatArray:
        """Distinct samples in the unit of the ground."""
        return self.scaler.transform(self.X[self.distinct]) / self.unit

    def at_means(self, n_nodes: int, n_init: int, rng: np.random.RandomState) -> Placed:
        """Return nodes, still without widths, at the means of clusters."""
        means = cluster_means(self.points, self.weight, n_nodes, n_init, rng) * self.unit
        return self._placed(means, self.scaler.inverse_transform(means))

    def at_some(self, n_nodes: int, rng: np.random.RandomState) -> Placed:
        """Return nodes, still without widths, on some of the samples."""
        chosen = rng.choice(len(self.distinct), n_nodes, replace=False)
        return self._at_rows(self.distinct[np.sort(chosen)])

    def at_all(self) -> Placed:
        """Return nodes, still without widths, on all samples that differ."""
        return self._at_rows(distinct_rows(self.scaler.transform(self.X)))

    def at(self, centers: FloatArray) -> Placed:
        """Return nodes, still without widths, at given centers in the units of X."""
        return self._placed(centers, centers)

    def _at_rows(self, rows: IntArray) -> Placed:
        return self._placed(self.scaler.transform(self.X[rows]), self.X[rows], rows)

    def _placed(
        self, centers: FloatArray, originals: FloatArray, rows: IntArray | None = None
    ) -> Placed:
        return Placed(centers, np.ones(len(centers)), self.scaler, originals, rows)

    def widths(self, centers: FloatArray, rule: str) -> FloatArray:
        """Width of every node in standardised units.

        Parameters
        ----------
        centers : ndarray of shape (n_nodes, n_features)
            In standardised units.
        rule : {"spread", "cluster", "auto"}
            Eq. (5.49), eq. (5.27), or the larger of both.
        """
        centers = centers / self.unit
        spread = spread_width(centers)
        if rule == "spread" and spread > 0.0:
            widths = np.full(len(centers), spread)
        else:  # also for a single center, which has no spread
            widths = cluster_widths(self.points, self.weight, centers)
        if rule == "auto":
            widths = np.maximum(widths, spread)
        # Where all samples are one point to rounding, any width will do.
        return np.where(widths > CONSTANT, self.unit * widths, 1.0)
