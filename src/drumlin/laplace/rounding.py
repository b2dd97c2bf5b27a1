"""A triangular matrix in a few bits per entry, rounded so that products with likely rows stay.

Entries of a column are whole numbers of its step. They are rounded row by row, and what a row loses
is made up for by the rows after it, as far as these say the same about rows that are likely
(Frantar et al., GPTQ, ICLR 2023; the nearest plane of Babai, 1986). Plain rounding needs one or two
bits more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drumlin._typing import FloatArray

LEAST_BITS, MOST_BITS = 4, 16

_DOUBT = 0.01
"""Part of their mean square that every column of the likely rows is taken to vary by itself."""

_BLOCK = 32
"""Rows after which the rows below are made up to date, by one product of matrices."""


@dataclass(frozen=True)
class RoundedTriangle:
    """A lower triangular matrix.

    Parameters
    ----------
    bits : int
        Bits of an entry, from ``LEAST_BITS`` to ``MOST_BITS``.
    sizes : ndarray of float16 of shape (n,)
        Largest entry of every column, rounded up; entries are whole numbers of a step of it.
    packed : ndarray of uint8
        Entries in steps, row by row, raised by the largest possible one.
    """

    bits: int
    sizes: NDArray[np.float16]
    packed: NDArray[np.uint8]

    @classmethod
    def of(cls, triangle: FloatArray, shift: FloatArray, bits: int) -> RoundedTriangle:
        """Round a matrix.

        Parameters
        ----------
        triangle : ndarray of shape (n, n)
            Lower triangular, entries up to 1.
        shift : ndarray of shape (n, n)
            See ``compensation``.
        bits : int
        """
        top = _top(bits)
        sizes = np.nextafter(np.abs(triangle).max(axis=0).astype(np.float16), np.float16(np.inf))
        whole = _compensated(triangle / sizes.astype(np.float64) * top, shift, top)
        entries = whole[np.tril_indices(len(whole))] + top
        return cls(bits, sizes, _packed(entries.astype(">u2"), bits))

    def matrix(self) -> FloatArray:
        """Return the matrix (n, n)."""
        n, top = len(self.sizes), _top(self.bits)
        entries = _unpacked(self.packed, self.bits, n_entries(n))
        matrix = np.zeros((n, n))
        matrix[np.tril_indices(n)] = entries
        matrix[np.tril_indices(n)] -= top
        matrix *= self.sizes.astype(np.float64) / top
        return matrix


def n_entries(n: int) -> int:
    """Entries of a triangle with n rows."""
    return n * (n + 1) // 2


def n_packed(n: int, bits: int) -> int:
    """Bytes of a triangle with n rows."""
    return -(-n_entries(n) * bits // 8)


def _top(bits: int) -> int:
    """Largest entry."""
    return int(2 ** (bits - 1) - 1)


def compensation(likely: FloatArray) -> FloatArray:
    """How later rows make up for what a row loses, an upper triangle (n, n).

    Parameters
    ----------
    likely : ndarray of shape (n_rows, n)
        Rows that a rounded triangle will be multiplied by.
    """
    n = likely.shape[1]
    metric = likely.T @ likely
    metric[np.diag_indices(n)] += _DOUBT * np.trace(metric) / n + np.finfo(float).tiny
    upper = np.linalg.cholesky(np.linalg.inv(metric)).T
    return np.asarray(upper / np.diag(upper)[:, None])


def _compensated(entries: FloatArray, shift: FloatArray, top: int) -> FloatArray:
    """Round a lower triangle row by row; later rows make up for what a row loses."""
    n = len(entries)
    left, whole, lost = entries.copy(), np.zeros_like(entries), np.zeros_like(entries)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        for i in range(start, stop):
            row = slice(i + 1)
            whole[i, row] = np.clip(np.rint(left[i, row]), -top, top)
            lost[i, row] = left[i, row] - whole[i, row]
            left[i + 1 : stop, row] -= np.outer(shift[i, i + 1 : stop], lost[i, row])
        left[stop:] -= shift[start:stop, stop:].T @ lost[start:stop]
    return whole


def _packed(entries: NDArray[np.uint16], bits: int) -> NDArray[np.uint8]:
    """Return the lower bits of big-endian numbers, one after the other."""
    table = np.unpackbits(entries.view(np.uint8).reshape(-1, 2), axis=1)
    return np.packbits(table[:, MOST_BITS - bits :])


def _unpacked(packed: NDArray[np.uint8], bits: int, n: int) -> NDArray[np.uint16]:
    table = np.zeros((n, MOST_BITS), dtype=np.uint8)
    table[:, MOST_BITS - bits :] = np.unpackbits(packed, count=n * bits).reshape(n, bits)
    return np.packbits(table, axis=1).view(">u2")[:, 0]
