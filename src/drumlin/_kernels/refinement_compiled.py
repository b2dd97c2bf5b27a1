"""Numba backend of the joint refinement: one fused pass over blocks of rows.

Formulas and array layouts are in ``refinement``. A block of activations stays in cache from the
scores to the gradient; each inner loop is a function of its own over plain contiguous stretches,
so that it vectorises; the small matrix products go through BLAS. Serial and ``nogil``. The same
source serves float64 and float32: only ``exp_`` knows the difference. Only sums are reordered.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from drumlin._kernels.contract import EXPONENT_FLOOR
from drumlin._kernels.refinement import (
    HUBER,
    HUBER_DELTA,
    LOGISTIC,
    SINGLE_EXPONENT_FLOOR,
    SOFTMAX,
    Columns,
    Gradient,
    NodeParameters,
    Targets,
)
from drumlin._typing import FloatArray

# Helpers are compiled into the entry point, which alone is cached.
_entry: Any = numba.njit(nogil=True, cache=False, error_model="numpy")
_elementwise: Any = numba.njit(nogil=True, error_model="numpy", fastmath={"contract"})
_reduction: Any = numba.njit(
    nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}
)

_ROWS = 256  # rows handled at once: their activations stay in cache
_ROOT_HALF = math.sqrt(0.5)
_NO_LABELS = np.empty(0, dtype=np.int64)
_NO_TARGETS = np.empty((0, 0))


def _make_exp(
    real: Any, integer: Any, ln2: tuple[float, float], degree: int, floor: float
) -> Callable[[Any], None]:
    """Return the source of ``exp_`` for one floating type and the integer type of its size.

    exp(v) = 2^k exp(t) with k = round(v / ln 2) and \\|t\\| <= ln(2) / 2, where ``degree`` terms of
    the series reach the last digit. Adding 1.5 * 2^mantissa to v / ln 2 rounds it and leaves k in
    the low bits, from where a shift puts it into the exponent of 2^k. ``ln2`` is ln 2 in two
    parts, of which the first has so few digits that its product with k is exact.
    """
    mantissa = np.finfo(real).nmant
    bias = np.finfo(real).maxexp - 1
    rounder, inv_ln2 = real(1.5 * 2.0**mantissa), real(1.0 / math.log(2.0))
    high, low = real(ln2[0]), real(ln2[1])
    series = tuple(real(1.0 / math.factorial(k)) for k in range(degree - 1, -1, -1))
    leading, lowest, zero = real(1.0 / math.factorial(degree)), real(floor), real(0.0)

    def exp_(x: Any) -> None:
        for r in range(x.shape[0]):
            v = x[r]
            shifted = v * inv_ln2 + rounder
            k = shifted - rounder
            t = (v - k * high) - k * low
            p = leading
            for coefficient in series:
                p = p * t + coefficient
            power = integer((real(shifted).view(integer) + bias) << mantissa).view(real)
            x[r] = zero if v < lowest else p * power

    return exp_


_EXP64 = _make_exp(
    np.float64,
    np.int64,
    (6.93147180369123816490e-01, 1.90821492927058770002e-10),
    13,
    EXPONENT_FLOOR,
)
_EXP32 = _make_exp(
    np.float32, np.int32, (0.693359375, math.log(2.0) - 0.693359375), 7, SINGLE_EXPONENT_FLOOR
)


def exp_(x: Any) -> None:
    """Replace every entry v of x by exp(v), or by 0 below the floor; for compiled code only.

    Vectorises, unlike ``math.exp``. For floor <= v <= 700 (float32: 87) the relative error is at
    most 4e-16 (float32: 2e-7).
    """
    raise NotImplementedError


@overload(exp_, jit_options={"error_model": "numpy", "fastmath": {"contract"}})
def _exp_of_type(x: Any) -> Callable[[Any], None]:
    return _EXP64 if x.dtype == numba.float64 else _EXP32


@_elementwise
def _subtract_squares(x: Any, center: float, inv_width: float, out: Any) -> None:
    for r in range(out.shape[0]):
        t = (x[r] - center) * inv_width
        out[r] -= t * t


@_reduction
def _moments(x: Any, center: float, inv_width: float, g: Any) -> Any:
    """Sums of g t and g t^2."""
    first = second = g.dtype.type(0)
    for r in range(g.shape[0]):
        t = (x[r] - center) * inv_width
        gt = g[r] * t
        first += gt
        second += gt * t
    return first, second


@_elementwise
def _multiply(x: Any, out: Any) -> None:
    for r in range(out.shape[0]):
        out[r] *= x[r]


@_reduction
def _sum(x: Any) -> Any:
    total = x.dtype.type(0)
    for r in range(x.shape[0]):
        total += x[r]
    return total


@_elementwise
def _activate_(columns: Any, start: int, centers: Any, inv_widths: Any, phi: Any) -> None:
    """Fill ``phi (M, rows)`` with the activations of the rows that begin at ``start``."""
    stop = min(start + phi.shape[1], columns.shape[1])
    scale = columns.dtype.type(_ROOT_HALF)
    for j in range(phi.shape[0]):
        exponent = phi[j, : stop - start]
        exponent[:] = 0
        for i in range(columns.shape[0]):
            _subtract_squares(
                columns[i, start:stop], centers[j, i], inv_widths[j, i] * scale, exponent
            )
        exp_(exponent)


@_elementwise
def _node_gradient(columns, start, centers, inv_widths, phi, pull, d_centers, d_log_widths):
    stop = min(start + phi.shape[1], columns.shape[1])
    for j in range(phi.shape[0]):
        g = pull[j, : stop - start]
        _multiply(phi[j], g)
        for i in range(columns.shape[0]):
            first, second = _moments(columns[i, start:stop], centers[j, i], inv_widths[j, i], g)
            d_centers[j, i] += first * inv_widths[j, i]
            d_log_widths[j, i] += second


_ATANH = tuple(2.0 / (2 * k + 1) for k in range(16, -1, -1))


@_reduction
def _logistic_losses(f, q, labels, weight):
    value = 0.0
    for r in range(f.shape[0]):
        s = q[r] / (2.0 + q[r])
        s2 = s * s
        p = 0.0
        for c in _ATANH:
            p = p * s2 + c
        sign = 1.0 if labels[r] == 1 else -1.0
        margin = sign * f[r]
        value += weight[r] * (max(-margin, 0.0) + s * p)
        slope = (q[r] if margin > 0.0 else 1.0) / (1.0 + q[r])
        f[r] = -weight[r] * sign * slope
    return value


@_elementwise
def _logistic_(scores: Any, labels: Any, weight: Any) -> float:
    f = scores[0, : weight.shape[0]]
    q = -np.abs(f)
    exp_(q)
    return _logistic_losses(f, q, labels, weight)


@_elementwise
def _softmax_(scores: Any, labels: Any, weight: Any) -> float:
    m = weight.shape[0]
    top = scores[0, :m].copy()
    for k in range(1, scores.shape[0]):
        for r in range(m):
            top[r] = max(top[r], scores[k, r])
    total = np.zeros(m, scores.dtype)
    value = 0.0
    for r in range(m):
        value -= weight[r] * (scores[labels[r], r] - top[r])
    for k in range(scores.shape[0]):
        f = scores[k, :m]
        for r in range(m):
            f[r] -= top[r]
        exp_(f)
        for r in range(m):
            total[r] += f[r]
    for r in range(m):
        value += weight[r] * math.log(total[r])
        total[r] = weight[r] / total[r]
    for k in range(scores.shape[0]):
        _multiply(total, scores[k, :m])
    for r in range(m):
        scores[labels[r], r] -= weight[r]
    return value


@_elementwise
def _huber_(scores: Any, targets: Any, weight: Any, delta: float) -> float:
    value = 0.0
    for k in range(scores.shape[0]):
        for r in range(weight.shape[0]):
            error = scores[k, r] - targets[r, k]
            clipped = min(max(error, -delta), delta)
            value += weight[r] * clipped * (error - 0.5 * clipped)
            scores[k, r] = weight[r] * clipped
    return value


@_entry
def _fused(
    columns,
    labels,
    targets,
    weight,
    centers,
    inv_widths,
    coef,
    intercept,
    loss,
    delta,
    train_nodes,
    d_centers,
    d_log_widths,
    d_coef,
    d_intercept,
):
    n = columns.shape[1]
    M, K = coef.shape
    rows = min(_ROWS, n)
    phi = np.zeros((M, rows), columns.dtype)
    scores = np.zeros((K, rows), columns.dtype)
    pull = np.empty((M, rows), columns.dtype)
    part = np.empty((M, K), columns.dtype)
    coef_t = np.ascontiguousarray(coef.T)
    value = 0.0
    for start in range(0, n, _ROWS):
        stop = min(n, start + _ROWS)
        m = stop - start
        _activate_(columns, start, centers, inv_widths, phi)
        np.dot(coef_t, phi, scores)
        for k in range(K):
            scores[k] += intercept[k]
        if loss == LOGISTIC:
            value += _logistic_(scores, labels[start:stop], weight[start:stop])
        elif loss == SOFTMAX:
            value += _softmax_(scores, labels[start:stop], weight[start:stop])
        else:
            value += _huber_(scores, targets[start:stop], weight[start:stop], delta)
        scores[:, m:] = 0
        np.dot(phi, scores.T, part)
        d_coef += part
        for k in range(K):
            d_intercept[k] += _sum(scores[k])
        if train_nodes:
            np.dot(coef, scores, pull)
            _node_gradient(columns, start, centers, inv_widths, phi, pull, d_centers, d_log_widths)
    return value


def value_and_gradient(
    columns: Columns,
    targets: Targets,
    weight: FloatArray,
    nodes: NodeParameters,
    loss: int,
    *,
    train_nodes: bool = True,
    delta: float = HUBER_DELTA,
) -> tuple[float, Gradient]:
    """See ``refinement_reference.value_and_gradient``."""
    gradient = Gradient.zeros(nodes)
    parameters = (np.ascontiguousarray(field, dtype=columns.dtype) for field in nodes)
    labels, values = (
        (targets, _NO_TARGETS) if loss in (LOGISTIC, SOFTMAX) else (_NO_LABELS, targets)
    )
    threshold = delta if loss == HUBER else np.inf
    value = _fused(
        columns, labels, values, weight, *parameters, loss, threshold, train_nodes, *gradient
    )
    return value, gradient
