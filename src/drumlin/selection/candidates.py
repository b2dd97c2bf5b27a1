"""Candidate columns and their costs: held in memory, or recomputed when they do not fit.

Two stores, one interface; which one runs changes time and memory, never the selection.

``InplaceCandidates``    keeps all columns (8 n L bytes) and orthogonalises them as the model grows.
``RecomputedCandidates`` keeps only the selected directions Q and the coordinates A, and recomputes
                         columns block by block (see ``recomputed.py``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._kernels import Candidates, Loo, backend, map_blocks, statistic_size
from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.basis import Nodes
from drumlin.criteria import Criterion, StatisticCriterion
from drumlin.linear import DEPENDENT, OrthogonalRegression
from drumlin.selection.scoring import Scoring

IN_CACHE = 65_536
"""Numbers that stay in cache between passes."""


@dataclass(frozen=True)
class Inputs:
    """Samples as the kernels want them.

    Parameters
    ----------
    columns : ndarray of shape (n_features, n_samples)
        One feature a row, contiguous.
    root : ndarray of shape (n_samples,)
        Square roots of the sample weights.
    """

    columns: FloatArray
    root: FloatArray

    def __len__(self) -> int:
        return len(self.root)

    def take(self, rows: IntArray | slice) -> Inputs:
        """Return some of the samples."""
        return Inputs(np.ascontiguousarray(self.columns[:, rows]), self.root[rows])

    def activate_(self, nodes: Nodes, out: FloatArray) -> None:
        """Write the weighted activations of some nodes into ``out (n_nodes, n_samples)``.

        A few nodes at a time, so that the passes over ``out`` find it in cache.
        """
        inv_widths = 1.0 / nodes.widths
        step = max(1, IN_CACHE // max(1, len(self)))
        for start in range(0, len(nodes), step):
            some = slice(start, start + step)
            part = out[some]
            backend().squared_distances_(self.columns, nodes.centers[some], inv_widths[some], part)
            nodes.radial.activate_(part)
            part *= self.root

    def column(self, node: Nodes) -> FloatArray:
        """Weighted activations (n_samples,) of a single node."""
        out = np.empty((1, len(self)))
        self.activate_(node, out)
        return np.asarray(out[0])


@dataclass(frozen=True)
class Inquiry:
    """What is asked of candidates: a statistic of the model grown by each of them.

    Parameters
    ----------
    criterion : StatisticCriterion
    loo : Loo
        The model as it stands.
    alpha : float
        Penalty of the new column.
    class_weight : ndarray of shape (n_classes,)
    """

    criterion: StatisticCriterion
    loo: Loo
    alpha: float
    class_weight: FloatArray

    @classmethod
    def of(
        cls,
        criterion: StatisticCriterion,
        scoring: Scoring,
        regression: OrthogonalRegression,
        alpha: float,
    ) -> Inquiry:
        """Return what a criterion asks of candidates for a model."""
        loo = regression.kernel_state(scoring.labels, criterion.zero)
        return cls(criterion, loo, alpha, scoring.class_weight)

    def empty(self, n_candidates: int) -> tuple[int, FloatArray]:
        """Kind of the statistic and zeros to gather it in."""
        return empty_statistic(self.criterion, n_candidates, len(self.loo.targets))

    def costs(self, statistics: FloatArray) -> FloatArray:
        """Costs of candidates; infinite where the statistic is NaN."""
        costs = self.criterion.from_statistic(statistics, self.class_weight)
        return np.where(np.isnan(costs), np.inf, costs)


class Pool(ABC):
    """Nodes that compete for the next place in a model.

    Parameters
    ----------
    nodes : Nodes
    known : Candidates
        Squared norms of their columns and products with the targets, kept up to date.
    """

    def __init__(self, nodes: Nodes, known: Candidates) -> None:
        self.nodes, self.known = nodes, known
        self.taken: BoolArray = np.zeros(len(nodes), dtype=np.bool_)
        self._start_norms2 = known.norms2.copy()

    @abstractmethod
    def column(self, j: int) -> Any:
        """What a model is asked to add for candidate j."""

    @abstractmethod
    def follow(self, regression: Any) -> None:
        """Orthogonalise the candidates to the columns that have joined since the last call."""

    @abstractmethod
    def costs(self, scoring: Scoring, regression: Any, alpha: float) -> FloatArray:
        """Cost of the model grown by each candidate; infinite where it cannot be the best."""

    @abstractmethod
    def costs_of(
        self,
        index: IntArray,
        criterion: StatisticCriterion,
        scoring: Scoring,
        regression: Any,
        alpha: float,
    ) -> FloatArray:
        """Cost of some candidates under another criterion (to break ties)."""

    def eligible(self) -> BoolArray:
        """Whether a candidate is neither taken nor linearly dependent on the model."""
        alive: BoolArray = self.known.norms2 > DEPENDENT * self._start_norms2
        return alive & ~self.taken


class CandidateColumns(Pool):
    """Columns that compete for the next place in a model.

    Parameters
    ----------
    inputs : Inputs
    nodes : Nodes
        The candidates.
    regression : OrthogonalRegression
        The model they would join; columns it has already are projected out.
    n_threads : int
    """

    def __init__(
        self, inputs: Inputs, nodes: Nodes, regression: OrthogonalRegression, n_threads: int = 1
    ) -> None:
        self.inputs = inputs
        self.n_threads = n_threads
        n_candidates, n_outputs = len(nodes), regression.targets.shape[1]
        known = Candidates(np.zeros(n_candidates), np.zeros((n_candidates, n_outputs)))
        super().__init__(nodes, known)
        self._weighted_targets = np.ascontiguousarray(
            (regression.targets * regression.root[:, None]).T
        )
        self._n_followed = 0
        self._initialize()
        self._start_norms2 = self.known.norms2.copy()

    @abstractmethod
    def _initialize(self) -> None:
        """Fill ``known`` with the columns' norms and their products with the targets."""

    @abstractmethod
    def _project_out(self, q: FloatArray, q_targets: FloatArray) -> None:
        """Make the candidates orthogonal to the unit direction q, now or when next scored."""

    @abstractmethod
    def _all_statistics(self, asked: Inquiry) -> FloatArray:
        """Statistic of every candidate; NaN where one was abandoned because it cannot win."""

    @abstractmethod
    def _statistics(self, asked: Inquiry, index: IntArray) -> FloatArray:
        """Statistic of the candidates of ``index``; NaN where one was abandoned."""

    def column(self, j: int) -> FloatArray:
        """Weighted activations of candidate j, shape (n_samples,)."""
        return self.inputs.column(self.nodes.take(slice(j, j + 1)))

    def follow(self, regression: OrthogonalRegression) -> None:
        """Orthogonalise the candidates to the columns that have joined since the last call."""
        basis = regression.basis
        for k in range(self._n_followed, len(basis)):
            q = basis.W[k] / np.sqrt(basis.norms2[k])
            self._project_out(q, self._weighted_targets @ q)
        self._n_followed = len(basis)

    def costs(self, scoring: Scoring, regression: OrthogonalRegression, alpha: float) -> FloatArray:
        """Cost of the model grown by each candidate; infinite where it cannot be the best."""
        criterion = scoring.criterion
        if isinstance(criterion, StatisticCriterion):
            asked = Inquiry.of(criterion, scoring, regression, alpha)
            costs = asked.costs(self._all_statistics(asked))
        else:
            costs = self._costs_by_definition(criterion, scoring, regression, alpha)
        return np.where(self.eligible() & ~np.isnan(costs), costs, np.inf)

    def costs_of(
        self,
        index: IntArray,
        criterion: StatisticCriterion,
        scoring: Scoring,
        regression: OrthogonalRegression,
        alpha: float,
    ) -> FloatArray:
        """Cost of some candidates under another criterion (to break ties)."""
        asked = Inquiry.of(criterion, scoring, regression, alpha)
        return asked.costs(self._statistics(asked, index))

    def _costs_by_definition(
        self, criterion: Criterion, scoring: Scoring, regression: OrthogonalRegression, alpha: float
    ) -> FloatArray:
        """Score by ``Criterion.cost``, for criteria the kernels do not know."""
        costs = np.full(len(self.nodes), np.nan)
        for j in np.flatnonzero(self.eligible()):
            grown = regression.grown_loo_predictions(self.column(int(j)), alpha)
            costs[j] = criterion.cost(regression.targets, grown, scoring.labels, scoring.weight)
        return costs

    def _over_blocks(self, work: Callable[[slice], None], n: int, block: int | None = None) -> None:
        map_blocks(work, n, n_threads=self.n_threads, cost=len(self.inputs), block=block)


class InplaceCandidates(CandidateColumns):
    """All columns in memory, orthogonalised in place.

    Parameters
    ----------
    V : ndarray of shape (n_candidates, n_samples)
        Weighted activations of the nodes; overwritten.
    """

    def __init__(
        self,
        inputs: Inputs,
        nodes: Nodes,
        regression: OrthogonalRegression,
        n_threads: int = 1,
        *,
        V: FloatArray,
    ) -> None:
        self._pending: tuple[FloatArray, FloatArray] | None = None
        self.V = V
        super().__init__(inputs, nodes, regression, n_threads)

    def _initialize(self) -> None:
        def work(part: slice) -> None:
            add_products_(self.V[part], self._weighted_targets, part_of(self.known, part))

        self._over_blocks(work, len(self.V))

    def _project_out(self, q: FloatArray, q_targets: FloatArray) -> None:
        self._flush()
        self._pending = q, q_targets  # the next scoring does this in the same pass over memory

    def _flush(self) -> None:
        if self._pending is None:
            return
        q, q_targets = self._pending

        def work(part: slice) -> None:
            backend().deflate_(self.V[part], q, q_targets, part_of(self.known, part))

        self._over_blocks(work, len(self.V))
        self._pending = None

    def eligible(self) -> BoolArray:
        """Whether a candidate is neither taken nor linearly dependent on the model."""
        self._flush()
        return super().eligible()

    def _all_statistics(self, asked: Inquiry) -> FloatArray:
        if self._pending is None:
            return self._statistics(asked, np.arange(len(self.V)))
        q, q_targets = self._pending
        kind, out = asked.empty(len(self.V))

        def work(part: slice) -> None:
            known = part_of(self.known, part)
            backend().deflate_and_score_(
                self.V[part], q, q_targets, known, asked.loo, asked.alpha, kind, out[part]
            )

        self._over_blocks(work, len(self.V))
        self._pending = None
        return out

    def _statistics(self, asked: Inquiry, index: IntArray) -> FloatArray:
        self._flush()
        kind, out = asked.empty(len(index))

        def work(part: slice) -> None:
            some = index[part]
            backend().score_(self.V, some, self.known, asked.loo, asked.alpha, kind, out[part])

        self._over_blocks(work, len(index))
        return out


def part_of(known: Candidates, part: slice | IntArray) -> Candidates:
    """Return what is known of some candidates."""
    return Candidates(known.norms2[part], known.dots[part])


def add_products_(V: FloatArray, weighted_targets: FloatArray, known: Candidates) -> None:
    """Add to ``known`` the squared norms of some rows and their products with the targets."""
    known.norms2[...] += np.einsum("ji,ji->j", V, V)
    for k, target in enumerate(weighted_targets):
        dots = np.zeros(len(V))
        backend().inner_(V, target, dots)
        known.dots[:, k] += dots


def project_out_(known: Candidates, a: FloatArray, q_targets: FloatArray) -> None:
    """Take off what lies along a direction, of candidates (with coordinates a) and targets."""
    known.norms2[...] -= a * a
    known.dots[...] -= np.outer(a, q_targets)


def empty_statistic(
    criterion: StatisticCriterion, n_candidates: int, n_outputs: int
) -> tuple[int, FloatArray]:
    """Kind of the statistic and zeros to gather it in."""
    kind = criterion.statistic(n_outputs)
    return kind, np.zeros((n_candidates, statistic_size(kind, n_outputs)))
