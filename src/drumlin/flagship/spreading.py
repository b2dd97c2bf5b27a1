"""A smooth start: nodes spread over the data without a look at the targets, then thinned out."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import gaussian_activations
from drumlin.flagship.recipe import Recipe, SmoothKind
from drumlin.flagship.smooth import Smooth, fit_shape, smooth_network
from drumlin.flagship.start import node_caps
from drumlin.laplace import Elimination
from drumlin.losses import Squared
from drumlin.sample import Rows

FEW = SmoothKind(size=1.0, nugget=1e-3, margin=1.5)
"""As many nodes as a start may have."""

_COVERED = 1e-8  # a sample with less variance left than this is as good as a node


def find_smooth(
    rows: Rows,
    price: float,
    recipe: Recipe,
    max_nodes: int | None = None,
    kind: SmoothKind = FEW,
    like: Smooth | None = None,
) -> tuple[Smooth, IntArray]:
    """Spread nodes, learn widths, spread and learn again; drop nodes not worth their price.

    Parameters
    ----------
    rows : Rows
        A regression problem with inputs that vary.
    price : float
        Loss, in units of the noise, that a node must save.
    recipe : Recipe
    max_nodes : int or None
    kind : SmoothKind
    like : Smooth or None
        Where the search for widths starts, if they are known nearly.

    Returns
    -------
    smooth : Smooth
    support : ndarray of shape (n_nodes,)
        Rows given to ``fit`` that the nodes stand on.
    """
    # Copies of a row agree with each other: as samples they would tell that there is no noise.
    rule, sample = recipe.smooth, rows.draw(recipe.smooth.rows).once()
    d = rows.n_features
    shape = np.append(np.full(d, np.log(rule.width * np.sqrt(d))), np.log(rule.ratio))
    shape = shape if like is None else like.shape
    most = int(kind.size * node_caps(sample.total, sample.n_classes, recipe.start)[0])
    for _ in range(rule.rounds if like is None else 1):
        nodes = sample.take(spread(sample.X, np.exp(shape[:-1]), most))
        shape = fit_shape(sample, nodes.X, shape, kind.nugget, rule)
    unseen = recipe.growth.n_apart(rows.n_rows) if rows.n_rows > recipe.schedule.large else 0
    more = rows.represented_by(min(recipe.judge.truncation_rows, rows.n_rows - unseen))
    smooth = smooth_network(more, nodes.X, shape, kind.nugget)
    candidates = Elimination.of(smooth, more.with_noise(smooth.noise), Squared())
    kept = candidates.prune(price, max_nodes)
    return smooth_network(more, nodes.X[kept], shape, kind.nugget), nodes.index[kept]


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
        kernel = gaussian_activations(U, U[[row]], np.ones((1, U.shape[1])))[:, 0]
        factor[m] = (kernel - factor[:m, row] @ factor[:m]) / np.sqrt(variance[row])
        variance = variance - factor[m] ** 2
        rows.append(row)
        row = int(variance.argmax())
    return np.array(rows, dtype=np.int64)
