"""An answer that is wanted of a network, and the region in which inputs may be looked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.network import Network
from drumlin.novelty import Novelty
from drumlin.trust.reach import Reach

CLOSE, ROUNDING = 1e-9, 1e-12
"""Parts of the margin at x, and of all weights, that a margin must have."""


@dataclass(frozen=True)
class Wanted:
    """Linear conditions on scores: every margin ``A f + c`` must be above zero.

    Parameters
    ----------
    A : ndarray of shape (n_margins, n_outputs)
    c : ndarray of shape (n_margins,)
    """

    A: FloatArray
    c: FloatArray

    @classmethod
    def of_class(cls, index: int, n_outputs: int) -> Wanted:
        """Want a class; one output says that of two it is the second."""
        if n_outputs == 1:
            return cls(np.array([[1.0 if index else -1.0]]), np.zeros(1))
        others = np.delete(np.arange(n_outputs), index)
        A = np.zeros((n_outputs - 1, n_outputs))
        A[:, index] = 1.0
        A[np.arange(n_outputs - 1), others] = -1.0
        return cls(A, np.zeros(n_outputs - 1))

    @classmethod
    def of_range(cls, low: float, high: float) -> Wanted:
        """Want a number between two, either of which may be infinite."""
        ends = [(1.0, -low)] * bool(np.isfinite(low)) + [(-1.0, high)] * bool(np.isfinite(high))
        return cls(np.array([[sign] for sign, _ in ends]), np.array([end for _, end in ends]))

    def margins(self, scores: FloatArray) -> FloatArray:
        """Margins (n_samples, n_margins) of scores (n_samples, n_outputs)."""
        return np.asarray(scores @ self.A.T + self.c)


@dataclass(frozen=True)
class Region:
    """Where inputs may be: a box in which they are not novel, some of them whole numbers.

    Parameters
    ----------
    low, high, spread : ndarray of shape (n_features,)
        Ends of the box, and units of distances.
    whole : ndarray of bool of shape (n_features,)
    novelty : Novelty
    """

    low: FloatArray
    high: FloatArray
    spread: FloatArray
    whole: BoolArray
    novelty: Novelty


@dataclass(frozen=True)
class Question:
    """What is looked for: an input near x with the wanted answer.

    Parameters
    ----------
    network : Network
    wanted : Wanted
    region : Region
    x : ndarray of shape (n_features,)
    """

    network: Network
    wanted: Wanted
    region: Region
    x: FloatArray

    @cached_property
    def reach(self) -> Reach:
        """Where inputs are not novel."""
        return Reach(self.region.novelty)

    def margins(self, X: FloatArray) -> FloatArray:
        """Margins (n_samples, n_margins) of inputs."""
        return self.wanted.margins(self.network(X))

    def slopes(self, X: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_margins, n_features) of the margins."""
        return np.einsum("mk,nkd->nmd", self.wanted.A, self.network.gradient(X))

    @cached_property
    def slack(self) -> FloatArray:
        """Margins (n_margins,) that are told from rounding: one row may differ from many."""
        size = np.abs(self.wanted.A) @ np.abs(self.network.coef).sum(axis=0)
        return np.asarray(CLOSE * np.abs(self.margins(self.x[None])[0]) + ROUNDING * size)

    def is_answer(self, X: FloatArray) -> BoolArray:
        """Whether inputs (n_samples, n_features) have the answer and lie in the region.

        Inputs that stay as they are may lie outside the box.
        """
        region, kept = self.region, self.x == X
        inside = (kept | ((region.low <= X) & (region.high >= X))).all(axis=1)
        whole = (kept | ~region.whole | (np.floor(X) == X)).all(axis=1)
        answers = (self.margins(X) > self.slack).all(axis=1)
        return np.asarray(answers & inside & whole & ~self.region.novelty.is_beyond(X))

    def lacking(self, X: FloatArray) -> FloatArray:
        """How far inputs (n_samples, n_features) of the box are from answers, 0 where they are.

        In margins at x, or parts of the largest squared distance that is not novel, if that is
        more.
        """
        unit = np.maximum(np.abs(self.margins(self.x[None])[0]), self.slack)
        short = ((self.slack - self.margins(X)) / unit).max(axis=1)
        return np.maximum(np.maximum(short, -self.reach.most_room(X)), 0.0)

    def distances(self, X: FloatArray) -> FloatArray:
        """Distances (n_samples,) to x, in spreads."""
        return np.asarray(np.linalg.norm((X - self.x) / self.region.spread, axis=1))
