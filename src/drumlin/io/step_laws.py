"""What must hold of scikit-learn's steps: sizes that agree, and no more work than rows need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.impute import SimpleImputer
from sklearn.pipeline import FeatureUnion
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from drumlin.io.bins import check_bins
from drumlin.io.budget import MOST_CATEGORICAL, MOST_FEATURES, MOST_OBJECTS
from drumlin.io.errors import require
from drumlin.io.tables import check_encoder, check_model
from drumlin.io.targets import check_function, check_target
from drumlin.tables import TableEncoder, TableModel


def check_n_features(value: Any) -> None:
    """Refuse a number of features that is none, or not that of the names."""
    name, learned = type(value).__name__, getattr(value, "__dict__", {})
    n_features = learned.get("n_features_in_", 1)
    require(type(n_features) is int, f"{name}.n_features_in_ must be an int.")
    require(
        0 <= n_features <= MOST_FEATURES,
        f"{name}.n_features_in_ must be in the range [0, {MOST_FEATURES}]. Got {n_features}.",
    )
    if "feature_names_in_" in learned and not isinstance(value, TransformedTargetRegressor):
        require_array(learned, "feature_names_in_", name, (n_features,))


def require_array(learned: dict[str, Any], attribute: str, name: str, shape: Any) -> None:
    """Demand an array of a shape where there is such an attribute."""
    if attribute in learned:
        array = learned[attribute]
        good = isinstance(array, np.ndarray) and array.shape == shape
        require(good, f"{name}.{attribute} must be an array of shape {shape}.")


def _check_columns(transformer: ColumnTransformer) -> None:
    for attribute in ("transformers", "transformers_"):
        parts = vars(transformer).get(attribute, [])
        require(
            isinstance(parts, list) and len(parts) <= MOST_OBJECTS,
            f"ColumnTransformer.{attribute} must be a list of up to {MOST_OBJECTS} parts.",
        )


def _check_union(union: FeatureUnion) -> None:
    parts = vars(union).get("transformer_list")
    good = isinstance(parts, list) and len(parts) <= MOST_OBJECTS
    good = good and all(isinstance(part, tuple) and len(part) == 2 for part in parts or ())
    require(good, f"FeatureUnion.transformer_list must be a list of up to {MOST_OBJECTS} pairs.")


def _check_encoder(encoder: OneHotEncoder | OrdinalEncoder | TargetEncoder) -> None:
    known = vars(encoder).get("categories_", [])
    good = (
        isinstance(known, list)
        and len(known) <= MOST_CATEGORICAL
        and all(isinstance(part, np.ndarray) and part.ndim == 1 and len(part) for part in known)
        and sum(map(len, known)) <= MOST_FEATURES
    )
    name = type(encoder).__name__
    require(good, f"the categories of a {name} are not one array for every feature.")


def _check_target_encoder(encoder: TargetEncoder) -> None:
    _check_encoder(encoder)
    learned = vars(encoder)
    known, made = learned.get("categories_", []), learned.get("encodings_", [])
    n_classes = len(learned["classes_"]) if learned.get("target_type_") == "multiclass" else 1
    good = isinstance(made, list) and len(made) == len(known) * n_classes
    good = good and all(
        isinstance(values, np.ndarray)
        and values.dtype == np.float64
        and values.shape == known[i // n_classes].shape
        and np.isfinite(values).all()
        for i, values in enumerate(made)
    )
    require(good, "the encodings of a TargetEncoder are not one number for every category.")


def _check_imputer(imputer: SimpleImputer) -> None:
    learned = vars(imputer)
    require_array(learned, "statistics_", "SimpleImputer", (learned.get("n_features_in_"),))


def _check_scaler(scaler: Any) -> None:
    """Demand one number for every feature of all that a scaler computes with."""
    learned = {name: value for name, value in vars(scaler).items() if value is not None}
    for attribute in ("mean_", "scale_", "min_", "center_", "lambdas_", "data_min_", "data_max_"):
        name = type(scaler).__name__
        require_array(learned, attribute, name, (learned.get("n_features_in_"),))


def _check_power(power: PowerTransformer) -> None:
    _check_scaler(power)
    inner = vars(power).get("_scaler")
    same = getattr(inner, "n_features_in_", None) == vars(power).get("n_features_in_")
    good = inner is None or (type(inner) is StandardScaler and same)
    require(good, "PowerTransformer._scaler must be a StandardScaler of as many features.")


def _check_quantiles(transformer: QuantileTransformer) -> None:
    learned = vars(transformer)
    references = learned.get("references_")
    n = len(references) if isinstance(references, np.ndarray) and references.ndim == 1 else 0
    if "quantiles_" in learned:
        require(n > 0, "QuantileTransformer.references_ must be an array of one side.")
        shape = (n, learned.get("n_features_in_"))
        require_array(learned, "quantiles_", "QuantileTransformer", shape)


STEP_LAWS: dict[type, Callable[[Any], None]] = {
    ColumnTransformer: _check_columns,
    FeatureUnion: _check_union,
    FunctionTransformer: check_function,
    KBinsDiscretizer: check_bins,
    MinMaxScaler: _check_scaler,
    OneHotEncoder: _check_encoder,
    OrdinalEncoder: _check_encoder,
    PowerTransformer: _check_power,
    QuantileTransformer: _check_quantiles,
    RobustScaler: _check_scaler,
    SimpleImputer: _check_imputer,
    StandardScaler: _check_scaler,
    TargetEncoder: _check_target_encoder,
    TableEncoder: check_encoder,
    TableModel: check_model,
    TransformedTargetRegressor: check_target,
}
"""What must hold, by type."""
