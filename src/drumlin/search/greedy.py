"""Greedy search over subsets: grow, then add, drop and swap until nothing helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from drumlin._typing import BoolArray, IntArray
from drumlin.search.base import BatchCost, BitStrings, Search, SearchResult, SubsetCost
from drumlin.search.memory import Memory

_LEAST_GAIN = 1e-9
"""Relative: smaller gains are rounding, and cycles could be made of them."""


class _Stopped(Exception):
    """The caller wants no further iteration."""


class GreedySearch(Search):
    """Greedy search over subsets; nothing is random.

    From the best start, or from nothing, the best addition is made again and again until
    ``patience`` additions in a row have not lowered the cost; from the best subset seen, the best
    of all single additions and removals is made while it helps, else the best exchange.

    Parameters
    ----------
    n_trials : int or None, default=8
        Additions evaluated in every step, where the cost can guess which are promising
        (``SubsetCost``); None, and any other cost, evaluates all.
    n_swaps : int or None, default=3
        The same for the exchanges of one member.
    patience : int, default=3
        Additions in a row that may fail to lower the cost: two things together may help where
        neither does alone.
    """

    def __init__(
        self, n_trials: int | None = 8, *, n_swaps: int | None = 3, patience: int = 3
    ):
        self.n_trials = n_trials
        self.n_swaps = n_swaps
        self.patience = patience

    def minimize(
        self,
        cost: BatchCost,
        space: BitStrings,
        rng: np.random.RandomState,
        *,
        start: BoolArray | None = None,
        on_iteration: Callable[[SearchResult], bool] | None = None,
    ) -> SearchResult:
        """Look for the subset of least cost; see ``Search.minimize``."""
        run = _Run(cost, space, on_iteration)
        try:
            run.evaluate(np.zeros((1, space.n_bits), dtype=bool) if start is None else start)
            run.end_iteration()
            run.grow(self.n_trials, self.patience)
            run.descend(self.n_trials, self.n_swaps)
        except _Stopped:
            pass
        except KeyboardInterrupt:
            if not run.result.costs:
                raise
            run.result.interrupted = True
        return run.result


class _Run:
    """State of one search: costs known, best subset so far."""

    def __init__(
        self,
        cost: BatchCost,
        space: BitStrings,
        on_iteration: Callable[[SearchResult], bool] | None,
    ):
        self.memory = Memory(cost)
        self.estimates = cost.estimate_additions if isinstance(cost, SubsetCost) else None
        self.on_iteration = on_iteration
        self.result = SearchResult(np.zeros(space.n_bits, dtype=bool))

    def evaluate(self, subsets: BoolArray) -> tuple[BoolArray, float]:
        """Return the best of some subsets and its cost."""
        costs = self.memory(subsets)
        self.result.consider(subsets, costs)
        self.result.n_evaluations = self.memory.n_evaluations
        best = int(np.argmin(costs))
        return subsets[best], float(costs[best])

    def end_iteration(self) -> None:
        """Tell the caller."""
        self.result.costs.append(self.result.cost)
        if self.on_iteration is not None and self.on_iteration(self.result):
            raise _Stopped

    def grow(self, n_trials: int | None, patience: int) -> None:
        """Add the best until that has failed several times."""
        x, failures = self.result.x, 0
        while failures < patience:
            trials = self.additions(x, n_trials)
            if not len(trials):
                return
            before = self.result.cost
            x, cost = self.evaluate(trials)
            failures = 0 if _is_less(cost, before) else failures + 1
            self.end_iteration()

    def descend(self, n_trials: int | None, n_swaps: int | None) -> None:
        """Make the best move from the best subset while there is one that helps."""
        while True:
            x, before = self.result.x, self.result.cost
            for trials in self.moves(x, n_trials, n_swaps):
                if len(trials):
                    self.evaluate(trials)
                if _is_less(self.result.cost, before):
                    break
            else:
                return
            self.end_iteration()

    def moves(
        self, x: BoolArray, n_trials: int | None, n_swaps: int | None
    ) -> Iterator[BoolArray]:
        """Single additions and removals, and if they do not help all exchanges."""
        removals = _flipped(x, np.flatnonzero(x))
        yield np.concatenate([self.additions(x, n_trials), removals])
        exchanges = [self.additions(y, n_swaps, apart_from=x) for y in removals]
        yield np.concatenate(exchanges) if exchanges else removals

    def additions(
        self, x: BoolArray, n_trials: int | None, apart_from: BoolArray | None = None
    ) -> BoolArray:
        """Most promising subsets with one more member."""
        out = np.flatnonzero(~(x if apart_from is None else x | apart_from))
        if self.estimates is not None and n_trials is not None:
            guesses = self.estimates(x)[out]
            order = np.argsort(guesses, kind="stable")[:n_trials]
            out = out[np.sort(order[np.isfinite(guesses[order])])]
        return _flipped(x, out)


def _flipped(x: BoolArray, bits: IntArray) -> BoolArray:
    """Copies of a subset, each with one bit flipped."""
    copies = np.repeat(x[None], len(bits), axis=0)
    copies[np.arange(len(bits)), bits] ^= True
    return copies


def _is_less(cost: float, before: float) -> bool:
    return cost < before - _LEAST_GAIN * (1.0 + abs(before)) if np.isfinite(before) else (
        cost < before
    )
