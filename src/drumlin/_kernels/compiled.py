"""Numba backend: the same functions as ``reference``, one fused pass over memory each.

Serial ``nogil`` kernels; parallelism is Python threads over blocks of candidates, so results do
not depend on the number of threads. Small helpers vectorise, one big body does not: each inner
loop is a function of its own that sees plain arrays. Only sums may be reordered (``reassoc``);
what is computed for a single sample is what NumPy computes, to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin._kernels import reference
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
from drumlin._kernels.jit import kept
from drumlin._kernels.recursive_compiled import lms_ as lms_
from drumlin._kernels.recursive_compiled import rls_ as rls_
from drumlin._kernels.refinement_compiled import exp_
from drumlin._kernels.refinement_compiled import value_and_gradient as value_and_gradient
from drumlin._typing import FloatArray, IntArray

_kernel: Any = kept(error_model="numpy")
_reduction: Any = kept(error_model="numpy", fastmath={"reassoc", "nsz"})

_NOTHING = -1  # the statistic of a stage that only deflates
_NO_DIRECTION = np.empty(0)  # the direction of a stage that only scores
_ROWS = 1024  # samples handled at once where several passes share them in cache


@_kernel
def _set_squares(x: Any, center: float, inv_width: float, out: Any) -> None:
    for i in range(x.shape[0]):
        difference = (x[i] - center) * inv_width
        out[i] = difference * difference


@_kernel
def _add_squares(x: Any, center: float, inv_width: float, out: Any) -> None:
    for i in range(x.shape[0]):
        difference = (x[i] - center) * inv_width
        out[i] += difference * difference


@_kernel
def _squared_distances_(XT: Any, centers: Any, inv_widths: Any, out: Any) -> None:
    for start in range(0, out.shape[1], _ROWS):
        stop = min(start + _ROWS, out.shape[1])
        for j in range(out.shape[0]):
            part = out[j, start:stop]
            _set_squares(XT[0, start:stop], centers[j, 0], inv_widths[j, 0], part)
            for f in range(1, XT.shape[0]):
                _add_squares(XT[f, start:stop], centers[j, f], inv_widths[j, f], part)


@guarded
def squared_distances_(
    XT: FloatArray, centers: FloatArray, inv_widths: FloatArray, out: FloatArray
) -> None:
    """See ``reference.squared_distances_``."""
    # Nodes of a file or of a slice may lie in memory anyhow; other layouts would be compiled anew.
    _squared_distances_(XT, np.ascontiguousarray(centers), np.ascontiguousarray(inv_widths), out)


@_kernel
def _to_exponents(r2: Any) -> None:
    for i in range(r2.shape[0]):
        exponent = -0.5 * r2[i]
        r2[i] = exponent if exponent > EXPONENT_FLOOR else EXPONENT_FLOOR


@_kernel
def _gaussian_(flat: Any) -> None:
    for start in range(0, flat.shape[0], _ROWS):
        part = flat[start : min(start + _ROWS, flat.shape[0])]
        _to_exponents(part)
        exp_(part)


def gaussian_(r2: FloatArray) -> None:
    """See ``reference.gaussian_``; in one pass, with an exponential that vectorises."""
    if r2.flags.c_contiguous:
        _gaussian_(r2.reshape(-1))
    else:
        reference.gaussian_(r2)


@kept(fastmath={"reassoc", "nsz", "contract"})
def _dot(v: Any, q: Any) -> float:
    total = 0.0
    for i in range(v.shape[0]):
        total += v[i] * q[i]
    return total


@_kernel
def _subtract(v: Any, a: float, q: Any) -> None:
    for i in range(v.shape[0]):
        v[i] -= a * q[i]


@guarded
@_kernel
def inner_(V: Any, q: Any, out: Any) -> None:
    """See ``reference.inner_``."""
    for j in range(V.shape[0]):
        out[j] += _dot(V[j], q)


@guarded
@_kernel
def subtract_projections_(V: Any, A: Any, Q: Any) -> None:
    """See ``reference.subtract_projections_``."""
    for j in range(V.shape[0]):
        for k in range(Q.shape[0]):
            _subtract(V[j], A[k, j], Q[k])


@_reduction
def _subtract_and_dot(v: Any, a: float, q: Any, other: Any) -> float:
    """``_subtract``, then the product with another vector, in one pass."""
    total = 0.0
    for i in range(v.shape[0]):
        v[i] -= a * q[i]
        total += v[i] * other[i]
    return total


@_kernel
def _project_(
    V: Any, Q: Any, weighted_targets: Any, start_norms2: Any, norms2: Any, dots: Any
) -> None:
    for j in range(V.shape[0]):
        v = V[j]
        start_norms2[j] = _dot(v, v)
        n_columns = Q.shape[0]
        a = _dot(v, Q[0]) if n_columns else 0.0
        for k in range(n_columns - 1):
            a = _subtract_and_dot(v, a, Q[k], Q[k + 1])
        if n_columns:
            _subtract(v, a, Q[n_columns - 1])
        norms2[j] = _dot(v, v)
        for k in range(weighted_targets.shape[0]):
            dots[j, k] = _dot(v, weighted_targets[k])


@guarded
def project_(
    V: FloatArray,
    Q: FloatArray,
    weighted_targets: FloatArray,
    start_norms2: FloatArray,
    candidates: Candidates,
) -> None:
    """See ``reference.project_``."""
    _project_(V, Q, weighted_targets, start_norms2, *candidates)


@_reduction
def _squared_error(w: Any, c: float, g: float, residual: Any, eta: Any) -> float:
    """Sum of squared leave-one-out errors of one output."""
    total = 0.0
    for i in range(w.shape[0]):
        left = eta[i] - c * w[i] * w[i]
        error = (residual[i] - g * w[i]) / left
        total += error * error if left > ETA_FLOOR else np.inf
    return total


@_kernel
def _margins(scores: Any, doubt: Any, y: Any, inv_root: Any, weight: Any, zero: int) -> Any:
    """Rows of what does not depend on the candidate: see ``reference.margins``; and y s."""
    rows = np.empty((3, y.shape[0]))
    for i in range(y.shape[0]):
        right = zero == ZERO_IS_RIGHT or (zero == ZERO_IS_FIRST and y[i] < 0.0)
        rows[0, i] = y[i] * scores[i] - doubt[i] + (LEAST if right else 0.0)
        rows[1, i] = y[i] * inv_root[i]
        rows[2, i] = y[i] * weight[i]
    return rows


@_kernel
def _grow(score: float, w: float, g: float, pull: float, c: float) -> float:
    """Compiled without ``reassoc``: the sign must be NumPy's."""
    return score + w * (g * pull - c * w)


@_reduction
def _subtract_and_weigh(
    w: Any, a: float, q: Any, c: float, g: float, margins: Any
) -> tuple[float, float]:
    """``_subtract``, then the weight of the wrong samples of class 0 and of class 1.

    See ``reference._wrong_by_class``. Summing y s beside s tells the classes apart without another
    array.
    """
    margin, pull, signed = margins[0], margins[1], margins[2]
    total = 0.0
    difference = 0.0
    for i in range(w.shape[0]):
        w[i] -= a * q[i]
        wrong = signed[i] if _grow(margin[i], w[i], g, pull[i], c) <= 0.0 else 0.0
        total += abs(wrong)
        difference += wrong
    return 0.5 * (total - difference), 0.5 * (total + difference)


@_kernel
def _grow_scores(
    w: Any, c: float, g: float, scores: Any, targets: Any, inv_root: Any, out: Any
) -> None:
    for i in range(w.shape[0]):
        out[i] = _grow(scores[i], w[i], g, inv_root[i], targets[i] * c)


@_kernel
def _count(
    grown: Any, w: Any, c: float, doubt: Any, labels: Any, weight: Any, zero: int, out: Any
) -> None:
    """Add every sample to its cell of the flattened confusion table."""
    first, right = zero == ZERO_IS_FIRST, zero == ZERO_IS_RIGHT
    n_outputs = grown.shape[0]
    for i in range(grown.shape[1]):
        own, best, winner = labels[i], -np.inf, 0
        for k in range(n_outputs):
            if k != own and grown[k, i] > best:
                best, winner = grown[k, i], k
        gap, limit = grown[own, i] - best, doubt[i] + c * w[i] * w[i]
        if gap > limit or (gap == limit and (right or (first and own < winner))):
            winner = own
        out[own * n_outputs + winner] += weight[i]


@_kernel
def _stage_(
    V: Any,
    index: Any,
    q: Any,
    q_targets: Any,
    norms2: Any,
    dots: Any,
    residual: Any,
    eta: Any,
    scores: Any,
    targets: Any,
    labels: Any,
    weight: Any,
    inv_root: Any,
    doubt: Any,
    zero: int,
    alpha: float,
    kind: int,
    out: Any,
) -> None:
    """Deflate (unless q is empty) and score (unless kind is nothing) some candidates.

    Each candidate is scored while it is still in cache. One body serves all entry points below, so
    that it is compiled once.
    """
    n_outputs = dots.shape[1]
    grown = np.empty((n_outputs if kind == CONFUSION else 0, V.shape[1]))
    margins = _margins(scores[0], doubt, targets[0], inv_root, weight, zero)
    deflating = q.shape[0] > 0
    for row in range(index.shape[0]):
        j = index[row]
        w = V[j]
        a = 0.0
        if deflating:
            a = _dot(w, q)
            norms2[j] -= a * a
            for k in range(n_outputs):
                dots[j, k] -= a * q_targets[k]
        c = 1.0 / (norms2[j] + alpha)
        if kind == WRONG_BY_CLASS:
            direction = q if deflating else margins[1]  # a is zero then: nothing is subtracted
            wrong = _subtract_and_weigh(
                w, a, direction, c * (1.0 + ROUNDING), c * dots[j, 0], margins
            )
            out[row, 0] += wrong[0]
            out[row, 1] += wrong[1]
            continue
        if deflating:
            _subtract(w, a, q)
        if kind == SQUARED_ERROR:
            for k in range(n_outputs):
                out[row, 0] += _squared_error(w, c, c * dots[j, k], residual[k], eta)
        elif kind == CONFUSION:
            for k in range(n_outputs):
                _grow_scores(w, c, c * dots[j, k], scores[k], targets[k], inv_root, grown[k])
            _count(grown, w, ROUNDING * c, doubt, labels, weight, zero, out[row])


@guarded
def deflate_(V: FloatArray, q: FloatArray, q_targets: FloatArray, candidates: Candidates) -> None:
    """See ``reference.deflate_``."""
    matrix, vector, labels = np.empty((1, 0)), np.empty(0), np.empty(0, dtype=np.int64)
    loo = Loo(matrix, vector, matrix, matrix, labels, vector, vector, vector, 0)
    _stage_(V, np.arange(len(V)), q, q_targets, *candidates, *loo, 0.0, _NOTHING, matrix)


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
    """See ``reference.score_``."""
    _stage_(V, index, _NO_DIRECTION, _NO_DIRECTION, *candidates, *loo, alpha, kind, out)


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
    """See ``reference.deflate_and_score_``."""
    _stage_(V, np.arange(len(V)), q, q_targets, *candidates, *loo, alpha, kind, out)
