r"""Local regularisers: one penalty alpha per orthogonal column, fixed or inferred.

The evidence of noise precision and prior precisions h is the marginal likelihood of the targets;
``alpha = h / noise precision``. Several outputs share their penalties: squares are summed over
outputs, and the number of outputs cancels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._typing import BoolArray, FloatArray
from drumlin.linear.regression import OrthogonalRegression

LARGEST = 1e12
"""A penalty that grows past this switches its column off; larger numbers say no more."""


class LocalRegularizer(BaseEstimator, ABC):
    """How the penalties of orthogonal columns are chosen.

    Parameters
    ----------
    alpha : float
        Penalty of a column while it is a candidate, and where an inference starts.

    See Also
    --------
    FixedRegularizer
    EvidenceRegularizer
    StageEvidenceRegularizer

    Examples
    --------
    >>> from drumlin.linear import FixedRegularizer, LocalRegularizer
    >>> isinstance(FixedRegularizer(), LocalRegularizer)
    True
    """

    def __init__(self, alpha: float = 1e-6) -> None:
        self.alpha = alpha

    @abstractmethod
    def on_select(self, w: FloatArray, residual: FloatArray, n_samples: float) -> float:
        """Penalty of a column that has just been chosen.

        Parameters
        ----------
        w : ndarray of shape (n_samples,)
            Its orthogonal part.
        residual : ndarray of shape (n_samples, n_outputs)
            Residual before it joins.
        n_samples : float
            Total sample weight.
        """

    @abstractmethod
    def on_finish(self, regression: OrthogonalRegression) -> FloatArray:
        """Penalties of all columns of the finished model, shape (n_columns,)."""

    def path(self, regression: OrthogonalRegression) -> dict[str, FloatArray]:
        """What is inferred at every stage beside the penalty, by name, (n_nodes,) each."""
        return {}


class FixedRegularizer(LocalRegularizer):
    """The same penalty for every column.

    See Also
    --------
    EvidenceRegularizer
    StageEvidenceRegularizer

    Examples
    --------
    >>> from drumlin.linear import FixedRegularizer
    >>> FixedRegularizer(alpha=0.1)
    FixedRegularizer(alpha=0.1)
    """

    def on_select(self, w: FloatArray, residual: FloatArray, n_samples: float) -> float:
        """Return ``alpha``."""
        return self.alpha

    def on_finish(self, regression: OrthogonalRegression) -> FloatArray:
        """Keep the penalties as they are."""
        return regression.alphas


class EvidenceRegularizer(LocalRegularizer):
    r"""Fixed while selecting, then all penalties by evidence: eq. (9) of hong2008, corrected.

    .. math:: \alpha_j \leftarrow \frac{\rho_j}{N - \rho} \, \frac{e'e}{g_j^2}, \qquad
              \rho_j = \frac{\mathrm{norms2}_j}{\mathrm{norms2}_j + \alpha_j}, \quad
              \rho = \sum_j \rho_j

    The unpenalised intercept counts in rho with 1.

    Parameters
    ----------
    alpha : float
    max_iter : int
        Most iterations ("a predetermined number").
    tol : float
        Stop when no penalty changes by more than this part.

    See Also
    --------
    FixedRegularizer
    StageEvidenceRegularizer

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin import ForwardRBFRegressor
    >>> from drumlin.linear import EvidenceRegularizer
    >>> X = np.linspace(0.0, 6.0, 40)[:, None]
    >>> model = ForwardRBFRegressor(regularizer=EvidenceRegularizer()).fit(X, np.sin(X[:, 0]))
    >>> model.score(X, np.sin(X[:, 0])) > 0.99
    True
    """

    def __init__(self, alpha: float = 1e-6, max_iter: int = 100, tol: float = 1e-6) -> None:
        super().__init__(alpha)
        self.max_iter = max_iter
        self.tol = tol

    def on_select(self, w: FloatArray, residual: FloatArray, n_samples: float) -> float:
        """Return ``alpha``: the inference waits for the end."""
        return self.alpha

    def on_finish(self, regression: OrthogonalRegression) -> FloatArray:
        """Iterate eq. (9) to its fixed point, a maximum of the evidence."""
        penalized = np.arange(len(regression.alphas)) >= int(regression.fit_intercept)
        for _ in range(self.max_iter):
            alphas = self._step(regression, penalized)
            change = np.abs(alphas - regression.alphas)
            converged = bool((change <= self.tol * regression.alphas).all())
            regression = regression.with_alphas(alphas)
            if converged:
                break
        return regression.alphas

    @staticmethod
    def _step(regression: OrthogonalRegression, penalized: BoolArray) -> FloatArray:
        norms2 = regression.basis.norms2
        rho = norms2 / (norms2 + regression.alphas)
        free = regression.total - rho.sum()
        if free <= 0.0:  # as many parameters as samples: no noise left to estimate
            return regression.alphas
        noise = float(regression.squares().sum()) / free
        g2 = (regression.g**2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            alphas = np.minimum(rho * noise / g2, LARGEST)
        return np.where(penalized & np.isfinite(alphas), alphas, regression.alphas)


class StageEvidenceRegularizer(LocalRegularizer):
    r"""Evidence for one column at a time, inside every stage: eqs. (45), (47) of hong2014.

    .. math:: \varepsilon = \frac{N - \kappa/(\kappa + \alpha)}
                                 {\|e\|^2 - g^2 (\kappa + 2 \alpha)}, \quad
              h = \frac{\kappa}{g^2 (\kappa + \alpha)}, \quad \alpha = h / \varepsilon

    Parameters
    ----------
    alpha : float
        Start, and the value a penalty is reset to.
    n_iter : int
        Iterations ("e.g. 10").
    reset_above : float
        A penalty above this, or one that diverges, is reset to ``alpha`` so that selection goes on.

    See Also
    --------
    EvidenceRegularizer
    FixedRegularizer

    Examples
    --------
    >>> from drumlin.linear import StageEvidenceRegularizer
    >>> StageEvidenceRegularizer(n_iter=5).alpha
    1e-06
    """

    def __init__(self, alpha: float = 1e-6, n_iter: int = 10, reset_above: float = 1e6) -> None:
        super().__init__(alpha)
        self.n_iter = n_iter
        self.reset_above = reset_above

    def on_select(self, w: FloatArray, residual: FloatArray, n_samples: float) -> float:
        """Iterate eqs. (45), (47); reset a penalty that runs away."""
        kappa, dot2 = w @ w, ((w @ residual) ** 2).sum()
        norm2, alpha = (residual**2).sum(), self.alpha
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for _ in range(self.n_iter):
                g2 = dot2 / (kappa + alpha) ** 2
                precision = (n_samples - kappa / (kappa + alpha)) / (
                    norm2 - g2 * (kappa + 2 * alpha)
                )
                alpha = kappa / (g2 * (kappa + alpha)) / precision
        return float(alpha) if 0.0 < alpha <= self.reset_above else self.alpha

    def on_finish(self, regression: OrthogonalRegression) -> FloatArray:
        """Keep the penalties found stage by stage."""
        return regression.alphas

    def path(self, regression: OrthogonalRegression) -> dict[str, FloatArray]:
        r"""Noise precision, prior precision and log evidence of every stage.

        Eq. (45) at the penalty that was used (its denominator is the squared residual that is
        left), :math:`h = \alpha \varepsilon`, and eq. (43):

        .. math:: \log E = \tfrac N2 \log\frac{\varepsilon}{2\pi} + \tfrac12 \log h
                  - \tfrac12 \log(\varepsilon\kappa + h) - \tfrac\varepsilon2 \|e^{(l-1)}\|^2
                  + \tfrac12 g^2 (\varepsilon\kappa + h)

        Outputs are independent given the precisions they share: their log evidences add up.
        """
        first = int(regression.fit_intercept)
        kappa, alpha = regression.basis.norms2[first:], regression.alphas[first:]
        squares = regression.prefix_squares().sum(axis=1)
        n_outputs = regression.targets.shape[1]
        n = n_outputs * regression.total
        g2 = (regression.g[first:] ** 2).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):  # no residual left, or no penalty
            epsilon = (n - n_outputs * kappa / (kappa + alpha)) / squares[1:]
            h = alpha * epsilon
            precision = epsilon * kappa + h
            log_evidence = 0.5 * (
                n * np.log(epsilon / (2.0 * np.pi))
                + n_outputs * np.log(h / precision)
                - epsilon * squares[:-1]
                + g2 * precision
            )
        return {"epsilon": epsilon, "h": h, "log_evidence": log_evidence}


REGULARIZERS: dict[str, type[LocalRegularizer]] = {
    "fixed": FixedRegularizer,
    "evidence": EvidenceRegularizer,
    "stage_evidence": StageEvidenceRegularizer,
}
"""Regularisers by name."""
