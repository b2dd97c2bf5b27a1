"""What a search has found so far, and who is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from drumlin._typing import BoolArray, FloatArray

BatchCost = Callable[[Any], FloatArray]
"""Costs (m,) of m points; infinite where a point is not admissible, never NaN."""


@dataclass
class SearchResult:
    """What a search has found, while it runs and when it ends.

    Attributes
    ----------
    x : ndarray of shape (n_dimensions,)
        Best point evaluated.
    cost : float
        Its cost.
    costs : list of float
        Best cost so far after every iteration, starting with the first points.
    n_evaluations : int
        Points whose cost was computed.
    interrupted : bool
        Whether the user broke off; the best so far stands.

    See Also
    --------
    Search

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import SearchResult
    >>> result = SearchResult(np.zeros(1))
    >>> result.consider(np.array([[3.0], [1.0]]), np.array([9.0, 1.0]))
    >>> result.cost, result.n_evaluations
    (1.0, 2)
    """

    x: Any
    cost: float = np.inf
    costs: list[float] = field(default_factory=list)
    n_evaluations: int = 0
    interrupted: bool = False

    def consider(self, points: Any, costs: FloatArray) -> None:
        """Count a batch of evaluated points and keep the best; of equal ones the first."""
        self.n_evaluations += len(costs)
        best = int(np.argmin(costs))
        if costs[best] < self.cost or not self.n_evaluations - len(costs):
            self.x, self.cost = points[best].copy(), float(costs[best])


Listener = Callable[[SearchResult], bool]
"""Told of every iteration; a true answer ends the search."""


class Memory:
    """Remembers the costs of subsets.

    Parameters
    ----------
    cost : callable
        From subsets (m, n_bits) to costs (m,); called with subsets not seen before only.

    Attributes
    ----------
    n_evaluations : int
        Subsets whose cost was computed.
    """

    def __init__(self, cost: BatchCost):
        self.cost = cost
        self._known: dict[bytes, float] = {}

    @property
    def n_evaluations(self) -> int:
        """Subsets whose cost was computed."""
        return len(self._known)

    def __call__(self, subsets: BoolArray) -> FloatArray:
        """Costs (m,) of m subsets."""
        keys = [row.tobytes() for row in np.packbits(subsets, axis=1)]
        new = {key: i for i, key in reversed(list(enumerate(keys))) if key not in self._known}
        if new:
            rows = sorted(new.values())
            for row, value in zip(rows, self.cost(subsets[rows]).tolist(), strict=True):
                self._known[keys[row]] = value
        return np.array([self._known[key] for key in keys])


class Tracker:
    """Evaluates batches and keeps the best point seen.

    Parameters
    ----------
    cost : callable
    on_iteration : callable or None
        Called by ``end_iteration``.

    Attributes
    ----------
    result : SearchResult

    See Also
    --------
    SearchResult

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import Tracker
    >>> tracker = Tracker(lambda points: points[:, 0] ** 2)
    >>> tracker.evaluate(np.array([[2.0], [-1.0]]))
    array([4., 1.])
    >>> tracker.result.cost
    1.0
    """

    def __init__(self, cost: BatchCost, on_iteration: Listener | None = None) -> None:
        self.cost = cost
        self.on_iteration = on_iteration
        self.result = SearchResult(None)

    def evaluate(self, points: Any) -> FloatArray:
        """Costs of some points, the first of equally good ones kept."""
        costs = self.cost(points)
        self.result.consider(points, costs)
        if isinstance(self.cost, Memory):
            self.result.n_evaluations = self.cost.n_evaluations
        return costs

    def remember(self) -> Memory:
        """Evaluate no subset twice from now on; return the cost that does so."""
        self.cost = memory = Memory(self.cost)
        return memory

    def end_iteration(self) -> bool:
        """Note the best cost so far; True where somebody wants the search to end."""
        self.result.costs.append(self.result.cost)
        return self.on_iteration is not None and bool(self.on_iteration(self.result))

    @contextmanager
    def surviving_interrupt(self) -> Iterator[None]:
        """Keep what was found when the user breaks off; where nothing was, raise."""
        try:
            yield
        except KeyboardInterrupt:
            if not self.result.costs:
                raise
            self.result.interrupted = True
