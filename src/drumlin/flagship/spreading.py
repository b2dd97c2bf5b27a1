"""A smooth start: nodes spread over the data without a look at the targets, then thinned out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import gaussian_activations
from drumlin.flagship.choose import Rival
from drumlin.flagship.recipe import Recipe, SmoothKind
from drumlin.flagship.smooth import Smooth, fit_shape, smooth_network
from drumlin.flagship.start import node_caps
from drumlin.laplace import Elimination
from drumlin.losses import Squared
from drumlin.sample import Rows, Sample

_COVERED = 1e-8  # a sample with less variance left than this is as good as a node


@dataclass(frozen=True)
class Spreading:
    """The search for smooth networks.

    Parameters
    ----------
    rows : Rows
        A regression problem with one output and inputs that vary.
    recipe : Recipe
    price : float
        Loss, in units of the noise, that a node must save.
    max_nodes : int or None
    unseen : int
        Rows kept apart that are to judge: they are not looked at.
    """

    rows: Rows
    recipe: Recipe
    price: float
    max_nodes: int | None = None
    unseen: int = 0

    def rivals(self) -> Iterator[Rival]:
        """Yield a network of every kind."""
        many: Smooth | None = None  # few nodes mislead, and take no time: theirs are learned anew
        for kind in self.recipe.smooth.tried:
            smooth, support = self.find(kind, many)
            many = smooth if kind.size > 1.0 else None
            yield Rival(smooth, support, kind.margin)

    def find(self, kind: SmoothKind, like: Smooth | None = None) -> tuple[Smooth, IntArray]:
        """Spread nodes, learn widths, spread and learn again; drop nodes not worth their price.

        Parameters
        ----------
        kind : SmoothKind
        like : Smooth or None
            Where the search for widths starts, if they are known nearly.

        Returns
        -------
        smooth : Smooth
        support : ndarray of shape (n_nodes,)
            Rows given to ``fit`` that the nodes stand on.
        """
        rule, seen = self.recipe.smooth, self.rows.n_rows - self.unseen
        # Copies of a row agree with each other: as samples they would tell that there is no noise.
        sample = self.rows.draw(min(rule.rows, seen)).once()
        cap = node_caps(sample.total, sample.n_rows, sample.n_targets, self.recipe.start)[0]
        most = int(kind.size * cap)
        shape = self._first_shape() if like is None else like.shape
        for _ in range(rule.rounds if like is None else 1):
            nodes = sample.take(spread(sample.X, np.exp(shape[:-1]), most))
            shape = fit_shape(sample, nodes.X, shape, kind.nugget, rule)
        more = self.rows.represented_by(min(self.recipe.judge.truncation_rows, seen))
        smooth = smooth_network(more, nodes.X, shape, kind.nugget)
        kept = self._worth_their_price(smooth, more)
        return smooth_network(more, nodes.X[kept], shape, kind.nugget), nodes.index[kept]

    def _first_shape(self) -> FloatArray:
        """Logarithms of equal widths and of tau."""
        rule, d = self.recipe.smooth, self.rows.n_features
        return np.append(np.full(d, np.log(rule.width * np.sqrt(d))), np.log(rule.ratio))

    def _worth_their_price(self, smooth: Smooth, sample: Sample) -> IntArray:
        candidates = Elimination.of(smooth, sample.with_noise(smooth.noise), Squared())
        return candidates.prune(self.price, self.max_nodes)


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
