"""What every candidate store needs to score by: criterion, labels and weights of one problem."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from drumlin._kernels import Candidates, backend, statistic_size
from drumlin._typing import FloatArray, IntArray
from drumlin.criteria import Criterion, LOOSquaredError, StatisticCriterion
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
    first : {"squared_error", "criterion"}
        What chooses the first node. One positive column without constant gives every sample the
        same label, so counts hardly tell candidates apart: hong2014 (section 3.1) takes the
        leave-one-out squared error there, hong2008 and chen2010 print the criterion.
    """

    criterion: Criterion
    labels: IntArray
    weight: FloatArray
    first: str = "squared_error"

    @cached_property
    def class_weight(self) -> FloatArray:
        """Total weight of each class (of all samples in regression)."""
        return np.asarray(np.bincount(self.labels, self.weight), dtype=np.float64)

    def with_criterion(self, criterion: Criterion) -> Scoring:
        """Return the same samples under another criterion."""
        return replace(self, criterion=criterion)

    def of_stage(self, n_nodes: int) -> Scoring:
        """What chooses the next node of a model that has some."""
        by_squares = n_nodes == 0 and self.first == "squared_error"
        return self.with_criterion(LOOSquaredError()) if by_squares else self

    def cost(self, regression: OrthogonalRegression) -> float:
        """Cost of the model as it stands."""
        if isinstance(self.criterion, StatisticCriterion):
            return self._statistic_cost(self.criterion, regression)
        predictions = regression.loo_predictions()
        return self.criterion.cost(regression.targets, predictions, self.labels, self.weight)

    def _statistic_cost(
        self, criterion: StatisticCriterion, regression: OrthogonalRegression
    ) -> float:
        """Cost by the kernels' own rules."""
        out = self.statistic(criterion, regression)
        return float(criterion.from_statistic(out, self.class_weight)[0])

    def statistic(
        self, criterion: StatisticCriterion, regression: OrthogonalRegression
    ) -> FloatArray:
        """Statistic (1, n_numbers) of the model: the one grown by a column of zeros is the same."""
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
        return out
