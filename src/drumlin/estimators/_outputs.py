"""The two faces of a network: classes with probabilities, or numbers.

A face prepares the targets for fitting and turns scores into answers. It is mixed into an
estimator whose base grows the network.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from drumlin._typing import FloatArray
from drumlin.basis.scaling import Standardizer
from drumlin.estimators._targets import encode_classes, output_units
from drumlin.estimators._training import Training, Units, without_extremes
from drumlin.estimators.calibrated import CalibratedClasses, CalibratedNumbers
from drumlin.estimators.surface import NetworkSurface, Remembered
from drumlin.linear import OrthogonalRegression
from drumlin.losses import (
    class_probabilities,
    fit_temperature,
    log_loss,
    smoothed_targets,
    winners,
)
from drumlin.trust import Calibration, class_calibration, number_calibration

LOO = ("loo_error_", "loo_score_", "loo_log_loss_")
"""Figures of leave-one-out predictions."""

LARGEST = float(np.finfo(np.float64).max) / 4.0
"""Largest input and target: differences are numbers still."""

LARGEST_RAW = 1e300
"""Largest input that is not standardised: widths several times the spread are numbers still."""


class ClassOutputs(CalibratedClasses, NetworkSurface, ClassifierMixin):
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
        X, y = _finite_table(self, X, y, reset=units is None)
        check_classification_targets(y)
        weight = check_weight(self, sample_weight, X)
        told = {"X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
        one_copy = self._class_weights(y, weight, classes)
        weight = weight * one_copy
        rows = np.flatnonzero(weight > 0.0)
        if classes is not None and units is None and not len(rows):
            raise ValueError(
                f"{type(self).__name__} needs samples of positive weight in its first batch. "
                f"Got only such whose 'class_weight' is 0, {self.class_weight!r}."
            )
        X, y, weight, rows = self._arrange(X[rows], y[rows], weight[rows], rows)
        classes = np.unique(y) if classes is None else classes
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes in 'y' (with positive weight). "
                f"Got {len(classes)} class: {classes.tolist()}."
            )
        self.classes_, labels = classes, _find_labels(self, y, classes)
        codes = encode_classes(labels, len(classes))
        scaler = _scaler(self, X, weight) if units is None else units.scaler
        shift, scale = np.zeros(codes.shape[1]), np.ones(codes.shape[1])
        one_copy, labels = one_copy[rows], labels.astype(np.int64)
        return Training(X, codes, labels, weight, one_copy, rows, scaler, shift, scale), told

    def _class_weights(self, y, weight: FloatArray, classes=None) -> FloatArray:
        """Weight of every sample's class; "balanced" counts samples by their weight."""
        if self.class_weight is None:
            return np.ones(len(y))
        present = weight > 0.0
        classes = np.unique(y[present]) if classes is None else classes
        labels = _find_labels(self, y[present], classes)
        factors = compute_class_weight(
            self.class_weight, classes=classes, y=y[present], sample_weight=weight[present]
        )
        if not (np.isfinite(factors) & (factors >= 0.0)).all():
            raise ValueError(
                f"The 'class_weight' parameter of {type(self).__name__} must hold finite numbers "
                f"that are not negative. Got {self.class_weight!r}."
            )
        factors = without_extremes(factors)
        result = np.zeros(len(y))
        result[present] = factors[labels]
        return result

    def _loo_score(self, training: Training, predictions: FloatArray) -> float:
        """Weighted leave-one-out accuracy."""
        right = winners(predictions) == training.labels
        return float(training.weight @ right / training.weight.sum())

    def _loo_figures(self, training: Training, predictions: FloatArray, temperature=1.0) -> dict:
        """Accuracy, error and log-loss of leave-one-out predictions."""
        score = self._loo_score(training, predictions)
        loss = log_loss(predictions, training.labels, training.weight, temperature)
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

    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        """Temperature and leave-one-out figures for every size."""
        targets = smoothed_targets(training.labels, training.weight, len(self.classes_))
        sizes: list[dict] = []
        for predictions in regression.prefix_loo_predictions():
            start = sizes[-1]["temperature_"] if sizes else 1.0
            temperature = fit_temperature(predictions, targets, training.weight, start)
            figures = self._loo_figures(training, predictions, temperature)
            sizes.append({"temperature_": temperature, **figures})
        return _by_name(sizes)

    def _uncertainty_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        return {}  # probabilities say how sure a class is

    def decision_function(self, X):
        """Scores of the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes one number, positive for ``classes_[1]``.
        """
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X, *, reject=None):
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

    def predict_proba(self, X):
        """Probabilities of the classes, calibrated on leave-one-out scores.

        The largest is always that of the predicted class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        scores = self._scores(X)
        return class_probabilities(scores, 1.0 if self._scores_are_log_odds else self.temperature_)

    def predict_log_proba(self, X):
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


class NumberOutputs(CalibratedNumbers, NetworkSurface, RegressorMixin):
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
        X, y = _finite_table(self, X, y, reset=units is None, **numbers)
        y = np.asarray(y, dtype=np.float64)  # numbers may come as texts
        _refuse_large(self, "y", y)
        weight = check_weight(self, sample_weight, X)
        told = {"X": X, "y": y, "metadata": {"sample_weight": sample_weight}}
        if units is None:
            self._single_output = y.ndim == 1
        rows = np.flatnonzero(weight > 0.0)
        X, y, weight, rows = self._arrange(X[rows], y[rows], weight[rows], rows)
        y = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
        if units is None:
            shift, scale = output_units(y, weight)
            if not getattr(self, "fit_intercept", True):  # without the parameter there is one
                shift = np.zeros_like(shift)
            units = Units(_scaler(self, X, weight), shift, scale)
        labels = np.zeros(len(X), dtype=np.int64)
        scaler, shift, scale = units.scaler, units.target_shift, units.target_scale
        if y.shape[1] != len(shift):
            raise ValueError(
                f"{type(self).__name__} was started with {len(shift)} output(s); later batches of "
                f"'y' must have as many. Got {y.shape[1]}."
            )
        codes = (y - shift) / scale
        one_copy = np.ones(len(X))
        return Training(X, codes, labels, weight, one_copy, rows, scaler, shift, scale), told

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

    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        """Leave-one-out figures for every size."""
        predictions = regression.prefix_loo_predictions()
        return _by_name([self._loo_figures(training, p) for p in predictions])

    def predict(self, X):
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

    def predict(self, X, return_std=False):
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


def _by_name(sizes: list[dict]) -> dict:
    """One list per name, of one dict per size."""
    return {name: [size[name] for size in sizes] for name in sizes[0]}


def _find_labels(estimator, y, classes) -> np.ndarray:
    """Index of every label in all classes that may come."""
    new = np.setdiff1d(y, classes)
    if len(new):
        raise ValueError(
            f"{type(estimator).__name__} knows the classes {classes.tolist()} of the first call; "
            f"'y' must hold no others. Got {new.tolist()} too."
        )
    return np.searchsorted(classes, y)


def _finite_table(estimator, X, y, **options):
    """Validated X and y, their differences within what numbers can hold."""
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn looks at the sum first
        X, y = validate_data(estimator, X, y, dtype=np.float64, **options)
    standardized = getattr(estimator, "standardize", True)
    _refuse_large(estimator, "X", X, LARGEST if standardized else LARGEST_RAW)
    return X, y


def _refuse_large(estimator, name: str, numbers, most: float = LARGEST) -> None:
    largest = np.abs(numbers).max()
    if largest > most:
        raise ValueError(
            f"The {name!r} of {type(estimator).__name__}.fit must hold numbers of size at most "
            f"{most:g}: differences of larger ones overflow. Got {largest:g}."
        )


def check_weight(estimator, sample_weight, X) -> FloatArray:
    """Validated sample weights, none of them extreme."""
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64, allow_all_zero_weights=True)
    if weight.min() < 0.0 or weight.max() == 0.0:
        raise ValueError(
            f"The 'sample_weight' parameter of {type(estimator).__name__}.fit must hold numbers "
            "that are not negative and not all zero. "
            f"Got numbers from {weight.min():g} to {weight.max():g}."
        )
    return without_extremes(weight)


def _scaler(estimator, X: FloatArray, weight: FloatArray) -> Standardizer:
    if getattr(estimator, "standardize", True):
        return Standardizer.fit(X, weight)
    return Standardizer.identity(X.shape[1])
