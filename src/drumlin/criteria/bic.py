r"""The Bayesian information criterion of a penalised likelihood (ando2004, eqs. 13 and 20).

It is -2 log of Laplace's approximation to the probability of the data under the singular normal
prior (12), one per contrast of classes. Lower is better.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

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


MODEL_PRIORS = ("kinds", "sizes", "equal")
"""Prior probabilities of subsets that have a name."""


def subset_surprise(prior: str, n_candidates: int, n_kinds: float) -> FloatArray:
    r"""The term :math:`-2 \log P(M_k)` of (11), (13) and (20), by the size m of the subset.

    ======= ================================ ====================================================
    prior   :math:`1/P(M_k)` proportional to meaning
    ======= ================================ ====================================================
    "equal" 1                                all subsets are equally probable, as in the paper
    "sizes" :math:`\binom{N}{m}`             all sizes are (the extended criterion of Chen and
                                             Chen, Biometrika 95, 2008)
    "kinds" :math:`\binom{K + m - 1}{m}`     all sizes are, and a subset is a choice, with
                                             repetition, among K kinds of candidates
    ======= ================================ ====================================================

    With "equal" nearly all prior probability lies on subsets of N/2 kernels, and the best of very
    many subsets wins by chance; the more so the narrower the kernels, because then the candidates
    differ. "sizes" charges for all N as if they did. "kinds" charges for those that do.

    Parameters
    ----------
    prior : {"kinds", "sizes", "equal"}
    n_candidates : int
        The N of the formulas.
    n_kinds : float
        The K of the formulas, from 1 to N; see ``kinds``.

    Returns
    -------
    ndarray of shape (n_candidates + 1,)
        For the sizes 0, ..., N; 0 for the first.
    """
    m = np.arange(n_candidates + 1)
    if prior == "equal":
        return np.zeros(n_candidates + 1)
    total = np.full(len(m), float(n_candidates)) if prior == "sizes" else n_kinds + m - 1.0
    log_count = gammaln(total + 1.0) - gammaln(m + 1.0) - gammaln(total - m + 1.0)
    return np.asarray(2.0 * np.maximum(log_count, 0.0))


def kinds(kernel: FloatArray) -> float:
    r"""How many different functions some kernels are.

    .. math:: K = (\mathrm{tr} G)^2 / \mathrm{tr}(G^2)

    for the kernel matrix G: N kernels that do not see each other are N, equal ones 1.
    """
    if not len(kernel):
        return 1.0
    return max(1.0, float(np.trace(kernel) ** 2 / np.einsum("ij,ij->", kernel, kernel)))
