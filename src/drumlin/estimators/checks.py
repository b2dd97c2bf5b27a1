"""What users give, checked: tables, weights, labels and parameters that need more than a type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Standardizer
from drumlin.criteria.bic import MODEL_PRIORS
from drumlin.estimators.lazy import refuse_dask
from drumlin.sample.copies import without_extremes

LARGEST = float(np.finfo(np.float64).max) / 4.0
"""Largest input and target: differences are numbers still."""

LARGEST_RAW = 1e300
"""Largest input that is not standardised: widths several times the spread are numbers still."""


def part(given: Any, registry: Mapping[str, Callable[..., Any]], **settings: Any) -> Any:
    """Return a part: one made anew, by its name in a registry, or the given object."""
    return registry[given](**settings) if isinstance(given, str) else given


def finite_table(estimator, X, y, **options):
    """Validated X and y, their differences within what numbers can hold."""
    refuse_dask(estimator, X, y)
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn looks at the sum first
        X, y = validate_data(estimator, X, y, dtype=np.float64, **options)
    standardized = getattr(estimator, "standardize", True)
    refuse_large(estimator, "X", X, LARGEST if standardized else LARGEST_RAW)
    return X, y


def refuse_large(estimator, name: str, numbers, most: float = LARGEST) -> None:
    """Refuse numbers whose differences could overflow."""
    largest = np.abs(numbers).max()
    if largest > most:
        raise ValueError(
            f"The {name!r} of {type(estimator).__name__}.fit must hold numbers of size at most "
            f"{most:g}: differences of larger ones overflow. Got {largest:g}."
        )


def check_weight(estimator, sample_weight, X) -> FloatArray:
    """Validated sample weights, none of them extreme."""
    refuse_dask(estimator, sample_weight)
    weight = _check_sample_weight(sample_weight, X, dtype=np.float64, allow_all_zero_weights=True)
    check_weights(estimator, weight.min(), weight.max())
    return without_extremes(weight)


def check_weights(estimator, least: float, largest: float) -> None:
    """Refuse weights of which the least and the largest are known."""
    if least < 0.0 or largest == 0.0:
        raise ValueError(
            f"The 'sample_weight' parameter of {type(estimator).__name__}.fit must hold numbers "
            "that are not negative and not all zero. "
            f"Got numbers from {least:g} to {largest:g}."
        )


def check_two(estimator, classes) -> None:
    """Refuse a single class."""
    if len(classes) < 2:
        raise ValueError(
            f"{type(estimator).__name__} needs at least two classes in 'y' (with positive weight). "
            f"Got {len(classes)} class: {classes.tolist()}."
        )


def fitted_scaler(estimator, X: FloatArray, weight: FloatArray) -> Standardizer:
    """Units of the inputs, unless an estimator is to take them as they are."""
    if getattr(estimator, "standardize", True):
        return Standardizer.fit(X, weight)
    return Standardizer.identity(X.shape[1])


def find_labels(estimator, y, classes) -> np.ndarray:
    """Index of every label in all classes that may come."""
    new = np.setdiff1d(y, classes)
    if len(new):
        raise ValueError(
            f"{type(estimator).__name__} knows the classes {classes.tolist()} of the first call; "
            f"'y' must hold no others. Got {new.tolist()} too."
        )
    return np.searchsorted(classes, y)


def new_inputs(estimator, X) -> FloatArray:
    """Validated inputs of a fitted model."""
    check_is_fitted(estimator)
    with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn looks at the sum first
        return np.asarray(validate_data(estimator, X, reset=False, dtype=np.float64))


def check_n_nodes(estimator, n_nodes) -> None:
    """Refuse to truncate to a size that a fitted model does not have."""
    check_is_fitted(estimator)
    if not estimator.n_nodes_:
        raise ValueError(
            f"The 'n_nodes' parameter of {type(estimator).__name__}.truncate must be a size that "
            f"the model has, but it has no nodes: it is a constant. Got {n_nodes!r}."
        )
    if not isinstance(n_nodes, Integral) or not 1 <= int(n_nodes) <= estimator.n_nodes_:
        raise ValueError(
            f"The 'n_nodes' parameter of {type(estimator).__name__}.truncate must be an int in the "
            f"range [1, {estimator.n_nodes_}]. Got {n_nodes!r}."
        )


def check_memory(estimator, memory) -> None:
    """Refuse what is no number of bytes."""
    if not isinstance(memory, Integral) or int(memory) < 0:
        raise ValueError(
            f"The 'memory' parameter of {type(estimator).__name__}.fit_batches must be an int that "
            f"is not negative: a number of bytes. Got {memory!r}."
        )


def check_max_draw(estimator, max_draw) -> None:
    """Refuse draws without rows."""
    if not isinstance(max_draw, Integral) or int(max_draw) < 1:
        raise ValueError(
            f"The 'max_draw' parameter of {type(estimator).__name__}.fit_batches must be an int "
            f"above 0 or None. Got {max_draw!r}."
        )


def positive_numbers(estimator, name: str) -> list[float]:
    """One or several positive numbers given as a parameter, descending, each once."""
    given = getattr(estimator, name)
    try:
        numbers = np.atleast_1d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.ndim > 1 or not len(numbers) or not (np.isfinite(numbers) & (numbers > 0.0)).all():
        raise ValueError(
            f"The {name!r} parameter of {type(estimator).__name__} must be 'auto', a positive "
            f"number or a list of positive numbers. Got {given!r}."
        )
    return sorted(set(numbers.tolist()), reverse=True)


def given_sizes(estimator, name: str, choices: str, of: str, n: int) -> FloatArray:
    """Return the n positive numbers that a parameter gives as one or as many."""
    given = getattr(estimator, name)
    try:
        sizes = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        sizes = np.empty(0)
    good = (np.isfinite(sizes) & (sizes > 0.0)).all()
    if sizes.shape not in ((), (n,)) or not good:
        raise ValueError(
            f"The '{name}' parameter of {type(estimator).__name__} must be {choices}, a positive "
            f"number or one for each of the {of}. Got {given!r}."
        )
    return np.full(n, sizes)


def row_numbers(estimator, support, n_rows: int) -> IntArray:
    """Different rows of a table, as a user names them."""
    rows = np.asarray(support)
    good = rows.ndim == 1 and (len(rows) == 0 or rows.dtype.kind in "iu")
    if not good or len(np.unique(rows)) < len(rows) or not ((rows >= 0) & (rows < n_rows)).all():
        raise ValueError(
            f"The 'support' parameter of {type(estimator).__name__}.bic must be different ints in "
            f"the range [0, {n_rows - 1}]. Got {support!r}."
        )
    return rows.astype(np.int64)


def model_prior(estimator) -> str | FloatArray:
    """Prior probability of subsets, by name or as logarithms by size."""
    if isinstance(estimator.model_prior, str):
        return estimator.model_prior
    try:
        logs = np.asarray(estimator.model_prior, dtype=np.float64)
    except (TypeError, ValueError):
        logs = np.empty(0)
    if logs.ndim != 1 or not len(logs) or not np.isfinite(logs).all():
        raise ValueError(
            f"The 'model_prior' parameter of {type(estimator).__name__} must be one of "
            f"{MODEL_PRIORS} or a list of logarithms for 0, 1, ... kernels. "
            f"Got {estimator.model_prior!r}."
        )
    return logs
