r"""What one kernel more or less would do to a fitted logistic regression, without fitting it.

One Newton step, were the curvature constant. A candidate column q, orthonormal to the others in the
kernel's inner product, enters with weights v = 0. With g the derivatives of F in v and

.. math:: \kappa = \partial^2 F/\partial v^2 - B' H^{-1} B, \qquad
          B = \partial^2 F/\partial w \, \partial v,

twice F falls by :math:`g'\kappa^{-1}g` and :math:`\log|H|` rises by :math:`\log|\kappa|`. A center
leaves when its weights :math:`\gamma = t'u` are forced to zero (t a column of the whitening T);
with :math:`\tau = t/\|t\|` and :math:`M = \tau' H^{-1} \tau` for all contrasts, twice F rises by
:math:`(\tau'u)' M^{-1} (\tau'u)` and :math:`\log|H|` by :math:`\log|M|`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.linear.factors import cholesky
from drumlin.linear.logistic import (
    LogisticFits,
    LogisticProblem,
    class_rates,
    hessian,
    own_curvatures,
)
from drumlin.linear.whitening import DEPENDENT, Whitened

_CHUNK = 200_000
"""Activations of candidates treated at once: they stay in cache."""


_Look = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class Exchange:
    """The quadratic model around one fitted subset.

    Parameters
    ----------
    whitened : Whitened
        Columns of the subset, the only one of its batch.
    fits : LogisticFits
        Its weights.
    problem : LogisticProblem
    penalties : ndarray of shape (n_contrasts,)
        ``n alpha``.
    """

    whitened: Whitened
    fits: LogisticFits
    problem: LogisticProblem
    penalties: FloatArray

    @cached_property
    def rates(self) -> FloatArray:
        """Probabilities (n_classes, n_samples)."""
        return class_rates(self.fits.scores[0])

    @cached_property
    def _hessian(self) -> FloatArray:
        return hessian(self.whitened.columns, self.problem, self.penalties[None], self.rates[None])

    @cached_property
    def inverse(self) -> FloatArray:
        """Inverse of the Hessian."""
        half = np.linalg.inv(cholesky(self._hessian)[0][0])
        return np.asarray(half.T @ half)

    @cached_property
    def _own_halves(self) -> FloatArray:
        """Inverse factors (n_contrasts, n_columns, n_columns) of the Hessian's diagonal blocks."""
        k, n_columns = self.fits.coef.shape[1:]
        blocks = self._hessian.reshape(k, n_columns, k, n_columns)[np.arange(k), :, np.arange(k)]
        return np.asarray(np.linalg.inv(cholesky(blocks)[0]), dtype=np.float64)

    def additions(
        self, activations: FloatArray, kernel: FloatArray, shortlist: int | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Changes of 2 F and of log|H| when each of many candidates joins.

        Parameters
        ----------
        activations : ndarray of shape (n_candidates, n_samples)
        kernel : ndarray of shape (n_candidates, n_centers)
            Kernel between candidates and the centers of the subset.
        shortlist : int or None, default=None
            With several contrasts, so many candidates are looked at closely: those that promise
            most when the curvature between contrasts is neglected. The work for one grows with
            the cube of the contrasts, that of the first look with their number. None means all.

        Returns
        -------
        value, log_det : ndarray of shape (n_candidates,)
            ``log_det`` is infinite for candidates that depend linearly on the subset, and for
            those not on the shortlist.
        """
        few = self.problem.n_contrasts == 1 or shortlist is None or len(activations) <= shortlist
        if few:
            return self._in_parts(self._additions, activations, kernel)
        value, log_det = self._in_parts(self._independent_additions, activations, kernel)
        best = np.sort(np.argsort(value + log_det, kind="stable")[:shortlist])
        log_det[:] = np.inf
        value[best], log_det[best] = self._in_parts(
            self._additions, activations[best], kernel[best]
        )
        return value, log_det

    def _in_parts(
        self, look: _Look, activations: FloatArray, kernel: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Changes by one of the two looks at candidates, in parts that stay in cache."""
        step = max(1, _CHUNK // activations.shape[1])
        parts = [slice(i, i + step) for i in range(0, len(activations), step)]
        changes = [look(activations[part], kernel[part]) for part in parts]
        return np.concatenate([v for v, _ in changes]), np.concatenate([d for _, d in changes])

    def _orthonormal(
        self, activations: FloatArray, kernel: FloatArray
    ) -> tuple[FloatArray, BoolArray]:
        """Candidates orthonormal to the subset, and which of them are independent of it."""
        overlap = kernel @ self.whitened.transform[0].T
        left = 1.0 - np.einsum("cj,cj->c", overlap, overlap)
        admissible = left > DEPENDENT
        scale = 1.0 / np.sqrt(np.where(admissible, left, 1.0))
        return (activations - overlap @ self.whitened.columns[0, 1:]) * scale[:, None], admissible

    def _independent_additions(
        self, activations: FloatArray, kernel: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Changes when the curvature between contrasts is neglected."""
        Q, admissible = self._orthonormal(activations, kernel)
        g = Q @ self.problem.residuals(self.rates[None])[0].T
        kappa = np.empty_like(g)
        columns, penalties = self.whitened.columns[0], self.penalties
        own = np.einsum("kki->ki", self._curvatures)
        for k, half in enumerate(self._own_halves):
            seen = half @ ((columns * own[k]) @ Q.T)
            kappa[:, k] = (Q * Q) @ own[k] + penalties[k] - np.einsum("mc,mc->c", seen, seen)
        usable = admissible & (kappa > 0.0).all(axis=1)
        kappa[~usable] = 1.0
        value = -(g * g / kappa).sum(axis=1)
        return value, np.where(usable, np.log(kappa).sum(axis=1), np.inf)

    def _additions(
        self, activations: FloatArray, kernel: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        columns, weights = self.whitened.columns[0], self._curvatures
        k, _, n_samples = weights.shape
        Q, admissible = self._orthonormal(activations, kernel)
        g = Q @ self.problem.residuals(self.rates[None])[0].T
        kappa = ((Q * Q) @ weights.reshape(k * k, n_samples).T).reshape(-1, k, k)
        mixed = (weights[:, :, None] * columns).reshape(k, -1, n_samples)
        B = np.stack([Q @ part.T for part in mixed], axis=2)
        kappa -= B.transpose(0, 2, 1) @ (self.inverse @ B)
        kappa[:, np.arange(k), np.arange(k)] += self.penalties
        value, log_det = _quadratic(kappa, g, admissible)
        return -value, log_det

    def removals(self) -> tuple[FloatArray, FloatArray]:
        """Changes of 2 F and of log|H| when each center leaves, both (n_centers,)."""
        k, n_columns = self.fits.coef.shape[1:]
        t = self.whitened.transform[0].T
        norm = np.sqrt(np.einsum("ci,ci->c", t, t))
        tau = t / np.where(norm > 0.0, norm, 1.0)[:, None]
        blocks = self.inverse.reshape(k, n_columns, k, n_columns)[:, 1:, :, 1:]
        M = np.einsum("ci,kilj,cj->ckl", tau, blocks, tau, optimize=True)
        return _quadratic(M, tau @ self.fits.coef[0, :, 1:].T, norm > 0.0)

    @cached_property
    def _curvatures(self) -> FloatArray:
        """Second derivatives (n_contrasts, n_contrasts, n_samples) of the loss in the scores."""
        pi = self.rates[1:]
        result = -self.problem.weight * pi[:, None] * pi
        own = self.problem.weight * own_curvatures(self.rates)
        result[np.arange(len(pi)), np.arange(len(pi))] = own
        return np.asarray(result)


def _quadratic(
    matrices: FloatArray, vectors: FloatArray, admissible: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """``v' A^-1 v`` and ``log|A|`` of many pairs; infinite determinants where there is no A."""
    sign, log_det = np.linalg.slogdet(matrices)
    usable = admissible & (sign > 0.0) & np.isfinite(log_det)
    A = np.where(usable[:, None, None], matrices, np.eye(matrices.shape[1]))
    value = (vectors * np.linalg.solve(A, vectors[:, :, None])[:, :, 0]).sum(axis=1)
    return np.asarray(value), np.where(usable, log_det, np.inf)
