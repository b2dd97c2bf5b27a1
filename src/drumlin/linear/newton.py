"""Newton's method for penalised logistic regression, which is Fisher scoring: eq. (6) of ando2004.

With step halving, for many subsets of columns at once; what is minimised is in ``linear.logistic``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.linear.factors import cholesky
from drumlin.linear.kept import KeptFactors
from drumlin.linear.logistic import (
    LogisticFits,
    LogisticProblem,
    class_rates,
    gradient,
    hessian,
    own_curvatures,
)

_LARGE = 200
"""Weights of a subset, from which on Newton's systems are solved with factors of older ones."""

_MAX_ITER = 100
_HALVINGS = 40
_DECREMENT = 1e-10
"""Newton decrement after which one more step, the last, is exact to rounding."""


def fit_logistic(
    columns: FloatArray,
    problem: LogisticProblem,
    penalties: FloatArray,
    start: FloatArray | None = None,
) -> LogisticFits:
    """Minimise F for every subset of a batch.

    Parameters
    ----------
    columns : ndarray of shape (n_subsets, n_columns, n_samples)
        Whitened; the first is 1.
    problem : LogisticProblem
    penalties : ndarray of shape (n_subsets, n_contrasts)
        ``n alpha``, positive; one per contrast.
    start : ndarray of shape (n_contrasts, n_samples) or None
        Scores of a model that is probably near, not necessarily one of these columns.

    Returns
    -------
    LogisticFits
    """
    newton = _Newton.begin(_Systems.of(columns, problem, penalties), start)
    active = np.arange(len(columns))
    for _ in range(_MAX_ITER):
        active = newton.step(active)
        if not len(active):
            break
    return newton.fits()


def _penalty(coef: FloatArray, penalties: FloatArray) -> FloatArray:
    """Sum of ``n alpha u'u``: twice the penalty of F."""
    return np.asarray((penalties * (coef[:, :, 1:] ** 2).sum(axis=2)).sum(axis=1))


@dataclass(frozen=True)
class _Systems:
    """Newton's systems of a batch of subsets; ``kept`` where they are large."""

    columns: FloatArray
    problem: LogisticProblem
    penalties: FloatArray
    kept: KeptFactors | None

    @classmethod
    def of(cls, columns: FloatArray, problem: LogisticProblem, penalties: FloatArray) -> _Systems:
        large = problem.n_contrasts * columns.shape[1] >= _LARGE and problem.n_contrasts > 1
        return cls(columns, problem, penalties, KeptFactors() if large else None)

    def columns_of(self, active: IntArray) -> FloatArray:
        """Columns of the active subsets; they are not copied where that is all."""
        return self.columns if len(active) == len(self.columns) else self.columns[active]

    def solve(
        self, active: IntArray, rates: FloatArray, wanted: FloatArray
    ) -> tuple[FloatArray, BoolArray]:
        """Solutions for the active subsets, in the shape of ``wanted``; which had to be raised."""
        if self.kept is None:
            part = self.columns_of(active)
            return _solve(hessian(part, self.problem, self.penalties[active], rates), wanted)
        every = np.broadcast_to(rates, (len(active), *rates.shape[1:]))
        solved = [self._solve_one(*one) for one in zip(active, every, wanted, strict=True)]
        return np.stack([x for x, _ in solved]), np.array([raised for _, raised in solved])

    def _solve_one(self, i: int, rates: FloatArray, wanted: FloatArray) -> tuple[FloatArray, bool]:
        assert self.kept is not None
        columns, penalties = self.columns[i], self.penalties[i]
        own = own_curvatures(rates)

        def system() -> FloatArray:
            return hessian(columns[None], self.problem, penalties[None], rates[None])[0]

        def product(x: FloatArray) -> FloatArray:
            x = x.reshape(wanted.shape)
            image = self.problem.curved(rates, own, x @ columns) @ columns.T
            image[:, 1:] += penalties[:, None] * x[:, 1:]
            return np.asarray(image.ravel())

        solution, raised = self.kept.solve(int(i), system, product, wanted.ravel())
        return solution.reshape(wanted.shape), raised


@dataclass
class _Newton:
    """Newton's method at work on a batch of subsets: where it stands, and what has happened."""

    systems: _Systems
    coef: FloatArray
    scores: FloatArray
    value: FloatArray
    converged: BoolArray
    jittered: BoolArray

    @classmethod
    def begin(cls, systems: _Systems, start: FloatArray | None) -> _Newton:
        """Start at the best constants, or near given scores."""
        columns, problem, penalties = systems.columns, systems.problem, systems.penalties
        n_subsets, n_columns = columns.shape[:2]
        coef = np.zeros((n_subsets, problem.n_contrasts, n_columns))
        coef[:, :, 0] = problem.null_contrasts()
        if start is not None:
            coef = _nearer(systems, coef, start)
        scores = coef @ columns
        value = problem.loss(scores) + 0.5 * _penalty(coef, penalties)
        return cls(systems, coef, scores, value, *np.zeros((2, n_subsets), dtype=bool))

    def step(self, active: IntArray) -> IntArray:
        """Move the active subsets; return those that are still to be moved."""
        problem, penalties = self.systems.problem, self.systems.penalties[active]
        columns, coef, scores = (
            self.systems.columns_of(active),
            self.coef[active],
            self.scores[active],
        )
        rates = class_rates(scores)
        slope = gradient(columns, problem, penalties, coef, rates)
        step, raised = self.systems.solve(active, rates, -slope)
        decrement = -(step * slope).sum(axis=(1, 2))
        last = decrement < np.maximum(_DECREMENT, problem.rounding(scores))
        change, value = step @ columns, self.value[active]
        size = _halved(problem, penalties, (coef, step), (scores, change), value, last)
        self.coef[active] += size[:, None, None] * step
        self.scores[active] += size[:, None, None] * change
        loss = problem.loss(self.scores[active])
        self.value[active] = loss + 0.5 * _penalty(self.coef[active], penalties)
        self.jittered[active] |= raised
        self.converged[active] = last
        return active[~last & (size > 0.0)]

    def fits(self) -> LogisticFits:
        """Return where it stands."""
        problem, penalties = self.systems.problem, self.systems.penalties
        rates = class_rates(self.scores)
        factors, raised = cholesky(hessian(self.systems.columns, problem, penalties, rates))
        return LogisticFits(
            coef=self.coef,
            scores=self.scores,
            loss=problem.loss(self.scores),
            penalty=_penalty(self.coef, penalties),
            log_det=2.0 * np.log(np.einsum("bii->bi", factors)).sum(axis=1),
            converged=self.converged,
            jittered=self.jittered | raised,
        )


def _nearer(systems: _Systems, coef: FloatArray, start: FloatArray) -> FloatArray:
    """One step of eq. (6) from given scores, where that is better than the constants."""
    columns, problem, penalties = systems.columns, systems.problem, systems.penalties
    rates = class_rates(start[None])
    # W zeta of eq. (6) for all contrasts: sum_l W_kl h_l + s (y_k - pi_k).
    response = problem.curved(rates[0], own_curvatures(rates)[0], start)
    response += problem.residuals(rates)[0]
    wanted = response @ columns.transpose(0, 2, 1)
    near, _ = systems.solve(np.arange(len(columns)), rates, wanted)

    def value(coef: FloatArray) -> FloatArray:
        return problem.loss(coef @ columns) + 0.5 * _penalty(coef, penalties)

    better = value(near) < value(coef)  # false where a number is not finite
    return np.where(better[:, None, None], near, coef)


def _halved(
    problem: LogisticProblem,
    penalties: FloatArray,
    point: tuple[FloatArray, FloatArray],
    line: tuple[FloatArray, FloatArray],
    value: FloatArray,
    accepted: BoolArray,
) -> FloatArray:
    """Largest of 1, 1/2, 1/4, ... that lowers F, for every subset; 0 where none does."""
    (coef, step), (scores, change) = point, line
    size = np.ones(len(value))
    open_ = np.flatnonzero(~accepted)
    for _ in range(_HALVINGS):
        if not len(open_):
            return size
        t = size[open_, None, None]
        new = problem.loss(scores[open_] + t * change[open_])
        new += 0.5 * _penalty(coef[open_] + t * step[open_], penalties[open_])
        open_ = open_[~(new <= value[open_])]
        size[open_] *= 0.5
    size[open_] = 0.0
    return size


def _solve(systems: FloatArray, wanted: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Solutions of symmetric systems, in the shape of ``wanted``, and which had to be raised."""
    columns = wanted.reshape(len(systems), -1, 1)
    try:
        solution = np.linalg.solve(systems, columns)
        raised = np.zeros(len(systems), dtype=bool)
    except np.linalg.LinAlgError:
        factors, raised = cholesky(systems)
        half = np.linalg.solve(factors, columns)
        solution = np.linalg.solve(factors.transpose(0, 2, 1), half)
    return np.asarray(solution.reshape(wanted.shape)), raised
