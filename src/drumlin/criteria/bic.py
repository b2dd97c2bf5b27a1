r"""The Bayesian information criterion of a penalised likelihood (ando2004, eqs. 13 and 20).

It is -2 log of Laplace's approximation to the probability of the data under the singular normal
prior (12), one per contrast of classes. Lower is better.
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray


def bayesian_information(
    loss: FloatArray,
    penalty: FloatArray,
    log_det_hessian: FloatArray,
    penalties: FloatArray,
    rank: int,
    log_det_penalty: float | FloatArray = 0.0,
) -> FloatArray:
    r"""BIC of fitted models of L classes, with equal prior probabilities.

    .. math:: 2 \ell + n \sum_{j=1}^{L-1} \lambda_j w_j' R w_j + \log|H| - (L-1) \log|R|_+
              + (L-1) \log\frac{n}{2\pi} - m \sum_j \log\lambda_j

    The printed (20) has :math:`(L-1)\,m\log(n/2\pi)`; Laplace's approximation gives this, and for
    L = 2 it is (13). Written here with the Hessian of n times the mean loss,
    :math:`\log|nH| = \log|H| + (L-1)(m+1)\log n`, so that n appears in :math:`n\lambda` only.

    Parameters
    ----------
    loss : ndarray of shape (n_models,)
        Negative log-likelihoods.
    penalty : ndarray of shape (n_models,)
        ``sum_j n alpha_j w_j' R w_j``.
    log_det_hessian : ndarray of shape (n_models,)
        ``log|nH|``: of the second derivatives of ``loss + penalty / 2``.
    penalties : ndarray of shape (n_models, L - 1)
        ``n alpha_j``.
    rank : int
        The m of the formula, the rank of R.
    log_det_penalty : float or ndarray of shape (n_models,), default=0.0
        ``log|R|_+``, the pseudo-determinant; zero in whitened coordinates, where R is the identity.

    Returns
    -------
    ndarray of shape (n_models,)
    """
    n_contrasts = penalties.shape[1]
    priors = rank * np.log(penalties).sum(axis=1) + n_contrasts * log_det_penalty
    return np.asarray(
        2.0 * loss + penalty + log_det_hessian - priors - n_contrasts * np.log(2.0 * np.pi)
    )
