"""A model on trial: it must answer before anyone relies on it.

``laws`` know single parts; whether all parts fit together shows when the model predicts. So it is
asked everything that its class can answer, on samples made from the model itself.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, TargetEncoder

from drumlin._kernels import backend_name
from drumlin.estimators.fitted import FittedNetwork, knows_std
from drumlin.io.errors import blaming, require
from drumlin.io.numbers import is_number
from drumlin.tables import TableEncoder
from drumlin.tables.transformed import is_transformed, learner_of

MOST_SIZES, MOST_DROPPED = 16, 50
"""Smaller models that are tried, and nodes that these lack: every one takes a look at all."""

MOST_SLOPES = 200_000
"""Outputs times features whose slopes are asked for: a file need not store as many numbers."""


def _truncate(model: Any, X: Any) -> list[Any]:
    if not model.n_nodes_:
        return []
    smallest = max(1, model.n_nodes_ - MOST_DROPPED)
    sizes = np.unique(np.linspace(smallest, model.n_nodes_, MOST_SIZES).astype(int))
    ask = _probabilities if hasattr(model, "predict_proba") else _predict
    return [ask(model.truncate(int(size)), X) for size in sizes]


def _predict(model: Any, X: Any) -> Any:
    """Predict, with standard deviations where the class has them and the solver knows them."""
    if not knows_std(model):
        return model.predict(X)
    mean, std = model.predict(X, return_std=True)
    require((std >= 0.0).all(), "a standard deviation of the model is negative.")
    return mean, std


def _probabilities(model: Any, X: Any) -> Any:
    probabilities = model.predict_proba(X)
    good = (probabilities >= 0.0).all() and np.allclose(probabilities.sum(axis=1), 1.0)
    require(good, "the probabilities of the model are none.")
    return probabilities


def _sets(model: Any, X: Any) -> Any:
    return model.predict_set(X, [0.5, 0.9], by_class=True)


def _intervals(model: Any, X: Any) -> Any:
    """Intervals, if the model knows the standard deviations that they are made of."""
    if "return_std" in inspect.signature(model.predict).parameters and not knows_std(model):
        return np.empty(0)
    ends = model.predict_interval(X, [0.5, 0.9])
    require(not np.isnan(ends).any(), "an interval of the model has an end that is no number.")
    return ends[np.isfinite(ends)]  # with few samples they are infinite


def _gradient(model: Any, X: Any) -> Any:
    n_slopes = len(model.network_.intercept) * X.shape[1]
    return model.gradient(X) if n_slopes <= MOST_SLOPES else []


def _show_nodes(model: Any, _: None) -> Any:
    """Centers in original units, under the names of the inputs: what ``drumlin inspect`` shows."""
    fitted = FittedNetwork.of(model)
    good = len(fitted.names) == fitted.model.n_features_in_
    require(good, "the names of the model's inputs are not as many as they.")
    return fitted.node_ranges()[0]


QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "predict": _predict,
    "predict_proba": _probabilities,
    "decision_function": lambda model, X: model.decision_function(X),
    "novelty": lambda model, X: model.novelty(X),
    "contributions": lambda model, X: model.contributions(X),
    "gradient": _gradient,
    "predict_set": _sets,
    "predict_interval": _intervals,
    "score_samples": lambda model, X: model.score_samples(X),
    "truncate": _truncate,
}
"""Methods by name, and how to call them. A new one that reads stored data gets a line."""


def try_model(model: Any) -> None:
    """Refuse a model that does not answer, or not in finite numbers."""
    backend_name()  # a wrong environment is not the file's fault
    estimator = last_step(model)
    with blaming("the model does not know where its nodes are"):
        samples = _samples(estimator)
    for name, ask in QUESTIONS.items():
        if hasattr(estimator, name):
            _try(name, ask, estimator, lambda _: samples)
    if model is not estimator:
        learner = learner_of(model)
        rows = (lambda _: samples) if learner is estimator else (lambda _: _table(learner))
        _try("predict a row", QUESTIONS["predict"], model, rows)
    if estimator.n_features_in_ * (estimator.n_nodes_ + 1) <= MOST_SLOPES:
        _try("show its nodes", _show_nodes, model, lambda _: None)


def _try(
    name: str, ask: Callable[[Any, Any], Any], model: Any, samples: Callable[[Any], Any]
) -> None:
    with blaming(f"the model fails to {name}"):
        finite = _is_finite(ask(model, samples(model)))
    require(finite, f"the model does not {name} in finite numbers.")


def last_step(model: Any) -> Any:
    """Return the network: the estimator itself, or what a pipeline or a target is around."""
    if not isinstance(model, Pipeline):
        return last_step(model.regressor_) if is_transformed(model) else model
    good = isinstance(model.steps, list) and all(
        isinstance(step, tuple) and len(step) == 2 for step in model.steps
    )
    require(good and model.steps, "a pipeline has no steps.")
    return learner_of(model.steps[-1][1])


def _is_finite(result: Any) -> bool:
    if isinstance(result, (tuple, list)):
        return all(_is_finite(part) for part in result)
    return result.dtype.kind != "f" or bool(np.isfinite(result).all())


_ENCODERS = (OneHotEncoder, OrdinalEncoder, TargetEncoder)
_CHOOSY = (
    SimpleImputer,
    *_ENCODERS,
    ColumnTransformer,
    FeatureUnion,
    FunctionTransformer,
    Pipeline,
)
"""Steps that do not take every number."""


# ---------------------------------------------------------------------- samples
def _samples(estimator: Any) -> np.ndarray:
    """Zeros, and the centers of two nodes."""
    zeros = np.zeros((1, estimator.n_features_in_))
    centers = getattr(estimator, "centers_", zeros)
    return np.concatenate([zeros, centers[:1], centers[-1:]])


def _table(pipeline: Any) -> Any:
    """One row as the first step wants it."""
    first = pipeline.steps[0][1]
    if isinstance(first, TableEncoder):
        return first.example()
    row = _row(first, pipeline.n_features_in_)
    if isinstance(first, ColumnTransformer) and hasattr(first, "feature_names_in_"):
        return _frame(row, first.feature_names_in_)
    is_text = any(isinstance(value, str) for value in row)
    return np.array([row], dtype=object if is_text else np.float64)


def _frame(row: list[Any], names: Any) -> Any:
    """A table of one row in two blocks: column by column, pandas would take long."""
    from drumlin._optional import pandas as pd

    numeric = np.array([is_number(value) for value in row], dtype=bool)
    blocks, places = [], []
    for dtype, which in ((np.float64, numeric), (object, ~numeric)):
        places.append(np.flatnonzero(which))
        block = np.empty((1, len(places[-1])), dtype=dtype)
        block[0] = [row[place] for place in places[-1]]
        blocks.append(pd.DataFrame(block))
    frame = pd.concat(blocks, axis=1).iloc[:, np.argsort(np.concatenate(places))]
    frame.columns = pd.Index(names)
    return frame


def _row(step: Any, n_features: int) -> list[Any]:
    """Values that a fitted step accepts: categories it knows, what it imputes, else zeros."""
    row: list[Any] = [0.0] * n_features
    if isinstance(step, Pipeline):
        for _, inner in step.steps:  # what a later step knows, an earlier one lets pass
            if isinstance(inner, _CHOOSY):
                row = _row(inner, n_features)
    elif isinstance(step, FeatureUnion):
        for _, inner in step.transformer_list:
            if isinstance(inner, _CHOOSY):
                row = _row(inner, n_features)
    elif isinstance(step, _ENCODERS):
        _lay(row, [categories[0] for categories in step.categories_])
    elif isinstance(step, SimpleImputer):
        _lay(row, step.statistics_)
    elif isinstance(step, FunctionTransformer) and step.func is not None:
        row = [1.0] * n_features  # which has a logarithm
    elif isinstance(step, ColumnTransformer):
        for name, transformer, _ in step.transformers_:
            places = step._transformer_to_input_indices[name]
            for place, value in zip(places, _row(transformer, len(places)), strict=True):
                row[place] = value
    return row


def _lay(row: list[Any], values: Any) -> None:
    """Overwrite the start of a row: indicators of missing values come last."""
    n = min(len(row), len(values))
    row[:n] = list(values)[:n]
