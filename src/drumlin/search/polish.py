"""Gradient polish of another search's best point."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from scipy.optimize import minimize as scipy_minimize
from sklearn.utils._param_validation import Interval

from drumlin._typing import FloatArray
from drumlin.search.base import BoxSearch
from drumlin.search.spaces import Box
from drumlin.search.swarm import SwarmSearch
from drumlin.search.tracking import BatchCost, Listener, SearchResult


class PolishedSearch(BoxSearch):
    """Another search, then L-BFGS-B from its best point where the cost has a gradient.

    The cost says that it has one by a method ``value_and_gradient(x) -> (float, ndarray)``, whose
    value may differ from the batch cost by rounding only. Without one the other search's point
    stands.

    Parameters
    ----------
    search : BoxSearch or None, default=None
        None means a swarm with its own defaults.
    n_polish : int, default=30
        Most L-BFGS-B iterations.

    See Also
    --------
    SwarmSearch

    Examples
    --------
    >>> from drumlin.search import PolishedSearch, SwarmSearch
    >>> PolishedSearch(SwarmSearch(10, 20), n_polish=5).n_starts
    10
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "search": [BoxSearch, None],
        "n_polish": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, search: BoxSearch | None = None, *, n_polish: int = 30) -> None:
        self.search = search
        self.n_polish = n_polish

    def _inner(self) -> BoxSearch:
        return SwarmSearch() if self.search is None else self.search

    @property
    def n_starts(self) -> int:
        """Points the search begins with."""
        return self._inner().n_starts

    @property
    def n_iterations(self) -> int:  # type: ignore[override]
        """Most iterations after the first points."""
        return self._inner().n_iterations + 1

    def check(self) -> None:
        """See ``Search.check``."""
        self._validate_params()
        self._inner().check()

    def minimize(
        self,
        cost: BatchCost,
        space: Box,
        rng: np.random.RandomState,
        *,
        start: FloatArray | None = None,
        on_iteration: Listener | None = None,
    ) -> SearchResult:
        """See ``Search.minimize``."""
        self.check()
        result = self._inner().minimize(cost, space, rng, start=start, on_iteration=on_iteration)
        value_and_gradient = getattr(cost, "value_and_gradient", None)
        if value_and_gradient is None or result.interrupted or not np.isfinite(result.cost):
            return result
        try:
            self._polish(cost, value_and_gradient, space, result)
        except KeyboardInterrupt:
            result.interrupted = True
            return result
        result.costs.append(result.cost)
        if on_iteration is not None:
            on_iteration(result)
        return result

    def _polish(
        self,
        cost: BatchCost,
        value_and_gradient: Callable[[FloatArray], tuple[float, FloatArray]],
        space: Box,
        result: SearchResult,
    ) -> None:
        """Descend inside the box, in units of the box; keep the end if it is better."""
        free = space.span > 0.0
        span = space.span[free]

        def in_box(unit: FloatArray) -> FloatArray:
            x = result.x.copy()
            x[free] = space.lower[free] + unit * span
            return space.clip(x)

        def scaled(unit: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = value_and_gradient(in_box(unit))
            return value, gradient[free] * span

        begin = (result.x[free] - space.lower[free]) / span
        found = scipy_minimize(
            scaled,
            begin,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, 1.0)] * len(span),
            options={"maxiter": self.n_polish},
        )
        x = in_box(found.x)
        polished = float(cost(x[None])[0])  # by the cost itself, so that results compare
        result.n_evaluations += int(found.nfev) + 1
        if polished < result.cost:
            result.x, result.cost = x, polished
