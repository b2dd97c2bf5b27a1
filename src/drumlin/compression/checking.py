"""What ``drumlin.compress`` refuses: every error names the parameter, the rule and the value."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_array, check_is_fitted

from drumlin._typing import FloatArray

LEAST_ROWS = 20


def check_numbers(max_error: Any, max_nodes: Any, random_state: Any) -> None:
    """Refuse numbers out of their ranges."""
    is_number = isinstance(max_error, Real) and not isinstance(max_error, bool)
    if not (is_number and float(max_error) >= 0.0):
        _refuse("max_error", "a number that is not negative", max_error)
    if max_nodes is not None and not (_is_int(max_nodes) and max_nodes >= 2):
        _refuse("max_nodes", "an int of at least 2, or None", max_nodes)
    if not (_is_int(random_state) and 0 <= random_state < 2**32):
        _refuse("random_state", "an int from 0 to 2**32 - 1", random_state)


def _is_int(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _refuse(name: str, rule: str, value: Any) -> None:
    raise ValueError(f"The {name!r} parameter of compress must be {rule}. Got {value!r}.")


def check_model(model: Any) -> None:
    """Refuse what is no fitted classifier of several classes and no fitted regressor."""
    is_model = not isinstance(model, type) and hasattr(model, "predict") and hasattr(model, "fit")
    try:
        is_model = is_model and (is_classifier(model) or is_regressor(model))
    except AttributeError:  # a class that scikit-learn cannot ask what it is
        is_model = False
    if not is_model:
        name = model.__name__ if isinstance(model, type) else type(model).__name__
        raise TypeError(
            "The 'model' parameter of compress must be a fitted classifier or regressor. "
            f"Got {'the class ' if isinstance(model, type) else ''}{name}."
        )
    try:
        check_is_fitted(model)
    except NotFittedError as error:
        raise NotFittedError(
            "The 'model' parameter of compress must be fitted. Got a "
            f"{type(model).__name__} that is not."
        ) from error
    if is_classifier(model):
        classes = getattr(model, "classes_", None)
        if not isinstance(classes, np.ndarray) or classes.ndim != 1 or len(classes) < 2:
            raise ValueError(
                "The 'model' parameter of compress must be a classifier of one target with at "
                f"least two classes. Got {type(model).__name__} with classes {classes!r}."
            )


def checked_rows(X: Any) -> tuple[FloatArray, tuple[str, ...] | None]:
    """Rows as numbers, and the names of their columns where they have names."""
    try:
        rows = check_array(X, dtype=np.float64, input_name="X")
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The 'X' parameter of compress must be rows of finite numbers: {error}"
        ) from error
    if len(rows) < LEAST_ROWS:
        _refuse("X", f"at least {LEAST_ROWS} rows", f"{len(rows)} rows")
    names = getattr(X, "columns", None)
    if names is None or not all(isinstance(name, str) for name in names):
        return rows, None
    return rows, tuple(names)


def checked_targets(y: Any, n_rows: int | None, *, are_classes: bool) -> Any:
    """True targets (n_rows,), or None; without rows there are none."""
    if y is None:
        return None
    if n_rows is None:
        raise ValueError(f"The 'y' parameter of compress needs 'X'. Got {type(y).__name__}.")
    try:
        given = np.asarray(y) if are_classes else np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.empty(0)
    if given.shape != (n_rows,) or (not are_classes and not np.isfinite(given).all()):
        kind = "classes" if are_classes else "finite numbers"
        _refuse("y", f"{kind}, one for each of the {n_rows} rows", np.asarray(y, dtype=object))
    return given
