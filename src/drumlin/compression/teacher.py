"""The model that is imitated: what it says of rows, as scores that a network can learn."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import check_array

from drumlin._typing import FloatArray

LIMIT = 3.0
"""Scores are squashed beyond this many typical ones: what is certain need not be exact."""

_LEAST_PROBABILITY = 1e-6


@dataclass(frozen=True)
class Teacher:
    """A fitted classifier or regressor, asked for scores in whatever way it has."""

    model: Any

    def __post_init__(self) -> None:
        if not (is_classifier(self.model) or is_regressor(self.model)):
            raise TypeError(
                "The 'model' parameter of compress must be a fitted classifier or regressor. "
                f"Got {type(self.model).__name__}."
            )

    @property
    def is_classifier(self) -> bool:
        """Whether it has classes."""
        return is_classifier(self.model)

    def scores(self, X: FloatArray) -> FloatArray:
        """Numbers (n_samples, n_outputs) whose sign or largest is the class; or predictions."""
        if not self.is_classifier:
            values = np.asarray(self.model.predict(X), dtype=np.float64)
            return values.reshape(len(X), -1)
        n_classes = len(self.model.classes_)
        if hasattr(self.model, "decision_function"):
            scores = np.asarray(self.model.decision_function(X), dtype=np.float64)
            scores = scores.reshape(len(X), -1)
            if scores.shape[1] == (1 if n_classes == 2 else n_classes):
                return scores
        if hasattr(self.model, "predict_proba"):
            logs = np.log(np.maximum(self.model.predict_proba(X), _LEAST_PROBABILITY))
        else:
            logs = (self.labels(X)[:, None] == np.arange(n_classes)) * 2.0 - 1.0
        if n_classes == 2:
            return logs[:, 1:] - logs[:, :1]
        return logs - logs.mean(axis=1, keepdims=True)

    def labels(self, X: FloatArray) -> Any:
        """Index of the class of every row."""
        return np.searchsorted(self.model.classes_, self.model.predict(X))

    def probabilities(self, X: FloatArray) -> FloatArray:
        """Probabilities of the classes; certain ones where it has none."""
        if hasattr(self.model, "predict_proba"):
            return np.asarray(self.model.predict_proba(X), dtype=np.float64)
        n_classes = len(self.model.classes_)
        certain = np.eye(n_classes)[self.labels(X)]
        return 0.99 * certain + 0.01 / n_classes

    @property
    def n_bytes(self) -> int:
        """Size of the model as Python stores it."""
        return len(pickle.dumps(self.model))

    @property
    def n_vectors(self) -> int | None:
        """Support vectors or training rows that it keeps, where it says so."""
        for name in ("support_vectors_", "X_train_", "_fit_X"):
            if hasattr(self.model, name):
                return len(getattr(self.model, name))
        return None


def squashed(scores: FloatArray) -> FloatArray:
    """Scores limited smoothly to some times their typical size."""
    typical = LIMIT * max(float(np.median(np.abs(scores))), 1e-300)
    return np.asarray(typical * np.tanh(scores / typical))


def checked_rows(X: Any) -> FloatArray:
    """Rows as numbers."""
    return check_array(X, dtype=np.float64, ensure_min_samples=20, input_name="X")
