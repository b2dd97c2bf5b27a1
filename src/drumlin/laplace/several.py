r"""The quadratic model of several scores: leave-one-out for many classes, or many outputs.

As in ``quadratic``, but the scores of a row share variables, and those of classes pull at each
other: with J_i the K x p derivatives of a row's scores in all variables, S_i its curvature
(diag p - p p' of a softmax, the identity of squares) and
:math:`H = \sum_i s_i J_i' S_i J_i + \Lambda`, a sample left out moves its own scores by

.. math:: f^{(-i)} = f_i + (I - A_i S_i)^{-1} A_i g_i, \qquad A_i = s_i J_i H^{-1} J_i'

Nothing may be left out of the curvature: with the weights alone, or a diagonal, it fails.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._typing import FloatArray
from drumlin.laplace.quadratic import LEAST_FREEDOM, network_scores, penalized
from drumlin.laplace.solution import Solution
from drumlin.linear.factors import cholesky_factor
from drumlin.losses import Loss, Softmax
from drumlin.sample import Sample

LARGEST_MOVE = 3.0
"""Log-odds by which leaving a sample out moves its scores at most: the quadratic model of certain
probabilities is flat, and its steps have no end."""


class SolutionOfSeveral(Solution, Protocol):
    """A network with several scores whose variables are known."""

    def jacobians(self, Z: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_outputs, n_variables) of all scores."""


def loo_scores_of_several(solution: SolutionOfSeveral, sample: Sample, loss: Loss) -> FloatArray:
    """Scores (n_rows, n_outputs) of samples left out, by one Newton step each.

    Parameters
    ----------
    solution : SolutionOfSeveral
    sample : Sample
    loss : Loss
    """
    scores, J = network_scores(solution, sample.X), solution.jacobians(sample.X)
    of_classes = isinstance(loss, Softmax)
    if of_classes:
        J = J - J.mean(axis=1, keepdims=True)  # a common shift of the scores means nothing
    J = J.astype(np.float32) if sample.single else J
    roots = loss.curvature_roots(scores)
    factor = _factor(solution, J, roots, sample.loss_weight)
    n, k, size = J.shape
    half = solve_triangular(factor, J.reshape(n * k, size).T, lower=True, check_finite=False)
    half = half.T.reshape(n, k, size)
    left = sample.left_out / sample.noise
    A = left[:, None, None] * (half @ half.transpose(0, 2, 1)).astype(np.float64)
    curvature = roots @ roots.transpose(0, 2, 1)
    moves = moves_left_out(A, curvature, loss.slopes(sample.targets, scores))
    if of_classes:
        farthest = np.abs(moves).max(axis=1, keepdims=True)
        moves = moves * (LARGEST_MOVE / np.maximum(farthest, LARGEST_MOVE))
    return scores + moves


def _factor(
    solution: SolutionOfSeveral, J: FloatArray, roots: FloatArray, weight: FloatArray
) -> FloatArray:
    """Lower Cholesky factor of the Gauss-Newton matrix, in the precision of J."""
    n, k, size = J.shape
    rows = (roots.transpose(0, 2, 1).astype(J.dtype) @ J).reshape(n * k, size)
    rows *= np.repeat(np.sqrt(weight), k)[:, None].astype(J.dtype)
    factor = cholesky_factor(penalized(rows, solution.precision()))
    return np.asarray(factor.astype(J.dtype, copy=False))


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
