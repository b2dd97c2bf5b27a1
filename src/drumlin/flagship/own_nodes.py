r"""Samples left out of a smooth network whose nodes stand on some of them.

A quadratic model leaves out what a sample says, but not the node that stands on it because it was
there: with few samples that node is half of what is known around it. Without the sample, a node
would stand on the next one instead. So weights are solved for once more with the node there (or
without it, where all samples have nodes), widths as they are: of

.. math:: H = A' S A + \Lambda, \qquad A = [\Phi, 1]

the row and column of the node change, and what the sample had added goes.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_solve

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import gaussian_activations
from drumlin.flagship.smooth import Smooth
from drumlin.laplace import LocalFit
from drumlin.linear.factors import cholesky_factor
from drumlin.refinement import Refined


def scores_left_out(
    solution: Refined | Smooth, support: IntArray, local: LocalFit, *, whole: bool = False
) -> FloatArray:
    """Scores (n_rows,) of samples left out of a regression.

    Parameters
    ----------
    solution : Refined or Smooth
    support : ndarray of shape (n_nodes,)
        Rows given to ``fit`` that the nodes stand on; those of refined ones have moved away.
    local : LocalFit
        The quadratic model of the solution.
    whole : bool
        Whether a row is left out with all its copies.
    """
    scores = local.loo_scores(whole=whole)
    if isinstance(solution, Smooth):
        nodes, rows = _nodes_on_rows(support, local.sample.index)
        scores[rows] = _without(solution, local, nodes, rows, whole=whole)
    return scores


def _nodes_on_rows(support: IntArray, index: IntArray) -> tuple[IntArray, IntArray]:
    """Nodes that stand on rows of a sample, and these rows."""
    order = np.argsort(index, kind="stable")
    places = np.minimum(np.searchsorted(index[order], support), len(index) - 1)
    rows = order[places]
    nodes = np.flatnonzero(index[rows] == support)
    return nodes, rows[nodes]


def _without(
    smooth: Smooth, local: LocalFit, nodes: IntArray, rows: IntArray, *, whole: bool
) -> FloatArray:
    """Scores (n_nodes,) of rows, by networks whose node stands elsewhere."""
    sample, network = local.sample, smooth.nodes()
    Phi = gaussian_activations(sample.X, network.centers, network.inv_widths)
    A, y, weight = np.column_stack([Phi, np.ones(len(Phi))]), sample.codes[:, 0], sample.loss_weight
    weighted, penalties = A * weight[:, None], smooth.weight_penalties()
    H, v = weighted.T @ A + penalties, weighted.T @ y
    nearest, close = _next_rows(Phi, nodes, rows)
    inv_widths = network.inv_widths[nodes]
    moved = gaussian_activations(sample.X, sample.X[nearest], inv_widths) * close
    between = gaussian_activations(network.centers, sample.X[nearest], inv_widths) * close
    ratio = penalties[0, 0] / (1.0 + smooth.nugget)
    cross = weighted.T @ moved
    cross[:-1] += ratio * between
    own = weight @ moved**2 + penalties[0, 0]
    left = (sample.weight if whole else sample.left_out) / sample.noise
    scores = np.empty(len(nodes))
    for k, (j, i) in enumerate(zip(nodes, rows, strict=True)):
        a, system, pull = A[i].copy(), H.copy(), v.copy()
        a[j], pull[j] = moved[i, k], (weight * moved[:, k]) @ y
        system[j], system[:, j] = cross[:, k], cross[:, k]
        system[j, j] = own[k]
        system -= left[i] * np.outer(a, a)
        factor = (cholesky_factor(system), True)
        scores[k] = a @ cho_solve(factor, pull - left[i] * y[i] * a, check_finite=False)
    return scores


def _next_rows(Phi: FloatArray, nodes: IntArray, rows: IntArray) -> tuple[IntArray, FloatArray]:
    """The row next to every node on which no node stands, and 1, or 0 where there is none."""
    free = np.ones(len(Phi), dtype=bool)
    free[rows] = False
    nearest = np.where(free[:, None], Phi[:, nodes], -1.0).argmax(axis=0)
    return nearest, np.full(len(nodes), float(free.any()))
