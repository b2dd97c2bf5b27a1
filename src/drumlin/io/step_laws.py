"""What must hold of scikit-learn's steps: sizes that agree, and no more work than rows need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from drumlin.io.budget import MOST_CATEGORICAL, MOST_FEATURES, MOST_OBJECTS
from drumlin.io.errors import require
from drumlin.io.tables import check_encoder, check_model
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
    if "feature_names_in_" in learned:
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


def _check_encoder(encoder: OneHotEncoder) -> None:
    known = vars(encoder).get("categories_", [])
    good = (
        isinstance(known, list)
        and len(known) <= MOST_CATEGORICAL
        and all(isinstance(part, np.ndarray) and part.ndim == 1 and len(part) for part in known)
        and sum(map(len, known)) <= MOST_FEATURES
    )
    require(good, "the categories of a OneHotEncoder are not one array for every feature.")


def _check_imputer(imputer: SimpleImputer) -> None:
    learned = vars(imputer)
    require_array(learned, "statistics_", "SimpleImputer", (learned.get("n_features_in_"),))


def _check_scaler(scaler: StandardScaler) -> None:
    learned = {name: value for name, value in vars(scaler).items() if value is not None}
    for attribute in ("mean_", "scale_"):
        require_array(learned, attribute, "StandardScaler", (learned.get("n_features_in_"),))


STEP_LAWS: dict[type, Callable[[Any], None]] = {
    ColumnTransformer: _check_columns,
    OneHotEncoder: _check_encoder,
    SimpleImputer: _check_imputer,
    StandardScaler: _check_scaler,
    TableEncoder: check_encoder,
    TableModel: check_model,
}
"""What must hold, by type."""
