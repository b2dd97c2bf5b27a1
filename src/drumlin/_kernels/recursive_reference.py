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

import math

import numpy as np
from scipy.linalg.blas import drot

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
    root, n_nodes = float(np.sqrt(forgetting)), Phi.shape[1]
    # Columns of A and g, and their means, are rotated and moved alike: one row for both.
    joint, rows = np.hstack([factor.A, factor.g]), np.hstack([Phi, targets])
    mean = np.concatenate([factor.mean, factor.target_mean])
    for i, row in enumerate(rows):
        share = _enter_(row, weight[i], forgetting, mean if centered else None, factor)
        b = row[n_nodes:].copy()
        row *= share
        if forgetting < 1.0:
            joint *= root
            factor.cost[...] *= forgetting
        gamma = _rotate_(row, 0, joint, factor)
        # The very first sample only sets the means; its prior prediction is zero.
        errors[i] = row[n_nodes:] / (share * gamma) if share > 0.0 else b
        if forgetting < 1.0:
            turn = int(factor.totals[1]) % n_nodes
            factor.penalties[...] *= forgetting
            row[:] = 0.0
            row[turn] = np.sqrt(max(alpha - factor.penalties[turn], 0.0))
            factor.penalties[turn] = alpha
            _rotate_(row, turn, joint, factor)
        factor.totals[1] += 1.0
    factor.A[...], factor.g[...] = np.hsplit(joint, [n_nodes])
    factor.mean[...], factor.target_mean[...] = np.split(mean, [n_nodes])


def _enter_(
    row: FloatArray, weight: float, forgetting: float, mean: FloatArray | None, factor: Factor
) -> float:
    """Move means and total to include the sample; the row becomes deviations from the old means.

    Returns the root of the weight with which the deviations enter the factor. With an intercept
    that is W s / (W + s), W the old total: summed outer products of deviations from the final mean
    grow by just this much (Welford), so the intercept is exact and needs no penalty.
    """
    old = forgetting * factor.totals[0]
    factor.totals[0] = old + weight
    if mean is None:
        return float(np.sqrt(weight))
    row -= mean
    part = weight / factor.totals[0]
    mean += part * row
    return float(np.sqrt(old * part))


def _rotate_(row: FloatArray, first: int, joint: FloatArray, factor: Factor) -> float:
    """Rotate the row into the factor; it is zero before column ``first``.

    Leaves the rotated residual at its end and returns the product of the cosines.
    """
    flat, (n_nodes, width), gamma = joint.reshape(-1), joint.shape, 1.0
    for j in range(first, n_nodes):
        place = j * width + j
        diagonal, entry = float(flat[place]), float(row[j])
        length = math.sqrt(diagonal * diagonal + entry * entry)
        c, s = diagonal / length, entry / length
        drot(flat, row, c, s, width - j, place, 1, j, 1, overwrite_x=1, overwrite_y=1)
        gamma *= c
    factor.cost[...] += row[n_nodes:] ** 2
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
