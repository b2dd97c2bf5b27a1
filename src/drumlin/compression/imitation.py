"""Imitation by data: a regression of what the model says, on rows and on others like them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from drumlin._typing import FloatArray
from drumlin.compression.model import CompressedClassifier, temperature_of
from drumlin.compression.teacher import Teacher, squashed
from drumlin.estimators import DrumlinClassifier, DrumlinRegressor
from drumlin.losses import winners

ROWS = 20_000
"""Rows that a network learns from: a model can be asked about as many as one likes."""

SIZES = (5, 10, 20, 40, 80, 160)
"""Numbers of nodes that are tried, up to the limit."""

_NEIGHBORS = 10
_SPREAD = 0.5


def more_rows(X: FloatArray, n_rows: int, rng: np.random.Generator) -> FloatArray:
    """Rows like X: each is moved by half the difference of two other neighbours.

    Moves have the shape of the data: along what varies, in the units of every input.
    """
    near = min(_NEIGHBORS, len(X) - 1)
    search = NearestNeighbors(n_neighbors=near + 1).fit(X)
    at, other = rng.integers(len(X), size=(2, n_rows))
    _, neighbors = search.kneighbors(X)
    move = X[other] - X[neighbors[other, rng.integers(1, near + 1, size=n_rows)]]
    return np.asarray(X[at] + _SPREAD * move)


def imitations(
    teacher: Teacher, X: FloatArray, numbers: Iterable[int], rng: np.random.Generator
) -> Iterator[Any]:
    """Networks of given numbers of nodes that imitate a model."""
    rows = np.vstack([X, more_rows(X, max(ROWS - len(X), 0), rng)])
    scores = teacher.scores(rows)
    learner, targets = _lesson(teacher, rows, scores, rng)
    for size in numbers:
        fitted = learner(max_nodes=size).fit(rows, targets)
        yield _classifier(teacher, fitted, X) if teacher.is_classifier else fitted


def _lesson(
    teacher: Teacher, rows: FloatArray, scores: FloatArray, rng: np.random.Generator
) -> tuple[Any, Any]:
    """Who learns, and what: one score as a number, several by classes drawn as probable."""
    if scores.shape[1] == 1:
        values = squashed(scores) if teacher.is_classifier else scores
        return DrumlinRegressor, values[:, 0]
    if not teacher.is_classifier:
        raise ValueError(
            f"The 'model' parameter of compress must predict one number. Got {scores.shape[1]}."
        )
    upper = np.cumsum(teacher.probabilities(rows), axis=1)
    drawn = (rng.uniform(size=(len(rows), 1)) * upper[:, -1:] > upper).sum(axis=1)
    return DrumlinClassifier, drawn


def sizes(max_nodes: int | None) -> list[int]:
    """Numbers of nodes to be tried."""
    if max_nodes is None:
        return list(SIZES)
    return [*(size for size in SIZES if size < max_nodes), max_nodes]


def _classifier(teacher: Teacher, fitted: Any, X: FloatArray) -> Any:
    network = fitted.network_
    temperature = temperature_of(network(X), teacher.probabilities(X))
    return CompressedClassifier.of(network, teacher.model.classes_, temperature, X.shape[1])


def difference(teacher: Teacher, imitation: Any, X: FloatArray) -> float:
    """Part of rows with another class; or the error of numbers over their standard deviation."""
    if teacher.is_classifier:
        return float((winners(imitation.network_(X)) != teacher.labels(X)).mean())
    wanted = teacher.scores(X)
    errors = imitation.network_(X) - wanted
    return float(np.sqrt((errors**2).mean() / max(wanted.var(axis=0).mean(), 1e-300)))
