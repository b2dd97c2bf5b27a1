"""Where the nodes of a network that grows come from: a pool of samples, or a search in a box."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Nodes
from drumlin.estimators.training import Training
from drumlin.linear import OrthogonalRegression
from drumlin.search import BoxSearch
from drumlin.selection import NodeSpace, Proposals, SamplePool, Selection, TunableNode, WidthLadder


@dataclass(frozen=True)
class Run:
    """One attempt at a network.

    Parameters
    ----------
    width : float
        What distinguishes it, in standardised units (NaN where every node has its own widths).
    proposals : Proposals
    regression : OrthogonalRegression
        The model to grow.
    """

    width: float
    proposals: Proposals
    regression: OrthogonalRegression


class Plan(ABC):
    """Where the nodes of one fit come from.

    Attributes
    ----------
    n_runs : int
    largest : int
        Most nodes a network can have.
    optimism : float
        See ``Stopping``.
    """

    n_runs: int
    largest: int
    optimism: float = 0.0

    @abstractmethod
    def runs(self) -> Iterator[Run]:
        """Runs, made one at a time."""

    @abstractmethod
    def original_nodes(self, selection: Selection) -> tuple[Nodes, IntArray | None]:
        """Nodes of all stages in original units, and the training rows they stand on (if any)."""


@dataclass(frozen=True)
class Grown:
    """A finished run: its selection, and its best prefix with final penalties.

    ``last`` says that a callback wants no further run.
    """

    run: Run
    selection: Selection
    regression: OrthogonalRegression
    last: bool = False

    @property
    def squared_error(self) -> float:
        """Leave-one-out squared error of the best prefix."""
        return self.regression.loo_squared_error()

    @property
    def cost(self) -> float:
        """Criterion of the best prefix; infinite where there is no node."""
        costs = self.selection.costs[: self.selection.size]
        return costs[-1] if costs else np.inf


@dataclass(frozen=True)
class PoolPlan(Plan):
    """Candidates at fixed centers, one run per width.

    Parameters
    ----------
    training : Training
    centers : ndarray of shape (n_candidates, n_features)
        In original units.
    support : ndarray of shape (n_candidates,)
        Training rows the centers stand on (or rows of the given centers).
    widths : list of float
        In standardised units, widest first.
    ladder : WidthLadder
    ties : str
    fit_intercept : bool
    """

    training: Training
    centers: FloatArray
    support: IntArray
    widths: list[float]
    ladder: WidthLadder
    ties: str
    fit_intercept: bool

    @property
    def n_runs(self) -> int:  # type: ignore[override]
        """Number of widths."""
        return len(self.widths)

    @property
    def largest(self) -> int:  # type: ignore[override]
        """Number of candidates."""
        return len(self.centers)

    def runs(self) -> Iterator[Run]:
        """Runs, one per width."""
        for width in self.widths:
            regression = self.training.regression(
                self.ladder.radial, fit_intercept=self.fit_intercept
            )
            candidates = self.ladder.candidates(width, regression)
            yield Run(width, SamplePool(candidates, ties=self.ties), regression)

    def original_nodes(self, selection: Selection) -> tuple[Nodes, IntArray]:
        """Nodes of all stages in original units, and the training rows they stand on."""
        chosen = np.array([proposal.index for proposal in selection.proposals], dtype=np.int64)
        widths = np.ones_like(self.centers[chosen]) * self.training.scaler.scale
        if len(chosen):
            widths = widths * selection.proposals[0].node.widths
        return Nodes(self.centers[chosen], widths, self.ladder.radial), self.support[chosen]


@dataclass(frozen=True)
class SearchPlan(Plan):
    """One run, its nodes found by a search.

    Parameters
    ----------
    training : Training
    space : NodeSpace
    search : BoxSearch
    rng : RandomState
    start_at_samples : bool
    n_threads : int
    fit_intercept : bool
    penalize_size : bool
    """

    training: Training
    space: NodeSpace
    search: BoxSearch
    rng: np.random.RandomState
    start_at_samples: bool
    n_threads: int
    fit_intercept: bool
    penalize_size: bool

    n_runs = 1

    @property
    def largest(self) -> int:  # type: ignore[override]
        """One node per sample."""
        return len(self.training.X)

    @property
    def optimism(self) -> float:  # type: ignore[override]
        """Twice the tuned parameters of a node per observation (Akaike), if sizes are penalised."""
        tuned = int((self.space.box.span > 0.0).sum()) if self.penalize_size else 0
        return 2.0 * tuned / (self.training.weight.sum() * self.training.codes.shape[1])

    def runs(self) -> Iterator[Run]:
        """Yield the only run."""
        proposals = TunableNode(
            self.training.inputs(),
            self.space,
            self.search,
            self.rng,
            start_at_samples=self.start_at_samples,
            n_threads=self.n_threads,
        )
        yield Run(np.nan, proposals, self.training.regression(fit_intercept=self.fit_intercept))

    def original_nodes(self, selection: Selection) -> tuple[Nodes, IntArray | None]:
        """Nodes of all stages in original units; they stand on no training rows."""
        n_features = self.training.X.shape[1]
        found = [proposal.node for proposal in selection.proposals]
        centers = np.concatenate([np.empty((0, n_features)), *[node.centers for node in found]])
        widths = np.concatenate([np.empty((0, n_features)), *[node.widths for node in found]])
        scaler = self.training.scaler
        with np.errstate(over="ignore"):  # too wide for a number: ignored
            widths = widths * scaler.scale
        return Nodes(scaler.inverse_transform(centers), widths, self.space.radial), None
