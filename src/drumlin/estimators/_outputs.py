"""The two faces of a network: classes with probabilities, or numbers.

A face prepares the targets for fitting and turns scores into answers. It is mixed into an
estimator whose base grows the network.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, validate_data

from drumlin._typing import FloatArray
from drumlin.basis.scaling import Standardizer
from drumlin.estimators._targets import encode_classes, output_units
from drumlin.estimators._training import Training, Units, new_inputs, without_extremes
from drumlin.network import Network
from drumlin.orthogonal import OrthogonalRegression
from drumlin.readout import class_probabilities, fit_temperature, log_loss, smoothed_targets

LARGEST = float(np.finfo(np.float64).max) / 4.0
"""Largest input and target: differences are numbers still."""

LARGEST_RAW = 1e300
"""Largest input that is not standardised: widths several times the spread are numbers still."""


class _Scores:
    """What both faces answer from."""

    network_: Network

    def _scores(self, X) -> FloatArray:
        """Scores of shape (n_samples, n_outputs) of raw inputs."""
        X = new_inputs(self, X)
        return self.network_(X)


class ClassOutputs(_Scores, ClassifierMixin):
    """Targets are classes; scores become labels and probabilities."""

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
        weight = weight * self._class_weights(y, weight, classes)
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
        labels = labels.astype(np.int64)
        return Training(X, codes, labels, weight, rows, scaler, shift, scale), told

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

    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        """Temperature, accuracy and log-loss by leave-one-out for every size."""
        labels, weight = training.labels, training.weight
        targets = smoothed_targets(labels, weight, len(self.classes_))
        temperatures: list[float] = []
        scores, losses = [], []
        for predictions in regression.prefix_loo_predictions():
            start = temperatures[-1] if temperatures else 1.0
            temperatures.append(fit_temperature(predictions, targets, weight, start))
            scores.append(self._loo_score(training, predictions))
            losses.append(log_loss(predictions, labels, weight, temperatures[-1]))
        return {"temperature_": temperatures, "loo_score_": scores, "loo_log_loss_": losses}

    def _output_attributes(self, coef: FloatArray, intercept: FloatArray) -> dict:
        return {"coef_": coef.T, "intercept_": intercept}

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

    def predict(self, X):
        """Predict the class of every sample.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        index = winners(self._scores(X))  # first: it checks that there are classes
        return self.classes_[index]

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
        return class_probabilities(self._scores(X), self.temperature_)


class NumberOutputs(_Scores, RegressorMixin):
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
            if not self.fit_intercept:
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
        return Training(X, codes, labels, weight, rows, scaler, shift, scale), told

    def _loo_score(self, training: Training, predictions: FloatArray) -> float:
        """Weighted leave-one-out R2, averaged over outputs."""
        if len(predictions) < 2:
            return float("nan")
        return float(r2_score(training.codes, predictions, sample_weight=training.weight))

    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        """Leave-one-out R2 for every size."""
        predictions = regression.prefix_loo_predictions()
        return {"loo_score_": [self._loo_score(training, p) for p in predictions]}

    def _output_attributes(self, coef: FloatArray, intercept: FloatArray) -> dict:
        if self._single_output:
            return {"coef_": coef[:, 0], "intercept_": float(intercept[0])}
        return {"coef_": coef.T, "intercept_": intercept}

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


def winners(scores: FloatArray) -> np.ndarray:
    """Index of the predicted class: a single score of zero means the first."""
    return (scores[:, 0] > 0.0).astype(np.int64) if scores.shape[1] == 1 else scores.argmax(axis=1)


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
    _refuse_large(estimator, "X", X, LARGEST if estimator.standardize else LARGEST_RAW)
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
    if estimator.standardize:
        return Standardizer.fit(X, weight)
    return Standardizer.identity(X.shape[1])
