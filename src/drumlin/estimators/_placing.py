"""From the parameters ``centers`` and ``width`` to nodes: the first stage of Haykin's networks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

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
from drumlin.estimators._training import Training
from drumlin.sample import canonical_order


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

    def moved(self, centers: FloatArray, widths: FloatArray) -> Placed:
        """Return the nodes elsewhere."""
        originals = self.scaler.inverse_transform(centers)
        return replace(self, centers=centers, widths=widths, originals=originals, support=None)

    def take(self, kept: IntArray) -> Placed:
        """Return some of the nodes."""
        support = None if self.support is None else self.support[kept]
        return Placed(
            self.centers[kept], self.widths[kept], self.scaler, self.originals[kept], support
        )

    def nodes(self, radial: Radial) -> Nodes:
        """Nodes in original units."""
        return Nodes(self.originals, self.widths[:, None] * self.scaler.scale, radial)


def place(estimator, training: Training, rng: np.random.RandomState) -> Placed:
    """Centers and widths as the parameters of an estimator want them."""
    Z = training.standardized()
    given = _given_centers(estimator, Z.shape[1])
    largest = max(float(np.abs(Z).max()), float(np.abs(given).max(initial=0.0)))
    unit = largest or 1.0  # squares of distances must neither overflow nor vanish
    order, first = canonical_order([*Z.T])
    kept = order[first]
    # Equal rows are one, and their order is forgotten: a weight of three is three copies.
    U, weight = Z[kept] / unit, np.add.reduceat(training.weight[order], first)
    n_nodes = min(estimator._wished_nodes(), len(U))
    rows: IntArray | None = None
    if len(given):
        centers, originals = given / unit, given
    elif estimator.centers == "kmeans":
        centers = cluster_means(U, weight, n_nodes, estimator.n_init, rng)
        originals = training.scaler.inverse_transform(centers * unit)
    else:
        if estimator.centers == "all":
            rows = distinct_rows(Z)
        else:
            rows = kept[np.sort(rng.choice(len(U), n_nodes, replace=False))]
        centers, originals = Z[rows] / unit, training.X[rows]
    _check_number(estimator, len(centers))
    widths = _widths(estimator, U, weight, centers, unit)
    support = None if rows is None else training.rows[rows]
    return Placed(centers * unit, widths, training.scaler, originals, support)


def _check_number(estimator, n_nodes: int) -> None:
    """Refuse more nodes than there may be: given ones, or one on every sample."""
    if estimator.max_nodes is not None and n_nodes > estimator.max_nodes:
        raise ValueError(
            f"The 'max_nodes' parameter of {type(estimator).__name__} must be at least the number "
            f"of nodes that 'centers' asks for, {n_nodes}. Got {estimator.max_nodes}."
        )


def _given_centers(estimator, n_features: int) -> FloatArray:
    """Centers that were given as numbers; none where they are to be found."""
    if isinstance(estimator.centers, str):
        return np.empty((0, n_features))
    name = f"The 'centers' parameter of {type(estimator).__name__}"
    try:
        centers = np.array(estimator.centers, dtype=np.float64)
    except (TypeError, ValueError):
        centers = np.empty(0)
    if centers.ndim != 2 or not centers.size or not np.isfinite(centers).all():
        raise ValueError(
            f"{name} must be 'kmeans', 'sample', 'all' or finite numbers, a row for each node. "
            f"Got {estimator.centers!r}."
        )
    if centers.shape[1] != n_features:
        raise ValueError(
            f"{name} must have one column per feature of X, {n_features}. Got {centers.shape[1]}."
        )
    return centers


def _widths(
    estimator, U: FloatArray, weight: FloatArray, centers: FloatArray, unit: float
) -> FloatArray:
    """Width of every node in standardised units."""
    if not isinstance(estimator.width, str):
        rule = "'auto', 'spread', 'cluster'", f"{len(centers)} nodes"
        return given_sizes(estimator, "width", *rule, len(centers))
    spread = spread_width(centers)
    if estimator.width == "spread" and spread > 0.0:
        widths = np.full(len(centers), spread)
    else:  # also for a single center, which has no spread
        widths = cluster_widths(U, weight, centers)
    if estimator.width == "auto":
        widths = np.maximum(widths, spread)
    # Where all samples are one point to rounding, any width will do.
    return np.where(widths > CONSTANT, unit * widths, 1.0)


def given_sizes(estimator, name: str, choices: str, of: str, n: int) -> FloatArray:
    """Return the n positive numbers that a parameter gives as one or as many."""
    given = getattr(estimator, name)
    try:
        sizes = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        sizes = np.empty(0)
    good = (np.isfinite(sizes) & (sizes > 0.0)).all()
    if sizes.shape not in ((), (n,)) or not good:
        raise ValueError(
            f"The '{name}' parameter of {type(estimator).__name__} must be {choices}, a positive "
            f"number or one for each of the {of}. Got {given!r}."
        )
    return np.full(n, sizes)
