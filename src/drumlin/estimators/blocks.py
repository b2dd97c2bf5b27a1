"""A table in blocks: what is read of each, and what is found out about it before it is fitted.

Both run where the block is. A block that cannot be used says why; the one who fits raises it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets

from drumlin._typing import FloatArray, IntArray
from drumlin.basis.scaling import pooled_moments, stable_moments


@dataclass(frozen=True)
class Block:
    """Rows of a table as they were given.

    Parameters
    ----------
    number : int
        Of the block, from 0.
    X : ndarray of shape (n_rows, n_features)
        In single precision if they were given so.
    y : ndarray of shape (n_rows,) or (n_rows, n_outputs)
    weight : ndarray of shape (n_rows,)
    problem : str
        Why the block cannot be used; empty where it can.
    """

    number: int
    X: FloatArray
    y: np.ndarray
    weight: FloatArray
    problem: str = ""


@dataclass(frozen=True)
class Reader:
    """Reads blocks: tuples of inputs, targets and perhaps weights.

    Parameters
    ----------
    estimator : str
        Its name, for messages.
    noun : str
        What blocks are called, for messages.
    names : tuple of str or None
        Names that the inputs must have, if they have names.
    n_features : int
    numbers : bool
        Whether targets are numbers, not classes.
    largest : float
        Largest number allowed.
    """

    estimator: str
    noun: str
    names: tuple[str, ...] | None
    n_features: int
    numbers: bool
    largest: float

    def __call__(self, number: int, batch: Any) -> list[Block]:
        """Read a block."""
        try:
            return [self._read(number, *batch)]
        except (ValueError, TypeError) as error:
            empty = np.empty(0)
            return [Block(number, empty.reshape(0, 1), empty, empty, str(error))]

    def _read(self, number: int, X: Any, y: Any, weight: Any = None) -> Block:
        where = f"{self.noun} {number} (from 0) of {self.estimator}.fit"
        X, y = self._inputs(X, where), self._targets(y, where)
        weight = np.ones(len(X)) if weight is None else _numbers("sample_weight", weight, where)
        for name, array in [("y", y), ("sample_weight", weight)]:
            if len(array) != len(X):
                raise ValueError(
                    f"The 'X' and {name!r} of {where} must have as many rows. "
                    f"Got {len(X)} and {len(array)}."
                )
        if weight.ndim != 1 or not np.isfinite(weight).all():
            got = "NaN or infinity" if weight.ndim == 1 else f"shape {weight.shape}"
            raise ValueError(
                f"The 'sample_weight' of {where} must be finite numbers, one per row. Got {got}."
            )
        return Block(number, X, y, weight)

    def _inputs(self, X: Any, where: str) -> FloatArray:
        names = getattr(X, "columns", None)
        if self.names is not None and names is not None and tuple(names) != self.names:
            raise ValueError(
                f"The columns of 'X' in {where} must be those of the first. Got {list(names)}, not "
                f"{list(self.names)}."
            )
        try:
            numbers = check_array(
                X, dtype=(np.float64, np.float32), ensure_all_finite=False, ensure_min_samples=0
            )
        except (ValueError, TypeError) as error:
            raise ValueError(f"The 'X' of {where} must hold numbers: {error}") from None
        if numbers.shape[1] != self.n_features:
            raise ValueError(
                f"The 'X' of {where} must have {self.n_features} columns. Got {numbers.shape[1]}."
            )
        _refuse("X", numbers, where, self.largest)
        return numbers

    def _targets(self, y: Any, where: str) -> np.ndarray:
        y = np.asarray(y)
        if _has_gaps(y):
            raise ValueError(f"The 'y' of {where} must hold no gaps. Got NaN or None.")
        if not self.numbers:
            y = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
            if y.ndim != 1:
                raise ValueError(
                    f"The 'y' of {where} must hold one class per row. Got shape {y.shape}."
                )
            if len(y):
                check_classification_targets(y)
            return y
        y = _numbers("y", y, where)
        _refuse("y", y, where, self.largest)
        return y


def _has_gaps(y: np.ndarray) -> bool:
    """Whether there is None, NaN or what is neither equal nor unequal to itself: pandas' NA."""
    if y.dtype != object:
        return bool((y != y).any())
    unequal = (label != label for label in y.flat)
    return any(
        label is None or bad is not False for label, bad in zip(y.flat, unequal, strict=True)
    )


def _numbers(name: str, values: Any, where: str) -> FloatArray:
    """Return real numbers; others would be cut silently, or named nowhere."""
    given = np.asarray(values)
    if given.dtype.kind == "c":
        raise ValueError(f"The {name!r} of {where} must hold real numbers. Got {given.dtype}.")
    try:
        return given.astype(np.float64)
    except (ValueError, TypeError) as error:
        raise ValueError(f"The {name!r} of {where} must hold numbers: {error}.") from None


def _refuse(name: str, numbers: FloatArray, where: str, most: float) -> None:
    """Refuse NaN, infinities and what is too large."""
    usable = np.abs(numbers) <= min(most, float(np.finfo(numbers.dtype).max))
    if not usable.all():
        place = np.unravel_index(int(np.argmin(usable)), usable.shape)
        at = f"row {place[0]}" + (f", column {place[1]}" if len(place) > 1 else "")
        raise ValueError(
            f"The {name!r} of {where} must hold finite numbers of size at most {most:g}. "
            f"Got {numbers[place]:g} in {at}."
        )


class Moments(NamedTuple):
    """Of the targets of some rows, in units of their largest ones."""

    total: float
    mean: FloatArray
    spread: FloatArray
    largest: FloatArray

    def joined(self, other: Moments) -> Moments:
        """Return the moments of both rows together."""
        total, largest = self.total + other.total, np.maximum(self.largest, other.largest)
        one, later = (
            (m.mean * (m.largest / largest), m.spread * (m.largest / largest))
            for m in (self, other)
        )
        return Moments(total, *pooled_moments(one, later, other.total / total), largest)


class Facts(NamedTuple):
    """What is known of a block.

    Parameters
    ----------
    problem : str
    n_rows, n_outputs : int
    weights : tuple of float
        Least and largest.
    labels : ndarray of shape (n_labels,)
        Different targets of positive weight, where they are classes.
    rows : ndarray of shape (n_labels,)
        Rows of positive weight of each; where targets are numbers, of all.
    weight : ndarray of shape (n_labels,)
        Sum of the weights of each.
    first : ndarray or None
        The first targets, and ``moments`` those of all, where they are numbers.
    """

    problem: str
    n_rows: int
    n_outputs: int
    weights: tuple[float, float]
    labels: np.ndarray
    rows: IntArray
    weight: FloatArray
    first: FloatArray | None
    moments: Moments | None


def facts_of(block: Block, numbers: bool) -> dict[int, Facts]:
    """Facts of a block, under its number."""
    used = block.weight > 0.0
    y, weight = block.y[used], block.weight[used]
    n_outputs = 0 if block.y.ndim == 1 else block.y.shape[1]
    bounds = (block.weight.min(initial=np.inf), block.weight.max(initial=-np.inf))
    first = moments = None
    if numbers:
        labels: np.ndarray = np.zeros(min(len(y), 1))
        which = np.zeros(len(y), dtype=np.int64)
        if len(y):
            columns = y.reshape(len(y), -1)
            first, moments = columns[0], Moments(weight.sum(), *stable_moments(columns, weight))
    else:
        labels, which = np.unique(y, return_inverse=True)
    rows = np.bincount(which, minlength=len(labels))
    sums = np.bincount(which, weight, len(labels)).astype(np.float64)
    facts = Facts(
        block.problem, len(block.X), n_outputs, bounds, labels, rows, sums, first, moments
    )
    return {block.number: facts}
