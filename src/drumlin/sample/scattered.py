"""Rows that are not in memory: the law of rows over parts, wherever these live."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.sample.audience import tell_stage
from drumlin.sample.memory import Sample, added
from drumlin.sample.parts import Joint, Parts
from drumlin.sample.reserve import Counts, Reserve
from drumlin.sample.rows import Rows, Sums

View = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Scattered(Rows):
    """Rows in parts somewhere else, and a reserve of them here for all draws.

    Parameters
    ----------
    pieces : Parts
        Of ``Sample``.
    reserve : Reserve
        Of the inputs as they are seen now.
    n_classes : int
        1 where targets are numbers.
    views : tuple of callable
        What the inputs of the pieces have still to pass through.
    noise : float
    single : bool
        As in ``Sample``.

    See Also
    --------
    Sample

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.sample import PartsInMemory, Sample, Scattered
    >>> X, y = np.arange(60.0)[:, None], np.arange(60) % 2
    >>> whole = Sample.of(X, 2.0 * y[:, None] - 1.0, y, np.ones(60), n_classes=2)
    >>> parts = PartsInMemory([[whole.take(np.arange(30))], [whole.take(np.arange(30, 60))]])
    >>> rows = Scattered.of(parts, n_classes=2, size=20, apart=5)
    >>> rows.n_rows, rows.draw(10).n_rows
    (60, 10)
    """

    pieces: Parts
    reserve: Reserve
    n_classes: int
    views: tuple[View, ...] = ()
    noise: float = 1.0
    single: bool = False

    @classmethod
    def of(cls, pieces: Parts, n_classes: int, size: int, apart: int) -> Rows:
        """Return rows in parts, or in memory where there are not more than draws may have.

        Parameters
        ----------
        pieces : Parts
            Of ``Sample``; equal rows of one block are one.
        n_classes : int
        size, apart : int
            Rows of the largest draw, and most rows kept apart.
        """
        tell_stage("drawing", 3, None)
        reserve = Reserve.of(pieces, Counts.of(pieces, n_classes), size, apart)
        return reserve.everything() if reserve.complete else cls(pieces, reserve, n_classes)

    # ------------------------------------------------------------------ what is known of them
    @property
    def n_rows(self) -> int:
        """Number of rows; equal ones of one block are one."""
        return int(self.reserve.counts.rows.sum())

    @property
    def n_features(self) -> int:
        """Number of inputs."""
        return self.reserve.rows.n_features

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return self.reserve.counts.total

    # ------------------------------------------------------------------ sums
    def sum(self, f: Callable[[Sample], Sums], *, cost: int = 1) -> Sums:
        """Add up ``f(piece)`` over all pieces, see ``Rows.sum``."""
        sums: Sums = self.pieces.fold(partial(self._seen(), f=f), _both_added)
        return sums

    def fold(self, f: Callable[[Sample], Any], join: Joint) -> Any:
        """Join ``f(piece)`` of all pieces, for what is no sum."""
        return self.pieces.fold(partial(self._seen(), f=f), join)

    def largest(self, f: Callable[[Sample], FloatArray]) -> FloatArray:
        """Entrywise maximum of ``f(piece)`` over all pieces."""
        return np.asarray(self.pieces.fold(partial(self._seen(), f=f), np.maximum))

    def _seen(self) -> Callable[..., Any]:
        return partial(_of_seen, views=self.views, noise=self.noise, single=self.single)

    # ------------------------------------------------------------------ draws
    def draw(self, size: int) -> Sample:
        """Return the rows of lowest hash, class by class: from the reserve."""
        if size > self.reserve.size:
            raise ValueError(
                f"A draw of rows that are not in memory must have at most {self.reserve.size} "
                f"rows. Got {size}."
            )
        return self._known(self.reserve.draw(size))

    def apart(self, size: int) -> Sample:
        """Return the rows of highest hash, class by class: from the reserve."""
        return self._known(self.reserve.apart(size))

    def represented_by(self, size: int) -> Sample:
        """Return a draw that counts in losses as much as all rows."""
        drawn = self.draw(min(size, self.reserve.size))
        return replace(drawn, stands_for=self.total / drawn.total)

    def _known(self, sample: Sample) -> Sample:
        return replace(sample, noise=self.noise, single=self.single)

    # ------------------------------------------------------------------ other views
    def through(self, view: View) -> Scattered:
        """Return the rows with other inputs; nothing is computed before it is asked for."""
        return replace(self, views=(*self.views, view), reserve=self.reserve.through(view))

    def with_noise(self, noise: float) -> Scattered:
        """Return the rows with another variance of the noise."""
        return replace(self, noise=noise)

    def in_single(self, single: bool) -> Scattered:
        """Return the rows with columns in single (or double) precision.

        Single ones are mapped and kept as kernels want them, half as large: they are for many
        passes.
        """
        if single == self.single or not single:
            return replace(self, single=single)
        pieces = self.pieces.mapped(partial(_columns_of, views=self.views))
        return replace(self, pieces=pieces, views=(), single=True)


def _both_added(one: Any, other: Any) -> Any:
    return added([one, other])


def _of_seen(
    piece: Sample, f: Callable[[Sample], Any], views: tuple[View, ...], noise: float, single: bool
) -> Any:
    """Apply a function to a piece as it is seen."""
    return f(replace(_viewed(piece, views), noise=noise, single=single))


def _viewed(piece: Sample, views: tuple[View, ...]) -> Sample:
    for view in views:
        piece = piece.through(view)
    return piece


def _columns_of(piece: Sample, views: tuple[View, ...]) -> list[Sample]:
    """Return a piece feature by feature, in single precision, without what sums do not need."""
    X: Any = np.ascontiguousarray(_viewed(piece, views).X.T, dtype=np.float32).T
    n, no_rows = len(X), slice(0, 0)
    codes = np.empty((n, 0)) if piece.n_classes > 1 else piece.codes
    return [
        replace(piece, X=X, codes=codes, index=piece.index[no_rows], hashes=piece.hashes[no_rows])
    ]
