"""One training problem, prepared: what every network is fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Radial, distinct_rows, sample_candidates
from drumlin.basis.scaling import Standardizer
from drumlin.criteria import Criterion
from drumlin.linear import OrthogonalRegression
from drumlin.sample import Sample
from drumlin.sample.copies import merged, weight_units
from drumlin.sample.memory import with_rows
from drumlin.selection import Inputs, Scoring, WidthLadder


@dataclass(frozen=True)
class Units:
    """What later batches of a stream share with the first.

    Parameters
    ----------
    scaler : Standardizer
    target_shift, target_scale : ndarray of shape (n_outputs,)
    """

    scaler: Standardizer
    target_shift: FloatArray
    target_scale: FloatArray


@dataclass(frozen=True)
class Training:
    """Validated, weighted, standardised training data.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Rows with positive weight, in original units.
    codes : ndarray of shape (n_samples, n_outputs)
        Targets as numbers.
    labels : ndarray of shape (n_samples,)
        Class indices; zeros in regression.
    weight : ndarray of shape (n_samples,)
    one_copy : ndarray of shape (n_samples,)
        Weight of one sample of its class: class weights make samples heavier, not more.
    rows : ndarray of shape (n_samples,)
        Where each row stood in the data given to ``fit``.
    scaler : Standardizer
    target_shift, target_scale : ndarray of shape (n_outputs,)
        Units of the outputs: the targets are ``codes * target_scale + target_shift``. There is a
        shift only where there is an intercept to take it.
    content : ndarray of shape (n_samples, n_outputs) or None
        Targets by which rows are drawn, if not by their codes: those that were given, whatever
        rounding their units have.
    """

    X: FloatArray
    codes: FloatArray
    labels: IntArray
    weight: FloatArray
    one_copy: FloatArray
    rows: IntArray
    scaler: Standardizer
    target_shift: FloatArray
    target_scale: FloatArray
    content: FloatArray | None = None

    @property
    def units(self) -> Units:
        """Units of inputs and targets."""
        return Units(self.scaler, self.target_shift, self.target_scale)

    def sample(self, n_classes: int) -> Sample:
        """Rows with raw inputs; no class means that targets are numbers."""
        codes = np.ascontiguousarray(self.codes)
        rows = Sample.of(self.X, codes, self.labels, self.weight, n_classes, content=self.content)
        return replace(rows, index=self.rows, class_weights=self._class_weights(n_classes))

    def _class_weights(self, n_classes: int) -> tuple[float, ...]:
        """What the weights of every class were multiplied by; empty where by nothing."""
        if (self.one_copy == 1.0).all():
            return ()
        factors = np.ones(n_classes)  # a batch need not have all classes
        factors[self.labels] = self.one_copy
        return tuple(factors.tolist())

    def take(self, rows: IntArray | slice) -> Training:
        """Return some of the rows."""
        names = ("X", "codes", "labels", "weight", "one_copy", "rows", "content")
        return with_rows(self, names, rows)

    @property
    def copies(self) -> FloatArray:
        """Number (n_samples,) of samples that every row is."""
        return self.weight / self.one_copy

    @property
    def left_out(self) -> FloatArray:
        """Weight (n_samples,) that leaving a sample out removes: one copy, or all if it is less."""
        return np.minimum(self.weight, self.one_copy)

    def drawn(self, n_classes: int, size: int) -> IntArray:
        """Rows that a draw by content has, class by class; all where there are no more."""
        rows = self.sample(n_classes)
        return replace(rows, index=np.arange(rows.n_rows)).draw(size).index

    def standardized(self) -> FloatArray:
        """Inputs in standardised units."""
        return self.scaler.transform(self.X)

    def inputs(self) -> Inputs:
        """Inputs as the kernels want them."""
        return Inputs(np.ascontiguousarray(self.standardized().T), np.sqrt(self.weight))

    def for_candidates(self, estimator) -> Training:
        """Return the rows that candidates are chosen of: all."""
        return self

    def scoring(self, criterion: Criterion, first: str) -> Scoring:
        """Return a criterion applied to all rows."""
        return Scoring(criterion, self.labels, self.weight, first)

    def ladder(self, centers: FloatArray, radial: Radial, **options: Any) -> WidthLadder:
        """Return the candidates at centers in standardised units."""
        return WidthLadder(self.inputs(), centers, radial, **options)

    def at_hand(self, grown: Any) -> tuple[Training, Any]:
        """Return rows and a finished run as they see it: here are all."""
        return self, grown

    def regression(
        self, radial: Radial | None = None, *, fit_intercept: bool
    ) -> OrthogonalRegression:
        """Return an empty model of the targets."""
        return OrthogonalRegression(self.codes, self.weight, fit_intercept=fit_intercept)

    def in_target_units(self, regression: OrthogonalRegression) -> FloatArray:
        """Orthogonal weights of the targets themselves; the first column is the intercept."""
        g = regression.g * self.target_scale
        if regression.fit_intercept:
            g[0] += self.target_shift
        return g


class ArrangedRows:
    """Rows of positive weight as a method wants them."""

    _merges_rows: bool  # whether equal rows become one: a weight of three is three copies
    _counts_weights: bool  # whether relative weights become counts

    def _weight_units(self, weight: FloatArray, factors: FloatArray) -> tuple[float, float]:
        """What weights and factors of classes are divided by."""
        return weight_units(len(weight), weight, factors) if self._counts_weights else (1.0, 1.0)

    def _arrange(self, X: Any, y: Any, weight: FloatArray, rows: IntArray) -> tuple:
        """Rows as they come, or equal ones as one in an order of their own."""
        return merged(X, y, weight, rows) if self._merges_rows else (X, y, weight, rows)


def candidate_rows(
    estimator, training: Training, rng: np.random.RandomState, **automatic: int
) -> IntArray:
    """Rows of the training samples that may become centers; equal samples are one candidate.

    What ``candidates=None`` means, ``automatic`` says to ``sample_candidates``.
    """
    limit, n_samples = estimator.candidates, len(training.X)
    if limit is not None and limit > n_samples:
        raise ValueError(
            f"The 'candidates' parameter of {type(estimator).__name__} must not exceed the "
            f"number of training samples with positive weight, {n_samples}. "
            f"Got {limit}."
        )
    distinct = distinct_rows(training.X)
    return distinct[sample_candidates(len(distinct), limit, rng, **automatic)]
