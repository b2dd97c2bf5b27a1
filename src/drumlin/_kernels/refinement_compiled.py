"""Numba backend of the joint refinement: one fused pass over blocks of rows.

Formulas and array layouts are in ``refinement``. The activations of a block stay in cache from the
scores to the gradient. Many nodes in single precision are products of matrices (``expansion``);
else each inner loop is a function of its own over contiguous stretches, so that it vectorises. Only
sums are reordered. One source serves float64 and float32: types follow the arrays, and only
``exp_`` knows the difference.

Compiling takes a few seconds, so: explicit loops where NumPy would write ``a[:] = 0`` (Numba
compiles its shape error for a second), arrays allocated outside, and only the entry point is
cached and callable from Python; the helpers are compiled into it. They share one file because
Numba's cache watches the file of the entry point alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np
from numba.extending import overload

from drumlin._kernels.contract import EXPONENT_FLOOR
from drumlin._kernels.door import guarded
from drumlin._kernels.expansion import expanded, node_gradient
from drumlin._kernels.jit import kept
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

_inside: Any = {"nogil": True, "error_model": "numpy"}
_inside |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_entry: Any = kept(error_model="numpy")
_kernel: Any = numba.njit(**_inside, fastmath={"contract"})
_reduction: Any = numba.njit(**_inside, fastmath={"contract", "reassoc", "nsz"})

_ROWS = 512  # rows handled at once: few enough for the cache, many enough to hide the calls
_MANY = 4  # from this size on, products of matrices are left to BLAS
_ROOT_HALF = math.sqrt(0.5)
_NO_LABELS = np.empty(0, dtype=np.int64)
_NO_VALUES = np.empty((0, 0))


class _Data(NamedTuple):
    """The rows to fit; one of labels and values is empty."""

    columns: Any  # (d, n)
    labels: Any  # (n,)
    values: Any  # (n, K)
    weight: Any  # (n,)


class _Network(NamedTuple):
    """The parameters, or the derivatives by them, with the intercept as the last coefficient."""

    centers: Any  # (M, d)
    inv_widths: Any  # (M, d); derivatives are by log-widths
    coef: Any  # (M + 1, K)


class _Scratch(NamedTuple):
    """Memory that is allocated once and used for every block."""

    memory: Any  # (2 M + K + 3) numbers per row of a block, see ``_carve``
    coef_t: Any  # (K, M + 1) transposed coefficients
    product: Any  # (M + 1, K)


class _Expansion(NamedTuple):
    """Nodes as a matrix, and sums over their lifted rows; empty where loops do all the work."""

    matrix: Any  # (M, 2 d + 1)
    loops: Any  # nodes that are left to loops
    lifted: Any  # (2 d + 1) numbers per row of a block
    product: Any  # (M, 2 d + 1)
    moments: Any  # (M, 2 d + 1) in float64


# --------------------------------------------------------------------- elementary functions


def _exp_source(
    real: Any, integer: Any, ln2: tuple[float, float], degree: int, floor: float
) -> Callable[[Any], None]:
    """Return ``exp_`` for one floating type, given the integer type of the same size.

    exp(v) = 2^k exp(t) with k = round(v / ln 2), so that the series of exp(t), abs(t) <= ln(2) / 2,
    needs few terms. Adding 1.5 * 2^mantissa to v / ln 2 rounds it and leaves k in the low bits;
    a shift makes them the exponent of 2^k. ``ln2`` comes in two parts, the first with so few
    digits that its product with k is exact.
    """
    mantissa, bias = np.finfo(real).nmant, np.finfo(real).maxexp - 1
    rounder, inv_ln2 = real(1.5 * 2.0**mantissa), real(1.0 / math.log(2.0))
    ln2_high, ln2_low = real(ln2[0]), real(ln2[1])
    leading, *others = (real(1.0 / math.factorial(k)) for k in range(degree, -1, -1))
    series = tuple(others)
    lowest, zero = real(floor), real(0.0)

    def exp_(x: Any) -> None:
        for r in range(x.shape[0]):
            v = x[r]
            rounded = v * inv_ln2 + rounder
            k = rounded - rounder
            t = (v - k * ln2_high) - k * ln2_low
            p = leading
            for coefficient in series:  # unrolled by the compiler
                p = p * t + coefficient
            power = integer((real(rounded).view(integer) + bias) << mantissa).view(real)
            x[r] = zero if v < lowest else p * power

    return exp_


_LN2_64 = (6.93147180369123816490e-01, 1.90821492927058770002e-10)
_LN2_32 = (0.693359375, math.log(2.0) - 0.693359375)
_EXP64 = _exp_source(np.float64, np.int64, _LN2_64, 13, EXPONENT_FLOOR)
_EXP32 = _exp_source(np.float32, np.int32, _LN2_32, 7, SINGLE_EXPONENT_FLOOR)


def exp_(x: Any) -> None:
    """Replace each entry v of x by exp(v), and by 0 below the floor of ``_exp_source``.

    Vectorises in compiled code, unlike ``math.exp``. The relative error is at most 4e-16 for
    v <= 700 in float64 and 2e-7 for v <= 87 in float32. (This body runs where compiling is off.)
    """
    np.exp(x, out=x)


@overload(exp_, jit_options={"error_model": "numpy", "fastmath": {"contract"}})
def _exp_for(x: Any) -> Callable[[Any], None]:
    return _EXP64 if x.dtype == numba.float64 else _EXP32


_ATANH = tuple(2.0 / (2 * k + 1) for k in range(17, -1, -1))
_ATANH_ODD, _ATANH_EVEN = _ATANH[::2], _ATANH[1::2]  # long series are not unrolled


@_reduction
def _log1p(q: float) -> float:
    """log(1 + q) = 2 artanh(q / (2 + q)) for 0 <= q <= 1; vectorises, unlike ``math.log1p``."""
    s = q / (2.0 + q)
    s2 = s * s
    s4 = s2 * s2
    odd = even = 0.0
    for coefficient in _ATANH_ODD:
        odd = odd * s4 + coefficient
    for coefficient in _ATANH_EVEN:
        even = even * s4 + coefficient
    return s * (even + s2 * odd)


# ------------------------------------------------------------------------------ inner loops


@_kernel
def _fill(value: float, out: Any) -> None:
    for r in range(out.shape[0]):
        out[r] = value


@_kernel
def _set_multiple(factor: float, x: Any, out: Any) -> None:
    for r in range(out.shape[0]):
        out[r] = factor * x[r]


@_kernel
def _add_multiple(factor: float, x: Any, out: Any) -> None:
    for r in range(out.shape[0]):
        out[r] += factor * x[r]


@_kernel
def _multiply(x: Any, out: Any) -> None:
    for r in range(out.shape[0]):
        out[r] *= x[r]


@_reduction
def _dot(x: Any, y: Any) -> Any:
    total = x.dtype.type(0)
    for r in range(x.shape[0]):
        total += x[r] * y[r]
    return total


@_kernel
def _subtract_squares(x: Any, center: float, inv_width: float, out: Any) -> None:
    for r in range(out.shape[0]):
        t = (x[r] - center) * inv_width
        out[r] -= t * t


@_reduction
def _moments(x: Any, center: float, inv_width: float, g: Any) -> tuple[Any, Any]:
    """Sums of g t and g t^2."""
    first = second = g.dtype.type(0)
    for r in range(g.shape[0]):
        t = (x[r] - center) * inv_width
        gt = g[r] * t
        first += gt
        second += gt * t
    return first, second


# ----------------------------------------------------------------------------------- losses
# Each returns the weighted sum over a block and replaces the scores by the residuals.


@_kernel
def _logistic_(scores: Any, labels: Any, weight: Any, spare: Any) -> float:
    f, q = scores[0], spare[0]
    for r in range(q.shape[0]):
        q[r] = -abs(f[r])
    exp_(q)
    return _logistic_residuals_(f, q, labels, weight)


@_reduction
def _logistic_residuals_(f: Any, q: Any, labels: Any, weight: Any) -> float:
    """``_logistic_`` given q = exp(-abs(f)); nothing cancels, however small the loss."""
    value = 0.0
    for r in range(f.shape[0]):
        sign = 1.0 if labels[r] == 1 else -1.0
        margin = sign * f[r]
        value += weight[r] * (max(-margin, 0.0) + _log1p(q[r]))
        f[r] = -sign * weight[r] * (q[r] if margin > 0.0 else 1.0) / (1.0 + q[r])
    return value


@_kernel
def _softmax_(scores: Any, labels: Any, weight: Any, spare: Any) -> float:
    top, total, one = spare[0], spare[1], scores.dtype.type(1)
    _set_multiple(one, scores[0], top)
    for k in range(1, scores.shape[0]):
        for r in range(top.shape[0]):
            top[r] = max(top[r], scores[k, r])
    value = 0.0
    for r in range(top.shape[0]):
        value += weight[r] * (top[r] - scores[labels[r], r])
    _fill(0.0, total)
    for k in range(scores.shape[0]):
        _add_multiple(-one, top, scores[k])
        exp_(scores[k])
        _add_multiple(one, scores[k], total)
    for r in range(total.shape[0]):
        value += weight[r] * math.log(total[r])
        total[r] = weight[r] / total[r]
    for k in range(scores.shape[0]):
        _multiply(total, scores[k])
    for r in range(top.shape[0]):
        scores[labels[r], r] -= weight[r]
    return value


@_reduction
def _huber_(scores: Any, values: Any, weight: Any, delta: float) -> float:
    value = 0.0
    for k in range(scores.shape[0]):
        for r in range(scores.shape[1]):
            error = scores[k, r] - values[r, k]
            clipped = min(max(error, -delta), delta)
            value += weight[r] * clipped * (error - 0.5 * clipped)
            scores[k, r] = weight[r] * clipped
    return value


# ------------------------------------------------------------------------------- the blocks


@_kernel
def _lift_(columns: Any, start: int, lifted: Any) -> None:
    """Fill ``lifted`` with the inputs, their squares and ones."""
    d = columns.shape[0]
    for i in range(d):
        for r in range(lifted.shape[1]):
            z = columns[i, start + r]
            lifted[i, r] = z
            lifted[d + i, r] = z * z
    _fill(1.0, lifted[2 * d])


@_kernel
def _activate_(
    columns: Any, start: int, stop: int, network: Any, expansion: Any, lifted: Any, phi: Any
) -> None:
    """Fill the rows of ``phi`` with the activations of the nodes, the last one with ones."""
    scale = columns.dtype.type(_ROOT_HALF)
    n_nodes = phi.shape[0] - 1
    if expansion.matrix.shape[0] > 0:
        np.dot(expansion.matrix, lifted, phi[:n_nodes])
    for j in expansion.loops:
        _fill(0.0, phi[j])
        for i in range(columns.shape[0]):
            inv_width = network.inv_widths[j, i] * scale
            _subtract_squares(columns[i, start:stop], network.centers[j, i], inv_width, phi[j])
    for j in range(n_nodes):
        exp_(phi[j])
    _fill(1.0, phi[n_nodes])


@_kernel
def _product_(A: Any, B: Any, out: Any) -> None:
    """``out = A @ B`` for B with long rows."""
    if min(A.shape) >= _MANY:
        np.dot(A, B, out)
        return
    for i in range(A.shape[0]):
        _set_multiple(A[i, 0], B[0], out[i])
        for j in range(1, A.shape[1]):
            _add_multiple(A[i, j], B[j], out[i])


@_kernel
def _add_inner_products_(A: Any, B: Any, product: Any, out: Any) -> None:
    """``out += A @ B.T`` for A and B with long rows."""
    many = min(out.shape) >= _MANY
    if many:
        np.dot(A, B.T, product)
    for i in range(A.shape[0]):
        for j in range(B.shape[0]):
            out[i, j] += product[i, j] if many else _dot(A[i], B[j])


@_kernel
def _add_node_gradient_(
    columns: Any,
    start: int,
    stop: int,
    network: Any,
    expansion: Any,
    lifted: Any,
    phi: Any,
    pull: Any,
    gradient: Any,
) -> None:
    """Add the derivatives by centers and log-widths; ``pull`` are those by the activations."""
    for j in range(pull.shape[0]):
        _multiply(phi[j], pull[j])
    if expansion.matrix.shape[0] > 0:
        np.dot(pull, lifted.T, expansion.product)
        for j in range(pull.shape[0]):
            for i in range(lifted.shape[0]):
                expansion.moments[j, i] += expansion.product[j, i]
    for j in expansion.loops:
        for i in range(columns.shape[0]):
            inv_width = network.inv_widths[j, i]
            first, second = _moments(
                columns[i, start:stop], network.centers[j, i], inv_width, pull[j]
            )
            gradient.centers[j, i] += inv_width * first
            gradient.inv_widths[j, i] += second


@_kernel
def _carve(memory: Any, n_nodes: int, n_outputs: int, m: int) -> tuple[Any, Any, Any, Any]:
    """Cut a block's memory into contiguous arrays of m columns: phi, pull, scores and spare."""
    phi_end = (n_nodes + 1) * m
    pull_end = phi_end + n_nodes * m
    scores_end = pull_end + n_outputs * m
    return (
        memory[:phi_end].reshape(n_nodes + 1, m),
        memory[phi_end:pull_end].reshape(n_nodes, m),
        memory[pull_end:scores_end].reshape(n_outputs, m),
        memory[scores_end : scores_end + 2 * m].reshape(2, m),
    )


@_entry
def _fused(
    data: Any,
    network: Any,
    loss: int,
    delta: float,
    scratch: Any,
    expansion: Any,
    gradient: Any,
) -> float:
    """Return the value and add to the gradient; takes plain tuples, which Numba unpacks faster."""
    data, scratch = _Data(*data), _Scratch(*scratch)
    network, gradient = _Network(*network), _Network(*gradient)
    expansion = _Expansion(*expansion)
    n_lifted = expansion.matrix.shape[1]
    n_nodes, n_outputs = network.centers.shape[0], network.coef.shape[1]
    value = 0.0
    n_rows = data.weight.shape[0]
    for start in range(0, n_rows, _ROWS):
        stop = min(start + _ROWS, n_rows)
        phi, pull, scores, spare = _carve(scratch.memory, n_nodes, n_outputs, stop - start)
        lifted = expansion.lifted[: n_lifted * (stop - start)].reshape(n_lifted, stop - start)
        if n_lifted > 0:
            _lift_(data.columns, start, lifted)
        _activate_(data.columns, start, stop, network, expansion, lifted, phi)
        _product_(scratch.coef_t, phi, scores)
        weight = data.weight[start:stop]
        if loss == LOGISTIC:
            value += _logistic_(scores, data.labels[start:stop], weight, spare)
        elif loss == SOFTMAX:
            value += _softmax_(scores, data.labels[start:stop], weight, spare)
        else:
            value += _huber_(scores, data.values[start:stop], weight, delta)
        _add_inner_products_(phi, scores, scratch.product, gradient.coef)
        _product_(network.coef[:n_nodes], scores, pull)
        _add_node_gradient_(
            data.columns, start, stop, network, expansion, lifted, phi, pull, gradient
        )
    return value


@guarded
def value_and_gradient(
    columns: Columns,
    targets: Targets,
    weight: FloatArray,
    nodes: NodeParameters,
    loss: int,
    *,
    delta: float = HUBER_DELTA,
    reach: FloatArray | None = None,
) -> tuple[float, Gradient]:
    """See ``refinement_reference.value_and_gradient``."""
    dtype = columns.dtype
    centers = np.ascontiguousarray(nodes.centers, dtype)
    inv_widths = np.ascontiguousarray(nodes.inv_widths, dtype)
    coef = np.concatenate([nodes.coef, nodes.intercept[None]]).astype(dtype, copy=False)
    coef_t = np.ascontiguousarray(coef.T)
    matrix, loops = expanded(columns, nodes, reach)
    A = matrix.astype(dtype, copy=False)
    by_label = loss in (LOGISTIC, SOFTMAX)
    labels, values = (targets, _NO_VALUES) if by_label else (_NO_LABELS, targets)

    block = min(_ROWS, len(weight))
    memory = np.empty((2 * len(centers) + coef.shape[1] + 3) * block, dtype)
    lifted, moments = np.empty(A.shape[1] * block, dtype), np.zeros(A.shape)
    gradient = np.zeros(centers.shape), np.zeros(centers.shape), np.zeros(coef.shape)
    value = _fused(
        (columns, labels, values, weight),
        (centers, inv_widths, coef),
        loss,
        float(delta) if loss == HUBER else math.inf,
        (memory, coef_t, np.empty_like(coef)),
        (A, loops, lifted, np.empty_like(A), moments),
        gradient,
    )
    d_centers, d_log_widths, d_coef = gradient
    if len(A):
        moments[loops] = 0.0
        for total, more in zip(gradient[:2], node_gradient(moments, nodes), strict=True):
            total += more
    return value, Gradient(d_centers, d_log_widths, d_coef[:-1], d_coef[-1])
