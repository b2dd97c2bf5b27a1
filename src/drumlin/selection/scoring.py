"""What every candidate store needs to score by: criterion, labels and weights of one problem."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from drumlin._kernels import Candidates, backend, statistic_size
from drumlin._typing import FloatArray, IntArray
from drumlin.criteria import Criterion, StatisticCriterion
from drumlin.linear import OrthogonalRegression


@dataclass(frozen=True)
class Scoring:
    """A criterion applied to one set of samples.

    Parameters
    ----------
    criterion : Criterion
    labels : ndarray of shape (n_samples,)
        Class of every sample; zeros in regression.
    weight : ndarray of shape (n_samples,)
    """

    criterion: Criterion
    labels: IntArray
    weight: FloatArray

    @cached_property
    def class_weight(self) -> FloatArray:
        """Total weight of each class (of all samples in regression)."""
        return np.asarray(np.bincount(self.labels, self.weight), dtype=np.float64)

    def with_criterion(self, criterion: Criterion) -> Scoring:
        """Return the same samples under another criterion."""
        return Scoring(criterion, self.labels, self.weight)

    def cost(self, regression: OrthogonalRegression) -> float:
        """Cost of the model as it stands."""
        if isinstance(self.criterion, StatisticCriterion):
            return self._statistic_cost(self.criterion, regression)
        predictions = regression.loo_predictions()
        return self.criterion.cost(regression.targets, predictions, self.labels, self.weight)

    def _statistic_cost(
        self, criterion: StatisticCriterion, regression: OrthogonalRegression
    ) -> float:
        """Cost by the kernels' own rules: the model grown by a column of zeros is the model."""
        n_samples, n_outputs = regression.targets.shape
        kind = criterion.statistic(n_outputs)
        out = np.zeros((1, statistic_size(kind, n_outputs)))
        backend().score_(
            np.zeros((1, n_samples)),
            np.zeros(1, dtype=np.int64),
            Candidates(np.ones(1), np.zeros((1, n_outputs))),
            regression.kernel_state(self.labels, criterion.zero),
            0.0,
            kind,
            out,
        )
        return float(criterion.from_statistic(out, self.class_weight)[0])
