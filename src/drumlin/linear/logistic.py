r"""Penalised kernel logistic regression, for many subsets of kernels at once (ando2004, 3.1, 3.4).

Of L classes the first is the reference; the others have a contrast
:math:`h_k = \log \pi_k/\pi_0 = w_k'\phi`, so that two classes have one, the log-odds. In whitened
columns (``linear.whitening``) n times the penalised negative log-likelihood, eqs. (5) and (17), is

.. math:: F(w) = \sum_i s_i \Big[\log\Big(1 + \sum_k e^{h_k(x_i)}\Big) - h_{y_i}(x_i)\Big]
          + \tfrac12 \sum_k n\lambda_k \|u_k\|^2, \qquad w_k = (b_k, u_k),

with sample weights s that sum to n. ``linear.newton`` minimises it. A batch shares every call of
the linear algebra.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.linear.contrasts import Contrasts

_EPS = np.finfo(float).eps


@dataclass(frozen=True)
class LogisticProblem:
    """Targets of a logistic regression.

    Parameters
    ----------
    labels : ndarray of shape (n_samples,)
        Classes 0, ..., n_classes - 1.
    weight : ndarray of shape (n_samples,)
        Counts: their sum is the n of the formulas.
    n_classes : int
    reference : int
        What class 0 was before the classes were numbered anew; it enters no formula.
    """

    labels: IntArray
    weight: FloatArray
    n_classes: int
    reference: int = 0

    @property
    def contrasts(self) -> Contrasts:
        """Which class the others are compared with."""
        return Contrasts(self.n_classes, self.reference)

    def compared_with(self, reference: int) -> LogisticProblem:
        """Return the same targets with another of the original classes as class 0.

        Parameters
        ----------
        reference : int
            Its number before any was made class 0.
        """
        wanted = Contrasts(self.n_classes, reference)
        labels = wanted.reordered(self.contrasts.order[self.labels])
        return LogisticProblem(labels, self.weight, self.n_classes, reference)

    @cached_property
    def indicators(self) -> FloatArray:
        """Membership (n_contrasts, n_samples) in every class but the reference."""
        return (self.labels == np.arange(1, self.n_classes)[:, None]).astype(np.float64)

    @property
    def n_contrasts(self) -> int:
        """Classes but one."""
        return self.n_classes - 1

    @property
    def n_samples(self) -> float:
        """Sum of the weights."""
        return float(self.weight.sum())

    def null_contrasts(self) -> FloatArray:
        """Contrasts (n_contrasts,) of the class frequencies: the best constants."""
        log_rates = np.log(np.bincount(self.labels, self.weight, minlength=self.n_classes))
        return np.asarray(log_rates[1:] - log_rates[0])

    def loss(self, scores: FloatArray) -> FloatArray:
        """Negative log-likelihoods (n_subsets,) of scores (n_subsets, n_contrasts, n_samples)."""
        top = np.maximum(scores.max(axis=1), 0.0)
        total = np.exp(-top) + np.exp(scores - top[:, None]).sum(axis=1)
        own = np.einsum("bkn,kn->bn", scores, self.indicators)
        return np.asarray((top + np.log(total) - own) @ self.weight)

    def rounding(self, scores: FloatArray) -> FloatArray:
        """What ``loss`` may be wrong by (n_subsets,): no step that lowers it by less is seen."""
        return np.asarray(_EPS * (np.abs(scores).max(axis=1) @ self.weight))

    def residuals(self, probabilities: FloatArray) -> FloatArray:
        """Weighted ``y - pi`` of the contrasts, (n_subsets, n_contrasts, n_samples)."""
        return self.weight * (self.indicators - probabilities[:, 1:])

    def curved(self, rates: FloatArray, own: FloatArray, scores: FloatArray) -> FloatArray:
        """Second derivatives of the loss in the scores, times scores (n_contrasts, n_samples).

        Parameters
        ----------
        rates : ndarray of shape (n_classes, n_samples)
        own : ndarray of shape (n_contrasts, n_samples)
            Their ``own_curvatures``.
        scores : ndarray of shape (n_contrasts, n_samples)
        """
        pi = rates[1:]
        return self.weight * (own * scores - pi * ((pi * scores).sum(axis=0) - pi * scores))


@dataclass
class LogisticFits:
    """Fitted weights of a batch of subsets.

    Attributes
    ----------
    coef : ndarray of shape (n_subsets, n_contrasts, 1 + n_centers)
        Weights of the whitened columns; the constant comes first.
    scores : ndarray of shape (n_subsets, n_contrasts, n_samples)
    loss, penalty : ndarray of shape (n_subsets,)
        Negative log-likelihood, and the sum of ``n alpha u'u``.
    log_det : ndarray of shape (n_subsets,)
        Logarithm of the determinant of the Hessian of F.
    converged : ndarray of bool
    jittered : ndarray of bool
        Whether the Hessian was singular to rounding and its diagonal had to be raised.
    """

    coef: FloatArray
    scores: FloatArray
    loss: FloatArray
    penalty: FloatArray
    log_det: FloatArray
    converged: BoolArray
    jittered: BoolArray

    def take(self, i: int) -> LogisticFits:
        """One subset of the batch, as a batch of one."""
        return LogisticFits(*[getattr(self, field.name)[i : i + 1] for field in fields(self)])


def class_rates(scores: FloatArray) -> FloatArray:
    """Probabilities (..., n_classes, n_samples) of contrasts (..., n_contrasts, n_samples)."""
    logits = np.concatenate([np.zeros_like(scores[..., :1, :]), scores], axis=-2)
    logits -= logits.max(axis=-2, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=-2, keepdims=True)
    return logits


def own_curvatures(rates: FloatArray) -> FloatArray:
    """``pi (1 - pi)`` of the contrasts, the second factor summed so that it keeps its digits."""
    n_classes = rates.shape[-2]
    others = (1.0 - np.eye(n_classes))[1:] @ rates
    return np.asarray(rates[..., 1:, :] * others)


def gradient(
    columns: FloatArray,
    problem: LogisticProblem,
    penalties: FloatArray,
    coef: FloatArray,
    rates: FloatArray,
) -> FloatArray:
    """First derivatives (n_subsets, n_contrasts, n_columns) of F."""
    slopes = -problem.residuals(rates) @ columns.transpose(0, 2, 1)
    slopes[:, :, 1:] += penalties[:, :, None] * coef[:, :, 1:]
    return np.asarray(slopes)


def hessian(
    columns: FloatArray, problem: LogisticProblem, penalties: FloatArray, rates: FloatArray
) -> FloatArray:
    r"""Second derivatives of F.

    :math:`\sum_i s_i \pi_k (\delta_{kl} - \pi_l) \phi\phi' + n \lambda_k \delta_{kl} \tilde R`;
    off the diagonal this is the product :math:`-(B \otimes A)'(B \otimes A)` of eq. (20).

    Returns
    -------
    ndarray of shape (n_subsets, n_contrasts * n_columns, n_contrasts * n_columns)
    """
    n_subsets, n_columns, n_samples = columns.shape
    k = problem.n_contrasts
    transposed = columns.transpose(0, 2, 1)
    blocks = np.empty((n_subsets, k, n_columns, k, n_columns))
    if k > 1:
        root = np.sqrt(problem.weight)
        stacked = ((root * rates[:, 1:])[:, :, None] * columns[:, None]).reshape(
            n_subsets, k * n_columns, n_samples
        )
        blocks[...] = -(stacked @ stacked.transpose(0, 2, 1)).reshape(blocks.shape)
    curvatures = problem.weight * own_curvatures(rates)
    diagonal = np.arange(1, n_columns)
    for j in range(k):
        block = (columns * curvatures[:, j, None]) @ transposed
        block[:, diagonal, diagonal] += penalties[:, j, None]
        blocks[:, j, :, j] = block
    return blocks.reshape(n_subsets, k * n_columns, k * n_columns)
