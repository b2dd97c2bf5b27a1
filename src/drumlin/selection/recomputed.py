"""Candidate columns that do not fit in memory: recomputed chunk by chunk, abandoned early.

A stage needs every column twice: once for its coordinate along the newest direction (all
samples), once for its cost. For the cost, samples are visited in order of danger (those the
current model gets most nearly wrong first), and a candidate is dropped as soon as even a perfect
rest could not make it win. Dropping needs a *strictly* worse bound, so ties stay exact.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from drumlin._kernels import SQUARED_ERROR, Loo, backend
from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Nodes
from drumlin.linear import OrthogonalRegression
from drumlin.selection.candidates import (
    CandidateColumns,
    Inputs,
    Inquiry,
    add_products_,
    part_of,
    project_out_,
)
from drumlin.selection.ties import tie_limit

ROWS = 2048
"""Samples in one chunk."""

BLOCK = 64
"""Candidates in one block: a chunk (1 MB) stays in cache and is worth a Python call."""


class RecomputedCandidates(CandidateColumns):
    """Columns recomputed at every stage; holds Q (k, n) and A (k, L) only.

    Attributes
    ----------
    rows_scored : float
        Part of all (candidate, sample) pairs that the last scoring looked at.
    """

    def __init__(
        self,
        inputs: Inputs,
        nodes: Nodes,
        regression: OrthogonalRegression,
        n_threads: int = 1,
        block: int = BLOCK,
    ) -> None:
        self.Q: FloatArray = np.empty((0, len(inputs)))
        self.A: FloatArray = np.empty((0, len(nodes)))
        self.block = block
        self.rows_scored = 1.0
        super().__init__(inputs, nodes, regression, n_threads)

    def _initialize(self) -> None:
        def work(part: slice) -> None:
            known, nodes = part_of(self.known, part), self.nodes.take(part)
            for rows in chunks(len(self.inputs)):
                V = activations(self.inputs.take(rows), nodes)
                add_products_(V, np.ascontiguousarray(self._weighted_targets[:, rows]), known)

        self._over_blocks(work, len(self.nodes), self.block)

    def _project_out(self, q: FloatArray, q_targets: FloatArray) -> None:
        a = np.zeros(len(self.nodes))

        def work(part: slice) -> None:
            nodes = self.nodes.take(part)
            for rows in chunks(len(q)):
                backend().inner_(activations(self.inputs.take(rows), nodes), q[rows], a[part])

        self._over_blocks(work, len(self.nodes), self.block)
        self.Q, self.A = np.vstack([self.Q, q]), np.vstack([self.A, a])
        project_out_(self.known, a, q_targets)

    def _all_statistics(self, asked: Inquiry) -> FloatArray:
        index = np.flatnonzero(self.eligible())
        _, out = asked.empty(len(self.nodes))
        out[...] = np.nan
        out[index] = self._statistics(asked, index)
        return out

    def _statistics(self, asked: Inquiry, index: IntArray) -> FloatArray:
        kind, out = asked.empty(len(index))
        criterion, class_weight = asked.criterion, asked.class_weight
        chunks = list(self._endangered_first(asked.loo, kind))
        left = class_weight - np.cumsum(
            [np.bincount(c.labels, c.weight, len(class_weight)) for _, c, _ in chunks], axis=0
        )
        best = [np.inf]
        visited: list[int] = []

        def work(part: slice) -> None:
            alive, rows_of = np.arange(part.start, part.stop), index[part]
            for (inputs, chunk_loo, Q), rest in zip(chunks, left, strict=True):
                V = activations(inputs, self.nodes.take(rows_of))
                backend().subtract_projections_(V, np.ascontiguousarray(self.A[:, rows_of]), Q)
                gathered = out[alive]
                backend().score_(
                    V,
                    np.arange(len(V)),
                    part_of(self.known, rows_of),
                    chunk_loo,
                    asked.alpha,
                    kind,
                    gathered,
                )
                out[alive] = gathered
                visited.append(V.size)
                bound = criterion.bound(gathered, class_weight, np.maximum(rest, 0.0))
                keep = bound <= tie_limit(best[0])
                out[alive[~keep]] = np.nan
                alive, rows_of = alive[keep], rows_of[keep]
                if not len(alive):
                    return
            costs = criterion.from_statistic(out[alive], class_weight)
            best[0] = min(best[0], float(costs.min()))

        self._over_blocks(work, len(index), self.block)
        self.rows_scored = sum(visited) / max(1, len(index) * len(self.inputs))
        return out

    def _endangered_first(self, loo: Loo, kind: int) -> Iterator[tuple[Inputs, Loo, FloatArray]]:
        """Chunks of samples, those nearest to being wrong (or with the largest errors) first."""
        order = np.argsort(_danger(loo, kind), kind="stable")
        for rows in chunks(len(order)):
            chunk = order[rows]
            yield self.inputs.take(chunk), loo.take(chunk), np.ascontiguousarray(self.Q[:, chunk])


def _danger(loo: Loo, kind: int) -> FloatArray:
    """Smallest first: margin of the true class, or minus the squared leave-one-out error."""
    if kind == SQUARED_ERROR:
        return np.asarray(-(loo.residual**2).sum(axis=0) / loo.eta**2)
    if len(loo.scores) == 1:
        return np.asarray(loo.targets[0] * loo.scores[0])
    samples = np.arange(len(loo.labels))
    others = loo.scores.copy()
    others[loo.labels, samples] = -np.inf
    return np.asarray(loo.scores[loo.labels, samples] - others.max(axis=0))


def chunks(n_samples: int) -> Iterator[slice]:
    """Slices of samples that are looked at together."""
    for start in range(0, n_samples, ROWS):
        yield slice(start, min(start + ROWS, n_samples))


def activations(inputs: Inputs, nodes: Nodes) -> FloatArray:
    """Weighted activations (n_nodes, n_samples)."""
    out = np.empty((len(nodes), len(inputs)))
    inputs.activate_(nodes, out)
    return out
