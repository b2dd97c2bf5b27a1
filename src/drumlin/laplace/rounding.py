"""A triangular matrix in a few bits per entry, rounded so that products with likely rows stay.

Entries of a column are whole numbers of its step. They are rounded row by row, and what a row loses
is made up for by the rows after it, as far as these say the same about rows that are likely
(Frantar et al., GPTQ, ICLR 2023; the nearest plane of Babai, 1986). Plain rounding needs one or two
bits more. Most entries are far from the largest of their column: Huffman's code takes a quarter
less than bits of one number.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from drumlin._typing import FloatArray

LEAST_BITS, MOST_BITS = 4, 16

_RAW = -15
"""What zlib calls a stream without a head and a checksum: files have their own."""

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
    coded : ndarray of uint8
        Entries in steps, row by row, raised by the largest possible one: a byte of each, or the
        high bytes of all and then the low ones, in Huffman's code (RFC 1951).
    """

    bits: int
    sizes: NDArray[np.float16]
    coded: NDArray[np.uint8]

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
        return cls.of_entries(bits, sizes, entries.astype(">u2"))

    @classmethod
    def of_entries(
        cls, bits: int, sizes: NDArray[np.float16], entries: NDArray[np.uint16]
    ) -> RoundedTriangle:
        """Keep big-endian entries (n_entries,) in steps, raised by the largest possible one."""
        planes = entries.view(np.uint8).reshape(-1, 2).T[-_n_planes(bits) :]
        coder = zlib.compressobj(9, zlib.DEFLATED, _RAW, strategy=zlib.Z_HUFFMAN_ONLY)
        # A block each: high bytes are few numbers, and have a code of their own.
        parts = [coder.compress(p.tobytes()) + coder.flush(zlib.Z_BLOCK) for p in planes]
        coded = b"".join(parts) + coder.flush()
        return cls(bits, sizes, np.frombuffer(coded, dtype=np.uint8))

    def entries(self) -> NDArray[np.uint16]:
        """Return the entries in steps, raised by the largest possible one.

        Raises
        ------
        ValueError
            Where they are not those of a triangle.
        """
        n, n_planes = n_entries(len(self.sizes)), _n_planes(self.bits)
        coder = zlib.decompressobj(_RAW)
        try:
            read = coder.decompress(self.coded.tobytes(), max_length=n * n_planes + 1)
        except zlib.error as error:
            raise ValueError(f"entries of a triangle are damaged ({error}).") from error
        whole = coder.eof and not coder.unused_data and len(read) == n * n_planes
        planes = np.zeros((n, 2), dtype=np.uint8)
        if whole:
            planes.T[-n_planes:] = np.frombuffer(read, dtype=np.uint8).reshape(n_planes, n)
        entries = planes.view(">u2")[:, 0]
        most = 2 * _top(self.bits)
        if not whole or entries.max(initial=0) > most:
            raise ValueError(f"a triangle needs {n} entries from 0 to {most}.")
        return entries

    def matrix(self) -> FloatArray:
        """Return the matrix (n, n)."""
        n, top = len(self.sizes), _top(self.bits)
        matrix = np.zeros((n, n))
        matrix[np.tri(n, dtype=bool)] = self.entries().astype(np.int32) - top
        matrix *= self.sizes.astype(np.float64) / top
        return matrix


def n_entries(n: int) -> int:
    """Entries of a triangle with n rows."""
    return n * (n + 1) // 2


def _n_planes(bits: int) -> int:
    """Bytes of an entry before they are coded."""
    return 1 if bits <= 8 else 2


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
