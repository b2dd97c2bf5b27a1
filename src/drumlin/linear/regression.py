r"""Regularised least squares on orthogonal columns, with its leave-one-out predictions.

With weights s the columns, targets and residuals are those of the scaled problem (row i times
:math:`\sqrt{s_i}`). The whole leave-one-out state is (``residual``, ``eta``, ``scores``): the error
at row i of the model that never saw row i is

.. math:: e^{(-i)}_i = \frac{e_i}{\eta_i}, \qquad
          \eta_i = 1 - \sum_j \frac{w_{ij}^2}{\mathrm{norms2}_j + \alpha_j}

(eqs. 27, 28 of hong2014), exactly, when the refit keeps A and the alphas, i.e. penalises
``coef' A' diag(alphas) A coef``. Row i is left out with its whole weight. The prediction itself is
``scores / eta``, and scores are carried by a recursion of their own (eq. 32): as a difference of
target and error they would lose the sign of predictions far from all nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.linalg import solve_triangular

from drumlin._kernels import ETA_FLOOR, LEAST, ROUNDING, Loo
from drumlin._typing import FloatArray, IntArray
from drumlin.linear.orthogonal import DEPENDENT, OrthogonalBasis

_State = tuple[FloatArray, FloatArray, FloatArray, FloatArray]

Penalty = Callable[[FloatArray, FloatArray], float]
"""From an orthogonal column and the residuals to its penalty."""


class OrthogonalRegression:
    """A linear model that grows by orthogonal columns. Knows no criterion and no nodes.

    Parameters
    ----------
    targets : ndarray of shape (n_samples, n_outputs)
    weight : ndarray of shape (n_samples,)
        Positive sample weights.
    fit_intercept : bool
        Start with a constant column that is never penalised.

    See Also
    --------
    OrthogonalBasis

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.linear import OrthogonalRegression
    >>> x = np.arange(4.0)
    >>> line = OrthogonalRegression(2.0 * x[:, None] + 1.0, np.ones(4), fit_intercept=True)
    >>> line.append(*line.basis.orthogonalize(x), alpha=0.0)
    >>> [part.round(6).tolist() for part in line.coefficients()]
    [[[2.0]], [1.0]]
    """

    def __init__(self, targets: FloatArray, weight: FloatArray, *, fit_intercept: bool) -> None:
        self.targets = targets
        self.weight = weight
        self.root = np.sqrt(weight)
        self.fit_intercept = fit_intercept
        self.basis = OrthogonalBasis(len(targets))
        self.alphas: FloatArray = np.empty(0)
        self.g: FloatArray = np.empty((0, targets.shape[1]))
        self.residual: FloatArray = targets * self.root[:, None]
        self.eta: FloatArray = np.ones(len(targets))
        self.scores: FloatArray = np.zeros_like(targets)
        self.terms: FloatArray = np.zeros(len(targets))  # sum of the sizes of what scores sum up
        if fit_intercept:
            self.append(*self.basis.orthogonalize(self.root), alpha=0.0)

    @property
    def n_nodes(self) -> int:
        """Columns that are nodes: all but the intercept."""
        return len(self.basis) - int(self.fit_intercept)

    @property
    def total(self) -> float:
        """Sum of the weights."""
        return float(self.weight.sum())

    def squares(self) -> FloatArray:
        """Sums of squared residuals (n_outputs,)."""
        return np.asarray((self.residual**2).sum(axis=0))

    def join(self, column: FloatArray, penalty: Penalty) -> bool:
        """Add a (weighted) column unless it depends linearly on those there are.

        Parameters
        ----------
        column : ndarray of shape (n_samples,)
        penalty : callable
            From its orthogonal part and the residuals to its alpha.
        """
        w, a = self.basis.orthogonalize(column)
        if not w @ w > DEPENDENT * (column @ column):
            return False
        self.append(w, a, alpha=penalty(w, self.residual))
        return True

    def append(self, w: FloatArray, a: FloatArray, *, alpha: float) -> None:
        """Add the orthogonal column w with coordinates a: eq. (10) of hong2014."""
        scale = 1.0 / float(w @ w + alpha)
        g = scale * (w @ self.residual)
        state = self._grown(w, g, scale)
        # Nothing is stored before everything is computed: an interrupt leaves a valid model.
        self.basis.append(w, a)
        self.alphas = np.append(self.alphas, alpha)
        self.g = np.vstack([self.g, g])
        self._state = state

    @property
    def _state(self) -> _State:
        """What a column changes; set at once."""
        return self.residual, self.eta, self.scores, self.terms

    @_state.setter
    def _state(self, state: _State) -> None:
        self.residual, self.eta, self.scores, self.terms = state

    def _grown(self, w: FloatArray, g: FloatArray, scale: float) -> _State:
        """Residual, eta, scores and terms with one more column: eqs. (32), (33) of hong2014."""
        leverage = scale * w * w
        scores = self.scores + np.outer(w / self.root, g) - self.targets * leverage[:, None]
        terms = self.terms + (np.abs(w / self.root) * np.abs(g).max() + leverage)
        return self.residual - np.outer(w, g), self.eta - leverage, scores, terms

    def with_alphas(self, alphas: FloatArray) -> OrthogonalRegression:
        """Return the same columns with other penalties: eq. (8) of hong2008 column by column."""
        return self._rebuild(self.basis, alphas)

    def prefix(self, n_nodes: int) -> OrthogonalRegression:
        """Return the model of the first nodes: dropping the last columns is slicing."""
        k = n_nodes + int(self.fit_intercept)
        return self._rebuild(self.basis.prefix(k), self.alphas[:k])

    def _rebuild(self, basis: OrthogonalBasis, alphas: FloatArray) -> OrthogonalRegression:
        model = OrthogonalRegression(self.targets, self.weight, fit_intercept=False)
        scale = 1.0 / (basis.norms2 + alphas)
        model.g = scale[:, None] * (basis.W @ model.residual)
        fitted, leverage = basis.W.T @ model.g, scale @ (basis.W * basis.W)
        model.residual, model.eta = model.residual - fitted, 1.0 - leverage
        model.scores = fitted / model.root[:, None] - model.targets * leverage[:, None]
        sizes = np.abs(model.g).max(axis=1, initial=0.0)
        model.terms = (sizes @ np.abs(basis.W)) / model.root + leverage
        model.fit_intercept, model.basis, model.alphas = self.fit_intercept, basis, alphas
        return model

    def prefix_loo_predictions(self) -> Iterator[FloatArray]:
        """Leave-one-out predictions with no node, with the first, the first two, and so on."""
        return (model.loo_predictions() for model in self._prefixes())

    def _prefixes(self) -> Iterator[OrthogonalRegression]:
        """Residuals and leverages with no node, with the first, and so on; one object, updated."""
        model = OrthogonalRegression(self.targets, self.weight, fit_intercept=self.fit_intercept)
        yield model
        first = int(self.fit_intercept)
        for w, a, g in zip(self.basis.W[first:], self.alphas[first:], self.g[first:], strict=True):
            model._state = model._grown(w, g, 1.0 / (w @ w + a))
            yield model

    @property
    def precision(self) -> FloatArray:
        """Inverse variances (n_columns,) of the orthogonal weights, in units of the noise."""
        return np.asarray(self.basis.norms2 + self.alphas)

    def prefix_noise(self) -> FloatArray:
        """Variance of the noise (n_nodes + 1, n_outputs) as every prefix sees it."""
        used = np.cumsum(np.append(0.0, self.basis.norms2 / self.precision))
        return self._noise(self.prefix_squares(), used[int(self.fit_intercept) :, None])

    def _noise(self, squares: FloatArray, used: FloatArray) -> FloatArray:
        """Variance of the noise: squares over the freedom that is left, at least one degree."""
        return squares / np.maximum(self.total - used, 1.0)

    def prefix_squares(self) -> FloatArray:
        """Sum of squared residuals (n_nodes + 1, n_outputs) of every prefix."""
        return np.asarray([model.squares() for model in self._prefixes()])

    def loo_std(self) -> FloatArray:
        r"""Standard deviations (n_samples, n_outputs) of samples left out, noise included.

        :math:`\sigma \sqrt{1 + v/(1 - h)}` with v the variance of a prediction in units of the
        noise and h = s v the leverage of the sample's weight s.
        """
        h, floored = np.maximum(1.0 - self.eta, 0.0), np.maximum(self.eta, ETA_FLOOR)
        used = (self.basis.norms2 / self.precision).sum()
        noise = self._noise(self.squares(), used)
        std = np.sqrt(np.outer(1.0 + h / (self.weight * floored), noise))
        return np.asarray(np.maximum(std, np.finfo(float).tiny))

    def coefficients(self) -> tuple[FloatArray, FloatArray]:
        """Solve ``A coef = g`` for the weights of the original columns.

        Returns
        -------
        coef : ndarray of shape (n_nodes, n_outputs)
        intercept : ndarray of shape (n_outputs,)
        """
        return solve_coefficients(self.basis.A, self.g, fit_intercept=self.fit_intercept)

    def loo_predictions(self) -> FloatArray:
        """Predictions of every sample by the model that never saw it.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs)
        """
        return self._predictions(*self._state)

    def _predictions(
        self, residual: FloatArray, eta: FloatArray, scores: FloatArray, terms: FloatArray
    ) -> FloatArray:
        """Leave-one-out predictions of a state; nothing, and wrong, where they are rounding."""
        told = np.abs(scores) > ROUNDING * terms[:, None]
        untold = np.where((terms > 0.0)[:, None], -LEAST * self.targets, 0.0)
        floored = np.maximum(eta, ETA_FLOOR)[:, None]
        bounded = self.targets - residual / (self.root[:, None] * floored)
        free = (eta > ETA_FLOOR)[:, None]
        return np.where(free, np.where(told, scores / floored, untold), bounded)

    def grown_loo_predictions(self, column: FloatArray, alpha: float) -> FloatArray:
        """Leave-one-out predictions after adding one more (weighted) column.

        Parameters
        ----------
        column : ndarray of shape (n_samples,)
        alpha : float

        Returns
        -------
        ndarray of shape (n_samples, n_outputs)
        """
        w, _ = self.basis.orthogonalize(column)
        scale = 1.0 / float(w @ w + alpha)
        return self._predictions(*self._grown(w, scale * (w @ self.residual), scale))

    def grown_squared_error(self, column: FloatArray, alpha: float) -> tuple[float, FloatArray]:
        r"""Leave-one-out squared error after adding a (weighted) column, and its gradient.

        With :math:`c = 1/(w'w + \alpha)`, :math:`d_k = w'e_k` and new errors and weightings
        :math:`e_k - c d_k w`, :math:`\eta - c w^2`, the chain rule gives the derivative with
        respect to w; projecting it away from the model's columns gives that of the column.

        Parameters
        ----------
        column : ndarray of shape (n_samples,)
        alpha : float

        Returns
        -------
        value : float
            As ``loo_squared_error`` of the grown model.
        gradient : ndarray of shape (n_samples,)
            With respect to the column.
        """
        w, _ = self.basis.orthogonalize(column)
        c = 1.0 / (w @ w + alpha)
        dots = w @ self.residual
        residual = self.residual - np.outer(w, c * dots)
        eta = np.maximum(self.eta - c * w * w, ETA_FLOOR)
        errors = residual / eta[:, None]
        by_residual = 2.0 * errors / eta[:, None]  # (n_samples, n_outputs)
        by_eta = -(errors * by_residual).sum(axis=1)
        pulls = by_residual.T @ w
        by_c = -(dots @ pulls) - by_eta @ (w * w)
        by_w = -c * (by_residual @ dots + self.residual @ pulls) - 2.0 * c * by_eta * w
        by_w -= 2.0 * c * c * by_c * w
        total = self.weight.sum()
        return float((errors * errors).sum() / total), self.basis.orthogonalize(by_w)[0] / total

    def loo_squared_error(self) -> float:
        """Weighted mean of the squared leave-one-out errors, summed over outputs (PRESS / n)."""
        errors = self.residual / np.maximum(self.eta, ETA_FLOOR)[:, None]
        return float((errors * errors).sum() / self.total)

    def kernel_state(self, labels: IntArray, zero: int) -> Loo:
        """Pack the leave-one-out state for the kernels; ``zero`` is what no score means."""
        inv_root = 1.0 / self.root
        targets = np.ascontiguousarray(self.targets.T)
        residual = np.ascontiguousarray(self.residual.T)
        scores = np.ascontiguousarray(self.scores.T)
        doubt = ROUNDING * self.terms
        return Loo(residual, self.eta, scores, targets, labels, self.weight, inv_root, doubt, zero)


def solve_coefficients(
    A: FloatArray, g: FloatArray, *, fit_intercept: bool
) -> tuple[FloatArray, FloatArray]:
    """Back-substitute ``A coef = g`` and split off the intercept.

    See Also
    --------
    OrthogonalRegression

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.linear import solve_coefficients
    >>> A, g = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[5.0], [2.0]])
    >>> [part.tolist() for part in solve_coefficients(A, g, fit_intercept=True)]
    [[[2.0]], [1.0]]
    """
    weights = solve_triangular(A, g, unit_diagonal=True) if len(g) else g
    if fit_intercept:
        return weights[1:], weights[0]
    return weights, np.zeros(g.shape[1])


def orthogonal_variances(
    A: FloatArray, precision: FloatArray, Phi: FloatArray, *, fit_intercept: bool
) -> FloatArray:
    r"""Variance (n_samples,) of predictions in units of the noise.

    The orthogonal weights are independent, of variance :math:`1/(\mathrm{norms2}_j + \alpha_j)`,
    and a new row of columns becomes orthogonal by the same A.

    Parameters
    ----------
    A : ndarray of shape (n_columns, n_columns)
    precision : ndarray of shape (n_columns,)
    Phi : ndarray of shape (n_samples, n_nodes)
    fit_intercept : bool

    See Also
    --------
    OrthogonalRegression

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.linear import orthogonal_variances
    >>> orthogonal_variances(np.eye(1), np.array([4.0]), np.array([[2.0]]), fit_intercept=False)
    array([1.])
    """
    H = np.column_stack([np.ones((len(Phi), int(fit_intercept))), Phi])
    w = solve_triangular(A, H.T, trans="T", unit_diagonal=True) if len(A) else H.T
    return np.asarray((w * w / precision[:, None]).sum(axis=0))
