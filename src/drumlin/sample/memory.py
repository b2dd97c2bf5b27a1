"""Rows in memory: the arrays themselves, cut into parts, summed on threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from drumlin._kernels.expansion import reach_of
from drumlin._kernels.refinement import Columns, Targets
from drumlin._kernels.threads import map_blocks, usable_threads
from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.sample.hashing import Hashes, content_hashes, highest_rows, lowest_rows
from drumlin.sample.parts import MOST_PARTS
from drumlin.sample.rows import Rows, Sums

Record = TypeVar("Record", bound=Any)  # a data class

PART_ROWS = 4096
"""Rows of a part of a table, at least; there are at most ``MOST_PARTS``."""

_BY_ROW = ("X", "codes", "labels", "weight", "index", "hashes")
"""Arrays of a sample that have a row for each of its rows."""

_TINY = float(np.finfo(float).tiny)


@dataclass(frozen=True)
class Sample(Rows):
    """Rows at hand.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
    codes : ndarray of shape (n_rows, n_outputs)
        Targets as numbers, for least squares: codes of the classes, or the numbers themselves.
    labels : ndarray of shape (n_rows,)
        Class indices; zeros where targets are numbers.
    weight : ndarray of shape (n_rows,)
        How many samples every row is.
    n_classes : int
        1 where targets are numbers.
    index : ndarray of shape (n_rows,)
        Where every row stood in the data given to ``fit``.
    hashes : ndarray of shape (n_rows,)
        Of the rows as they were given: a view of the inputs does not change what is drawn.
    noise : float
        Variance of the noise of the targets; 1 for classes.
    stands_for : float
        How many samples one of this sample stands for in a loss: above 1 in draws that are to be
        weighed like the whole table.
    single : bool
        Whether ``columns`` are in single precision.
    class_weights : tuple of float
        What the weights of every class were multiplied by: that makes no more samples of them.
        Empty where by nothing.

    See Also
    --------
    Scattered

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.sample import Sample
    >>> X, y = np.arange(10.0)[:, None], np.arange(10) % 2
    >>> sample = Sample.of(X, 2.0 * y[:, None] - 1.0, y, np.ones(10), n_classes=2)
    >>> sample.total, sample.draw(4).n_rows
    (10.0, 4)
    """

    X: FloatArray
    codes: FloatArray
    labels: IntArray
    weight: FloatArray
    n_classes: int
    index: IntArray
    hashes: Hashes
    noise: float = 1.0
    stands_for: float = 1.0
    single: bool = False
    class_weights: tuple[float, ...] = ()

    @classmethod
    def of(
        cls,
        X: FloatArray,
        codes: FloatArray,
        labels: IntArray,
        weight: FloatArray,
        n_classes: int,
        *,
        content: FloatArray | None = None,
    ) -> Sample:
        """Return rows that stand as they were given; drawn by their codes or by other targets."""
        hashes = content_hashes(X, codes if content is None else content)
        return cls(X, codes, labels, weight, n_classes, np.arange(len(X)), hashes)

    @classmethod
    def joined(cls, samples: list[Sample]) -> Sample:
        """Return the rows of several samples, which are alike in all else, as one."""
        arrays: dict[str, Any] = {
            name: np.concatenate([getattr(s, name) for s in samples]) for name in _BY_ROW
        }
        return replace(samples[0], **arrays)

    # ------------------------------------------------------------------ what is known of it
    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.X)

    @property
    def n_features(self) -> int:
        """Number of inputs."""
        return self.X.shape[1]

    @property
    def n_targets(self) -> int:
        """Number of classes, or of outputs."""
        return max(self.n_classes, self.codes.shape[1])

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return self._total

    @cached_property
    def _total(self) -> float:
        return float(self.weight.sum())

    @cached_property
    def effective(self) -> float:
        r"""Number of samples by what they tell: a rare class tells little, a small weight too.

        .. math:: N \, \frac{K}{K-1} \Big( 1 - \sum_k p_k^2 \Big), \qquad
            N_k = \frac{(\sum_i w_i)^2}{\sum_i w_i \min(w_i, 1)}

        for K classes with shares p: four times the product of their numbers over the sum of them
        for two. Weights above 1 are copies; below, Kish's number of samples counts.
        """
        copies = self.copies
        squares = np.bincount(self.labels, copies * np.minimum(copies, 1.0))
        number = np.bincount(self.labels, copies) ** 2 / np.maximum(squares, _TINY)
        if self.n_classes < 2:
            return float(number.sum())
        share = number / number.sum()
        mixed = (1.0 - float(share @ share)) * self.n_classes / (self.n_classes - 1)
        return max(1.0, float(number.sum()) * mixed)

    @property
    def targets(self) -> Targets:
        """What a loss is of: labels, or numbers."""
        return self.labels if self.n_classes > 1 else self.codes

    @cached_property
    def loss_weight(self) -> FloatArray:
        """Factors (n_rows,) of the rows' losses: weights, of the rows stood for, over the noise."""
        return (self.stands_for / self.noise) * self.weight

    @cached_property
    def left_out(self) -> FloatArray:
        """Weight (n_rows,) that leaving a sample out removes: one copy, or all where it is less."""
        return np.minimum(self.weight, self.unit)

    @property
    def n_samples(self) -> float:
        """Number of samples that the rows stand for, whatever their classes weigh."""
        return self.stands_for * float(self.copies.sum())

    @property
    def copies(self) -> FloatArray:
        """Number (n_rows,) of samples that every row is, whatever its class weighs."""
        return np.asarray(self.weight / self.unit)

    @property
    def unit(self) -> FloatArray:
        """Weight (n_rows,) or (1,) of one copy."""
        return np.array(self.class_weights)[self.labels] if self.class_weights else np.ones(1)

    @cached_property
    def columns(self) -> Columns:
        """Inputs feature by feature, (n_features, n_rows), as kernels want them."""
        if self.single:
            return np.ascontiguousarray(self.X.T, dtype=np.float32)
        return np.ascontiguousarray(self.X.T)

    @cached_property
    def reach(self) -> FloatArray:
        """Largest absolute value (n_features,) of every input, looked at once."""
        return reach_of(self.columns)

    # ------------------------------------------------------------------ sums
    @cached_property
    def parts(self) -> list[Sample]:
        """Parts of the rows: they depend on their number alone."""
        size = max(PART_ROWS, -(-self.n_rows // MOST_PARTS))
        if self.n_rows <= size:
            return [self]
        starts = range(0, self.n_rows, size)
        return [self.take(slice(start, start + size)) for start in starts]

    def _over_parts(self, f: Callable[[Sample], Any], cost: int) -> list[Any]:
        results: list[Any] = [None] * len(self.parts)

        def work(which: slice) -> None:
            for i in range(which.start, which.stop):
                results[i] = f(self.parts[i])

        cost = cost * self.parts[0].n_rows
        map_blocks(work, len(self.parts), n_threads=usable_threads(), cost=cost, block=1)
        return results

    def sum(self, f: Callable[[Sample], Sums], *, cost: int = 1) -> Sums:
        """Add up ``f(part)`` over parts of the rows, see ``Rows.sum``."""
        return added(self._over_parts(f, cost))

    def largest(self, f: Callable[[Sample], FloatArray]) -> FloatArray:
        """Entrywise maximum of ``f(part)`` over parts of the rows."""
        return np.asarray(np.max(self._over_parts(f, cost=1), axis=0))

    # ------------------------------------------------------------------ other rows, other views
    def draw(self, size: int) -> Sample:
        """Return the rows of lowest hash, class by class; itself where there are no more."""
        if self.n_rows <= size:
            return self
        rows = lowest_rows(self.hashes, self.labels, size)
        return self.take(rows)

    def apart(self, size: int) -> Sample:
        """Return the rows of highest hash, class by class."""
        return self.take(highest_rows(self.hashes, self.labels, size))

    def take(self, rows: IntArray | BoolArray | slice) -> Sample:
        """Return some of the rows."""
        return with_rows(self, _BY_ROW, rows)

    def represented_by(self, size: int) -> Sample:
        """Return a draw that counts in losses as much as all rows."""
        drawn = self.draw(size)
        return replace(drawn, stands_for=self.stands_for * (self.total / drawn.total))

    def through(self, view: Callable[[FloatArray], FloatArray]) -> Sample:
        """Return the rows with other inputs."""
        return replace(self, X=view(self.X))

    def once(self) -> Sample:
        """Return the rows once each, however often they came or weights say they did."""
        return replace(self, weight=self.left_out)

    def with_codes(self, codes: FloatArray) -> Sample:
        """Return the rows with other codes of their targets."""
        return replace(self, codes=codes)

    def with_noise(self, noise: float) -> Sample:
        """Return the rows with another variance of the noise."""
        return replace(self, noise=noise)

    def in_single(self, single: bool) -> Sample:
        """Return the rows with columns in single (or double) precision."""
        return replace(self, single=single)


def with_rows(record: Record, names: tuple[str, ...], rows: IntArray | BoolArray | slice) -> Record:
    """Return a record with some rows of the named arrays; what is None stays so."""
    arrays = {name: getattr(record, name) for name in names}
    return replace(record, **{n: a[rows] for n, a in arrays.items() if a is not None})


def added(values: list[Any]) -> Any:
    """Sum of numbers, arrays, or tuples of them, in their order."""
    first = values[0]
    if isinstance(first, tuple):
        sums = [added(list(column)) for column in zip(*values, strict=True)]
        return type(first)(*sums) if hasattr(first, "_fields") else tuple(sums)
    total = first
    for value in values[1:]:
        total = total + value
    return total
