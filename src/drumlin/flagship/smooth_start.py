"""A smooth start: nodes spread over the data without a look at the targets, then thinned out."""

from __future__ import annotations

import numpy as np

from drumlin._kernels import SQUARED
from drumlin._typing import FloatArray, IntArray
from drumlin.flagship.smooth import Smooth, fit_shape, smooth_network
from drumlin.flagship.start import SCAN_ROWS, StartProblem, node_caps, systematic_sample
from drumlin.laplace.elimination import elimination
from drumlin.refinement.activations import activations
from drumlin.refinement.refine import RefineProblem

WIDTH, RATIO = 2.0, 0.01
"""Where the search for widths and tau starts: widths in units of the square root of d."""

_COVERED = 1e-8  # a sample with less variance left than this is as good as a node


def find_smooth(
    problem: StartProblem, price: float, max_nodes: int | None = None
) -> tuple[Smooth, IntArray]:
    """Spread nodes, learn widths, spread and learn again; drop nodes not worth their price.

    Parameters
    ----------
    problem : StartProblem
        A regression problem with inputs that vary.
    price : float
        Loss, in units of the noise, that a node must save.
    max_nodes : int or None

    Returns
    -------
    smooth : Smooth
    rows : ndarray of shape (n_nodes,)
        Samples the nodes stand on.
    """
    used = systematic_sample(problem.Z, problem.labels, SCAN_ROWS)
    part = problem.take(used)
    n_features = problem.Z.shape[1]
    shape = np.append(np.full(n_features, np.log(WIDTH * np.sqrt(n_features))), np.log(RATIO))
    for _ in range(2):
        rows = spread(part.Z, np.exp(shape[:-1]), node_caps(part)[0])
        shape = fit_shape(_squares(part), part.Z[rows], shape)
    rows = used[rows]
    whole = _squares(problem)
    smooth = smooth_network(whole, problem.Z[rows], shape)
    nodes = smooth.nodes()
    candidates = elimination(
        activations(problem.Z, nodes.centers, nodes.inv_widths),
        nodes.coef,
        nodes.intercept,
        problem.weight / smooth.noise,
        SQUARED,
        smooth.weight_penalties(),
    )
    kept = candidates.until(price=price)
    if max_nodes is not None:
        kept = candidates.until(n_nodes=max_nodes)
    return smooth_network(whole, problem.Z[rows[kept]], shape), rows[kept]


def spread(Z: FloatArray, widths: FloatArray, size: int) -> IntArray:
    """Choose the sample that the Gaussian process knows least, again and again.

    That is the Cholesky factorisation of the kernel with complete pivoting, from the sample nearest
    to the origin on.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
    widths : ndarray of shape (n_features,)
    size : int

    Returns
    -------
    ndarray
        Rows of Z; fewer than ``size`` where all others are as good as known.
    """
    U = Z / widths
    variance = np.ones(len(U))
    factor = np.empty((min(size, len(U)), len(U)))
    rows: list[int] = []
    row = int((U * U).sum(axis=1).argmin())
    while len(rows) < len(factor) and variance[row] > _COVERED:
        m = len(rows)
        kernel = np.exp(-0.5 * ((U - U[row]) ** 2).sum(axis=1))
        factor[m] = (kernel - factor[:m, row] @ factor[:m]) / np.sqrt(variance[row])
        variance = variance - factor[m] ** 2
        rows.append(row)
        row = int(variance.argmax())
    return np.array(rows, dtype=np.int64)


def _squares(problem: StartProblem) -> RefineProblem:
    return RefineProblem(problem.Z, problem.targets, problem.weight, SQUARED)
