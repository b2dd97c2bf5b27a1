"""Selection of a whole subset of kernels by the Bayesian information criterion (ando2004).

A search looks for the subset of least BIC, for widths and penalties of a grid. Knows targets as
numbered classes and nothing of their names.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.basis import Gaussian
from drumlin.linear.logistic import LogisticProblem
from drumlin.search import BitStrings, Search, SearchResult
from drumlin.selection.subset_cost import KernelColumns, SubsetBIC

_LEAST_GAIN = 1e-6
"""Gains of BIC below this are not worth another search."""

_BETWEEN = 2.0**0.25
"""Factor, up and down, from the best width of the grid to the widths tried between."""

_PROMISING = 2.0
"""A width between is searched where the best subset's BIC rises by less: hardly any evidence."""

_HOPELESS = 0.2
"""A width is given up when, at equal size, its BIC is above another's by this part of it."""

_FEW_CONTRASTS = 4
"""With more, scouts search and contrasts share a penalty: fits of many classes are dear, and
exchanges lower BIC by little."""


@dataclass(frozen=True)
class SubsetPlan:
    """Where to look for subsets.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Inputs in the units of the widths.
    rows : ndarray of shape (n_candidates,)
        Samples that may become centers.
    widths : list of float
    alphas : list of float
        Penalties, descending.
    full : bool
        Search at every point of the grid (steps 1-7 of the paper), with one penalty for all
        contrasts. Else, for every width, start with the weakest penalty and search again from the
        subset found, as long as other penalties, one per contrast (one for all where there are
        more than four), suit it better; widths that fall far behind on the way are given up.
    max_nodes : int
    between : bool
        Try widths between those of the grid at the end, from the best subset so far.
    time_limit : float or None
        Seconds after which no further iteration begins.
    prior : str or ndarray of shape (n_sizes,)
        Prior probability of subsets, see ``SubsetBIC``.
    per_contrast : bool
        Whether a full grid is followed, for every width, by searches with a penalty for every
        contrast, from the best subset of that width.
    any_reference : bool
        Whether, at the end, every class is tried as the one that the others are compared with, on
        the best subset, and the search goes on from there with the one that suits it best.
    """

    Z: FloatArray
    rows: IntArray
    widths: list[float]
    alphas: list[float]
    full: bool
    max_nodes: int
    between: bool = False
    time_limit: float | None = None
    prior: str | FloatArray = "equal"
    per_contrast: bool = False
    any_reference: bool = False

    @property
    def n_runs(self) -> int | None:
        """Number of searches, where it is known beforehand."""
        known = self.full and not (self.per_contrast or self.any_reference)
        return len(self.widths) * len(self.alphas) if known else None

    def bic_at(
        self, problem: LogisticProblem, centers: FloatArray, width: float, alphas: FloatArray
    ) -> float:
        """BIC of kernels at given centers (n_nodes, n_features), for one width and penalties."""
        candidates = KernelColumns.of_width(self.Z, self.rows, width, Gaussian())
        chosen = KernelColumns.at(self.Z, centers, width, Gaussian())
        priced = SubsetBIC(candidates, problem, alphas, max_nodes=0, prior=self.prior)
        plain = replace(priced, columns=chosen, prior="equal")
        value = plain.fit([np.arange(len(centers))])[2][0]
        return float(value + priced.surprise[min(len(centers), len(candidates))])


@dataclass
class SubsetRun:
    """One search: a width, penalties, and what was found.

    Attributes
    ----------
    number : int
    width : float
    cost : SubsetBIC
    result : SearchResult
    sizes : list of int
        Size of the best subset after every iteration.
    """

    number: int
    width: float
    cost: SubsetBIC
    result: SearchResult
    sizes: list[int] = field(default_factory=list)

    @property
    def members(self) -> IntArray:
        """Candidates in the best subset."""
        return np.flatnonzero(self.result.x)

    @property
    def path(self) -> dict[str, FloatArray | IntArray]:
        """BIC and size of the best subset after every iteration."""
        return {"bic": np.array(self.result.costs), "n_nodes": np.array(self.sizes)}


@dataclass
class SubsetSelection:
    """All searches of a selection.

    Attributes
    ----------
    runs : list of SubsetRun
    interrupted : bool
        Whether the user broke off.
    out_of_time : bool
        Whether the time limit ended it.
    """

    runs: list[SubsetRun] = field(default_factory=list)
    interrupted: bool = False
    out_of_time: bool = False

    @property
    def best(self) -> SubsetRun:
        """Run that found the least BIC; of equal ones the first."""
        return min(self.runs, key=lambda run: run.result.cost)

    @property
    def grid(self) -> dict[str, FloatArray | IntArray]:
        """What every search was for and what it found; penalties by their geometric mean."""
        runs = self.runs
        return {
            "width": np.array([run.width for run in runs]),
            "alpha": np.array([np.exp(np.log(run.cost.alphas).mean()) for run in runs]),
            "bic": np.array([run.result.cost for run in runs]),
            "n_nodes": np.array([int(run.result.x.sum()) for run in runs]),
            "n_evaluations": np.array([run.result.n_evaluations for run in runs]),
        }


class _Ended(Exception):
    """No further run is wanted."""


def select_subset(
    problem: LogisticProblem,
    plan: SubsetPlan,
    search: Search,
    rng: np.random.RandomState,
    *,
    on_iteration: Callable[[SubsetRun], bool] | None = None,
    on_run: Callable[[SubsetRun], bool] | None = None,
) -> SubsetSelection:
    """Find the subset, width and penalties of least BIC.

    Parameters
    ----------
    problem : LogisticProblem
    plan : SubsetPlan
    search : Search
        Over ``BitStrings``.
    rng : RandomState
    on_iteration, on_run : callable or None
        Called after every iteration and every search; a true answer of the first ends the search,
        of the second the selection.

    Returns
    -------
    SubsetSelection
        A KeyboardInterrupt after the first iteration keeps the best so far.
    """
    state = _State(problem, plan, search, rng, on_iteration, on_run)
    try:
        if plan.full:
            state.search_grid()
        else:
            state.search_adaptively()
        if plan.any_reference:
            state.compare_references()
    except _Ended:
        pass
    except KeyboardInterrupt:
        if not state.selection.runs:
            raise
        state.selection.interrupted = True
    return state.selection


@dataclass
class _State:
    """A selection under way."""

    problem: LogisticProblem
    plan: SubsetPlan
    search: Search
    rng: np.random.RandomState
    on_iteration: Callable[[SubsetRun], bool] | None
    on_run: Callable[[SubsetRun], bool] | None
    selection: SubsetSelection = field(default_factory=SubsetSelection)
    scores: FloatArray | None = None
    least: dict[int, float] = field(default_factory=dict)  # BIC by size, over all runs
    began: float = field(default_factory=time.monotonic)

    def columns(self, width: float) -> KernelColumns:
        """Kernels of one width at all candidates."""
        return KernelColumns.of_width(self.plan.Z, self.plan.rows, width, Gaussian())

    def cost(self, columns: KernelColumns, alphas: FloatArray) -> SubsetBIC:
        """BIC of subsets; fits start from the scores of the last search."""
        plan = self.plan
        return SubsetBIC(columns, self.problem, alphas, plan.max_nodes, self.scores, plan.prior)

    def search_grid(self) -> None:
        """Search at every point of the grid, and from there where contrasts differ."""
        for width in sorted(self.plan.widths):
            columns = self.columns(width)
            runs = [
                self.run(columns, width, np.full(self.problem.n_contrasts, alpha), None)
                for alpha in self.plan.alphas
            ]
            if self.plan.per_contrast:
                self.adapt(min(runs, key=lambda run: run.result.cost))

    def search_adaptively(self) -> None:
        """Search at every width, adapting the penalties; then between the widths."""
        if self.problem.n_contrasts > _FEW_CONTRASTS:
            self.search = self.search.scout()
        weakest = np.full(self.problem.n_contrasts, self.plan.alphas[-1])  # short searches
        for width in sorted(self.plan.widths):
            self.adapt(self.run(self.columns(width), width, weakest, None))
        if self.plan.between:
            self.search_between()

    def adapt(self, run: SubsetRun) -> None:
        """Adapt the penalties to the subset found and search again from there, while that helps."""
        grid = np.array(self.plan.alphas)
        while True:
            alphas = _better_penalties(run.cost, run.members, grid)
            if (alphas == run.cost.alphas).all():
                return
            before = run.result.cost
            run = self.run(run.cost.columns, run.width, alphas, run.result.x[None])
            if not run.result.cost < before - _LEAST_GAIN:
                return

    def compare_references(self) -> None:
        """Compare with the class of least BIC on the best subset; search on if it is another."""
        best = self.selection.best
        alphas = np.full(self.problem.n_contrasts, np.exp(np.log(best.cost.alphas).mean()))
        values = []
        for reference in range(self.problem.n_classes):
            self.problem, self.scores = self.problem.compared_with(reference), None
            values.append(self.cost(best.cost.columns, alphas)(best.result.x[None])[0])
        least = int(np.argmin(values))
        self.problem = self.problem.compared_with(least)
        if least != best.cost.problem.reference:
            self.adapt(self.run(best.cost.columns, best.width, alphas, best.result.x[None]))

    def search_between(self) -> None:
        """Search at widths near the best, inside the grid, where its subset does nearly as well."""
        narrowest, widest = min(self.plan.widths), max(self.plan.widths)
        best = self.selection.best
        for width in (best.width * _BETWEEN, best.width / _BETWEEN):
            if not narrowest < width < widest:
                continue
            columns = self.columns(width)
            if self._rise(best, columns) < _PROMISING:
                self.adapt(self.run(columns, width, best.cost.alphas, best.result.x[None]))

    def _rise(self, run: SubsetRun, columns: KernelColumns) -> float:
        """Change of BIC when a subset gets other columns."""
        cost = self.cost(columns, run.cost.alphas)
        return float(cost(run.result.x[None])[0]) - run.result.cost

    def run(
        self, columns: KernelColumns, width: float, alphas: FloatArray, start: BoolArray | None
    ) -> SubsetRun:
        """One search; its fits start from the scores of the last one."""
        cost = self.cost(columns, alphas)
        run = SubsetRun(len(self.selection.runs), width, cost, SearchResult(None))

        def on_iteration(result: SearchResult) -> bool:
            if not run.sizes:
                self.selection.runs.append(run)
            run.result = result
            run.sizes.append(int(result.x.sum()))
            stop = self.on_iteration is not None and self.on_iteration(run)
            return stop or self._is_late() or self._is_hopeless(run)

        space = BitStrings(len(columns))
        self.search.minimize(cost, space, self.rng, start=start, on_iteration=on_iteration)
        self.scores = cost.scores
        self.selection.interrupted = run.result.interrupted
        last = self.on_run is not None and self.on_run(run)
        if last or run.result.interrupted or self._is_late():
            raise _Ended
        return run

    def _is_hopeless(self, run: SubsetRun) -> bool:
        size, bic = run.sizes[-1], run.result.cost
        least = self.least[size] = min(bic, self.least.get(size, np.inf))
        compared = self.search.follows_a_path and not self.plan.full and size > 0
        return compared and bic - least > _HOPELESS * abs(least)

    def _is_late(self) -> bool:
        limit = self.plan.time_limit
        late = limit is not None and time.monotonic() - self.began > limit
        self.selection.out_of_time |= late
        return late


def _better_penalties(cost: SubsetBIC, members: IntArray, grid: FloatArray) -> FloatArray:
    """Penalties of least BIC for a given subset: steps along the grid, by contrast or together.

    Many contrasts move together only: their number of steps, each a fit of all, is the square.
    """
    index = np.abs(np.log(grid / cost.alphas[:, None])).argmin(axis=1)
    k = len(index)
    single = np.eye(k if k <= _FEW_CONTRASTS else 0, k, dtype=np.int64)
    moves = np.concatenate([np.ones((1, k), dtype=np.int64), single])
    moves = np.unique(np.concatenate([moves, -moves]), axis=0)
    best = cost.with_penalties(members, grid[index][None])[0]
    while True:
        trials = np.clip(index + moves, 0, len(grid) - 1)
        values = cost.with_penalties(members, grid[trials])
        least = int(np.argmin(values))
        if not values[least] < best - _LEAST_GAIN:
            return np.asarray(grid[index])
        index, best = trials[least], values[least]
