r"""What one more kernel would do to a fitted logistic regression: one Newton step, in closed form.

A candidate column q, orthonormal to the others in the kernel's inner product, enters with weights
v = 0. With g the derivatives of F in v and

.. math:: \kappa = \partial^2 F/\partial v^2 - B' H^{-1} B, \qquad
          B = \partial^2 F/\partial w \, \partial v,

the step lowers twice F by :math:`g'\kappa^{-1}g` and raises :math:`\log|H|` by
:math:`\log|\kappa|`: all that the information criterion needs, were the curvature constant.
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray
from drumlin.readout.logistic import (
    LogisticFits,
    LogisticProblem,
    class_rates,
    hessian,
    own_curvatures,
)
from drumlin.readout.whitening import DEPENDENT, Whitened

_CHUNK = 2_000_000
"""Activations of candidates treated at once."""


def estimate_additions(
    whitened: Whitened,
    fits: LogisticFits,
    problem: LogisticProblem,
    penalties: FloatArray,
    activations: FloatArray,
    kernel: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Guess what each of many candidate kernels would bring to one fitted model.

    Parameters
    ----------
    whitened : Whitened
        Columns of the model, the only one of its batch.
    fits : LogisticFits
        Its weights.
    problem : LogisticProblem
    penalties : ndarray of shape (1, n_contrasts)
    activations : ndarray of shape (n_candidates, n_samples)
    kernel : ndarray of shape (n_candidates, n_centers)
        Kernel between candidates and the centers of the model.

    Returns
    -------
    gain : ndarray of shape (n_candidates,)
        Decrease of twice the penalised negative log-likelihood.
    log_det : ndarray of shape (n_candidates,)
        Increase of the logarithm of the Hessian's determinant; infinite for candidates that depend
        linearly on the model.
    """
    rates = class_rates(fits.scores)
    columns = whitened.columns[0]
    inverse = np.linalg.inv(hessian(whitened.columns, problem, penalties, rates)[0])
    curvature = _curvatures(rates[0], problem.weight)
    k, _, n_samples = curvature.shape
    crossed = (curvature[:, :, None] * columns).reshape(k, -1, n_samples)
    residuals = problem.residuals(rates)[0]
    gains, log_dets = [], []
    step = max(1, _CHUNK // n_samples)
    for part in (slice(i, i + step) for i in range(0, len(activations), step)):
        overlap = kernel[part] @ whitened.transform[0].T
        left = 1.0 - np.einsum("cj,cj->c", overlap, overlap)
        admissible = left > DEPENDENT
        scale = 1.0 / np.sqrt(np.where(admissible, left, 1.0))
        Q = (activations[part] - overlap @ columns[1:]) * scale[:, None]
        g = Q @ residuals.T
        kappa = ((Q * Q) @ curvature.reshape(k * k, n_samples).T).reshape(-1, k, k)
        B = np.stack([Q @ crossed[j].T for j in range(k)], axis=2)  # (c, columns, k)
        kappa -= B.transpose(0, 2, 1) @ (inverse @ B)
        kappa[:, np.arange(k), np.arange(k)] += penalties[0]
        sign, log_det = np.linalg.slogdet(kappa)
        usable = admissible & (sign > 0.0)
        kappa[~usable] = np.eye(k)
        gains.append((g * np.linalg.solve(kappa, g[:, :, None])[:, :, 0]).sum(axis=1))
        log_dets.append(np.where(usable, log_det, np.inf))
    return np.concatenate(gains), np.concatenate(log_dets)


def _curvatures(rates: FloatArray, weight: FloatArray) -> FloatArray:
    """Second derivatives (n_contrasts, n_contrasts, n_samples) of the loss in the scores."""
    pi = rates[1:]
    result = -weight * pi[:, None] * pi
    for j, own in enumerate(own_curvatures(rates)):
        result[j, j] = weight * own
    return np.asarray(result)
