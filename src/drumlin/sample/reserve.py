"""All draws that a fit will ask for, taken from parts in two passes: what can leave them at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.sample.hashing import Hashes, wanted_highest, wanted_lowest
from drumlin.sample.memory import Sample
from drumlin.sample.order import merge_rows
from drumlin.sample.parts import Parts


class Counts(NamedTuple):
    """What is known of all rows.

    Parameters
    ----------
    rows : ndarray of shape (n_classes,)
        Rows of every class; equal rows of one block are one, with the sum of their weights.
    total : float
        Sum of the weights.
    """

    rows: IntArray
    total: float

    @classmethod
    def of(cls, parts: Parts, n_classes: int) -> Counts:
        """Count the rows of all parts."""
        counts: Counts = parts.fold(partial(_counts, n_classes=n_classes), _both_counts)
        return counts


def _counts(piece: Sample, n_classes: int) -> Counts:
    return Counts(np.bincount(piece.labels, minlength=n_classes), piece.total)


def _both_counts(one: Counts, other: Counts) -> Counts:
    return Counts(one.rows + other.rows, one.total + other.total)


@dataclass(frozen=True)
class Reserve:
    """Rows of lowest and of highest hash, of every class its share.

    Parameters
    ----------
    counts : Counts
    rows : Sample
        In the order of their hashes; equal rows are one.
    low, high : ndarray of shape (n_rows,)
        Whether a row is among the lowest, and whether it is among those kept apart.
    size, n_apart : int
        Rows of the largest draw, and of all that is kept apart, as they were counted.
    known : ndarray of shape (n_classes,)
        Whether all rows of a class are among them.
    """

    counts: Counts
    rows: Sample
    low: BoolArray
    high: BoolArray
    size: int
    n_apart: int
    known: BoolArray

    @property
    def complete(self) -> bool:
        """Whether all rows of the table are among them."""
        return bool(self.known.all())

    @classmethod
    def of(cls, parts: Parts, counts: Counts, size: int, apart: int) -> Reserve:
        """Take the rows of the largest draw, and of those kept apart, from all parts.

        The first pass brings hashes, and so bounds for every class; the second the rows within.

        Parameters
        ----------
        parts : Parts
            Of ``Sample``.
        counts : Counts
        size, apart : int
            Rows of the largest draw, and most rows kept apart.
        """
        wanted = wanted_lowest(counts.rows, size), wanted_highest(counts.rows, apart)
        bounds: _Bounds = parts.fold(partial(_Bounds.of, wanted=wanted), _Bounds.joined)
        most = 2 * int(np.sum(wanted))
        taken: list[Sample] = parts.fold(
            partial(_within, bounds=bounds), partial(_taken, most=most)
        )
        rows = _merged(taken)
        low, high = bounds.sides(rows)
        known = bounds.all_known(counts, rows, low & high)
        high = _parted(low, high, rows, wanted[1] / np.maximum(counts.rows, 1))
        return cls(counts, rows, low, high, size, int(wanted[1].sum()), known)

    def draw(self, size: int) -> Sample:
        """Return the rows of lowest hash, class by class; none kept apart if that leaves enough."""
        leaves_enough = size <= self.counts.rows.sum() - self.n_apart
        low = np.flatnonzero(self.low & ~self.high if leaves_enough else self.low)
        return self._first_of(low, wanted_lowest(self.counts.rows, size))

    def apart(self, size: int) -> Sample:
        """Return the rows of highest hash, class by class."""
        high = np.flatnonzero(self.high)[::-1]
        return self._first_of(high, wanted_highest(self.counts.rows, size))

    def _first_of(self, places: IntArray, wanted: IntArray) -> Sample:
        """Take the first rows of some places, so many of each class, in the order of all rows."""
        chosen = np.sort(places[_first(self.rows.labels[places], wanted)])
        drawn = self.rows.take(chosen)
        return self._in_proportion(drawn, wanted) if self._repeated.any() else drawn

    @cached_property
    def _repeated(self) -> BoolArray:
        """Whether all rows of a class (n_classes,) are here, fewer than were counted."""
        counts = self.counts.rows
        return self.known & (np.bincount(self.rows.labels, minlength=len(counts)) < counts)

    def _in_proportion(self, drawn: Sample, wanted: IntArray) -> Sample:
        """Let rows of classes that came in several blocks weigh what these classes' shares do.

        A draw has more of them, in parts of all that differ, than of the other classes, and each
        has the weight of all its copies.
        """
        counts = self.counts.rows
        whole, taken = (
            np.bincount(rows.labels, rows.weight, len(counts)) for rows in (self.rows, drawn)
        )
        few = self._repeated & (taken > 0.0)
        factor = np.ones(len(counts))
        factor[few] = (whole * np.minimum(wanted, counts))[few] / (counts * taken)[few]
        return replace(drawn, weight=drawn.weight * factor[drawn.labels])

    def everything(self) -> Sample:
        """Return all rows of a complete reserve, in the order of rows in memory."""
        rows = self.rows
        targets = [rows.labels] if rows.n_classes > 1 else [*rows.codes.T]
        return merged_by(rows, [*rows.X.T, *targets])

    def through(self, view: Callable[[FloatArray], FloatArray]) -> Reserve:
        """Return the rows with other inputs."""
        return replace(self, rows=self.rows.through(view))


def merged_by(rows: Sample, columns: list[np.ndarray]) -> Sample:
    """Rows in the order of some columns, equal ones as one with the sum of their weights."""
    kept, weight = merge_rows(columns, rows.weight)
    return replace(rows.take(kept), weight=weight)


def _first(labels: IntArray, wanted: IntArray) -> BoolArray:
    """Whether a row is among the first of its class, so many of each."""
    chosen = np.zeros(len(labels), dtype=np.bool_)
    for k in np.flatnonzero(wanted):
        chosen[np.flatnonzero(labels == k)[: wanted[k]]] = True
    return chosen


def _parted(low: BoolArray, high: BoolArray, rows: Sample, share: FloatArray) -> BoolArray:
    """Rows (n_rows,) to keep apart: no more of a class than its share of the rows that differ.

    A class of which rows are among the lowest and among the highest may have fewer rows than were
    counted: some came in several blocks. All that differ are here, and so can be counted now.

    Parameters
    ----------
    low, high : ndarray of shape (n_rows,)
    rows : Sample
        In the order of their hashes.
    share : ndarray of shape (n_classes,)
        Part of every class that is kept apart.
    """
    kept = high.copy()
    for k in np.unique(rows.labels[low & high]):
        own = np.flatnonzero(rows.labels == k)
        n_apart = min(int(np.ceil(share[k] * len(own))), len(own) - 1)
        kept[own[: len(own) - n_apart]] = False
    return kept


class _Bounds(NamedTuple):
    """Hashes, class by class: the lowest ones and the highest ones (turned round), sorted."""

    low: list[Hashes]
    high: list[Hashes]
    wanted: tuple[IntArray, IntArray]

    @classmethod
    def of(cls, piece: Sample, wanted: tuple[IntArray, IntArray]) -> _Bounds:
        own = [piece.hashes[piece.labels == k] for k in range(len(wanted[0]))]
        low = [_lowest(hashes, n) for hashes, n in zip(own, wanted[0], strict=True)]
        return cls(low, [_lowest(~h, n) for h, n in zip(own, wanted[1], strict=True)], wanted)

    def joined(self, other: _Bounds) -> _Bounds:
        low, high = (
            [_lowest(np.append(a, b), n) for a, b, n in zip(ours, theirs, wanted, strict=True)]
            for ours, theirs, wanted in zip(self[:2], other[:2], self.wanted, strict=True)
        )
        return _Bounds(low, high, self.wanted)

    def sides(self, rows: Sample) -> tuple[BoolArray, BoolArray]:
        """Whether rows are among the lowest, and among the highest."""
        low, high = (
            np.array([h[-1] if len(h) else 0 for h in hashes], dtype=np.uint64)
            for hashes in self[:2]
        )
        there = np.array([len(h) > 0 for h in self.high])[rows.labels]
        return rows.hashes <= low[rows.labels], there & (~rows.hashes <= high[rows.labels])

    def all_known(self, counts: Counts, rows: Sample, both: BoolArray) -> BoolArray:
        """Whether all rows of a class are among those taken, however often they came.

        So it is where no more were found than counted, where fewer differ than were wanted, or
        where some are among the lowest and the highest.

        Parameters
        ----------
        counts : Counts
        rows : Sample
        both : ndarray of shape (n_rows,)
        """
        found = np.bincount(rows.labels, minlength=len(counts.rows))
        meeting = np.bincount(rows.labels[both], minlength=len(counts.rows)) > 0
        few = np.array([len(hashes) for hashes in self.low]) < self.wanted[0]
        return meeting | few | (found == counts.rows)


def _lowest(hashes: Hashes, wanted: int) -> Hashes:
    return np.unique(hashes)[:wanted]


def _taken(one: list[Sample], other: list[Sample], most: int) -> list[Sample]:
    """Both; more than so many rows as one, for then many are the same."""
    both = [*one, *other]
    return both if sum(part.n_rows for part in both) <= most else [_merged(both)]


def _merged(parts: list[Sample]) -> Sample:
    """Join rows in the order of their hashes, equal ones as one."""
    rows = Sample.joined(parts)
    return merged_by(rows, [rows.hashes, *rows.X.T, *rows.codes.T])


def _within(piece: Sample, bounds: _Bounds) -> list[Sample]:
    low, high = bounds.sides(piece)
    taken = piece.take(np.flatnonzero(low | high))
    return [replace(taken, X=np.asarray(taken.X, dtype=np.float64))]
