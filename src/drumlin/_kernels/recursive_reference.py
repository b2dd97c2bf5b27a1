r"""NumPy backend of the sample-by-sample solvers: recursive least squares and LMS.

Recursive least squares keeps a triangular factor of R(n) (eq. 5.37 of haykin5), not its inverse:

.. math:: A'A = \sum_i \lambda^{n-i} s_i \phi_i \phi_i' + D, \qquad A \hat w(n) = g

A sample is rotated into the factor by one Givens rotation per column. That is eqs. (5.44)-(5.48)
without their subtraction: :math:`P = A^{-1} A^{-T}` is symmetric and positive definite whatever the
rounding, and the condition number that matters is the root of that of R. The rotated residual r
and the product :math:`\gamma` of the cosines give the prior error (5.38) for free, r / gamma.

Forgetting, :math:`\lambda < 1`, forgets samples but not the penalty: after every sample the one
weight whose turn it is gets its penalty back. Without that, directions that the samples do not
excite would lose it too and P would grow without bound (wind-up).
"""

from __future__ import annotations

import numpy as np

from drumlin._kernels.door import guarded
from drumlin._kernels.recursive import Factor
from drumlin._typing import FloatArray


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
    """Rotate samples into the factor one by one and fill in their prior errors.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_nodes)
    targets : ndarray of shape (n_samples, n_outputs)
    weight : ndarray of shape (n_samples,)
    forgetting : float
        By which old samples are multiplied at every new one; 1 keeps them.
    alpha : float
        Penalty that forgetting does not touch.
    centered : bool
        Whether there is an unpenalised intercept.
    factor : Factor
        Overwritten.
    errors : ndarray of shape (n_samples, n_outputs)
        Overwritten with target minus prediction before the sample was learned (5.38).
    """
    root = np.sqrt(forgetting)
    n_nodes = Phi.shape[1]
    for i in range(len(Phi)):
        x, b = Phi[i].copy(), targets[i].copy()
        share = _enter_(x, b, weight[i], forgetting, centered, factor)
        residual = np.empty_like(b)
        gamma = _rotate_(share * x, share * b, 0, root, factor, residual)
        # The very first sample only sets the means; its prior prediction is zero.
        errors[i] = residual / (share * gamma) if share > 0.0 else b
        if forgetting < 1.0:
            turn = int(factor.totals[1]) % n_nodes
            factor.penalties[...] *= forgetting
            x[:] = 0.0
            x[turn] = np.sqrt(max(alpha - factor.penalties[turn], 0.0))
            factor.penalties[turn] = alpha
            _rotate_(x, np.zeros_like(b), turn, 1.0, factor, residual)
        factor.totals[1] += 1.0


def _enter_(
    x: FloatArray,
    b: FloatArray,
    weight: float,
    forgetting: float,
    centered: bool,
    factor: Factor,
) -> float:
    """Move means and total to include the sample; x and b become deviations from the old means.

    Returns the root of the weight with which the deviations enter the factor. With an intercept
    that is W s / (W + s), W the old total: summed outer products of deviations from the final mean
    grow by just this much (Welford), so the intercept is exact and needs no penalty.
    """
    old = forgetting * factor.totals[0]
    factor.totals[0] = old + weight
    if not centered:
        return float(np.sqrt(weight))
    x -= factor.mean
    b -= factor.target_mean
    part = weight / factor.totals[0]
    factor.mean[...] += part * x
    factor.target_mean[...] += part * b
    return float(np.sqrt(old * part))


def _rotate_(
    x: FloatArray, b: FloatArray, first: int, root: float, factor: Factor, residual: FloatArray
) -> float:
    """Rotate the row (x, b) into ``root`` times the factor; x is zero before column ``first``.

    Fills in the rotated residual and returns the product of the cosines.
    """
    A, g = factor.A, factor.g
    gamma = 1.0
    for j in range(first, len(A)):
        diagonal = root * A[j, j]
        length = np.sqrt(diagonal * diagonal + x[j] * x[j])
        c, s = diagonal / length, x[j] / length
        old, old_g = root * A[j, j + 1 :], root * g[j]
        A[j, j] = length
        A[j, j + 1 :] = c * old + s * x[j + 1 :]
        g[j] = c * old_g + s * b
        x[j + 1 :] = c * x[j + 1 :] - s * old
        b = c * b - s * old_g
        gamma *= c
    factor.cost[...] = root * root * factor.cost + b * b
    residual[...] = b
    return gamma


@guarded
def lms_(
    Phi: FloatArray,
    targets: FloatArray,
    rates: FloatArray,
    constant: float,
    coef: FloatArray,
    intercept: FloatArray,
    errors: FloatArray,
) -> None:
    r"""Correct the weights sample by sample: :math:`w \leftarrow w + \eta e \phi/\|\phi\|^2`.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_nodes)
    targets : ndarray of shape (n_samples, n_outputs)
    rates : ndarray of shape (n_samples,)
        Part of the error that the sample's own correction removes.
    constant : float
        Activation of the intercept: 1, or 0 where there is none.
    coef, intercept : ndarray of shape (n_nodes, n_outputs), (n_outputs,)
        Overwritten.
    errors : ndarray of shape (n_samples, n_outputs)
        Overwritten with the prior errors.
    """
    for i in range(len(Phi)):
        errors[i] = targets[i] - Phi[i] @ coef - constant * intercept
        norm2 = float(Phi[i] @ Phi[i]) + constant
        if norm2 > 0.0:
            step = rates[i] / norm2 * errors[i]
            coef += Phi[i][:, None] * step
            intercept += constant * step
