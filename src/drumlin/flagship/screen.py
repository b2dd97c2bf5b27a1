r"""What every input tells alone: by how much a polynomial of it lowers the leave-one-out error.

Round nodes see all inputs alike, so that a few that matter drown among others. Polynomials
of one input are orthogonal under the weights of the samples,

.. math:: p_{k+1} = (z - a_k) \, p_k - b_k \, p_{k-1}, \qquad
    a_k = \frac{\langle z p_k, p_k \rangle}{\langle p_k, p_k \rangle}, \quad
    b_k = \frac{\langle p_k, p_k \rangle}{\langle p_{k-1}, p_{k-1} \rangle}

so all degrees of all inputs are a few sums over the samples, their errors left out too.

References
----------
G. H. Golub, C. F. Van Loan, Matrix Computations, 4th edition, section 10.2 (the recurrence).
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray
from drumlin.linear.gram import LEAST_ETA
from drumlin.sample import Sample

SINGULAR = 1e-9
"""Squared norms below this part of the former degree's: the input has no more distinct values."""

_TINY = float(np.finfo(float).tiny)
_BLOCK = 1_000_000  # residuals of inputs that are looked at together, of all outputs


def gains_of_inputs(sample: Sample, degree: int, price: float) -> FloatArray:
    """Fall (n_features,) of the log leave-one-out squared error by the best degree, its price paid.

    Zero where no degree is worth it.

    Parameters
    ----------
    sample : Sample
    degree : int
        The highest.
    price : float
        Log error that every degree must save.
    """
    step = max(1, _BLOCK // max(sample.codes.size, 1))
    gains = np.zeros(sample.n_features)
    for start in range(0, sample.n_features, step):
        block = slice(start, start + step)
        errors = np.maximum(loo_errors_of_degrees(sample, sample.X[:, block], degree), _TINY)
        paid = np.log(errors) + price * np.arange(degree + 1)[:, None]
        gains[block] = paid[0] - paid.min(axis=0)
    return gains


def loo_errors_of_degrees(sample: Sample, Z: FloatArray, degree: int) -> FloatArray:
    """Leave-one-out squared errors (degree + 1, n_inputs) of polynomials of every column of Z."""
    share = sample.weight / sample.total
    residual = (sample.codes - share @ sample.codes)[:, :, None]  # (n_rows, n_outputs, 1)
    free = np.ones(Z.shape) - (sample.left_out / sample.total)[:, None]
    errors = [_mean_square(residual, free, share)]
    last, norm_of_last = np.zeros(Z.shape), np.ones(Z.shape[1])
    now, norm = np.ones(Z.shape), np.ones(Z.shape[1])
    gone = np.zeros(Z.shape[1], dtype=bool)
    for _ in range(degree):
        centers = share @ (Z * now * now) / norm
        following = (Z - centers) * now - (norm / norm_of_last) * last
        last, norm_of_last, now = now, norm, following
        norm = share @ (now * now)
        gone = gone | (norm <= SINGULAR * norm_of_last)
        now, norm = np.where(gone, 0.0, now), np.where(gone, 1.0, norm)
        coef = np.einsum("n,nk,ni->ki", share, sample.codes, now) / norm
        residual = residual - coef * now[:, None, :]
        free = free - sample.left_out[:, None] * now * now / (sample.total * norm)
        errors.append(_mean_square(residual, free, share))
    return np.array(errors)


def _mean_square(residual: FloatArray, free: FloatArray, share: FloatArray) -> FloatArray:
    squares = (residual**2).sum(axis=1)
    return np.asarray(share @ (squares / np.maximum(free, LEAST_ETA) ** 2))
