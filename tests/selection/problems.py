"""Problems for selection tests, ordinary and degenerate, and one way to run them."""

from __future__ import annotations

import numpy as np

from drumlin.basis import Gaussian, Nodes
from drumlin.criteria import CRITERIA
from drumlin.linear import REGULARIZERS, OrthogonalRegression
from drumlin.selection import (
    InplaceCandidates,
    Inputs,
    RecomputedCandidates,
    SamplePool,
    Scoring,
    Stopping,
    select_forward,
)


def two_moons(seed, n=120):
    rng = np.random.default_rng(seed)
    angle = np.pi * rng.random(n)
    labels = np.arange(n) % 2
    X = np.c_[np.cos(angle), np.sin(angle)] * np.where(labels, 1, -1)[:, None]
    return X + 0.5 * labels[:, None] + 0.25 * rng.standard_normal((n, 2)), labels


def three_blobs(seed, n=150):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    return rng.standard_normal((n, 3)) + 1.5 * np.eye(3)[labels], labels


def duplicate_rows(seed):
    X, labels = two_moons(seed, 40)
    return np.vstack([X, X, X[:10]]), np.concatenate([labels, labels, 1 - labels[:10]])


def constant_columns(seed):
    X, labels = two_moons(seed, 50)
    return np.c_[X[:, 0], np.full(50, 3.0), np.zeros(50)], labels


def collinear_candidates(seed):
    """Nearly all points on top of each other: almost every column depends on the others."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.standard_normal((3, 2)), 15, axis=0)
    return X + 1e-9 * rng.standard_normal(X.shape), np.arange(45) % 2


def two_samples(seed):
    return np.array([[0.0, 1.0], [1.0, -1.0]]), np.array([0, 1])


def equal_activations(seed):
    return np.ones((20, 2)), np.arange(20) % 2


def far_apart(seed):
    """Every activation underflows except each sample's own."""
    return 1e6 * np.arange(30.0)[:, None], np.arange(30) % 2


def grid(seed):
    """A lattice: mirror images make exact ties everywhere."""
    axis = np.arange(-3.0, 4.0)
    X = np.array(np.meshgrid(axis, axis)).reshape(2, -1).T
    return X, (np.abs(X).sum(axis=1) > 3).astype(int)


ORDINARY = {"two_moons": two_moons, "three_blobs": three_blobs}
DEGENERATE = {
    "duplicate_rows": duplicate_rows,
    "constant_columns": constant_columns,
    "collinear_candidates": collinear_candidates,
    "two_samples": two_samples,
    "equal_activations": equal_activations,
    "far_apart": far_apart,
    "grid": grid,
}


def codes(labels):
    n_classes = labels.max() + 1
    if n_classes == 2:
        return np.where(labels == 1, 1.0, -1.0)[:, None]
    result = np.full((len(labels), n_classes), -1.0 / (n_classes - 1))
    result[np.arange(len(labels)), labels] = 1.0
    return result


def run(
    X,
    labels,
    *,
    criterion="misclassification",
    regularizer="fixed",
    weight=None,
    store="inplace",
    block=32,
    n_threads=1,
    ties="squared_error",
    fit_intercept=True,
    width=1.0,
    max_nodes=12,
    targets=None,
    alpha=1e-3,
    first="squared_error",
):
    """Forward selection over all samples with every choice exposed."""
    weight = np.ones(len(X)) if weight is None else weight
    targets = codes(labels) if targets is None else targets
    regression = OrthogonalRegression(targets, weight, fit_intercept=fit_intercept)
    inputs = Inputs(np.ascontiguousarray(X.T), np.sqrt(weight))
    nodes = Nodes(np.ascontiguousarray(X), np.full(X.shape, width), Gaussian())
    if store == "inplace":
        V = np.empty((len(X), len(X)))
        inputs.activate_(nodes, V)
        candidates = InplaceCandidates(inputs, nodes, regression, n_threads, V=V)
    else:
        candidates = RecomputedCandidates(inputs, nodes, regression, n_threads, block)
    criterion = CRITERIA[criterion]() if isinstance(criterion, str) else criterion
    scoring = Scoring(criterion, labels, weight, first)
    stopping = Stopping(min_nodes=1, max_nodes=max_nodes, patience=max_nodes)
    selection = select_forward(
        SamplePool(candidates, ties=ties),
        scoring,
        regression,
        REGULARIZERS[regularizer](alpha=alpha),
        stopping,
    )
    return selection, candidates


def chosen(selection):
    return [proposal.index for proposal in selection.proposals]
