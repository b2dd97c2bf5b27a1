"""From the parameters ``centers`` and ``width`` to nodes: the first stage of Haykin's networks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drumlin._typing import FloatArray
from drumlin.estimators.checks import given_sizes
from drumlin.estimators.training import Training
from drumlin.selection.placing import Ground, Placed


def place(estimator, training: Training, rng: np.random.RandomState) -> Placed:
    """Centers and widths as the parameters of an estimator want them."""
    given = _given_centers(estimator, training.X.shape[1])
    farthest = float(np.abs(given).max(initial=0.0))
    ground = Ground.of(training.X, training.weight, training.scaler, farthest)
    placed = ground.at(given) if len(given) else _found(estimator, ground, rng)
    _check_number(estimator, len(placed.centers))
    support = None if placed.support is None else training.rows[placed.support]
    return replace(placed, widths=_widths(estimator, ground, placed), support=support)


def _found(estimator, ground: Ground, rng: np.random.RandomState) -> Placed:
    """Nodes where the samples are."""
    n_nodes = min(estimator._wished_nodes(), len(ground.distinct))
    if estimator.centers == "kmeans":
        return ground.at_means(n_nodes, estimator.n_init, rng)
    return ground.at_all() if estimator.centers == "all" else ground.at_some(n_nodes, rng)


def _widths(estimator, ground: Ground, placed: Placed) -> FloatArray:
    """Width of every node in standardised units."""
    if isinstance(estimator.width, str):
        return ground.widths(placed.centers, estimator.width)
    n_nodes = len(placed.centers)
    rule = "'auto', 'spread', 'cluster'", f"{n_nodes} nodes"
    return given_sizes(estimator, "width", *rule, n_nodes)


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
