"""Draws by content: the rows whose numbers hash lowest.

No seed, no sorting of all rows; the same rows whatever their order, their partitioning or the
number of their copies; larger draws contain smaller ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from drumlin._typing import FloatArray, IntArray

Hashes = NDArray[np.uint64]

_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_BLOCK = 1 << 14  # rows hashed at once
_SHIFTS = tuple(np.uint64(shift) for shift in (30, 27, 31))


def content_hashes(X: FloatArray, codes: FloatArray) -> Hashes:
    """Hashes (n_rows,) of inputs and targets: equal rows have equal ones.

    Every number, shifted by an amount of its column's own, goes through the finalizer of
    SplitMix64, which spreads a change of any bit over all of them; the sum does so once more.

    References
    ----------
    G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014.
    """
    hashes = np.empty(len(X), dtype=np.uint64)
    with np.errstate(over="ignore"):
        shifts = _GOLDEN * np.arange(1, X.shape[1] + codes.shape[1] + 1, dtype=np.uint64)
        for start in range(0, len(X), _BLOCK):
            rows = slice(start, start + _BLOCK)
            numbers = np.hstack([X[rows], codes[rows]], dtype=np.float64) + 0.0  # -0.0 equals 0.0
            hashes[rows] = _mixed(_mixed(numbers.view(np.uint64) + shifts).sum(axis=1))
    return hashes


def _mixed(x: Hashes) -> Hashes:
    x = (x ^ (x >> _SHIFTS[0])) * _FIRST
    x = (x ^ (x >> _SHIFTS[1])) * _SECOND
    return np.asarray(x ^ (x >> _SHIFTS[2]), dtype=np.uint64)


def wanted_lowest(counts: IntArray, size: int) -> IntArray:
    """Rows (n_classes,) of every class in a draw: its share, at least one where there is any.

    Parameters
    ----------
    counts : ndarray of shape (n_classes,)
        Rows of every class in the table. A class has a share by its rows, whatever their weight: so
        weights of classes are in a draw what they are in the table.
    size : int
        Rows wanted in all; classes of less than one row come on top.
    """
    return np.where(counts > 0, np.maximum(_shares(counts, size), 1), 0)


def wanted_highest(counts: IntArray, size: int) -> IntArray:
    """Rows (n_classes,) of every class kept apart: at least one of a class of two rows or more."""
    return np.maximum(_shares(counts, size), np.clip(counts - 1, 0, 1))


def _shares(counts: IntArray, size: int) -> IntArray:
    return np.asarray((size * (counts / counts.sum())).astype(np.int64))


def lowest_rows(hashes: Hashes, labels: IntArray, size: int) -> IntArray:
    """Of every class its share of a draw: the rows of lowest hash, in the order of their hashes.

    Parameters
    ----------
    hashes : ndarray of shape (n_rows,)
    labels : ndarray of shape (n_rows,)
    size : int
    """
    return _by_class(hashes, hashes, labels, wanted_lowest(np.bincount(labels), size))


def highest_rows(hashes: Hashes, labels: IntArray, size: int) -> IntArray:
    """Of every class its share of a draw from the other end, in the order of their hashes.

    No row of ``lowest_rows`` is among them as long as rows differ and both draws together have no
    more rows than the table.

    Parameters
    ----------
    hashes, labels : ndarray of shape (n_rows,)
    size : int
    """
    return _by_class(~hashes, hashes, labels, wanted_highest(np.bincount(labels), size))


def _by_class(keys: Hashes, hashes: Hashes, labels: IntArray, wanted: IntArray) -> IntArray:
    """Of every class so many rows of lowest key, all in the order of their hashes."""
    chosen = []
    for k in np.flatnonzero(wanted):
        own = np.flatnonzero(labels == k)
        chosen.append(own[_lowest(keys[own], int(wanted[k]))])
    rows = np.concatenate(chosen) if chosen else np.empty(0, dtype=np.int64)
    return np.asarray(rows[np.argsort(hashes[rows], kind="stable")])


def _lowest(keys: Hashes, wanted: int) -> IntArray:
    """Places of the lowest keys, in no order; of all where there are no more."""
    if wanted >= len(keys):
        return np.arange(len(keys))
    return np.asarray(np.argpartition(keys, max(wanted - 1, 0))[:wanted])
