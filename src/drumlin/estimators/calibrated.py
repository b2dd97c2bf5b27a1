"""Sets of classes and intervals of numbers, calibrated by samples left out of the fit.

The mathematics is in ``drumlin.trust``; here are the methods that every estimator has.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from drumlin._typing import BoolArray, FloatArray
from drumlin.estimators.lazy import blockwise
from drumlin.estimators.surface import UNKNOWN
from drumlin.estimators.typed import known_if
from drumlin.flagship import TOO_LARGE
from drumlin.network import Network
from drumlin.trust import Calibration, interval_of, sets_of

INSTEAD = "Instead, hold rows out of the fit and calibrate on these"
FEWER = "fit fewer nodes ('max_nodes') or fewer rows"
"""What helps where scores of samples left out are too much work."""


def _knows_scores(question: str) -> Callable[[Any], None]:
    """Refuse where scores of samples left out are not known; unfitted models say so themselves."""

    def check(model: Any) -> None:
        if not hasattr(model, "network_") or vars(model).get("_calibration") is not None:
            return
        note = getattr(model, "loo_note_", None)
        if note == TOO_LARGE:
            why, instead = f"leave-one-out is {note}.", f"{INSTEAD}, or {FEWER}."
        else:
            of = "" if note is None else f"leave-one-out figures are {note}; "
            why, instead = of + UNKNOWN, f"{INSTEAD}, or ask a model as 'fit' leaves it."
        raise AttributeError(
            f"This {type(model).__name__} does not know {question!r}, which needs scores of "
            f"samples left out: {why} {instead}"
        )

    return check


def _for_each(model: Any, question: str, confidence: Any, ask: Callable[[float], Any]) -> Any:
    """Answers at one confidence, or with a last axis at several."""
    levels = np.asarray(confidence)
    numbers = levels.dtype.kind in "fiu" and levels.ndim <= 1 and levels.size
    if not numbers or not ((levels > 0.0) & (levels < 1.0)).all():
        raise ValueError(
            f"The 'confidence' parameter of {type(model).__name__}.{question} must be a number "
            f"between 0 and 1, or a list of such. Got {confidence!r}."
        )
    if isinstance(confidence, Real) or not levels.ndim:
        return ask(float(levels))
    return np.stack([ask(float(level)) for level in levels], axis=-1)


class CalibratedClasses:
    """Sets of classes for samples left out and new ones."""

    _calibration: Calibration | None
    predict_proba: Callable[[Any], FloatArray]

    @known_if(_knows_scores("predict_set"))
    @blockwise
    def predict_set(
        self, X: Any, confidence: Any = 0.9, *, by_class: bool = False, empty: bool = False
    ) -> BoolArray:
        """Sets that hold the true class with a given confidence, calibrated by leave-one-out.

        Classes join a set in the order of their probabilities until these reach a level: the one
        at which that part of the training samples, each left out in turn, would have been in
        their sets. Nothing is held out, refitted or random. Coverage is not guaranteed: it is
        that of the jackknife, which needs a fit that no single sample changes much.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        confidence : float or list of float, default=0.9
            Between 0 and 1.
        by_class : bool, default=False
            Whether every class has a level of its own, so that rare classes are in their sets as
            often as others. A class with fewer than c / (1 - c) samples is in all sets.
        empty : bool, default=False
            Whether a set may be empty where even the most probable class is improbable. If not,
            the predicted class is always in its set, and sets of models that err less than asked
            for hold the true class more often.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_classes) or (n_samples, n_classes, n_confidences)
            Columns are those of ``classes_``.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from drumlin import DrumlinClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> sets = DrumlinClassifier(max_nodes=3).fit(X, y).predict_set(X, 0.95)
        >>> sets.shape, bool(sets.any(axis=1).all())
        ((150, 3), True)
        """
        probabilities, known = self.predict_proba(X), self._calibration
        assert known is not None

        def ask(level: float):
            return sets_of(known, probabilities, level, by_class=by_class, empty=empty)

        return _for_each(self, "predict_set", confidence, ask)


class CalibratedNumbers:
    """Intervals of numbers."""

    _calibration: Calibration | None
    _single_output: bool
    network_: Network
    _scores: Callable[[Any], FloatArray]
    _validated: Callable[[Any], FloatArray]

    def _interval_scale(self, X: FloatArray) -> FloatArray:
        """Scales (n_samples, n_outputs) of errors: alike where no standard deviation is known."""
        return np.ones((len(X), len(self.network_.intercept)))

    @known_if(_knows_scores("predict_interval"))
    @blockwise
    def predict_interval(self, X: Any, confidence: Any = 0.9) -> FloatArray:
        """Intervals that hold the target with a given confidence, calibrated by leave-one-out.

        Predictions plus and minus a multiple of their standard deviations (of a constant, where
        there are none): the one at which that part of the training samples, each left out in
        turn, would have been in their intervals. Nothing is held out, refitted or random.
        Coverage is not guaranteed: it is that of the jackknife, which needs a fit that no single
        sample changes much.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        confidence : float or list of float, default=0.9
            Between 0 and 1. With fewer than c / (1 - c) samples intervals are infinite.

        Returns
        -------
        ndarray of shape (n_samples, 2) or (n_samples, n_outputs, 2)
            Lower and upper ends; a list of confidences adds a last axis.

        Examples
        --------
        >>> import numpy as np
        >>> from drumlin import DrumlinRegressor
        >>> X = np.linspace(0.0, 6.0, 60)[:, None]
        >>> y = np.sin(X[:, 0]) + 0.1 * np.cos(40.0 * X[:, 0])
        >>> lower, upper = DrumlinRegressor().fit(X, y).predict_interval(X, 0.9).T
        >>> bool(np.mean((lower <= y) & (y <= upper)) > 0.8)
        True
        """
        mean = self._scores(X)
        scale, known = self._interval_scale(self._validated(X)), self._calibration
        assert known is not None

        def ask(level: float):
            ends = interval_of(known, mean, scale, level)
            return ends[:, 0] if self._single_output else ends

        return _for_each(self, "predict_interval", confidence, ask)
