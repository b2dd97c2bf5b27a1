"""A training problem whose rows are not in memory: units by sums, and draws for all else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import Radial
from drumlin.basis.placement import SAMPLED
from drumlin.basis.scaling import Standardizer
from drumlin.criteria import Criterion, StatisticCriterion
from drumlin.estimators.large_tables import Table
from drumlin.estimators.training import Training
from drumlin.sample import Sample, Scattered
from drumlin.sample.moments import input_moments
from drumlin.sample.reserve import Counts, Reserve
from drumlin.selection.table import TableLadder, TableRegression, TableScoring

IN_MEMORY = 100_000
"""Tables of at most so many rows are taken into memory."""

DRAWN = 20_000
"""Most rows of a draw: nodes are placed on them, and they tell what probabilities are."""


@dataclass(frozen=True)
class TableTraining:
    """Validated, weighted rows somewhere else, and their units.

    Parameters
    ----------
    rows : Scattered
        In original units.
    scaler : Standardizer
    target_shift, target_scale : ndarray of shape (n_outputs,)
        Units of the outputs, as in ``Training``.
    """

    rows: Scattered
    scaler: Standardizer
    target_shift: FloatArray
    target_scale: FloatArray

    @classmethod
    def of(cls, estimator: Any, table: Table) -> TableTraining:
        """Prepare the blocks of a table as an estimator wants them."""
        plan = estimator._plan_of(table)
        parts = table.parts.mapped(plan)
        reserve = Reserve.of(parts, Counts.of(parts, plan.n_classes), DRAWN, 0)
        rows = Scattered(parts, reserve, plan.n_classes)
        scaler = Standardizer.identity(rows.n_features)
        if getattr(estimator, "standardize", True):
            scaler = Standardizer.of_moments(*input_moments(rows))
        return cls(rows, scaler, *plan.units)

    def draw(self, size: int = DRAWN) -> Training:
        """Return a draw of the rows, with the units of all."""
        some = self.rows.draw(min(size, DRAWN))
        return Training(
            X=some.X,
            codes=some.codes,
            labels=some.labels,
            weight=some.weight,
            one_copy=some.weight / some.copies,
            rows=some.index,
            scaler=self.scaler,
            target_shift=self.target_shift,
            target_scale=self.target_scale,
        )

    def sample(self, n_classes: int) -> Scattered:
        """Rows with raw inputs."""
        return self.rows

    # ------------------------------------------------------------------ forward selection
    def for_candidates(self, estimator: Any) -> Training:
        """Return the rows that candidates are chosen of: a draw of as many."""
        wanted = (
            int(estimator.candidates) if isinstance(estimator.candidates, Integral) else SAMPLED
        )
        spare = self.rows.n_classes  # shares of classes are rounded down
        if wanted > DRAWN - spare:
            raise ValueError(
                f"The 'candidates' parameter of {type(estimator).__name__} must not exceed "
                f"{DRAWN - spare} where rows are not in memory. Got {wanted}."
            )
        return self.draw(wanted + spare)

    def scoring(self, criterion: Criterion, first: str) -> TableScoring:
        """Return a criterion applied to all rows."""
        if not isinstance(criterion, StatisticCriterion):
            raise ValueError(
                "The 'criterion' parameter must be a StatisticCriterion, which sums over rows, "
                f"where rows are not in memory. Got {criterion!r}."
            )
        (weight,) = self.rows.sum(_class_weights)
        return TableScoring(criterion, np.arange(len(weight)), weight, first)

    def ladder(self, centers: FloatArray, radial: Radial, **_: Any) -> TableLadder:
        """Return the candidates at centers in standardised units."""
        return TableLadder(self._seen, centers, radial)

    def regression(self, radial: Radial, *, fit_intercept: bool) -> TableRegression:
        """Return an empty model of the targets."""
        return TableRegression.start(self._seen, radial, fit_intercept=fit_intercept)

    def at_hand(self, grown: Any) -> tuple[Training, Any]:
        """Return a draw, and a finished run as the draw sees it."""
        drawn = self.draw()
        sample = drawn.sample(self.rows.n_classes).through(self.scaler.transform)
        selection = grown.selection
        path = replace(selection, regression=selection.regression.model.at(sample))
        regression = grown.regression.model.at(sample)
        return drawn, replace(grown, selection=path, regression=regression)

    @property
    def _seen(self) -> Scattered:
        """Rows in standardised units."""
        return self.rows.through(self.scaler.transform)


def _class_weights(piece: Sample) -> tuple[FloatArray]:
    """Weight (n_classes,) of every class."""
    return (np.bincount(piece.labels, piece.weight, piece.n_classes).astype(np.float64),)
