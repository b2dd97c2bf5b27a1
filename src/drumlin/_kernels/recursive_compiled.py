"""Numba backend of the sample-by-sample solvers; see ``recursive_reference``."""

from __future__ import annotations

from typing import Any

import numpy as np

from drumlin._kernels.door import guarded
from drumlin._kernels.jit import kept
from drumlin._kernels.recursive import Factor
from drumlin._typing import FloatArray

_kernel: Any = kept(error_model="numpy")
_contracting: Any = kept(error_model="numpy", fastmath={"reassoc", "nsz", "contract"})


@_contracting
def _rotate_row(row: Any, x: Any, root: float, c: float, s: float) -> None:
    for k in range(row.shape[0]):
        old = root * row[k]
        row[k] = c * old + s * x[k]
        x[k] = c * x[k] - s * old


@_kernel
def _rotate_(x: Any, b: Any, first: int, root: float, A: Any, g: Any, cost: Any) -> float:
    """Leaves the rotated residual in b."""
    gamma = 1.0
    for j in range(first, A.shape[0]):
        diagonal = root * A[j, j]
        length = np.sqrt(diagonal * diagonal + x[j] * x[j])
        c = diagonal / length
        s = x[j] / length
        A[j, j] = length
        _rotate_row(A[j, j + 1 :], x[j + 1 :], root, c, s)
        _rotate_row(g[j], b, root, c, s)
        gamma *= c
    for k in range(b.shape[0]):
        cost[k] = root * root * cost[k] + b[k] * b[k]
    return gamma


@_kernel
def _rls_(
    Phi: Any,
    targets: Any,
    weight: Any,
    forgetting: float,
    alpha: float,
    centered: bool,
    A: Any,
    g: Any,
    mean: Any,
    target_mean: Any,
    cost: Any,
    penalties: Any,
    totals: Any,
    errors: Any,
) -> None:
    root = np.sqrt(forgetting)
    n_nodes, n_outputs = g.shape
    x = np.empty(n_nodes)
    b = np.empty(n_outputs)
    for i in range(Phi.shape[0]):
        old = forgetting * totals[0]
        totals[0] = old + weight[i]
        part = weight[i] / totals[0]
        share = np.sqrt(old * part) if centered else np.sqrt(weight[i])
        for j in range(n_nodes):
            deviation = Phi[i, j] - mean[j]
            mean[j] += part * deviation if centered else 0.0
            x[j] = share * deviation
        for k in range(n_outputs):
            deviation = targets[i, k] - target_mean[k]
            target_mean[k] += part * deviation if centered else 0.0
            b[k] = share * deviation
            errors[i, k] = deviation
        gamma = _rotate_(x, b, 0, root, A, g, cost)
        if share > 0.0:
            for k in range(n_outputs):
                errors[i, k] = b[k] / (share * gamma)
        if forgetting < 1.0:
            turn = int(totals[1]) % n_nodes
            for j in range(n_nodes):
                penalties[j] *= forgetting
            x[:] = 0.0
            b[:] = 0.0
            x[turn] = np.sqrt(max(alpha - penalties[turn], 0.0))
            penalties[turn] = alpha
            _rotate_(x, b, turn, 1.0, A, g, cost)
        totals[1] += 1.0


@guarded
def rls_(
    Phi: FloatArray,
    targets: FloatArray,
    weight: FloatArray,
    forgetting: float,
    alpha: float,
    centered: bool,
    factor: Factor,
    errors: FloatArray,
) -> None:
    """See ``recursive_reference.rls_``."""
    _rls_(Phi, targets, weight, forgetting, alpha, centered, *factor, errors)


@_contracting
def _dot(a: Any, b: Any) -> float:
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


@guarded
@_kernel
def lms_(
    Phi: Any, targets: Any, rates: Any, constant: float, coef: Any, intercept: Any, errors: Any
) -> None:
    """See ``recursive_reference.lms_``."""
    for i in range(Phi.shape[0]):
        norm2 = _dot(Phi[i], Phi[i]) + constant
        for k in range(targets.shape[1]):
            error = targets[i, k] - constant * intercept[k]
            for j in range(Phi.shape[1]):
                error -= Phi[i, j] * coef[j, k]
            errors[i, k] = error
            if norm2 > 0.0:
                step = rates[i] / norm2 * error
                for j in range(Phi.shape[1]):
                    coef[j, k] += Phi[i, j] * step
                intercept[k] += constant * step
