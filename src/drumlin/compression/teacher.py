"""The model that is imitated: what it says of rows, as scores that a network can learn."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.compression.checking import check_model
from drumlin.losses import winners

LIMIT = 3.0
"""Scores are squashed beyond this many typical ones: what is certain need not be exact."""

_LEAST_PROBABILITY = 1e-6
_AGREES = 0.98
"""Part of rows whose class decision values must tell, to be the scores of a model."""


@dataclass(frozen=True)
class Teacher:
    """A fitted classifier or regressor, asked for scores in whatever way it has.

    Parameters
    ----------
    model : estimator
    names : tuple of str or None
        Of the columns, where it is to be asked with a table.
    """

    model: Any
    names: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        check_model(self.model)

    @property
    def is_classifier(self) -> bool:
        """Whether it has classes."""
        return hasattr(self.model, "classes_")

    def scores(self, X: FloatArray) -> FloatArray:
        """Numbers (n_samples, n_outputs) whose sign or largest is the class; or predictions."""
        if not self.is_classifier:
            values = np.asarray(self.model.predict(self._rows(X)), dtype=np.float64)
            return values.reshape(len(X), -1)
        decision = self._decision(X)
        if decision is not None:
            return decision
        n_classes = len(self.model.classes_)
        if hasattr(self.model, "predict_proba"):
            logs = np.log(np.maximum(self._probabilities(X), _LEAST_PROBABILITY))
        else:
            logs = (self.labels(X)[:, None] == np.arange(n_classes)) * 2.0 - 1.0
        if n_classes == 2:
            return logs[:, 1:] - logs[:, :1]
        return logs - logs.mean(axis=1, keepdims=True)

    def _decision(self, X: FloatArray) -> FloatArray | None:
        """Decision values, where they are of classes (and not of pairs) and tell the labels."""
        if not hasattr(self.model, "decision_function"):
            return None
        scores = np.asarray(self.model.decision_function(self._rows(X)), dtype=np.float64)
        scores, n_classes = scores.reshape(len(X), -1), len(self.model.classes_)
        if scores.shape[1] != (1 if n_classes == 2 else n_classes) or not np.isfinite(scores).all():
            return None
        return scores if (winners(scores) == self.labels(X)).mean() >= _AGREES else None

    def labels(self, X: FloatArray) -> IntArray:
        """Index of the class of every row."""
        places = {label: i for i, label in enumerate(self.model.classes_.tolist())}
        given = np.asarray(self.model.predict(self._rows(X))).tolist()
        return np.array([places[label] for label in given], dtype=np.int64)

    def probabilities(self, X: FloatArray) -> FloatArray:
        """Probabilities of the classes; nearly certain ones where it has none."""
        if hasattr(self.model, "predict_proba"):
            return self._probabilities(X)
        n_classes = len(self.model.classes_)
        certain = np.eye(n_classes)[self.labels(X)]
        return 0.99 * certain + 0.01 / n_classes

    def _probabilities(self, X: FloatArray) -> FloatArray:
        return np.asarray(self.model.predict_proba(self._rows(X)), dtype=np.float64)

    def _rows(self, X: FloatArray) -> Any:
        """Rows as the model was fitted to them."""
        if self.names is None:
            return X
        from drumlin._optional import pandas as pd

        return pd.DataFrame(X, columns=list(self.names))

    @property
    def n_bytes(self) -> int:
        """Size of the model as Python stores it."""
        return len(pickle.dumps(self.model))

    @property
    def n_vectors(self) -> int | None:
        """Support vectors or training rows that it keeps, where it says so."""
        for name in ("support_vectors_", "X_train_", "_fit_X"):
            if hasattr(self.model, name):
                return int(getattr(self.model, name).shape[0])
        return None


def squashed(scores: FloatArray) -> FloatArray:
    """Scores limited smoothly to some times their typical size."""
    typical = LIMIT * max(float(np.median(np.abs(scores))), 1e-300)
    return np.asarray(typical * np.tanh(scores / typical))
