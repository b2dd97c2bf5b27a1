"""A model on trial: it must answer before anyone relies on it.

``laws`` know single parts; whether all parts fit together shows when the model predicts. On saving,
the questions that a model answers are noted in the file; on loading it must answer them all, with
finite numbers, on samples made from the model itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

from drumlin.io.errors import ModelFileError, require

MOST_SIZES = 16
"""Smaller models that are tried."""


def _truncate(model: Any, X: Any) -> list[Any]:
    sizes = np.unique(np.linspace(1, model.n_nodes_, MOST_SIZES).astype(int))
    method = "predict_proba" if hasattr(model, "predict_proba") else "predict"
    return [getattr(model.truncate(int(size)), method)(X) for size in sizes]


QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "predict": lambda model, X: model.predict(X),
    "predict_proba": lambda model, X: model.predict_proba(X),
    "decision_function": lambda model, X: model.decision_function(X),
    "predict with return_std": lambda model, X: model.predict(X, return_std=True),
    "novelty": lambda model, X: model.novelty(X),
    "contributions": lambda model, X: model.contributions(X),
    "gradient": lambda model, X: model.gradient(X),
    "score_samples": lambda model, X: model.score_samples(X),
    "truncate": _truncate,
}
"""What a model may be asked; a new method that reads stored data gets a line."""


def answers(model: Any) -> list[str]:
    """Return the questions that a fitted model answers."""
    known = []
    for name, ask in _questions(model).items():
        try:
            with _quiet():
                result = ask()
        except (AttributeError, TypeError, ValueError):
            continue  # no such method, or not with this solver or this many nodes
        if _is_finite(result):
            known.append(name)
    return known


def try_model(model: Any, names: Any) -> None:
    """Refuse a model that does not answer.

    Parameters
    ----------
    model : estimator or Pipeline
    names : list of str
        The questions, as the file gives them; those of a newer version are not for us.
    """
    require(isinstance(names, list) and "predict" in names, "it does not say that it predicts.")
    for name, ask in _questions(model).items():
        if name not in names:
            continue
        try:
            with _quiet():
                finite = _is_finite(ask())
        except Exception as error:
            # Whatever it is, the data of the file made it: all code is ours or scikit-learn's.
            raise ModelFileError(f"the model fails to {name} ({_first_line(error)}).") from error
        require(finite, f"the model does not {name} in finite numbers.")


def _questions(model: Any) -> dict[str, Callable[[], Any]]:
    """All questions with their samples, which are made when asked."""
    estimator = last_step(model)
    questions: dict[str, Callable[[], Any]] = {
        name: partial(_ask, ask, estimator) for name, ask in QUESTIONS.items()
    }
    if model is not estimator:
        questions["predict a row"] = partial(_predict_row, model, missing=False)
        questions["predict a row with missing values"] = partial(_predict_row, model, missing=True)
    return questions


def _ask(ask: Callable[[Any, Any], Any], estimator: Any) -> Any:
    return ask(estimator, _samples(estimator))


def _predict_row(pipeline: Any, *, missing: bool) -> Any:
    return pipeline.predict(_table(pipeline, missing=missing))


def last_step(model: Any) -> Any:
    """Return the estimator itself, or the last one of a pipeline."""
    if not isinstance(model, Pipeline):
        return model
    good = isinstance(model.steps, list) and all(
        isinstance(step, tuple) and len(step) == 2 for step in model.steps
    )
    require(good and model.steps, "a pipeline has no steps.")
    return model.steps[-1][1]


@contextmanager
def _quiet() -> Iterator[None]:
    """No warnings: nobody asked for these samples, and they have no names."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:200]


def _is_finite(result: Any) -> bool:
    if isinstance(result, (tuple, list)):
        return all(_is_finite(part) for part in result)
    return result.dtype.kind != "f" or bool(np.isfinite(result).all())


# ---------------------------------------------------------------------- samples
def _samples(estimator: Any) -> np.ndarray:
    """Zeros, and the centers of two nodes."""
    zeros = np.zeros((1, estimator.n_features_in_))
    centers = getattr(estimator, "centers_", zeros)
    return np.concatenate([zeros, centers[:1], centers[-1:]])


def _table(pipeline: Any, *, missing: bool) -> Any:
    """One row as the first step wants it."""
    first = pipeline.steps[0][1]
    row = _row(first, pipeline.n_features_in_, missing=missing)
    if isinstance(first, ColumnTransformer) and hasattr(first, "feature_names_in_"):
        import pandas as pd  # whoever fitted it to named columns had such tables

        return pd.DataFrame([row], columns=first.feature_names_in_)
    is_text = any(isinstance(value, str) for value in row)
    return np.array([row], dtype=object if is_text else np.float64)


def _row(step: Any, n_features: int, *, missing: bool) -> list[Any]:
    """Values that a fitted step accepts: categories it knows, what it imputes, else zeros."""
    if isinstance(step, Pipeline):
        return _row(step.steps[0][1], n_features, missing=missing)
    if isinstance(step, OneHotEncoder):
        return [categories[0] for categories in step.categories_]
    if isinstance(step, SimpleImputer):
        return [np.nan] * n_features if missing else list(step.statistics_)
    row: list[Any] = [0.0] * n_features
    if isinstance(step, ColumnTransformer):
        for name, transformer, _ in step.transformers_:
            places = step._transformer_to_input_indices[name]
            values = _row(transformer, len(places), missing=missing)
            for place, value in zip(places, values, strict=True):
                row[place] = value
    return row
