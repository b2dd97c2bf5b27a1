"""Numba backend: the same functions as ``reference``, one fused pass over memory each.

Serial ``nogil`` kernels; parallelism is Python threads over blocks of candidates, so results do
not depend on the number of threads. Small helpers vectorise, one big body does not: keep each
inner loop in a function of its own. Only reductions may be reordered (``reassoc``): infinities
and NaN keep their meaning.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from drumlin._kernels.contract import CONFUSION, ETA_FLOOR, SQUARED_ERROR, WRONG_BY_CLASS

_kernel = numba.njit(nogil=True, cache=True, error_model="numpy")
_helper = numba.njit(nogil=True, cache=True, error_model="numpy")
_reduction = numba.njit(
    nogil=True, cache=True, error_model="numpy", fastmath={"reassoc", "contract", "nsz"}
)


@_helper
def _add_squares(x: Any, center: float, inv_width: float, out: Any) -> None:
    for i in range(x.shape[0]):
        difference = (x[i] - center) * inv_width
        out[i] += difference * difference


@_kernel
def squared_distances_(XT: Any, centers: Any, inv_widths: Any, out: Any) -> None:
    """See ``reference.squared_distances_``."""
    for j in range(out.shape[0]):
        out[j, :] = 0.0
        for f in range(XT.shape[0]):
            _add_squares(XT[f], centers[j, f], inv_widths[j, f], out[j])


@_reduction
def _dot(v: Any, q: Any) -> float:
    total = 0.0
    for i in range(v.shape[0]):
        total += v[i] * q[i]
    return total


@_helper
def _subtract(v: Any, a: float, q: Any) -> None:
    for i in range(v.shape[0]):
        v[i] -= a * q[i]


@_kernel
def inner_(V: Any, q: Any, out: Any) -> None:
    """See ``reference.inner_``."""
    for j in range(V.shape[0]):
        out[j] += _dot(V[j], q)


@_kernel
def subtract_projections_(V: Any, A: Any, Q: Any) -> None:
    """See ``reference.subtract_projections_``."""
    for j in range(V.shape[0]):
        for k in range(Q.shape[0]):
            _subtract(V[j], A[k, j], Q[k])


@_helper
def _deflate_one(v: Any, q: Any, q_targets: Any, candidates: Any, j: int) -> None:
    a = _dot(v, q)
    _subtract(v, a, q)
    candidates.norms2[j] -= a * a
    for k in range(q_targets.shape[0]):
        candidates.dots[j, k] -= a * q_targets[k]


@_kernel
def deflate_(V: Any, q: Any, q_targets: Any, candidates: Any) -> None:
    """See ``reference.deflate_``."""
    for j in range(V.shape[0]):
        _deflate_one(V[j], q, q_targets, candidates, j)


@_reduction
def _squared_error_single(w: Any, c: float, g: float, residual: Any, eta: Any) -> float:
    total = 0.0
    for i in range(w.shape[0]):
        left = eta[i] - c * w[i] * w[i]
        error = (residual[i] - g * w[i]) if left > ETA_FLOOR else np.inf
        error /= left
        total += error * error
    return total


@_helper
def _add_error_squares(w: Any, g: float, residual: Any, out: Any) -> None:
    for i in range(w.shape[0]):
        error = residual[i] - g * w[i]
        out[i] += error * error


@_reduction
def _divided_by_eta2(w: Any, c: float, squares: Any, eta: Any) -> float:
    total = 0.0
    for i in range(w.shape[0]):
        left = eta[i] - c * w[i] * w[i]
        square = squares[i] if left > ETA_FLOOR else np.inf
        total += square / (left * left)
    return total


@_helper
def _squared_error(w: Any, c: float, dots: Any, loo: Any, scratch: Any) -> float:
    if dots.shape[0] == 1:
        return float(_squared_error_single(w, c, c * dots[0], loo.residual[0], loo.eta))
    squares = scratch[0]
    squares[:] = 0.0
    for k in range(dots.shape[0]):
        _add_error_squares(w, c * dots[k], loo.residual[k], squares)
    return float(_divided_by_eta2(w, c, squares, loo.eta))


@_reduction
def _wrong_weight(
    w: Any,
    c: float,
    dot: float,
    scores: Any,
    targets: Any,
    inv_root: Any,
    weight: Any,
    limit: float,
) -> tuple[float, float]:
    """Weight of the wrong samples: of all, and of class 1."""
    total = 0.0
    positive = 0.0
    for i in range(w.shape[0]):
        y = targets[i]
        score = scores[i] + c * w[i] * (dot * inv_root[i] - y * w[i])
        wrong = weight[i] if y * score <= limit else 0.0
        total += wrong
        positive += wrong if y > 0.0 else 0.0
    return total, positive


@_helper
def _best_other(
    w: Any, c: float, dot: float, k: int, loo: Any, best: Any, second: Any, own: Any
) -> None:
    """Update the best score among the classes that are not the sample's own."""
    for i in range(w.shape[0]):
        pull = dot * loo.inv_root[i] - loo.targets[k, i] * w[i]
        score = loo.scores[k, i] + c * w[i] * pull
        if loo.labels[i] == k:
            own[i] = score
        elif score > best[i]:
            best[i] = score
            second[i] = k


@_helper
def _confusion(w: Any, c: float, dots: Any, loo: Any, scratch: Any, out: Any) -> None:
    best, second, own = scratch[0], scratch[1], scratch[2]
    n_outputs = dots.shape[0]
    best[:] = -np.inf
    for k in range(n_outputs):
        _best_other(w, c, dots[k], k, loo, best, second, own)
    for i in range(w.shape[0]):
        predicted = loo.labels[i] if own[i] - best[i] > loo.threshold else int(second[i])
        out[loo.labels[i] * n_outputs + predicted] += loo.weight[i]


@_helper
def _score_one(
    w: Any, j: int, candidates: Any, loo: Any, alpha: float, kind: int, scratch: Any, out: Any
) -> None:
    c = 1.0 / (candidates.norms2[j] + alpha)
    dots = candidates.dots[j]
    if kind == SQUARED_ERROR:
        out[0] += _squared_error(w, c, dots, loo, scratch)
    elif kind == WRONG_BY_CLASS:
        wrong, positive = _wrong_weight(
            w, c, dots[0], loo.scores[0], loo.targets[0], loo.inv_root, loo.weight, loo.threshold
        )
        out[0] += wrong - positive
        out[1] += positive
    elif kind == CONFUSION:
        _confusion(w, c, dots, loo, scratch, out)


@_kernel
def score_(
    V: Any, index: Any, candidates: Any, loo: Any, alpha: float, kind: int, out: Any
) -> None:
    """See ``reference.score_``."""
    scratch = np.empty((3, V.shape[1]))
    for row in range(index.shape[0]):
        j = index[row]
        _score_one(V[j], j, candidates, loo, alpha, kind, scratch, out[row])


@_kernel
def deflate_and_score_(
    V: Any,
    q: Any,
    q_targets: Any,
    candidates: Any,
    loo: Any,
    alpha: float,
    kind: int,
    out: Any,
) -> None:
    """See ``reference.deflate_and_score_``; each candidate is still in cache when scored."""
    scratch = np.empty((3, V.shape[1]))
    for j in range(V.shape[0]):
        _deflate_one(V[j], q, q_targets, candidates, j)
        _score_one(V[j], j, candidates, loo, alpha, kind, scratch, out[j])
