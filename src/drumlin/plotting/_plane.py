"""Planes through the space of the inputs: two of them, or two principal components."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from drumlin._typing import FloatArray


class Plane(ABC):
    """A plane: where rows lie on it, and which row a point of it is.

    Attributes
    ----------
    labels : tuple of two str
    """

    labels: tuple[str, str]

    @abstractmethod
    def project(self, X: Any) -> FloatArray:
        """Places (n_samples, 2) of rows."""

    @abstractmethod
    def lift(self, points: FloatArray) -> Any:
        """Rows of the points (n_points, 2), of the same kind as the data."""


@dataclass(frozen=True)
class FeaturePlane(Plane):
    """Two inputs vary, the others stay as in one typical row.

    Parameters
    ----------
    columns : tuple of two int
    labels : tuple of two str
    typical : DataFrame or ndarray with one row
    """

    columns: tuple[int, int]
    labels: tuple[str, str]
    typical: Any

    def project(self, X: Any) -> FloatArray:
        """Places (n_samples, 2) of rows."""
        return np.column_stack([_column(X, column) for column in self.columns])

    def lift(self, points: FloatArray) -> Any:
        """Rows of the points, all but two columns those of the typical row."""
        if hasattr(self.typical, "iloc"):
            rows = self.typical.iloc[np.zeros(len(points), dtype=int)].reset_index(drop=True)
            for i, c in enumerate(self.columns):
                rows[self.typical.columns[c]] = points[:, i]
            return rows
        rows = np.repeat(self.typical, len(points), axis=0)
        rows[:, self.columns] = points
        return rows


@dataclass(frozen=True)
class ComponentPlane(Plane):
    """The two directions along which standardised inputs vary most.

    Parameters
    ----------
    components : Pipeline
        A scaler and a PCA of two components, fitted.
    columns : Index or None
        Names of the columns, where the data have names.
    """

    components: Pipeline
    columns: Any

    @property
    def labels(self) -> tuple[str, str]:  # type: ignore[override]
        """Numbers of the components, and their shares of the variance."""
        first, second = self.components[-1].explained_variance_ratio_
        return f"component 1 ({first:.0%} of variance)", f"component 2 ({second:.0%} of variance)"

    def project(self, X: Any) -> FloatArray:
        """Places (n_samples, 2) of rows."""
        return self.components.transform(np.asarray(X, dtype=np.float64))

    def lift(self, points: FloatArray) -> Any:
        """Rows of the points, on the plane through the mean."""
        rows = self.components.inverse_transform(points)
        if self.columns is None:
            return rows
        from drumlin._optional import pandas as pd

        return pd.DataFrame(rows, columns=self.columns)


def choose_plane(X: Any, features: Any) -> Plane:
    """Return the plane that a user names.

    Parameters
    ----------
    X : DataFrame or ndarray of shape (n_samples, n_features)
    features : None, "pca" or pair of int or str
    """
    n_features = X.shape[1]
    if n_features < 2:
        raise ValueError(f"A plane needs at least two inputs. Got {n_features}.")
    if features is None:
        features = (0, 1) if n_features == 2 else "pca"
    if isinstance(features, str) and features == "pca":
        return _component_plane(X)
    return _feature_plane(X, features)


def _component_plane(X: Any) -> ComponentPlane:
    try:
        table = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            "The 'features' parameter must name two inputs where some inputs are not numbers: "
            "principal components need numbers."
        ) from error
    components = make_pipeline(StandardScaler(), PCA(2, svd_solver="full")).fit(table)
    return ComponentPlane(components, getattr(X, "columns", None))


def _feature_plane(X: Any, features: Any) -> FeaturePlane:
    names = [str(name) for name in getattr(X, "columns", [])]
    rule = (
        "The 'features' parameter must be 'pca' or a pair of two different inputs, by number "
        f"(0 to {X.shape[1] - 1})" + (" or name" if names else "") + f". Got {features!r}."
    )
    if isinstance(features, str) or not hasattr(features, "__len__") or len(features) != 2:
        raise ValueError(rule)
    columns = []
    for feature in features:
        if isinstance(feature, str) and feature in names:
            columns.append(names.index(feature))
        elif isinstance(feature, Integral) and 0 <= int(feature) < X.shape[1]:
            columns.append(int(feature))
        else:
            raise ValueError(rule)
    if columns[0] == columns[1]:
        raise ValueError(rule)
    first, second = columns
    labels = [names[c] if names else f"x{c}" for c in columns]
    return FeaturePlane((first, second), (labels[0], labels[1]), _typical_row(X))


def _typical_row(X: Any) -> Any:
    """Medians of numbers, most frequent values of all else."""
    if not hasattr(X, "iloc"):
        return np.nanmedian(np.asarray(X, dtype=np.float64), axis=0, keepdims=True)
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    typical = X.iloc[:1].copy()
    for name in X.columns:
        is_number = is_numeric_dtype(X[name]) and not is_bool_dtype(X[name])
        if is_number:
            typical[name] = X[name].median()
        elif len(modes := X[name].mode()):
            typical[name] = modes.iloc[0]
    return typical


def _column(X: Any, column: int) -> FloatArray:
    values = X.iloc[:, column] if hasattr(X, "iloc") else X[:, column]
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        name = X.columns[column] if hasattr(X, "columns") else column
        raise ValueError(
            f"The 'features' parameter must name inputs that are numbers. Got {name!r}."
        ) from error
