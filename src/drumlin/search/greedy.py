"""Greedy search over subsets: grow, then add, drop and swap until nothing helps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.search.base import SubsetCost, TrackedSearch
from drumlin.search.spaces import BitStrings
from drumlin.search.tracking import Tracker

_LEAST_GAIN = 1e-9
"""Relative: smaller gains are rounding, and cycles could be made of them."""


class _Stopped(Exception):
    """The caller wants no further iteration."""


class GreedySearch(TrackedSearch):
    """Greedy search over subsets; nothing is random.

    From the best start, or from nothing, the best addition is made again and again until
    ``patience`` additions in a row have not lowered the cost. From the best subset seen, the best
    single addition or removal is made while it helps, else the first exchange that does. Where
    nothing does, ``patience`` members are added, twice as many removed and some added again,
    whatever that costs; if a better subset turns up on the way the search goes on from there.

    Parameters
    ----------
    n_trials : int or None, default=5
        Neighbours evaluated in every step, and for every member exchanged, where the cost can
        guess which are promising (``SubsetCost``); None, and any other cost, evaluates all.
    n_exchanged : int or None, default=8
        Members that may be exchanged for another: those that are missed least. None means all.
    patience : int, default=5
        Moves in a row that may fail to lower the cost: two things together may help where
        neither does alone.
    polish : bool, default=True
        Whether members are exchanged, and added and removed whatever that costs, once single
        additions and removals no longer help. That takes several times as long as getting there.

    See Also
    --------
    GeneticSearch

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.search import BitStrings, GreedySearch
    >>> wanted = np.arange(8) % 2 == 0
    >>> found = GreedySearch().minimize(
    ...     lambda subsets: (subsets != wanted).sum(axis=1).astype(float),
    ...     BitStrings(8),
    ...     rng=np.random.RandomState(0),
    ... )
    >>> int(found.x.sum()), found.cost
    (4, 0.0)
    """

    follows_a_path = True

    def __init__(
        self,
        n_trials: int | None = 5,
        *,
        n_exchanged: int | None = 8,
        patience: int = 5,
        polish: bool = True,
    ):
        self.n_trials = n_trials
        self.n_exchanged = n_exchanged
        self.patience = patience
        self.polish = polish

    def scout(self) -> GreedySearch:
        """Return a quick search: the best guess is taken at its word, nothing is polished."""
        return GreedySearch(
            self.n_trials and 1, n_exchanged=self.n_exchanged, patience=self.patience, polish=False
        )

    def _search(
        self,
        tracker: Tracker,
        space: BitStrings,
        rng: np.random.RandomState,
        start: BoolArray | None,
    ) -> None:
        """Grow, then descend and oscillate while that helps."""
        run = _Run(self, tracker)
        try:
            run.evaluate(np.zeros((1, space.n_bits), dtype=bool) if start is None else start)
            run.end_iteration()
            run.grow()
            before = np.inf
            while _is_less(run.result.cost, before):
                run.descend()
                before = run.result.cost
                if self.polish:
                    run.oscillate()
        except _Stopped:
            pass


class _Run:
    """State of one search: costs known, best subset so far."""

    def __init__(self, settings: GreedySearch, tracker: Tracker):
        cost = tracker.cost
        guessing = isinstance(cost, SubsetCost) and settings.n_trials is not None
        self.estimates = cost.estimate_flips if guessing else None  # type: ignore[attr-defined]
        self.guesses: dict[bytes, FloatArray] = {}
        self.settings, self.tracker, self.result = settings, tracker, tracker.result
        self.memory = tracker.remember()

    def evaluate(self, subsets: BoolArray) -> tuple[BoolArray, float]:
        """Return the best of some subsets and its cost."""
        costs = self.tracker.evaluate(subsets)
        best = int(np.argmin(costs))
        return subsets[best], float(costs[best])

    def end_iteration(self) -> None:
        """Tell the caller."""
        if self.tracker.end_iteration():
            raise _Stopped

    def grow(self) -> None:
        """Add the best until that has failed several times."""
        x, failures = self.result.x, 0
        while failures < self.settings.patience:
            trials = self.neighbours(x, ~x)
            if not len(trials):
                return
            before = self.result.cost
            x, cost = self.evaluate(trials)
            failures = 0 if _is_less(cost, before) else failures + 1
            self.end_iteration()

    def descend(self) -> None:
        """Move from the best subset while that helps."""
        improved = True
        while improved:
            x, before = self.result.x, self.result.cost
            improved = False
            for trials in self.moves(x):
                if len(trials):
                    self.evaluate(trials)
                if improved := _is_less(self.result.cost, before):
                    self.end_iteration()
                    break

    def oscillate(self) -> None:
        """Add some, drop twice as many, add some: over the ridges around a local minimum."""
        x, n = self.result.x, self.settings.patience
        for adding in [True] * n + [False] * 2 * n + [True] * n:
            trials = self.neighbours(x, ~x if adding else x)
            if not len(trials):
                continue
            x, _ = self.evaluate(trials)
            self.end_iteration()

    def moves(self, x: BoolArray) -> Iterator[BoolArray]:
        """Single flips, then exchanges of one member after the other."""
        yield self.neighbours(x, np.ones_like(x))
        members = np.flatnonzero(x)
        if not (self.settings.polish and len(members)):
            return
        without = _flipped(x, members)
        guesses = self.guess(x)
        missed = self.memory(without) if guesses is None else guesses[members]
        for i in np.argsort(missed, kind="stable")[: self.settings.n_exchanged]:
            yield self.neighbours(without[i], ~x)

    def neighbours(self, x: BoolArray, allowed: BoolArray) -> BoolArray:
        """Most promising subsets with one of the allowed bits flipped."""
        bits = np.flatnonzero(allowed)
        guesses = self.guess(x)
        if guesses is not None:
            order = np.argsort(guesses[bits], kind="stable")[: self.settings.n_trials]
            chosen = np.sort(bits[order])
            bits = chosen[np.isfinite(guesses[chosen])]
        return _flipped(x, bits)

    def guess(self, x: BoolArray) -> FloatArray | None:
        """Guesses of all neighbours, made once; None where there are none."""
        if self.estimates is None:
            return None
        key = x.tobytes()
        if key not in self.guesses:
            self.guesses[key] = self.estimates(x)
        return self.guesses[key]


def _flipped(x: BoolArray, bits: IntArray) -> BoolArray:
    """Copies of a subset, each with one bit flipped."""
    copies = np.repeat(x[None], len(bits), axis=0)
    copies[np.arange(len(bits)), bits] ^= True
    return copies


def _is_less(cost: float, before: float) -> bool:
    least = _LEAST_GAIN * (1.0 + abs(before)) if np.isfinite(before) else 0.0
    return cost < before - least
