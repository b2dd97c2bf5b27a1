r"""The quadratic model of all second derivatives: leave-one-out for classes, or many outputs.

As in ``quadratic``, but the scores of a row share variables, and those of classes pull at each
other: with J_i the K x p derivatives of a row's scores in all variables, S_i its curvature
(diag p - p p' of a softmax, the identity of squares), g_i the slope of its loss and

.. math:: H = \sum_i s_i \Big( J_i' S_i J_i + \sum_k g_{ik} \nabla^2 f_{ik} \Big) + \Lambda

a sample left out moves its own scores by

.. math:: f^{(-i)} = f_i + (I - A_i S_i)^{-1} A_i g_i, \qquad A_i = s_i J_i H^{-1} J_i'

Nothing may be left out of the curvature: with the weights alone, or a diagonal, it fails, and
without the second derivatives of the scores (Gauss-Newton) steps are too long, by two thirds on
Breiman's waveforms: many directions that no slope holds are held by how the network bends. So it
is with one score of two classes. H is what it should be at a minimum; before one, bends may take
away (nearly) all that the slopes hold, and then only a part of them counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from drumlin._typing import FloatArray
from drumlin.laplace.quadratic import LEAST_FREEDOM, QuadraticModel, network_scores, penalized
from drumlin.laplace.shared import SharedSlopes
from drumlin.laplace.solution import Solution
from drumlin.linear.factors import cholesky_factor, inverse_of_factor
from drumlin.losses import Logistic, Loss, Softmax
from drumlin.sample import Sample

LARGEST_MOVE = 3.0
"""By how much leaving a sample out moves the scores of its classes at most: the quadratic model of
certain probabilities is flat, and its steps have no end."""

BEND_SHARES = (1.0, 0.5, 0.25, 0.125)
"""Shares of the bends that are tried, until enough is left."""

LEAST_HELD = 0.05
"""Part of what slopes and penalties hold that bends must leave of every direction: a matrix that is
just so positive definite moves all rows as far as they can."""

AT_ONCE = 4_000_000
"""Derivatives that are held at once."""


class SolutionOfSeveral(Solution, Protocol):
    """A network with several scores whose variables are known."""

    def shared_slopes(self, Z: FloatArray) -> SharedSlopes:
        """Derivatives of all scores in weights and in what moves the nodes they share."""

    def curvature_of_variables(self, H: FloatArray) -> FloatArray:
        """Curvature in the variables of a curvature in the slopes."""

    def covariance_of_slopes(self, inverse: FloatArray) -> FloatArray:
        """Covariance of the slopes' weights and moves, of the variables' covariance."""

    def bends(self, Z: FloatArray, pull: FloatArray) -> FloatArray:
        """Second derivatives (n_variables, n_variables) of the sum of scores times ``pull``."""


def loo_scores_of_several(
    solution: SolutionOfSeveral,
    sample: Sample,
    loss: Loss,
    *,
    bent: bool = True,
    whole: bool = False,
) -> FloatArray:
    """Scores (n_rows, n_outputs) of samples left out, by one Newton step each.

    Parameters
    ----------
    solution : SolutionOfSeveral
    sample : Sample
    loss : Loss
    bent : bool
        Whether second derivatives of the scores count; the loss must be that of the fit. Without
        them losses left out are told too high.
    whole : bool
        Whether a row is left out with all its copies: one that stays would know the answer.
    """
    parts = _parts(sample, solution)
    model = _OneScore(solution) if _n_outputs(solution) == 1 else _SharedNodes(solution)
    H = model.curvature(parts, loss)
    factor = _factor(H, _bends(solution, parts, loss)) if bent else cholesky_factor(H)
    moved = []
    for part, A in zip(parts, model.covariances(parts, factor), strict=True):
        left = (part.weight if whole else part.left_out) / part.noise
        moved.append(_left_out(solution, part, loss, left[:, None, None] * A))
    return np.concatenate(moved)


@dataclass(frozen=True)
class _OneScore:
    """Curvature and covariances of a single score."""

    solution: SolutionOfSeveral

    def curvature(self, parts: list[Sample], loss: Loss) -> FloatArray:
        """Return ``sum_i s_i J_i' S_i J_i`` (n_variables, n_variables) and the penalties."""
        return penalized((self._curved(part, loss) for part in parts), self.solution.precision())

    def _curved(self, part: Sample, loss: Loss) -> FloatArray:
        """Rows R (n_rows, n_variables) with ``R' R`` the curvature of their losses."""
        curvature = part.loss_weight * loss.curvatures(network_scores(self.solution, part.X))[:, 0]
        J = self._slopes(part)
        return J * np.sqrt(curvature)[:, None].astype(J.dtype)

    def covariances(self, parts: list[Sample], factor: FloatArray) -> Iterator[FloatArray]:
        """Yield ``J_i H^-1 J_i'`` (n_rows, 1, 1) of every part."""
        for part in parts:
            yield QuadraticModel(factor).variances(self._slopes(part))[:, None, None]

    def _slopes(self, part: Sample) -> FloatArray:
        J = self.solution.jacobian(part.X)
        return J.astype(np.float32) if part.single else J


@dataclass(frozen=True)
class _SharedNodes:
    """Curvature and covariances of several scores, whose nodes are the same."""

    solution: SolutionOfSeveral

    def curvature(self, parts: list[Sample], loss: Loss) -> FloatArray:
        """Return ``sum_i s_i J_i' S_i J_i`` (n_variables, n_variables) and the penalties."""
        in_slopes = np.asarray(sum(self._curved(part, loss) for part in parts))
        return self.solution.curvature_of_variables(in_slopes) + np.diag(self.solution.precision())

    def _curved(self, part: Sample, loss: Loss) -> FloatArray:
        S = _curvatures(loss, network_scores(self.solution, part.X))
        S *= part.loss_weight[:, None, None]
        return self.solution.shared_slopes(part.X).curvature(S)

    def covariances(self, parts: list[Sample], factor: FloatArray) -> Iterator[FloatArray]:
        """Yield ``J_i H^-1 J_i'`` (n_rows, n_outputs, n_outputs) of every part."""
        P = self.solution.covariance_of_slopes(inverse_of_factor(factor))
        for part in parts:
            yield self.solution.shared_slopes(part.X).covariances(P)


def _n_outputs(solution: SolutionOfSeveral) -> int:
    return len(solution.nodes().intercept)


def _bends(solution: SolutionOfSeveral, parts: list[Sample], loss: Loss) -> FloatArray:
    """What the second derivatives of the scores add to the curvature."""
    size = len(solution.precision())
    bends = np.zeros((size, size))
    for part in parts:
        slopes = loss.slopes(part.targets, network_scores(solution, part.X))
        bends += solution.bends(part.X, part.loss_weight[:, None] * slopes)
    return bends


def _factor(H: FloatArray, bends: FloatArray) -> FloatArray:
    """Lower factor of H with as much of the bends as leaves ``LEAST_HELD`` of it."""
    for share in BEND_SHARES:
        with suppress(np.linalg.LinAlgError):
            np.linalg.cholesky((1.0 - LEAST_HELD) * H + share * bends)
            return np.asarray(np.linalg.cholesky(H + share * bends))
    return cholesky_factor(H)


def _parts(sample: Sample, solution: SolutionOfSeveral) -> list[Sample]:
    """Rows in parts, whose derivatives are not too many numbers at once."""
    numbers = max(len(solution.precision()), _n_outputs(solution) ** 2)  # of a row
    step = max(1, AT_ONCE // numbers)
    return [sample.take(slice(i, i + step)) for i in range(0, sample.n_rows, step)]


def _curvatures(loss: Loss, scores: FloatArray) -> FloatArray:
    """Second derivatives (n_rows, n_outputs, n_outputs) of the losses."""
    roots = loss.curvature_roots(scores)
    return np.asarray(roots @ roots.transpose(0, 2, 1))


def _left_out(solution: SolutionOfSeveral, sample: Sample, loss: Loss, A: FloatArray) -> FloatArray:
    """Scores (n_rows, n_outputs) of samples left out: A covariances, times the weight left out."""
    scores = network_scores(solution, sample.X)
    if isinstance(loss, Softmax):  # a common shift of the scores means nothing
        A = A - A.mean(axis=1, keepdims=True)
        A = A - A.mean(axis=2, keepdims=True)
    moves = moves_left_out(A, _curvatures(loss, scores), loss.slopes(sample.targets, scores))
    return np.asarray(scores + _bounded(moves, loss))


def _bounded(moves: FloatArray, loss: Loss) -> FloatArray:
    """Moves (n_rows, n_outputs) that are not too long; a single score is the difference of two."""
    if not isinstance(loss, (Softmax, Logistic)):
        return moves
    most = 2.0 * LARGEST_MOVE if isinstance(loss, Logistic) else LARGEST_MOVE
    farthest = np.abs(moves).max(axis=1, keepdims=True)
    return np.asarray(moves * (most / np.maximum(farthest, most)))


def curvatures_of(p: FloatArray) -> FloatArray:
    """Return ``diag p - p p'`` (n, k, k) of probabilities (n, k)."""
    return np.asarray(p[:, :, None] * (np.eye(p.shape[1]) - p[:, None, :]))


def moves_left_out(A: FloatArray, curvature: FloatArray, slope: FloatArray) -> FloatArray:
    """Moves (n, k) of scores: the Newton step of every sample left out.

    Parameters
    ----------
    A : ndarray of shape (n, k, k)
        Covariances of the scores, times the weight left out.
    curvature : ndarray of shape (n, k, k)
    slope : ndarray of shape (n, k)
    """
    leverage = A @ curvature
    largest = np.linalg.eigvals(leverage).real.max(axis=1)
    leverage *= np.minimum(1.0, (1.0 - LEAST_FREEDOM) / np.maximum(largest, 0.5))[:, None, None]
    identity = np.eye(A.shape[1])
    return np.asarray(np.linalg.solve(identity - leverage, A @ slope[:, :, None])[:, :, 0])
