"""One training problem, prepared: what every selected network is fitted to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import distinct_rows, sample_candidates
from drumlin.basis.scaling import Standardizer
from drumlin.linear import OrthogonalRegression
from drumlin.sample import Sample, merge_rows
from drumlin.selection import Inputs

LARGEST_COUNT = 40
"""Weights are numbers of copies up to the power of two with this exponent, and down to its inverse.

Beyond, only their ratios mean something."""


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

    @property
    def units(self) -> Units:
        """Units of inputs and targets."""
        return Units(self.scaler, self.target_shift, self.target_scale)

    def sample(self, n_classes: int) -> Sample:
        """Rows with raw inputs; no class means that targets are numbers."""
        codes = np.ascontiguousarray(self.codes)
        rows = Sample.of(self.X, codes, self.labels, self.weight, n_classes)
        return replace(rows, index=self.rows)

    def take(self, rows: IntArray | slice) -> Training:
        """Return some of the rows."""
        return replace(
            self,
            X=self.X[rows],
            codes=self.codes[rows],
            labels=self.labels[rows],
            weight=self.weight[rows],
            one_copy=self.one_copy[rows],
            rows=self.rows[rows],
        )

    @property
    def copies(self) -> FloatArray:
        """Number (n_samples,) of samples that every row is."""
        return self.weight / self.one_copy

    def standardized(self) -> FloatArray:
        """Inputs in standardised units."""
        return self.scaler.transform(self.X)

    def inputs(self) -> Inputs:
        """Inputs as the kernels want them."""
        return Inputs(np.ascontiguousarray(self.standardized().T), np.sqrt(self.weight))

    def regression(self, *, fit_intercept: bool) -> OrthogonalRegression:
        """Return an empty model of the targets."""
        return OrthogonalRegression(self.codes, self.weight, fit_intercept=fit_intercept)

    def in_target_units(self, regression: OrthogonalRegression) -> FloatArray:
        """Orthogonal weights of the targets themselves; the first column is the intercept."""
        g = regression.g * self.target_scale
        if regression.fit_intercept:
            g[0] += self.target_shift
        return g


def without_extremes(weight: FloatArray) -> FloatArray:
    """Weights as they are, unless no count could be so large, so small or so different.

    If the largest is above ``2 ** LARGEST_COUNT`` or below its inverse, all are multiplied by the
    power of two that brings it there. Positive ones below the rounding error of the largest are
    raised to it: they cannot matter in a sum, but their logarithms, ratios and inverses could.
    """
    largest = weight.max()
    if not largest > 0.0:
        return weight
    exponent = int(np.frexp(largest)[1])
    wanted = int(np.clip(exponent, -LARGEST_COUNT, LARGEST_COUNT))
    scaled = np.ldexp(weight, wanted - exponent)
    least = np.finfo(np.float64).eps * scaled.max()
    return np.where(weight > 0.0, np.maximum(scaled, least), 0.0)


def new_inputs(estimator, X) -> FloatArray:
    """Validated inputs of a fitted model."""
    check_is_fitted(estimator)
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn looks at the sum first
        return np.asarray(validate_data(estimator, X, reset=False, dtype=np.float64))


def check_n_nodes(estimator, n_nodes) -> None:
    """Refuse to truncate to a size that a fitted model does not have."""
    check_is_fitted(estimator)
    if not isinstance(n_nodes, Integral) or not 1 <= int(n_nodes) <= estimator.n_nodes_:
        raise ValueError(
            f"The 'n_nodes' parameter of {type(estimator).__name__}.truncate must be an int in the "
            f"range [1, {estimator.n_nodes_}]. Got {n_nodes!r}."
        )


def positive_numbers(estimator, name: str) -> list[float]:
    """One or several positive numbers given as a parameter, descending, each once."""
    given = getattr(estimator, name)
    try:
        numbers = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.ndim > 1 or not len(numbers) or not (np.isfinite(numbers) & (numbers > 0.0)).all():
        raise ValueError(
            f"The {name!r} parameter of {type(estimator).__name__} must be 'auto', a positive "
            f"number or a list of positive numbers. Got {given!r}."
        )
    return sorted(set(numbers.tolist()), reverse=True)


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


def counted_rows(X, y, weight: FloatArray, rows: IntArray):
    """Relative weights become counts, equal rows one row; the order of rows is forgotten.

    So rounding, which a search or a refinement amplifies, is the same for any order of the rows
    and for a weight of three or three copies.
    """
    mean = weight.mean()
    return merged(X, y, weight / mean if mean < 1.0 else weight, rows)


def merged(X, y, weight: FloatArray, rows: IntArray):
    """Equal samples as one, with the sum of their weights; the order of rows is forgotten."""
    targets = [np.unique(y, return_inverse=True)[1]] if y.ndim == 1 else [*y.T]
    kept, weight = merge_rows([*X.T, *targets], weight)
    return X[kept], y[kept], weight, rows[kept]
