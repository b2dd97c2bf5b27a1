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
is with one score of two classes. H is what it should be at a minimum; before one it may not be
positive definite, and then only a part of the bends counts.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.laplace.quadratic import LEAST_FREEDOM, network_scores
from drumlin.laplace.solution import Solution
from drumlin.linear.factors import cholesky_factor
from drumlin.losses import Logistic, Loss, Softmax
from drumlin.sample import Sample

LARGEST_MOVE = 3.0
"""By how much leaving a sample out moves the scores of its classes at most: the quadratic model of
certain probabilities is flat, and its steps have no end."""

BEND_SHARES = (1.0, 0.5, 0.25, 0.125)
"""Shares of the bends that are tried, until what is left is positive definite."""

AT_ONCE = 20_000_000
"""Derivatives that are held at once."""


class SolutionOfSeveral(Solution, Protocol):
    """A network with several scores whose variables are known."""

    def jacobians(self, Z: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_outputs, n_variables) of all scores."""

    def bends(self, Z: FloatArray, pull: FloatArray) -> FloatArray:
        """Second derivatives (n_variables, n_variables) of the sum of scores times ``pull``."""


def loo_scores_of_several(
    solution: SolutionOfSeveral, sample: Sample, loss: Loss, *, bent: bool = True
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
    """
    parts = _parts(sample, solution)
    H = np.diag(solution.precision())
    for part in parts:
        rows = _curved(solution, part, loss).astype(np.float64, copy=False)  # see ``penalized``
        H += rows.T @ rows
    factor = _factor(H, _bends(solution, parts, loss)) if bent else cholesky_factor(H)
    return np.concatenate([_left_out(solution, part, loss, factor) for part in parts])


def _bends(solution: SolutionOfSeveral, parts: list[Sample], loss: Loss) -> FloatArray:
    """What the second derivatives of the scores add to the curvature."""
    size = len(solution.precision())
    bends = np.zeros((size, size))
    for part in parts:
        slopes = loss.slopes(part.targets, network_scores(solution, part.X))
        bends += solution.bends(part.X, part.loss_weight[:, None] * slopes)
    return bends


def _factor(H: FloatArray, bends: FloatArray) -> FloatArray:
    """Lower factor of H with as much of the bends as leaves it positive definite."""
    for share in BEND_SHARES:
        with suppress(np.linalg.LinAlgError):
            return np.asarray(np.linalg.cholesky(H + share * bends))
    return cholesky_factor(H)


def _parts(sample: Sample, solution: SolutionOfSeveral) -> list[Sample]:
    """Rows in parts, whose derivatives are not too many numbers at once."""
    n_outputs, size = len(solution.nodes().intercept), len(solution.precision())
    step = max(1, AT_ONCE // (n_outputs * size))
    return [sample.take(slice(i, i + step)) for i in range(0, sample.n_rows, step)]


def _slopes(solution: SolutionOfSeveral, sample: Sample, loss: Loss) -> FloatArray:
    """Derivatives (n_rows, n_outputs, n_variables) of scores, in the sample's precision."""
    J = solution.jacobians(sample.X)
    if isinstance(loss, Softmax):
        J = J - J.mean(axis=1, keepdims=True)  # a common shift of the scores means nothing
    return J.astype(np.float32) if sample.single else J


def _curved(solution: SolutionOfSeveral, sample: Sample, loss: Loss) -> FloatArray:
    """Rows R (n_rows * n_outputs, n_variables) with ``R' R`` the curvature of their losses."""
    J = _slopes(solution, sample, loss)
    roots = loss.curvature_roots(network_scores(solution, sample.X))
    n, k, size = J.shape
    rows = (roots.transpose(0, 2, 1).astype(J.dtype) @ J).reshape(n * k, size)
    rows *= np.repeat(np.sqrt(sample.loss_weight), k)[:, None].astype(J.dtype)
    return np.asarray(rows)


def _left_out(
    solution: SolutionOfSeveral, sample: Sample, loss: Loss, factor: FloatArray
) -> FloatArray:
    """Scores (n_rows, n_outputs) of samples left out, by the factor of all of them."""
    scores, J = network_scores(solution, sample.X), _slopes(solution, sample, loss)
    n, k, size = J.shape
    lower = factor.astype(J.dtype, copy=False)
    half = solve_triangular(lower, J.reshape(n * k, size).T, lower=True, check_finite=False)
    half = half.T.reshape(n, k, size)
    left = sample.left_out / sample.noise
    A = left[:, None, None] * (half @ half.transpose(0, 2, 1)).astype(np.float64)
    roots = loss.curvature_roots(scores)
    curvature = roots @ roots.transpose(0, 2, 1)
    moves = moves_left_out(A, curvature, loss.slopes(sample.targets, scores))
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
