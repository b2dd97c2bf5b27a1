"""From the parameters ``centers`` and ``width`` to nodes: the first stage of Haykin's networks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from sklearn.utils import check_array

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
from drumlin.estimators._training import Training, canonical_order


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

    def nodes(self, radial: Radial) -> Nodes:
        """Nodes in original units."""
        return Nodes(self.originals, self.widths[:, None] * self.scaler.scale, radial)


def given_centers(estimator) -> FloatArray | None:
    """Centers that were given as numbers."""
    if isinstance(estimator.centers, str):
        return None
    return check_array(estimator.centers, dtype=np.float64, input_name="centers", copy=True)


def place(estimator, training: Training, rng: np.random.RandomState) -> Placed:
    """Centers and widths as the parameters of an estimator want them."""
    Z = training.standardized()
    unit = float(np.abs(Z).max()) or 1.0  # squares of distances must neither overflow nor vanish
    order, first = canonical_order([*Z.T])
    kept = order[first]
    # Equal rows are one, and their order is forgotten: a weight of three is three copies.
    U, weight = Z[kept] / unit, np.add.reduceat(training.weight[order], first)
    n_nodes = min(estimator.n_nodes, len(U))
    given = given_centers(estimator)
    rows: IntArray | None = None
    if given is not None:
        centers, originals = _checked(estimator, given, Z.shape[1]) / unit, given
    elif estimator.centers == "kmeans":
        centers = cluster_means(U, weight, n_nodes, estimator.n_init, rng)
        originals = training.scaler.inverse_transform(centers * unit)
    else:
        if estimator.centers == "all":
            rows = distinct_rows(Z)
        else:
            rows = kept[np.sort(rng.choice(len(U), n_nodes, replace=False))]
        centers, originals = Z[rows] / unit, training.X[rows]
    widths = _widths(estimator, U, weight, centers, unit)
    support = None if rows is None else training.rows[rows]
    return Placed(centers * unit, widths, training.scaler, originals, support)


def _checked(estimator, centers: FloatArray, n_features: int) -> FloatArray:
    if centers.shape[1] != n_features:
        raise ValueError(
            f"The 'centers' parameter of {type(estimator).__name__} must have one column per "
            f"feature of X, {n_features}. Got {centers.shape[1]}."
        )
    return centers


def _widths(
    estimator, U: FloatArray, weight: FloatArray, centers: FloatArray, unit: float
) -> FloatArray:
    """Width of every node in standardised units."""
    if not isinstance(estimator.width, str):
        return _given_widths(estimator, len(centers))
    spread = spread_width(centers)
    if estimator.width == "spread" and spread > 0.0:
        widths = np.full(len(centers), spread)
    else:  # also for a single center, which has no spread
        widths = cluster_widths(U, weight, centers)
    if estimator.width == "auto":
        widths = np.maximum(widths, spread)
    # Where all samples are one point to rounding, any width will do.
    return np.where(widths > CONSTANT, unit * widths, 1.0)


def _given_widths(estimator, n_nodes: int) -> FloatArray:
    try:
        widths = np.asarray(estimator.width, dtype=np.float64)
    except (TypeError, ValueError):
        widths = np.empty(0)
    good = (np.isfinite(widths) & (widths > 0.0)).all()
    if widths.shape not in ((), (n_nodes,)) or not good:
        raise ValueError(
            f"The 'width' parameter of {type(estimator).__name__} must be 'auto', 'spread', "
            f"'cluster', a positive number or one for each of the {n_nodes} nodes. "
            f"Got {estimator.width!r}."
        )
    return np.full(n_nodes, widths)
