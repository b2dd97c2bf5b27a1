"""Nodes that are searched for: a center and widths in a box, found by a search (chen2010)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from drumlin._kernels import ZERO_IS_FIRST, Candidates, backend, map_blocks
from drumlin._typing import FloatArray
from drumlin.basis import Nodes, Radial
from drumlin.criteria import LOOSquaredError, StatisticCriterion
from drumlin.linear import DEPENDENT, OrthogonalRegression
from drumlin.search import Box, BoxSearch
from drumlin.selection.candidates import IN_CACHE, Inputs, empty_statistic
from drumlin.selection.proposals import Proposal, Proposals
from drumlin.selection.scoring import Scoring


@dataclass(frozen=True)
class NodeSpace:
    """Points of a box that stand for nodes: a center, then its widths on some scale.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_features,)
        Smallest box that holds all samples: eq. (23) of chen2010.
    width_range : tuple of two floats
        Least and largest width: eq. (24).
    log_widths : bool
        Whether the box holds logarithms of widths, or their squares as in the paper.
    isotropic : bool
        One width for all inputs, or one for each.
    radial : Radial
    """

    lower: FloatArray
    upper: FloatArray
    width_range: tuple[float, float]
    log_widths: bool
    isotropic: bool
    radial: Radial

    @cached_property
    def box(self) -> Box:
        """Where the search may look."""
        bounds = np.array(self.width_range)
        least, largest = np.log(bounds) if self.log_widths else bounds**2
        n_widths = 1 if self.isotropic else len(self.lower)
        return Box(
            np.append(self.lower, np.full(n_widths, least)),
            np.append(self.upper, np.full(n_widths, largest)),
        )

    def nodes(self, points: FloatArray) -> Nodes:
        """Nodes that some points stand for."""
        n_features = len(self.lower)
        centers = np.ascontiguousarray(points[:, :n_features])
        coordinates = points[:, n_features:]
        widths = np.exp(coordinates) if self.log_widths else np.sqrt(coordinates)
        return Nodes(centers, widths * np.ones(n_features), self.radial)

    def starts(self, centers: FloatArray, rng: np.random.RandomState) -> FloatArray:
        """Points at given centers with random widths."""
        points = self.box.sample(len(centers), rng)
        points[:, : len(self.lower)] = centers
        return points

    def pull_back(self, node: Nodes, by_center: FloatArray, by_width: FloatArray) -> FloatArray:
        """Gradient with respect to a point from those with respect to its node (chain rule)."""
        widths = node.widths[0]
        slope = widths if self.log_widths else 0.5 / widths
        by_coordinate = by_width[0] * slope
        return np.append(by_center[0], by_coordinate.sum() if self.isotropic else by_coordinate)


class NodeCost:
    """Cost of the model grown by each node of a batch: eqs. (26)-(31) of chen2010.

    Parameters
    ----------
    space : NodeSpace
    inputs : Inputs
    scoring : Scoring
    regression : OrthogonalRegression
        The model as it stands.
    alpha : float
        Penalty of the new node.
    n_threads : int
    """

    def __init__(
        self,
        space: NodeSpace,
        inputs: Inputs,
        scoring: Scoring,
        regression: OrthogonalRegression,
        alpha: float,
        n_threads: int = 1,
    ) -> None:
        self.space = space
        self.inputs = inputs
        self.scoring = scoring
        self.regression = regression
        self.alpha = alpha
        self.n_threads = n_threads
        criterion = scoring.criterion
        zero = criterion.zero if isinstance(criterion, StatisticCriterion) else ZERO_IS_FIRST
        self._loo = regression.kernel_state(scoring.labels, zero)
        self._rooms: list[FloatArray] = []  # for columns, one a thread: new memory is slow
        basis = regression.basis
        self._Q = basis.W / np.sqrt(basis.norms2)[:, None]
        self._weighted_targets = np.ascontiguousarray(
            (regression.targets * regression.root[:, None]).T
        )

    def __call__(self, points: FloatArray) -> FloatArray:
        """Costs (m,) of m points; infinite where a node depends linearly on the model."""
        nodes = self.space.nodes(points)
        if isinstance(self.scoring.criterion, StatisticCriterion):
            costs = self._by_statistic(self.scoring.criterion, nodes)
        else:
            costs = self._by_definition(nodes)
        return np.where(np.isnan(costs), np.inf, costs)

    def _by_statistic(self, criterion: StatisticCriterion, nodes: Nodes) -> FloatArray:
        """Activate, orthogonalise and score, a few nodes at a time so that they stay in cache."""
        n_samples, n_outputs = self.regression.targets.shape
        kind, out = empty_statistic(criterion, len(nodes), n_outputs)

        largest = max(1, IN_CACHE // n_samples)

        def work(part: slice) -> None:
            room = self._rooms.pop() if self._rooms else np.empty((largest, n_samples))
            V = room[: part.stop - part.start]
            known = Candidates(np.empty(len(V)), np.empty((len(V), n_outputs)))
            start_norms2 = np.empty(len(V))
            self.inputs.activate_(nodes.take(part), V)
            backend().project_(V, self._Q, self._weighted_targets, start_norms2, known)
            backend().score_(V, np.arange(len(V)), known, self._loo, self.alpha, kind, out[part])
            out[part][known.norms2 <= DEPENDENT * start_norms2] = np.nan
            self._rooms.append(room)

        block = min(largest, -(-len(nodes) // self.n_threads))
        map_blocks(work, len(nodes), n_threads=self.n_threads, cost=n_samples, block=block)
        return criterion.from_statistic(out, self.scoring.class_weight)

    def _by_definition(self, nodes: Nodes) -> FloatArray:
        """Score by ``Criterion.cost``, for criteria the kernels do not know."""
        criterion, regression = self.scoring.criterion, self.regression
        labels, weight = self.scoring.labels, self.scoring.weight
        costs = np.full(len(nodes), np.inf)
        for j in range(len(nodes)):
            column = self.inputs.column(nodes.take(slice(j, j + 1)))
            w, _ = regression.basis.orthogonalize(column)
            if w @ w > DEPENDENT * (column @ column):
                grown = regression.grown_loo_predictions(column, self.alpha)
                costs[j] = criterion.cost(regression.targets, grown, labels, weight)
        return costs


class SmoothNodeCost(NodeCost):
    """The cost by leave-one-out squared error, which has a gradient."""

    def value_and_gradient(self, point: FloatArray) -> tuple[float, FloatArray]:
        """Cost of one point and its gradient (n_dimensions,)."""
        node = self.space.nodes(point[None])
        column = self.inputs.column(node)
        value, by_column = self.regression.grown_squared_error(column, self.alpha)
        by_activation = (by_column * self.inputs.root)[None]
        return value, self.space.pull_back(
            node, *node.pull_back(self.inputs.columns.T, by_activation)
        )


class TunableNode(Proposals):
    """A node searched for anew at every stage.

    Parameters
    ----------
    inputs : Inputs
    space : NodeSpace
    search : BoxSearch
    rng : RandomState
    start_at_samples : bool
        Whether the search begins at samples drawn at random, or anywhere in the box.
    n_threads : int
    """

    def __init__(
        self,
        inputs: Inputs,
        space: NodeSpace,
        search: BoxSearch,
        rng: np.random.RandomState,
        *,
        start_at_samples: bool,
        n_threads: int = 1,
    ) -> None:
        self.inputs = inputs
        self.space = space
        self.search = search
        self.rng = rng
        self.start_at_samples = start_at_samples
        self.n_threads = n_threads
        self.n_steps = search.n_iterations + 1

    def best(
        self, scoring: Scoring, regression: OrthogonalRegression, alpha: float
    ) -> Proposal | None:
        """Search for the node that lowers the cost most."""
        smooth = isinstance(scoring.criterion, LOOSquaredError)
        kind = SmoothNodeCost if smooth else NodeCost
        cost = kind(self.space, self.inputs, scoring, regression, alpha, self.n_threads)
        result = self.search.minimize(
            cost, self.space.box, self.rng, start=self._starts(), on_iteration=self.on_step
        )
        if not np.isfinite(result.cost):
            return None
        node = self.space.nodes(result.x[None])
        return Proposal(node, self.inputs.column(node), search=result)

    def _starts(self) -> FloatArray | None:
        """Different samples, as many as the search begins with (or all of them)."""
        if not self.start_at_samples:
            return None
        n = min(len(self.inputs), self.search.n_starts)
        rows = self.rng.choice(len(self.inputs), n, replace=False)
        return self.space.starts(self.inputs.columns[:, rows].T, self.rng)
