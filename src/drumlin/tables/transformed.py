"""Targets that are learned as something else, such as their logarithm, and answers in their units.

scikit-learn's ``TransformedTargetRegressor`` maps predictions back and knows nothing else; here is
what a regressor of ours can be asked behind one. Functions are those that increase and have an
inverse for every number that a network may answer.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.utils.validation import check_is_fitted

from drumlin._errors import TableError
from drumlin._typing import BoolArray, FloatArray

PAIRS: dict[str, str] = {
    "arcsinh": "sinh",
    "log": "exp",
    "log1p": "expm1",
    "log2": "exp2",
    "sqrt": "square",
}
"""Functions of targets by their names in NumPy, and the way back."""

FUNCTIONS: dict[str, np.ufunc] = {
    name: getattr(np, name) for pair in PAIRS.items() for name in pair
}
"""Functions that files can name."""

_NOT_BELOW = {"sqrt": 0.0}
"""Least value of those functions that have one; their inverse falls below it."""

_OTHER_UNITS = (
    "contributions",
    "counterfactual",
    "explain",
    "gradient",
    "loo_error_",
    "loo_errors_",
    "loo_score_",
    "noise_std_",
    "score_samples",
)
"""What a regressor says in units of what it has learned: sums of these mean nothing elsewhere."""


def is_transformed(step: Any) -> bool:
    """Whether an estimator learns something else than the target itself."""
    return isinstance(step, TransformedTargetRegressor)


def learner_of(step: Any) -> Any:
    """Return the fitted regressor behind a transformed target; other estimators as they are."""
    return step.regressor_ if is_transformed(step) else step


def name_of_target(step: TransformedTargetRegressor) -> str:
    """Return what is learned in a word: a function's name, or that of the transformer."""
    if step.transformer is not None:
        return type(step.transformer).__name__
    return "identity" if step.func is None else str(getattr(step.func, "__name__", "transformed"))


def transformed(step: Any, y: FloatArray) -> FloatArray:
    """Return targets (n_rows,) or (n_rows, n_outputs) as the regressor has learned them."""
    if not is_transformed(step):
        return y
    y = np.asarray(y, dtype=np.float64)
    learned = _learned(step, y)
    if not np.isfinite(learned).all():
        raise TableError(
            f"The target must be one that {name_of_target(step)!r} is known of, as in training. "
            f"Got {y[~np.isfinite(learned)][0]:g}."
        )
    return learned


def can_be_learned(step: Any, y: FloatArray) -> BoolArray:
    """Whether rows (n_rows,) have targets that ``transformed`` is known of, such as a logarithm."""
    finite = np.isfinite(_learned(step, y) if is_transformed(step) else y)
    return np.asarray(finite.reshape(len(y), -1).all(axis=1))


def _learned(step: Any, y: FloatArray) -> FloatArray:
    with np.errstate(all="ignore"):  # what is no number is told
        return np.asarray(step.transformer_.transform(y.reshape(len(y), -1))).reshape(y.shape)


def asked(step: Any) -> Any:
    """Return what answers in units of the target: the estimator, or one behind a transformation."""
    return InTargetUnits(step) if is_transformed(step) else step


def truncated(step: Any, *args: Any, **kwargs: Any) -> Any:
    """Return an estimator with fewer nodes, behind the same transformation."""
    if not is_transformed(step):
        return step.truncate(*args, **kwargs)
    smaller = copy.copy(step)
    smaller.regressor_ = step.regressor_.truncate(*args, **kwargs)
    return smaller


@dataclass(frozen=True)
class InTargetUnits:
    """A fitted regressor behind a transformed target, asked in the target's units.

    What is about inputs and nodes (``novelty``, ``relevance_``, ``network_`` ...) is handed on;
    ``predict`` and ``predict_interval`` are mapped back; what speaks of the target in other units
    is an AttributeError that says so.

    Parameters
    ----------
    step : TransformedTargetRegressor
        Fitted.
    """

    step: TransformedTargetRegressor

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict targets.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_inputs)
        return_std : bool, default=False
            Refused: the spread of a logarithm is not that of a number.
        """
        if return_std:
            raise ValueError(
                "The 'return_std' parameter must be False where targets are transformed "
                f"({name_of_target(self.step)}): a standard deviation has no counterpart in their "
                "units. Ask 'predict_interval' for ends in these. Got True."
            )
        return self.step.predict(X)

    def __getattr__(self, name: str) -> Any:
        """Hand on what means the same in all units."""
        if name.startswith("__") or name == "step":
            raise AttributeError(name)
        check_is_fitted(self.step)
        if name in _OTHER_UNITS:
            raise AttributeError(
                f"{name!r} speaks of the transformed target ({name_of_target(self.step)}), not of "
                f"the target itself: ask 'regressor_' of the TransformedTargetRegressor."
            )
        value = getattr(self.step.regressor_, name)
        return self._interval if name == "predict_interval" else value

    def _interval(self, X: Any, confidence: Any = 0.9) -> FloatArray:
        """Ends of intervals, mapped back one by one: order is kept, and with it coverage."""
        ends = np.asarray(self.step.regressor_.predict_interval(X, confidence))
        single = self.step._training_dim == 1
        columns = ends.reshape(len(ends), 1 if single else ends.shape[1], -1)
        mapped = np.stack([self._back(values) for values in np.moveaxis(columns, -1, 0)], axis=-1)
        axis = 1 if single else 2
        return np.sort(mapped.reshape(ends.shape), axis=axis)

    def _back(self, values: FloatArray) -> FloatArray:
        """Targets of values (n_rows, n_outputs); infinite ones are the ends of all targets."""
        name = "" if self.step.transformer is not None else name_of_target(self.step)
        values = np.maximum(values, _NOT_BELOW.get(name, -np.inf))
        finite = np.isfinite(values)
        inside = np.where(finite, values, 0.0)
        back = np.asarray(self.step.transformer_.inverse_transform(inside), dtype=np.float64)
        # The inverse of a known function takes infinite values; scikit-learn's checks do not.
        ends = FUNCTIONS[PAIRS[name]](values) if name in PAIRS else values
        return np.where(finite, back.reshape(values.shape), ends)
