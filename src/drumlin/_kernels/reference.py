"""NumPy backend: the readable truth that the compiled one is tested against.

Names ending in ``_`` write into their arguments. Shapes: ``V (L, n)``, ``XT (d, n)``, ``q (n,)``.
"""

from __future__ import annotations

import numpy as np

from drumlin._kernels.contract import (
    CONFUSION,
    ETA_FLOOR,
    EXPONENT_FLOOR,
    LEAST,
    ROUNDING,
    SQUARED_ERROR,
    WRONG_BY_CLASS,
    ZERO_IS_FIRST,
    ZERO_IS_RIGHT,
    Candidates,
    Loo,
)
from drumlin._kernels.door import guarded
from drumlin._kernels.recursive_reference import lms_ as lms_
from drumlin._kernels.recursive_reference import rls_ as rls_
from drumlin._kernels.refinement_reference import value_and_gradient as value_and_gradient
from drumlin._typing import FloatArray, IntArray

_BLOCK = 64  # candidates handled at once, so that temporaries stay small


@guarded
def squared_distances_(
    XT: FloatArray, centers: FloatArray, inv_widths: FloatArray, out: FloatArray
) -> None:
    """Fill ``out[j, i]`` with the squared distance of sample i to center j, in widths.

    By differences, not by the expanded product: exact zeros for equal points, no cancellation.
    """
    out[...] = 0.0
    for start in range(0, len(centers), _BLOCK):
        block = slice(start, start + _BLOCK)
        for x, center, inv_width in zip(XT, centers[block].T, inv_widths[block].T, strict=True):
            with np.errstate(over="ignore"):  # infinitely far is far
                out[block] += ((x - center[:, None]) * inv_width[:, None]) ** 2


def gaussian_(r2: FloatArray) -> None:
    """Overwrite squared distances with ``exp(-r2 / 2)``, the exponent clamped at its floor."""
    r2 *= -0.5
    np.maximum(r2, EXPONENT_FLOOR, out=r2)
    np.exp(r2, out=r2)


@guarded
def inner_(V: FloatArray, q: FloatArray, out: FloatArray) -> None:
    """Add ``V @ q`` to ``out (L,)``."""
    out += np.einsum("ji,i->j", V, q)


@guarded
def subtract_projections_(V: FloatArray, A: FloatArray, Q: FloatArray) -> None:
    """Remove from every row of V its projections: ``V -= A.T @ Q``, A (k, L), Q (k, n)."""
    for a, q in zip(A, Q, strict=True):
        V -= a[:, None] * q


@guarded
def deflate_(V: FloatArray, q: FloatArray, q_targets: FloatArray, candidates: Candidates) -> None:
    """Orthogonalise every candidate to the new unit vector q and update what is known of it."""
    for start in range(0, len(V), _BLOCK):
        block = slice(start, start + _BLOCK)
        a = np.einsum("ji,i->j", V[block], q)
        V[block] -= a[:, None] * q
        candidates.norms2[block] -= a * a
        candidates.dots[block] -= a[:, None] * q_targets


@guarded
def project_(
    V: FloatArray,
    Q: FloatArray,
    weighted_targets: FloatArray,
    start_norms2: FloatArray,
    candidates: Candidates,
) -> None:
    """Orthogonalise every row of V to the unit rows of Q (k, n), one after the other.

    Fills ``start_norms2 (L,)`` with squared norms before and ``candidates`` with what is known
    after: eqs. (26)-(28) of chen2010.
    """
    start_norms2[:] = np.einsum("ji,ji->j", V, V)
    for q in Q:
        V -= np.einsum("ji,i->j", V, q)[:, None] * q
    candidates.norms2[:] = np.einsum("ji,ji->j", V, V)
    candidates.dots[:] = np.einsum("ji,ki->jk", V, weighted_targets)


@guarded
def score_(
    V: FloatArray,
    index: IntArray,
    candidates: Candidates,
    loo: Loo,
    alpha: float,
    kind: int,
    out: FloatArray,
) -> None:
    """Add to ``out`` the statistic ``kind`` of the model grown by each candidate of ``index``."""
    statistic = {
        SQUARED_ERROR: _squared_error,
        WRONG_BY_CLASS: _wrong_by_class,
        CONFUSION: _confusion,
    }[kind]
    for start in range(0, len(index), _BLOCK):
        j = index[start : start + _BLOCK]
        with np.errstate(divide="ignore"):  # a candidate that is in the model already
            c = 1.0 / (candidates.norms2[j] + alpha)
        out[start : start + _BLOCK] += statistic(V[j], c, candidates.dots[j], loo)


@guarded
def deflate_and_score_(
    V: FloatArray,
    q: FloatArray,
    q_targets: FloatArray,
    candidates: Candidates,
    loo: Loo,
    alpha: float,
    kind: int,
    out: FloatArray,
) -> None:
    """``deflate_`` and then ``score_`` of all candidates (one pass over memory when compiled)."""
    deflate_(V, q, q_targets, candidates)
    score_(V, np.arange(len(V)), candidates, loo, alpha, kind, out)


def _squared_error(W: FloatArray, c: FloatArray, dots: FloatArray, loo: Loo) -> FloatArray:
    """Sum of s (e / eta)^2 after adding each row of W; infinite where eta vanishes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        eta = loo.eta - c[:, None] * W * W
        total = np.zeros_like(W)
        for residual, dot in zip(loo.residual, dots.T, strict=True):
            total += (residual - (c * dot)[:, None] * W) ** 2
        total = np.where(eta > ETA_FLOOR, total / (eta * eta), np.inf)
    return np.asarray(total.sum(axis=1)[:, None])


def margins(loo: Loo) -> tuple[FloatArray, FloatArray]:
    """What two classes need of the state: y score beyond rounding, and y / sqrt(s), each (n,).

    Where zero is right, an exact zero becomes the least positive number.
    """
    y = loo.targets[0]
    right = (loo.zero == ZERO_IS_RIGHT) | ((loo.zero == ZERO_IS_FIRST) & (loo.labels == 0))
    least = np.where(right, LEAST, 0.0)
    return y * loo.scores[0] - loo.doubt + least, y * loo.inv_root


def _wrong_by_class(W: FloatArray, c: FloatArray, dots: FloatArray, loo: Loo) -> FloatArray:
    """Weight of the samples of each class whose y score does not exceed zero beyond rounding.

    With y = +-1, y score grows by ``w (c dot y / sqrt(s) - c w)``.
    """
    margin, pull = margins(loo)
    with np.errstate(invalid="ignore"):  # of a candidate that is in the model already
        g, heavier = (c * dots[:, 0])[:, None], (c * (1.0 + ROUNDING))[:, None]
        wrong = margin + W * (g * pull - heavier * W) <= 0.0
    by_class = [np.where(wrong & (loo.labels == k), loo.weight, 0.0).sum(axis=1) for k in (0, 1)]
    return np.stack(by_class, axis=1)


def _grown_scores(k: int, W: FloatArray, c: FloatArray, dots: FloatArray, loo: Loo) -> FloatArray:
    """Output k of ``Loo.scores`` after adding each row of W."""
    with np.errstate(invalid="ignore"):  # of a candidate that is in the model already
        g = (c * dots[:, k])[:, None]
        return np.asarray(loo.scores[k] + W * (g * loo.inv_root - loo.targets[k] * c[:, None] * W))


def _confusion(W: FloatArray, c: FloatArray, dots: FloatArray, loo: Loo) -> FloatArray:
    """Table of true against predicted class; the true one must win beyond rounding."""
    n_outputs = len(loo.scores)
    scores = np.stack([_grown_scores(k, W, c, dots, loo) for k in range(n_outputs)], axis=1)
    samples = np.arange(W.shape[1])
    own = scores[:, loo.labels, samples]
    scores[:, loo.labels, samples] = -np.inf
    best, rival = scores.max(axis=1), scores.argmax(axis=1)
    margin = own - best - (loo.doubt + ROUNDING * c[:, None] * W * W)
    tie = (loo.zero == ZERO_IS_RIGHT) | ((loo.zero == ZERO_IS_FIRST) & (loo.labels < rival))
    wins = (margin > 0.0) | ((margin == 0.0) & tie)
    cell = loo.labels * n_outputs + np.where(wins, loo.labels, rival)
    tables = [np.bincount(row, loo.weight, minlength=n_outputs**2) for row in cell]
    return np.asarray(tables, dtype=np.float64).reshape(len(W), n_outputs**2)
