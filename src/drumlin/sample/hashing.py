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


def lowest_rows(hashes: Hashes, labels: IntArray, size: int) -> IntArray:
    """Of every class its share of a draw: the rows of lowest hash, in the order of their hashes.

    Parameters
    ----------
    hashes : ndarray of shape (n_rows,)
    labels : ndarray of shape (n_rows,)
        A class has a share by its rows, whatever their weight, and at least one row: so weights of
        classes are in a draw what they are in the table.
    size : int
        Rows wanted in all; classes of less than one row come on top.
    """
    share = np.bincount(labels) / len(labels)
    chosen = []
    for k in np.flatnonzero(share):
        own = np.flatnonzero(labels == k)
        chosen.append(own[_lowest(hashes[own], max(1, int(size * share[k])))])
    rows = np.concatenate(chosen)
    return np.asarray(rows[np.argsort(hashes[rows], kind="stable")])


def highest_rows(hashes: Hashes, labels: IntArray, size: int) -> IntArray:
    """Of every class its share of a draw from the other end: the rows of highest hash.

    A class of two rows or more has at least one. No row of ``lowest_rows`` is among them as long as
    rows differ and both draws together have no more rows than the table.

    Parameters
    ----------
    hashes, labels : ndarray of shape (n_rows,)
    size : int
    """
    share = np.bincount(labels) / len(labels)
    chosen = []
    for k in np.flatnonzero(share):
        own = np.flatnonzero(labels == k)
        wanted = max(int(size * share[k]), min(len(own) - 1, 1))
        chosen.append(own[_lowest(~hashes[own], wanted)])
    return np.sort(np.concatenate(chosen))


def _lowest(hashes: Hashes, wanted: int) -> IntArray:
    """Places of the lowest hashes, in no order; of all where there are no more."""
    if wanted >= len(hashes):
        return np.arange(len(hashes))
    return np.asarray(np.argpartition(hashes, max(wanted - 1, 0))[:wanted])
