"""Forward selection over rows that are not in memory: every quantity is a sum over their parts.

The columns of all candidates over many rows fit nowhere, so parts recompute theirs in every pass.
A stage takes two passes with all candidates (their statistics, then their coordinates along the
column that joined; as many numbers as candidates leave a part), and some with one column only. The
orthogonal columns of a part are made where the part is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from drumlin._kernels import Candidates, backend
from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Nodes, Radial
from drumlin.criteria import StatisticCriterion
from drumlin.linear import DEPENDENT
from drumlin.linear.parts import PartRegression, Triangle
from drumlin.sample import Sample, Scattered
from drumlin.selection.candidates import (
    Inputs,
    Pool,
    add_products_,
    empty_statistic,
    part_of,
    project_out_,
)
from drumlin.selection.recomputed import BLOCK, activations, chunks
from drumlin.selection.scoring import Scoring


def inputs_of(piece: Sample) -> Inputs:
    """Inputs of a piece as the kernels want them."""
    columns = np.ascontiguousarray(piece.X.T, dtype=np.float64)
    return Inputs(columns, np.sqrt(piece.weight))


class Model(NamedTuple):
    """A regression over all rows: nodes and what is known of their columns.

    Parameters
    ----------
    nodes : Nodes
        In the units of the rows.
    triangle : Triangle
    """

    nodes: Nodes
    triangle: Triangle

    def at(self, piece: Sample) -> PartRegression:
        """Return the regression for a piece of the rows."""
        Phi = activations(inputs_of(piece), self.nodes)
        return PartRegression.of(piece.codes, piece.weight, Phi, self.triangle)


# ------------------------------------------------------------------ sums of parts
def _targets(piece: Sample) -> tuple[FloatArray, FloatArray]:
    """Sums (n_outputs,) of the targets and of their squares."""
    return piece.weight @ piece.codes, piece.weight @ piece.codes**2


def _orthogonal(piece: Sample, model: Model, node: Nodes, a: FloatArray) -> tuple[Any, ...]:
    """Split the column of a node into its orthogonal part and the model of the piece."""
    regression = model.at(piece)
    column = inputs_of(piece).column(node)
    return column - a @ regression.basis.W, column, regression


def _coordinates(piece: Sample, model: Model, node: Nodes, a: FloatArray) -> tuple[FloatArray]:
    """Products (n_columns,) of the orthogonal columns with what coordinates leave of a column."""
    w, _, regression = _orthogonal(piece, model, node, a)
    return (regression.basis.W @ w,)


def _column_sums(piece: Sample, model: Model, node: Nodes, a: FloatArray) -> tuple[Any, ...]:
    """Squared norms of a column and its orthogonal part; its products with the residuals."""
    w, column, regression = _orthogonal(piece, model, node, a)
    return float(w @ w), float(column @ column), w @ regression.residual


def _squared_errors(piece: Sample, model: Model) -> tuple[float]:
    """Sum of the squared leave-one-out errors, over the weight of all rows."""
    return (model.at(piece).loo_squared_error(),)


def _statistic(piece: Sample, model: Model, criterion: StatisticCriterion) -> tuple[FloatArray]:
    """Statistic (1, n_numbers) of the model as it stands."""
    scoring = Scoring(criterion, piece.labels, piece.weight)
    return (scoring.statistic(criterion, model.at(piece)),)


def _products(piece: Sample, nodes: Nodes) -> tuple[FloatArray, FloatArray]:
    """Squared norms (n_candidates,) of candidates and products with the targets."""
    inputs = inputs_of(piece)
    targets = np.ascontiguousarray((piece.codes * inputs.root[:, None]).T)
    known = Candidates(np.zeros(len(nodes)), np.zeros((len(nodes), len(targets))))
    for rows in chunks(len(inputs)):
        some, own = inputs.take(rows), np.ascontiguousarray(targets[:, rows])
        for block in _blocks(len(nodes)):
            add_products_(activations(some, nodes.take(block)), own, part_of(known, block))
    return known.norms2, known.dots


def _along(piece: Sample, model: Model, nodes: Nodes, which: int) -> tuple[FloatArray, FloatArray]:
    """Coordinates (n_candidates,) along a column of length 1, and those of the targets."""
    inputs, regression = inputs_of(piece), model.at(piece)
    q = regression.basis.W[which] / np.sqrt(regression.basis.norms2[which])
    a = np.zeros(len(nodes))
    for rows in chunks(len(inputs)):
        some = inputs.take(rows)
        for block in _blocks(len(nodes)):
            backend().inner_(activations(some, nodes.take(block)), q[rows], a[block])
    return a, (inputs.root * q) @ regression.targets


class _Question(NamedTuple):
    """What a stage asks of all parts: candidates, as they are known, and what to count."""

    model: Model
    nodes: Nodes
    known: Candidates
    A: FloatArray
    criterion: StatisticCriterion
    alpha: float


def _statistics(piece: Sample, asked: _Question) -> tuple[FloatArray]:
    """Statistics (n_candidates, n_numbers) of the model grown by each candidate."""
    inputs, regression = inputs_of(piece), asked.model.at(piece)
    loo = regression.kernel_state(piece.labels, asked.criterion.zero)
    Q = regression.basis.W / np.sqrt(regression.basis.norms2)[:, None]
    kind, out = empty_statistic(asked.criterion, len(asked.nodes), piece.codes.shape[1])
    for rows in chunks(len(inputs)):
        some, own, directions = inputs.take(rows), loo.take(rows), np.ascontiguousarray(Q[:, rows])
        for block in _blocks(len(asked.nodes)):
            V = activations(some, asked.nodes.take(block))
            coordinates = np.ascontiguousarray(asked.A[:, block])
            backend().subtract_projections_(V, coordinates, directions)
            known, index = part_of(asked.known, block), np.arange(len(V))
            backend().score_(V, index, known, own, asked.alpha, kind, out[block])
    return (out,)


def _blocks(n_candidates: int) -> list[slice]:
    return [slice(i, min(i + BLOCK, n_candidates)) for i in range(0, n_candidates, BLOCK)]


# ------------------------------------------------------------------ the model
class TableRegression:
    """``OrthogonalRegression`` of rows that are not in memory.

    Parameters
    ----------
    rows : Scattered
        In the units of the nodes.
    model : Model
    """

    def __init__(self, rows: Scattered, model: Model) -> None:
        self.rows, self.model = rows, model

    @classmethod
    def start(cls, rows: Scattered, radial: Radial, *, fit_intercept: bool) -> TableRegression:
        """Return a model without nodes."""
        sums, energy = rows.sum(_targets)
        triangle = Triangle.start(sums, energy, rows.total, fit_intercept=fit_intercept)
        none = np.empty((0, rows.n_features))
        return cls(rows, Model(Nodes(none, none, radial), triangle))

    @property
    def triangle(self) -> Triangle:
        """What is known of the columns."""
        return self.model.triangle

    @property
    def basis(self) -> Triangle:
        """Squared norms and coordinates of the columns."""
        return self.model.triangle

    @property
    def fit_intercept(self) -> bool:
        """Whether the first column is the constant."""
        return self.triangle.fit_intercept

    @property
    def alphas(self) -> FloatArray:
        """Penalties (n_columns,)."""
        return self.triangle.alphas

    @property
    def g(self) -> FloatArray:
        """Weights (n_columns, n_outputs) of the orthogonal columns."""
        return self.triangle.g

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return self.triangle.total

    def squares(self) -> FloatArray:
        """Sums of squared residuals (n_outputs,)."""
        return np.asarray(self.triangle.squares()[-1])

    def join(self, node: Nodes, penalty: Callable[[FloatArray, FloatArray], float]) -> bool:
        """Add the column of a node, see ``OrthogonalRegression.join``."""
        norms2, a = self.triangle.norms2, np.zeros(len(self.triangle.norms2))
        for _ in range(2):  # "twice is enough"
            (step,) = self._sum(_coordinates, node=node, a=a)
            a = a + step / norms2
        norm2, start, dots = self._sum(_column_sums, node=node, a=a)
        if not norm2 > DEPENDENT * start:
            return False
        alpha = penalty(*_as_short_vectors(norm2, dots, self.squares()))
        nodes = self.model.nodes.followed_by(node)
        self.model = Model(nodes, self.triangle.grown(a, norm2, alpha, dots))
        return True

    def prefix(self, n_nodes: int) -> TableRegression:
        """Return the model of the first nodes."""
        triangle = self.triangle.prefix(n_nodes + int(self.fit_intercept))
        return TableRegression(self.rows, Model(self.model.nodes.take(slice(n_nodes)), triangle))

    def with_alphas(self, alphas: FloatArray) -> TableRegression:
        """Return the same columns with other penalties."""
        return TableRegression(
            self.rows, self.model._replace(triangle=self.triangle.with_alphas(alphas))
        )

    def loo_squared_error(self) -> float:
        """Weighted mean of the squared leave-one-out errors, summed over outputs."""
        (error,) = self._sum(_squared_errors)
        return float(error)

    def statistic(self, criterion: StatisticCriterion) -> FloatArray:
        """Statistic (1, n_numbers) of the model as it stands."""
        (statistic,) = self._sum(_statistic, criterion=criterion)
        return np.asarray(statistic)

    def _sum(self, f: Callable[..., tuple[Any, ...]], **asked: Any) -> tuple[Any, ...]:
        return self.rows.sum(partial(f, model=self.model, **asked))


def _as_short_vectors(
    norm2: float, dots: FloatArray, squares: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """A column (2,) and residuals (2, n_outputs) with given norms and products.

    Penalties are made of these products alone, whatever the number of rows.
    """
    along = dots / np.sqrt(norm2)
    across = np.sqrt(np.maximum(squares - along**2, 0.0))
    return np.array([np.sqrt(norm2), 0.0]), np.vstack([along, across])


@dataclass(frozen=True)
class TableScoring(Scoring):
    """A criterion applied to rows that are not in memory; labels and weights are the classes'."""

    def cost(self, regression: Any) -> float:
        """Cost of the model as it stands."""
        assert isinstance(self.criterion, StatisticCriterion)
        statistic = regression.statistic(self.criterion)
        return float(self.criterion.from_statistic(statistic, self.class_weight)[0])


class TableCandidates(Pool):
    """Candidates whose columns are recomputed by every part of the rows.

    Parameters
    ----------
    rows : Scattered
        In the units of the nodes.
    nodes : Nodes
    """

    def __init__(self, rows: Scattered, nodes: Nodes) -> None:
        self.rows = rows
        norms2, dots = rows.sum(partial(_products, nodes=nodes))
        super().__init__(nodes, Candidates(norms2, dots))
        self.A: FloatArray = np.empty((0, len(nodes)))

    def follow(self, regression: Any) -> None:
        """Learn the coordinates of the candidates along the columns that have joined."""
        for which in range(len(self.A), len(regression.basis.norms2)):
            a, q_targets = self.rows.sum(
                partial(_along, model=regression.model, nodes=self.nodes, which=which)
            )
            self.A = np.vstack([self.A, a])
            project_out_(self.known, a, q_targets)

    def costs(self, scoring: Scoring, regression: Any, alpha: float) -> FloatArray:
        """Cost of the model grown by each candidate; infinite where it cannot join."""
        eligible = self.eligible()
        costs = np.full(len(self.nodes), np.inf)
        index = np.flatnonzero(eligible)
        assert isinstance(scoring.criterion, StatisticCriterion)
        if len(index):
            costs[index] = self.costs_of(index, scoring.criterion, scoring, regression, alpha)
        return costs

    def costs_of(
        self,
        index: IntArray,
        criterion: StatisticCriterion,
        scoring: Scoring,
        regression: Any,
        alpha: float,
    ) -> FloatArray:
        """Cost of some candidates under a criterion."""
        asked = _Question(
            model=regression.model,
            nodes=self.nodes.take(index),
            known=part_of(self.known, index),
            A=np.ascontiguousarray(self.A[:, index]),
            criterion=criterion,
            alpha=alpha,
        )
        (statistics,) = self.rows.sum(partial(_statistics, asked=asked))
        costs = criterion.from_statistic(statistics, scoring.class_weight)
        return np.where(np.isnan(costs), np.inf, costs)

    def column(self, j: int) -> Nodes:
        """Candidate j itself: its column stays with the rows."""
        return self.nodes.take(slice(j, j + 1))


@dataclass(frozen=True)
class TableLadder:
    """``WidthLadder`` of rows that are not in memory.

    Parameters
    ----------
    rows : Scattered
    centers : ndarray of shape (n_candidates, n_features)
    radial : Radial
    """

    rows: Scattered
    centers: FloatArray
    radial: Radial

    def candidates(self, width: float, regression: Any) -> TableCandidates:
        """Candidates of one width for a model that is about to grow."""
        nodes = Nodes(self.centers, np.full_like(self.centers, width), self.radial)
        return TableCandidates(self.rows, nodes)
