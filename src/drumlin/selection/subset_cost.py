"""The Bayesian information criterion of subsets of kernels: many at once, or guessed (ando2004)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.basis import Nodes, Radial
from drumlin.criteria.bic import bayesian_information, kinds, subset_surprise
from drumlin.linear.exchange import Exchange
from drumlin.linear.logistic import LogisticFits, LogisticProblem
from drumlin.linear.newton import fit_logistic
from drumlin.linear.whitening import Whitened, whiten
from drumlin.search import SubsetCost

_BATCH = 1_000_000
"""Numbers in the largest array of a batch: it stays in cache, and memory stays bounded."""

_SHORTLIST, _LEAST_SHORTLIST = 200, 8
"""Candidates times contrasts whose cost is guessed closely; and least number of candidates."""


@dataclass(frozen=True)
class KernelColumns:
    """Candidate kernels of one width.

    Parameters
    ----------
    activations : ndarray of shape (n_candidates, n_samples)
    kernel : ndarray of shape (n_candidates, n_candidates)
    """

    activations: FloatArray
    kernel: FloatArray

    @classmethod
    def of_width(cls, Z: FloatArray, rows: IntArray, width: float, radial: Radial) -> KernelColumns:
        """Kernels at some rows of the inputs Z."""
        nodes = Nodes(Z[rows], np.full((len(rows), Z.shape[1]), width), radial)
        activations = nodes.activate(Z)
        return cls(activations, np.ascontiguousarray(activations[:, rows]))

    @classmethod
    def at(cls, Z: FloatArray, centers: FloatArray, width: float, radial: Radial) -> KernelColumns:
        """Kernels at given places, which need not be rows of the inputs Z."""
        nodes = Nodes(centers, np.full(centers.shape, width), radial)
        return cls(nodes.activate(Z), nodes.activate(centers))

    def __len__(self) -> int:
        return len(self.activations)

    @cached_property
    def n_kinds(self) -> float:
        """How many different functions the candidates are."""
        return kinds(self.kernel)

    def whitened(self, members: list[IntArray]) -> Whitened:
        """Whitened columns of several subsets, filled up to the largest."""
        n_centers = max(len(member) for member in members)
        index = np.zeros((len(members), n_centers), dtype=np.int64)
        there = np.zeros(index.shape, dtype=bool)
        for row, member in enumerate(members):
            index[row, : len(member)] = member
            there[row, : len(member)] = True
        activations = self.activations[index]
        activations[~there] = 0.0
        kernel = self.kernel[index[:, :, None], index[:, None, :]]
        both = there[:, :, None] & there[:, None, :]
        return whiten(activations, np.where(both, kernel, np.eye(n_centers)))


@dataclass
class SubsetBIC(SubsetCost):
    """BIC of subsets of kernels, for one width and one set of penalties.

    Parameters
    ----------
    columns : KernelColumns
    problem : LogisticProblem
    alphas : ndarray of shape (n_contrasts,)
    max_nodes : int
        Larger subsets have infinite cost.
    scores : ndarray of shape (n_contrasts, n_samples) or None
        Where fits start: those of the best subset so far.
    prior : str or ndarray of shape (n_sizes,)
        Name of a prior probability of subsets, see ``criteria.bic.subset_surprise``, or its
        logarithm by size; larger subsets are then impossible. "equal" is the paper's.

    Attributes
    ----------
    least : float
        Least BIC so far.
    known : tuple
        The best subset of the last batch and its fit: searches ask for its neighbours next.
    """

    columns: KernelColumns
    problem: LogisticProblem
    alphas: FloatArray
    max_nodes: int
    scores: FloatArray | None = None
    prior: str | FloatArray = "equal"
    least: float = field(default=np.inf, init=False)
    known: tuple[IntArray, Any] = field(default=(np.array([-1]), None), init=False, repr=False)

    @cached_property
    def surprise(self) -> FloatArray:
        """``-2 log P(M)`` (n_candidates + 1,) by the size of a subset."""
        if isinstance(self.prior, str):
            return subset_surprise(self.prior, len(self.columns), self.columns.n_kinds)
        surprise = np.full(len(self.columns) + 1, np.inf)
        known = self.prior[: len(surprise)]
        surprise[: len(known)] = -2.0 * known
        return surprise

    @property
    def penalties(self) -> FloatArray:
        """``n alpha`` of every contrast."""
        return self.problem.n_samples * self.alphas

    def __call__(self, subsets: BoolArray) -> FloatArray:
        """BIC (m,) of m subsets, the rows of ``subsets``."""
        costs = np.full(len(subsets), np.inf)
        sizes = subsets.sum(axis=1)
        order = np.argsort(sizes, kind="stable")
        possible = np.isfinite(self.surprise[sizes[order]])
        allowed = order[(sizes[order] <= self.max_nodes) & possible]
        for part in self._batches(allowed, sizes):
            members = [np.flatnonzero(subsets[i]) for i in part]
            whitened, fits, costs[part] = self.fit(members)
            best = int(np.argmin(costs[part]))
            if len(members[best]) == len(members[-1]):  # the largest: nothing was filled up
                one = slice(best, best + 1)
                self.known = (
                    members[best],
                    (
                        whitened.take(best),
                        fits.take(best),
                        costs[part][one],
                    ),
                )
            if costs[part[best]] < self.least:
                self.least, self.scores = float(costs[part[best]]), fits.scores[best]
        return costs

    def fit(self, members: list[IntArray]) -> tuple[Whitened, LogisticFits, FloatArray]:
        """Fit a batch of subsets; their BIC comes last."""
        if len(members) == 1 and np.array_equal(members[0], self.known[0]):
            return self.known[1]
        whitened = self.columns.whitened(members)
        penalties = np.repeat(self.penalties[None], len(members), axis=0)
        fits, bic = self._fit(whitened.columns, penalties)
        return whitened, fits, bic + self.surprise[[len(member) for member in members]]

    def with_penalties(self, members: IntArray, alphas: FloatArray) -> FloatArray:
        """BIC (m,) of one subset with other penalties, the rows of ``alphas``."""
        columns = self.columns.whitened([members]).columns
        penalties = self.problem.n_samples * alphas
        step = max(1, _BATCH // (columns.size * self.problem.n_contrasts))
        parts = [penalties[i : i + step] for i in range(0, len(penalties), step)]
        values = [self._fit(np.repeat(columns, len(part), axis=0), part)[1] for part in parts]
        return np.concatenate(values) + self.surprise[len(members)]

    def _fit(self, columns: FloatArray, penalties: FloatArray) -> tuple[LogisticFits, FloatArray]:
        fits = fit_logistic(columns, self.problem, penalties, self.scores)
        # Whitened, R is the identity; columns that fill up add log(n alpha) to both determinants.
        rank = columns.shape[1] - 1
        bic = bayesian_information(fits.loss, fits.penalty, fits.log_det, penalties, rank)
        return fits, bic

    def estimate_flips(self, subset: BoolArray) -> FloatArray:
        """Guess the BIC (n_candidates,) with each candidate joining or leaving, by one step."""
        members = np.flatnonzero(subset)
        m, surprise = len(members), self.surprise
        whitened, fits, bic = self.fit([members])
        exchange = Exchange(whitened, fits, self.problem, self.penalties)
        prior = float(np.log(self.penalties).sum())
        guesses = np.full(len(subset), np.inf)
        if len(members) < self.max_nodes:
            # Members come out as dependent on themselves: cheaper than a copy without them.
            kernel = self.columns.kernel[:, members]
            few = max(_LEAST_SHORTLIST, _SHORTLIST // self.problem.n_contrasts)
            value, log_det = exchange.additions(self.columns.activations, kernel, few)
            more = surprise[min(m + 1, len(subset))] - surprise[m]
            guesses = bic[0] + value + log_det - prior + more
        if len(members):
            value, log_det = exchange.removals()
            guesses[members] = bic[0] + value + log_det + prior + surprise[m - 1] - surprise[m]
        return guesses

    def _batches(self, order: IntArray, sizes: IntArray) -> Iterator[IntArray]:
        """Parts of the subsets, small ones first, of bounded memory."""
        n_samples, k = len(self.problem.labels), self.problem.n_contrasts
        first = 0
        while first < len(order):
            numbers = k * n_samples * (1 + sizes[order[first:]])
            fitting = np.arange(1, len(numbers) + 1) * numbers <= _BATCH
            count = max(1, int(fitting.sum()))
            yield order[first : first + count]
            first += count
