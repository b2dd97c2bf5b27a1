"""Targets are classes: what fitting needs of them; labels and probabilities of scores."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils._param_validation import StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from drumlin._typing import FloatArray
from drumlin.estimators.block_plan import BlockPlan, by_class, class_plan
from drumlin.estimators.calibrated import CalibratedClasses
from drumlin.estimators.checks import (
    LARGEST,
    check_two,
    check_weight,
    find_labels,
    finite_table,
    fitted_scaler,
)
from drumlin.estimators.large_tables import Table, table_extremes
from drumlin.estimators.lazy import blockwise
from drumlin.estimators.progress import told_of
from drumlin.estimators.surface import NetworkSurface, Remembered
from drumlin.estimators.training import ArrangedRows, Training, Units
from drumlin.linear import OrthogonalRegression
from drumlin.losses import (
    accuracy,
    class_probabilities,
    fit_temperature,
    log_loss,
    smoothed_targets,
    winners,
)
from drumlin.sample.codes import encode_classes
from drumlin.sample.copies import without_extremes
from drumlin.trust import Calibration, class_calibration

CLASS_WEIGHT: dict = {"class_weight": [dict, StrOptions({"balanced"}), None]}
"""What the parameter ``class_weight`` may be."""


class ClassOutputs(CalibratedClasses, NetworkSurface, ArrangedRows, ClassifierMixin):
    """Targets are classes; scores become labels and probabilities."""

    _scores_are_log_odds = False  # where they are, there is no temperature to make them so

    loo_log_loss_ = Remembered()

    def _prepare(
        self, X, y, sample_weight, *, units: Units | None = None, classes=None
    ) -> tuple[Training, dict]:
        """Validate and encode; also what callbacks are told.

        ``units`` are those of the first batch where this is a later one, ``classes`` all that may
        come where they are known.
        """
        X, y = finite_table(self, X, y, reset=units is None)
        check_classification_targets(y)
        weight = check_weight(self, sample_weight, X)
        told = told_of(X, y, sample_weight)
        one_copy = self._class_weights(y, weight, classes)
        rows = np.flatnonzero(weight * one_copy > 0.0)
        if classes is not None and units is None and not len(rows):
            raise ValueError(
                f"{type(self).__name__} needs samples of positive weight in its first batch. "
                f"Got only such whose 'class_weight' is 0, {self.class_weight!r}."
            )
        unit, unit_copy = self._weight_units(weight[rows], one_copy[rows])
        one_copy = one_copy / unit_copy
        weight = (weight / unit * one_copy)[rows]
        X, y, weight, rows = self._arrange(X[rows], y[rows], weight, rows)
        classes = np.unique(y) if classes is None else classes
        check_two(self, classes)
        self.classes_, labels = classes, find_labels(self, y, classes)
        codes = encode_classes(labels, len(classes))
        scaler = fitted_scaler(self, X, weight) if units is None else units.scaler
        shift, scale = np.zeros(codes.shape[1]), np.ones(codes.shape[1])
        training = Training(
            X=X,
            codes=codes,
            labels=labels.astype(np.int64),
            weight=weight,
            one_copy=one_copy[rows],
            rows=rows,
            scaler=scaler,
            target_shift=shift,
            target_scale=scale,
        )
        return training, told

    def _class_weights(self, y, weight: FloatArray, classes=None) -> FloatArray:
        """Weight of every sample's class; "balanced" counts samples by their weight."""
        if self.class_weight is None:
            return np.ones(len(y))
        present = weight > 0.0
        classes = np.unique(y[present]) if classes is None else classes
        labels = find_labels(self, y[present], classes)
        result = np.zeros(len(y))
        result[present] = self._class_factors(classes, y[present], weight[present])[labels]
        return result

    def _class_factors(self, classes, y, weight: FloatArray) -> FloatArray:
        """Weight of every class, by samples or by the sums of theirs."""
        if self.class_weight is None:
            return np.ones(len(classes))
        factors = compute_class_weight(
            self.class_weight, classes=classes, y=y, sample_weight=weight
        )
        if not (np.isfinite(factors) & (factors >= 0.0)).all():
            raise ValueError(
                f"The 'class_weight' parameter of {type(self).__name__} must hold finite numbers "
                f"that are not negative. Got {self.class_weight!r}."
            )
        return without_extremes(factors)

    def _reading(self) -> dict:
        """What the blocks of a table must be."""
        return {"numbers": False, "largest": LARGEST}

    def _plan_of(self, table: Table) -> BlockPlan:
        """How the blocks of a table that is not in memory are prepared; sets the classes."""
        extremes = table_extremes(self, table)
        classes, _, weight = by_class(table.facts)
        factors = self._class_factors(classes, classes, np.ldexp(weight, extremes.power))
        self.classes_ = classes[factors > 0.0]
        check_two(self, self.classes_)
        known = None if self.class_weight is None else (classes, factors)
        return class_plan(
            table.facts, extremes, self.classes_, known, as_given=not self._merges_rows
        )

    def _loo_score(self, training: Training, predictions: FloatArray) -> float:
        """Leave-one-out accuracy of samples as they came, whatever their classes weigh."""
        return accuracy(predictions, training.labels, training.copies)

    def _loo_figures(self, training: Training, predictions: FloatArray, temperature=1.0) -> dict:
        """Accuracy, error and log-loss of leave-one-out predictions."""
        score = self._loo_score(training, predictions)
        loss = log_loss(predictions, training.labels, training.copies, temperature)
        return {"loo_score_": score, "loo_error_": 1.0 - score, "loo_log_loss_": loss}

    def _calibrated(
        self, training: Training, predictions: FloatArray, temperature: float = 1.0
    ) -> Calibration:
        """Keep how strange their classes are to samples left out."""
        probabilities = class_probabilities(predictions, temperature)
        return class_calibration(probabilities, training.labels, training.copies)

    def _calibration_of(
        self, training: Training, regression: OrthogonalRegression, figures: dict
    ) -> Calibration:
        """Keep it for a regression with given figures."""
        return self._calibrated(training, regression.loo_predictions(), figures["temperature_"])

    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> list:
        """Temperature and leave-one-out figures for every size."""
        targets = smoothed_targets(training.labels, training.weight, self._n_classes)
        sizes: list[dict] = []
        for predictions in regression.prefix_loo_predictions():
            start = sizes[-1]["temperature_"] if sizes else 1.0
            temperature = fit_temperature(predictions, targets, training.weight, start)
            figures = self._loo_figures(training, predictions, temperature)
            sizes.append({"temperature_": temperature, **figures})
        return sizes

    def _uncertainty_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        return {}  # probabilities say how sure a class is

    @blockwise
    def decision_function(self, X: Any) -> FloatArray:
        """Scores of the network; of ``NadarayaWatsonClassifier`` the shares of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes one number, positive for ``classes_[1]``.
        """
        scores = self._scores(X)
        return self._one_number(scores) if self._n_classes == 2 else scores

    def _one_number(self, scores: FloatArray) -> FloatArray:
        """What is said for the second of two classes, and against the first."""
        return scores[:, 0]

    @blockwise
    def predict(self, X: Any, *, reject: float | None = None) -> NDArray[Any]:
        """Predict the class of every sample, or that it is not known.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        reject : float or None, default=None
            Answer None (in an array of objects) where the probability of the class is below this,
            or where the sample is farther from all nodes than every training sample.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        index = winners(self._scores(X))  # first: it checks that there are classes
        labels = self.classes_[index]
        return labels if reject is None else self._without_doubt(X, labels, reject)

    def _without_doubt(self, X, labels, reject):
        """Labels, but None where they are improbable or samples are beyond all data."""
        if not isinstance(reject, Real) or not 0.0 <= float(reject) <= 1.0:
            raise ValueError(
                f"The 'reject' parameter of {type(self).__name__}.predict must be a number in the "
                f"range [0, 1]. Got {reject!r}."
            )
        unsure = self.predict_proba(X).max(axis=1) < reject
        answers = labels.astype(object)
        answers[unsure | self._novelty.is_beyond(self._validated(X))] = None
        return answers

    @blockwise
    def predict_proba(self, X: Any) -> FloatArray:
        """Probabilities of the classes, calibrated on leave-one-out scores.

        The largest is always that of the predicted class. Those of ``NadarayaWatsonClassifier`` are
        shares of the kernel weights (eq. 5.59 of haykin5).

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        return self._probabilities(self._scores(X))

    def _probabilities(self, scores: FloatArray) -> FloatArray:
        return class_probabilities(scores, 1.0 if self._scores_are_log_odds else self.temperature_)

    @blockwise
    def predict_log_proba(self, X: Any) -> FloatArray:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Minus infinity where a probability is 0 to rounding.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))
