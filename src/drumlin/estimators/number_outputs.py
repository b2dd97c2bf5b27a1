"""Targets are numbers: what fitting needs of them, and answers in their units."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, overload

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from drumlin._typing import FloatArray
from drumlin.estimators.block_plan import BlockPlan, number_plan
from drumlin.estimators.calibrated import CalibratedNumbers
from drumlin.estimators.checks import (
    LARGEST,
    check_weight,
    finite_table,
    fitted_scaler,
    refuse_large,
)
from drumlin.estimators.large_tables import Table, table_extremes
from drumlin.estimators.lazy import blockwise
from drumlin.estimators.progress import told_of
from drumlin.estimators.surface import NetworkSurface
from drumlin.estimators.training import ArrangedRows, Training, Units
from drumlin.linear import OrthogonalRegression
from drumlin.sample.codes import output_units
from drumlin.trust import Calibration, number_calibration


class NumberOutputs(CalibratedNumbers, NetworkSurface, ArrangedRows, RegressorMixin):
    """Targets are numbers, one or several outputs."""

    _multi_output = True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = self._multi_output
        return tags

    def _prepare(self, X, y, sample_weight, *, units: Units | None = None) -> tuple[Training, dict]:
        """Validate and standardise; also what callbacks are told.

        ``units`` are those of the first batch where this is a later one.
        """
        numbers = {"multi_output": self._multi_output, "y_numeric": True}
        X, y = finite_table(self, X, y, reset=units is None, **numbers)
        y = np.asarray(y, dtype=np.float64)  # numbers may come as texts
        refuse_large(self, "y", y)
        weight = check_weight(self, sample_weight, X)
        told = told_of(X, y, sample_weight)
        if units is None:
            self._single_output = y.ndim == 1
        rows = np.flatnonzero(weight > 0.0)
        weight = weight[rows] / self._weight_units(weight[rows], np.ones(len(rows)))[0]
        X, y, weight, rows = self._arrange(X[rows], y[rows], weight, rows)
        y = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        if units is None:
            shift, scale = output_units(y, weight)
            if not getattr(self, "fit_intercept", True):  # without the parameter there is one
                shift = np.zeros_like(shift)
            units = Units(fitted_scaler(self, X, weight), shift, scale)
        labels = np.zeros(len(X), dtype=np.int64)
        scaler, shift, scale = units.scaler, units.target_shift, units.target_scale
        if y.shape[1] != len(shift):
            raise ValueError(
                f"{type(self).__name__} was started with {len(shift)} output(s); later batches of "
                f"'y' must have as many. Got {y.shape[1]}."
            )
        codes = (y - shift) / scale
        training = Training(
            X=X,
            codes=codes,
            labels=labels,
            weight=weight,
            one_copy=np.ones(len(X)),
            rows=rows,
            scaler=scaler,
            target_shift=shift,
            target_scale=scale,
            content=y,
        )
        return training, told

    def _reading(self) -> dict:
        """What the blocks of a table must be."""
        return {"numbers": True, "largest": LARGEST}

    def _plan_of(self, table: Table) -> BlockPlan:
        """How the blocks of a table that is not in memory are prepared."""
        self._single_output = all(facts.n_outputs == 0 for facts in table.facts.values())
        extremes = table_extremes(self, table)
        plan = number_plan(table.facts, extremes, as_given=not self._merges_rows)
        if getattr(self, "fit_intercept", True):
            return plan
        return replace(plan, units=(np.zeros_like(plan.units[0]), plan.units[1]))

    def _loo_score(self, training: Training, predictions: FloatArray) -> float:
        """Weighted leave-one-out R2, averaged over outputs."""
        if len(predictions) < 2:
            return float("nan")
        return float(r2_score(training.codes, predictions, sample_weight=training.weight))

    def _loo_figures(self, training: Training, predictions: FloatArray) -> dict:
        """R2 and root mean squared error (of every output, averaged) of leave-one-out."""
        squares = training.weight @ (predictions - training.codes) ** 2 / training.weight.sum()
        error = float((np.sqrt(squares) * training.target_scale).mean())
        return {"loo_score_": self._loo_score(training, predictions), "loo_error_": error}

    def _calibrated(
        self, training: Training, predictions: FloatArray, scale: FloatArray | None = None
    ) -> Calibration:
        """Keep sizes of errors left out, in units of their scales, or of y where there are none."""
        errors = predictions - training.codes
        errors = errors * training.target_scale if scale is None else errors / scale
        return number_calibration(errors, training.copies)

    def _calibration_of(
        self, training: Training, regression: OrthogonalRegression, figures: dict
    ) -> Calibration:
        """Keep it for a regression."""
        std = regression.loo_std()
        return self._calibrated(training, regression.loo_predictions(), std)

    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> list:
        """Leave-one-out figures for every size."""
        predictions = regression.prefix_loo_predictions()
        return [self._loo_figures(training, p) for p in predictions]

    @blockwise
    def predict(self, X: Any) -> FloatArray:
        """Predict the target of every sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        scores = self._scores(X)
        return scores[:, 0] if self._single_output else scores


class UncertainNumbers(NumberOutputs):
    """Numbers with standard deviations: ``_std`` of the estimator knows them."""

    _std: Callable[[FloatArray], FloatArray]

    def _uncertainty_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        noise = np.sqrt(regression.prefix_noise()) * training.target_scale
        return {"_precision": regression.precision, "_noise_path": noise}

    def _interval_scale(self, X: FloatArray) -> FloatArray:
        return self._std(X)

    @overload
    def predict(self, X: Any, return_std: Literal[False] = False) -> FloatArray: ...

    @overload
    def predict(self, X: Any, return_std: Literal[True]) -> tuple[FloatArray, FloatArray]: ...

    @blockwise
    def predict(
        self, X: Any, return_std: bool = False
    ) -> FloatArray | tuple[FloatArray, FloatArray]:
        """Predict the target of every sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to return standard deviations, noise included, too.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs), or two of them
        """
        mean = super().predict(X)
        return (mean, self._std(self._validated(X)).reshape(mean.shape)) if return_std else mean
