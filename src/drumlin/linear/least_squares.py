r"""Least squares for given activations: ridge by a triangular factor, and exact interpolation.

Ridge minimises :math:`\sum_i s_i (d_i - b - w'\phi_i)^2 + \alpha \|w\|^2`, the intercept b free.
Its factor is the state that recursive least squares updates (``recursive``), so both are one
estimate; it also tells what (5.46) of haykin5 needs: :math:`P = (A'A)^{-1}` and the noise.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import LinAlgWarning, lapack, lu_factor, lu_solve, solve_triangular
from scipy.spatial import cKDTree

from drumlin._kernels import Factor
from drumlin._typing import FloatArray, IntArray


@dataclass(frozen=True)
class LeastSquares:
    """Penalised least squares after some samples.

    Parameters
    ----------
    factor : Factor
    fit_intercept : bool
    """

    factor: Factor
    fit_intercept: bool

    @classmethod
    def start(
        cls, n_nodes: int, n_outputs: int, alpha: float, *, fit_intercept: bool
    ) -> LeastSquares:
        """Before the first sample: P(0) = I / alpha, all weights zero."""
        factor = Factor(
            np.sqrt(alpha) * np.eye(n_nodes),
            np.zeros((n_nodes, n_outputs)),
            np.zeros(n_nodes),
            np.zeros(n_outputs),
            np.zeros(n_outputs),
            np.full(n_nodes, alpha),
            np.zeros(2),
        )
        return cls(factor, fit_intercept)

    def absorb(self, Phi: FloatArray, targets: FloatArray, weight: FloatArray) -> LeastSquares:
        """Include a block of samples by one QR decomposition.

        Parameters
        ----------
        Phi : ndarray of shape (n_samples, n_nodes)
        targets : ndarray of shape (n_samples, n_outputs)
        weight : ndarray of shape (n_samples,)
        """
        rows, totals = np.column_stack([Phi, targets]), np.array([weight.sum(), len(Phi)])
        means = np.zeros(rows.shape[1])
        if self.fit_intercept:
            means = weight @ rows / totals[0]
            rows = rows - means
        return self._with(np.sqrt(weight)[:, None] * rows, means, totals)

    def joined(self, other: LeastSquares) -> LeastSquares:
        """Return the least squares of both samples together, and of both penalties."""
        theirs = other.factor
        rows = np.column_stack([np.triu(theirs.A), theirs.g])
        means = np.concatenate([theirs.mean, theirs.target_mean])
        both = self._with(rows, means, theirs.totals)
        factor = both.factor._replace(
            cost=both.factor.cost + theirs.cost,
            penalties=both.factor.penalties + theirs.penalties,
        )
        return LeastSquares(factor, self.fit_intercept)

    def _with(self, rows: FloatArray, block_means: FloatArray, totals: FloatArray) -> LeastSquares:
        """Include rows (n_rows, n_nodes + n_outputs): weighted deviations from their means."""
        old, n_nodes = self.factor, len(self.factor.A)
        new_totals = old.totals + totals
        means = np.concatenate([old.mean, old.target_mean])
        stack = [np.column_stack([np.triu(old.A), old.g])]
        if self.fit_intercept:  # one row for the distance between the means
            shift = block_means - means
            stack.append(np.sqrt(old.totals[0] * totals[0] / new_totals[0]) * shift[None])
            means = means + totals[0] / new_totals[0] * shift
        stack.append(rows)
        R: FloatArray = np.asarray(np.linalg.qr(np.vstack(stack), mode="r"))
        left = R[n_nodes:, n_nodes:]
        factor = Factor(
            np.ascontiguousarray(R[:n_nodes, :n_nodes]),
            np.ascontiguousarray(R[:n_nodes, n_nodes:]),
            means[:n_nodes],
            means[n_nodes:],
            old.cost + (left * left).sum(axis=0),
            old.penalties,
            new_totals,
        )
        return LeastSquares(factor, self.fit_intercept)

    def take(self, nodes: IntArray) -> LeastSquares:
        """Return the least squares of the same samples with some of the nodes only."""
        old, n_nodes = self.factor, len(nodes)
        R = np.asarray(np.linalg.qr(np.column_stack([np.triu(old.A)[:, nodes], old.g]), mode="r"))
        left = R[n_nodes:, n_nodes:]
        factor = old._replace(
            A=np.ascontiguousarray(R[:n_nodes, :n_nodes]),
            g=np.ascontiguousarray(R[:n_nodes, n_nodes:]),
            mean=old.mean[nodes],
            cost=old.cost + (left * left).sum(axis=0),
            penalties=old.penalties[nodes],
        )
        return LeastSquares(factor, self.fit_intercept)

    # ------------------------------------------------------------------ what follows from it
    @cached_property
    def coef(self) -> FloatArray:
        """Weights (n_nodes, n_outputs)."""
        return np.asarray(solve_triangular(self.factor.A, self.factor.g))

    @property
    def intercept(self) -> FloatArray:
        """Constants (n_outputs,)."""
        return np.asarray(self.factor.target_mean - self.factor.mean @ self.coef)

    @cached_property
    def P(self) -> FloatArray:
        """Inverse of the penalised correlation matrix, eq. (5.44) of haykin5."""
        inverse = solve_triangular(self.factor.A, np.eye(len(self.factor.A)))
        return np.asarray(inverse @ inverse.T)

    @property
    def noise(self) -> FloatArray:
        """Variance of the noise (n_outputs,): squared residuals over the freedom that is left.

        At least one degree of freedom is taken to be left.
        """
        penalties = self.factor.penalties
        residual = self.factor.cost - penalties @ self.coef**2
        used = len(self.P) - float(penalties @ np.diag(self.P)) + self.fit_intercept
        return np.asarray(np.maximum(residual, 0.0) / max(self.factor.totals[0] - used, 1.0))

    def variances(self, Phi: FloatArray) -> FloatArray:
        """Variance (n_samples,) of predictions in units of the noise; a sample's leverage."""
        deviations = Phi - self.factor.mean
        rotated = solve_triangular(self.factor.A, deviations.T, trans="T")
        spread = np.einsum("ji,ji->i", rotated, rotated)
        return np.asarray(spread + (1.0 / self.factor.totals[0] if self.fit_intercept else 0.0))

    def loo_predictions(
        self, Phi: FloatArray, targets: FloatArray, left_out: FloatArray, copies: float = 1.0
    ) -> FloatArray:
        r"""Predictions (n_samples, n_outputs) without a part of each sample's weight.

        :math:`f^{(-i)} = f_i - h_i e_i/(1 - h_i)`, exact for samples that are in the factor, where
        each has been entered so many times (``copies``), a weight ``left_out`` is of one copy.
        """
        predictions = Phi @ self.coef + self.intercept
        h, free = self._leverages(Phi, left_out, copies)
        return np.asarray(predictions - (h / free)[:, None] * (targets - predictions))

    def _leverages(
        self, Phi: FloatArray, left_out: FloatArray, copies: float
    ) -> tuple[FloatArray, FloatArray]:
        """Leverages (n_samples,) of what is left out, and what they leave of 1."""
        h = copies * left_out * self.variances(Phi)
        return h, np.maximum(1.0 - h, np.finfo(float).eps)

    def loo_std(self, Phi: FloatArray, left_out: FloatArray, copies: float = 1.0) -> FloatArray:
        """Standard deviations (n_samples, n_outputs) of the same, noise included."""
        _, free = self._leverages(Phi, left_out, copies)
        std = np.sqrt(np.outer(1.0 + self.variances(Phi) / free, self.noise))
        return np.asarray(np.maximum(std, np.finfo(float).tiny))


@dataclass(frozen=True)
class Interpolation:
    """Weights of a function that passes through all samples.

    Parameters
    ----------
    coef : ndarray of shape (n_nodes, n_outputs)
    intercept : ndarray of shape (n_outputs,)
    loo_errors : ndarray of shape (n_nodes, n_outputs)
        Target minus interpolation through all other samples.
    reciprocal_condition : float
        Of the matrix of the system, in the 1-norm.
    posterior : None
        Nothing is known of the uncertainty of the weights.
    """

    coef: FloatArray
    intercept: FloatArray
    loo_errors: FloatArray
    reciprocal_condition: float
    posterior: None = None


def interpolate(Phi: FloatArray, targets: FloatArray, *, fit_intercept: bool) -> Interpolation:
    r"""Solve :math:`\Phi w = d`, eqs. (5.15), (5.16) of haykin5 with d on the right-hand side.

    With an intercept the weights sum to zero, so that there are as many equations as unknowns and
    a constant target is interpolated by the constant alone. Left out, sample i is missed by
    :math:`w_i/(M^{-1})_{ii}`, M the matrix of the system.

    Parameters
    ----------
    Phi : ndarray of shape (n_samples, n_samples)
    targets : ndarray of shape (n_samples, n_outputs)
    fit_intercept : bool

    Raises
    ------
    numpy.linalg.LinAlgError
        Where the matrix is singular to working precision.
    """
    n = len(Phi)
    M = np.pad(Phi, ((0, int(fit_intercept)),) * 2)
    M[n:, :n] = M[:n, n:] = 1.0
    d = np.pad(targets, ((0, int(fit_intercept)), (0, 0)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinAlgWarning)  # singularity is judged here
        factors = lu_factor(M)
    condition = float(lapack.dgecon(factors[0], np.abs(M).sum(axis=0).max())[0])
    if not condition >= np.finfo(float).eps:
        raise np.linalg.LinAlgError("The interpolation matrix is singular to working precision.")
    w = lu_solve(factors, d)
    w = w + lu_solve(factors, d - M @ w)  # one refinement: residuals to the last digits
    inverse_diagonal = np.diag(lu_solve(factors, np.eye(len(M))))
    intercept = w[n] if fit_intercept else np.zeros(targets.shape[1])
    return Interpolation(w[:n], intercept, w[:n] / inverse_diagonal[:n, None], condition)


def closest_pair(X: FloatArray) -> tuple[int, int, float]:
    """Return two different rows that are nearest to each other, and their distance."""
    distances, neighbours = cKDTree(X).query(X, k=2)
    first = int(distances[:, 1].argmin())
    # Of equal rows a row may be listed as its own second neighbour.
    second = int(next(j for j in neighbours[first] if j != first))
    return min(first, second), max(first, second), float(distances[first, 1])
