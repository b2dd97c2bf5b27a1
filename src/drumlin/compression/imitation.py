"""Imitation by data: a regression of what the model says, on rows and on others like them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.neighbors import NearestNeighbors

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Gaussian, Nodes
from drumlin.compression.teacher import Teacher, squashed
from drumlin.estimators import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.losses import fit_temperature, winners
from drumlin.network import Network

ROWS = 20_000
"""Rows that a network learns from: a model can be asked about as many as one likes."""

LESSONS = 3
"""Draws of rows that a size is tried with: chance moves the error by a fifth of it."""

SIZES = (5, 10, 20, 40, 80, 160)
"""Numbers of nodes that are tried, up to the limit."""

NEVER = 40.0
"""Logarithm of how much less probable than all others a class is that is never seen."""

_NEIGHBORS = 10
_SPREAD = 0.3
_regressor: Any = DrumlinRegressor
_classifier: Any = DrumlinClassifier


def more_rows(X: FloatArray, n_rows: int, rng: np.random.Generator) -> FloatArray:
    """Rows like X: each is moved by a part of the difference of two other neighbours.

    Moves have the shape of the data: along what varies, in the units of every input.
    """
    if not n_rows:
        return X[:0]
    near = min(_NEIGHBORS, len(X) - 1)
    at, other = rng.integers(len(X), size=(2, n_rows))
    asked, back = np.unique(other, return_inverse=True)  # of many rows only some
    search = NearestNeighbors(n_neighbors=near + 1).fit(X)
    neighbors = search.kneighbors(X[asked], return_distance=False)[back]
    move = X[other] - X[neighbors[np.arange(n_rows), rng.integers(1, near + 1, size=n_rows)]]
    return np.asarray(X[at] + _SPREAD * move)


def imitations(
    teacher: Teacher, X: FloatArray, numbers: Iterable[int], rng: np.random.Generator
) -> Iterator[Any]:
    """Networks of given numbers of nodes that imitate a model."""
    rows = np.vstack([X, more_rows(X, max(ROWS - len(X), 0), rng)])
    if not teacher.is_classifier:
        yield from _regressors(teacher, rows, numbers)
        return
    classes, wanted = teacher.model.classes_, teacher.probabilities(X)
    for network, present in _networks(teacher, rows, numbers, rng):
        temperature = temperature_of(network(X), wanted[:, present])
        whole = of_all_classes(network, present, len(classes), temperature)
        yield CompressedClassifier.of(whole, classes, temperature, X)


def _regressors(teacher: Teacher, rows: FloatArray, numbers: Iterable[int]) -> Iterator[Any]:
    values = teacher.scores(rows)
    if values.shape[1] > 1 or not np.isfinite(values).all():
        raise ValueError(
            "The 'model' parameter of compress must predict one finite number for every row. "
            f"Got {type(teacher.model).__name__} with {values.shape[1]}."
        )
    for size in numbers:
        yield _regressor(max_nodes=size).fit(rows, values[:, 0])


def _networks(
    teacher: Teacher, rows: FloatArray, numbers: Iterable[int], rng: np.random.Generator
) -> Iterator[tuple[Network, IntArray]]:
    """Networks, and the classes that they know.

    One score is learned as a number, several by classes drawn as probable.
    """
    n_classes = len(teacher.model.classes_)
    if n_classes == 2:
        values = squashed(teacher.scores(rows))[:, 0]
        for size in numbers:
            yield _regressor(max_nodes=size).fit(rows, values).network_, np.arange(2)
        return
    drawn = _drawn(teacher.probabilities(rows), rng)
    present = np.unique(drawn)
    for size in numbers:
        if len(present) == 1:
            network = _constant(rows.shape[1])
        else:
            network = _classifier(max_nodes=size).fit(rows, drawn).network_
        yield network, present


def _drawn(probabilities: FloatArray, rng: np.random.Generator) -> IntArray:
    """A class for every row, drawn by its probabilities."""
    upper = np.cumsum(probabilities, axis=1)
    place = rng.uniform(size=(len(upper), 1)) * upper[:, -1:]
    return np.minimum((place > upper).sum(axis=1), upper.shape[1] - 1)


def _constant(n_inputs: int) -> Network:
    nodes = Nodes(np.empty((0, n_inputs)), np.empty((0, n_inputs)), Gaussian())
    return Network(nodes, np.empty((0, 1)), np.zeros(1))


def of_all_classes(
    network: Network, present: IntArray, n_classes: int, temperature: float
) -> Network:
    """A network with a score for every class, of one that knows some of them.

    A class that is not present has a score below all that the others can have, by so much that
    its probability is nothing.

    Parameters
    ----------
    network : Network
        With one score for two classes, else one for each.
    present : ndarray of int
        Indices of the classes that it knows.
    n_classes : int
    temperature : float
        Inverse temperature that makes probabilities of the scores.
    """
    own = len(present)
    if own == n_classes:
        return network
    given, bias = network.coef, network.intercept
    if own == 2:  # the first has a score of 0
        given, bias = np.c_[0.0 * given, given], np.r_[0.0, bias]
    reach = np.abs(given).sum(axis=0) + np.abs(bias)
    coef = np.zeros((len(given), n_classes))
    intercept = np.full(n_classes, -float(reach.max()) - NEVER / max(temperature, 1e-3))
    coef[:, present], intercept[present] = given[:, :own], bias[:own]
    return replace(network, coef=coef, intercept=intercept)


def temperature_of(scores: FloatArray, probabilities: FloatArray) -> float:
    """Inverse temperature that suits wanted probabilities (n_samples, n_classes)."""
    if probabilities.shape[1] == 1:  # one class is certain whatever its score
        return 1.0
    shares = probabilities / np.maximum(probabilities.sum(axis=1, keepdims=True), 1e-300)
    return fit_temperature(scores, shares, np.ones(len(scores)))


def sizes(max_nodes: int | None) -> list[int]:
    """Numbers of nodes to be tried."""
    if max_nodes is None:
        return list(SIZES)
    return [*(size for size in SIZES if size < max_nodes), max_nodes]


def lessons(
    teacher: Teacher, X: FloatArray, max_nodes: int | None, rng: np.random.Generator
) -> Iterator[Any]:
    """Imitations of growing size; the largest that may be is taught by several draws of rows."""
    numbers = sizes(max_nodes)
    yield from imitations(teacher, X, numbers, rng)
    for _ in range(LESSONS - 1):
        yield from imitations(teacher, X, numbers[-1:], rng)


def difference(teacher: Teacher, imitation: Any, X: FloatArray) -> float:
    """Part of rows with another class; or the error of numbers over their standard deviation."""
    if teacher.is_classifier:
        return float((winners(imitation.network_(X)) != teacher.labels(X)).mean())
    wanted = teacher.scores(X)
    size = max(float(np.abs(wanted).max()), 1e-300)  # squares of any units must not overflow
    errors = imitation.network_(X) / size - wanted / size
    return float(np.sqrt((errors**2).mean() / max((wanted / size).var(axis=0).mean(), 1e-300)))
