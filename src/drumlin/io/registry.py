"""The allow-list: the only types that a model file can name.

A file says ``"Network"``, never where code is to be found; what is not listed here cannot be saved
and cannot be loaded. Estimators and parts with a name of their own (criteria, searches ...) are
taken from their rooms; data classes that fitted models hold, and what estimators keep to
themselves, are listed one by one, so that files do not change where the code is renamed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline
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

from drumlin import estimators
from drumlin._kernels import Factor
from drumlin.basis import RADIALS, InputMap, Nodes, Powers, Standardizer
from drumlin.criteria import CRITERIA
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.estimators.training import Units
from drumlin.flagship.smooth import Smooth
from drumlin.laplace import Elimination, MeanVariance, QuadraticModel, Uncertainty
from drumlin.laplace.rounding import RoundedTriangle
from drumlin.linear import REGULARIZERS
from drumlin.linear.least_squares import Interpolation, LeastSquares
from drumlin.linear.streaming import BlockLeastSquares, LeastMeanSquares, RecursiveLeastSquares
from drumlin.losses.predicted import Predicted
from drumlin.network import Network
from drumlin.refinement.state import Refined
from drumlin.refinement.variables import Penalties, Variables
from drumlin.search import BOX_SEARCHES, SUBSET_SEARCHES
from drumlin.selection.placing import Placed
from drumlin.tables import Column, Schema, TableEncoder, TableModel
from drumlin.tables.codes import DateCode, NumberCode, TextCode
from drumlin.trust import Calibration, SeenInputs

ESTIMATORS: tuple[type[BaseEstimator], ...] = (
    *(getattr(estimators, name) for name in estimators.__all__),
    CompressedClassifier,
)
"""What can be saved: alone, or as the last step of a pipeline."""

PARTS: dict[str, type] = {
    **{
        cls.__name__: cls
        for room in (CRITERIA, REGULARIZERS, RADIALS, BOX_SEARCHES, SUBSET_SEARCHES)
        for cls in room.values()
    },
    "BlockLeastSquares": BlockLeastSquares,
    "Calibration": Calibration,
    "Elimination": Elimination,
    "Factor": Factor,
    "InputMap": InputMap,
    "Interpolation": Interpolation,
    "LeastMeanSquares": LeastMeanSquares,
    "LeastSquares": LeastSquares,
    "MeanVariance": MeanVariance,
    "Network": Network,
    "Nodes": Nodes,
    "Placed": Placed,
    "Powers": Powers,
    "Predicted": Predicted,
    "RecursiveLeastSquares": RecursiveLeastSquares,
    "RoundedTriangle": RoundedTriangle,
    "SeenInputs": SeenInputs,
    "Standardizer": Standardizer,
    "Uncertainty": Uncertainty,
    "Units": Units,
}
"""What fitted estimators are made of, by the names of the format: a class may be renamed."""

LATER_FIELDS: dict[type, frozenset[str]] = {InputMap: frozenset({"powers"})}
"""Fields of parts that came after version 2 began; None is not written.

Models that do without stay as they were, byte by byte, for readers that know no such field.
"""

OLD_PARTS: dict[str, type] = {
    "Penalties": Penalties,
    "QuadraticModel": QuadraticModel,
    "Refined": Refined,
    "Smooth": Smooth,
    "Variables": Variables,
}
"""What estimators of version 1 were made of, too: read and turned into parts by ``upgrades``."""

PREPROCESSING: tuple[type[BaseEstimator], ...] = (
    ColumnTransformer,
    FeatureUnion,
    FunctionTransformer,  # what "passthrough" becomes; functions are those of tables.transformed
    KBinsDiscretizer,
    MinMaxScaler,
    MissingIndicator,
    OneHotEncoder,
    OrdinalEncoder,
    Pipeline,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    SimpleImputer,
    StandardScaler,
    TargetEncoder,
)
"""Steps of scikit-learn that may come before an estimator."""

TARGETS: tuple[type[BaseEstimator], ...] = (TransformedTargetRegressor,)
"""What may change the units of a target, around an estimator or around a pipeline."""

TABLES: tuple[type[BaseEstimator], ...] = (TableEncoder, TableModel)
"""The way from a table to numbers, and a model behind it."""

TABLE_PARTS: tuple[type, ...] = (Column, DateCode, NumberCode, Schema, TextCode)
"""What encoders hold; in files it is plain data (``drumlin.io.tables``)."""

NAMES: dict[str, type] = {
    **{cls.__name__: cls for cls in (*ESTIMATORS, *PREPROCESSING, *TARGETS, *TABLES)},
    **PARTS,
}
"""Types that are written, by the format's own names."""

ATTRIBUTES: dict[str, str] = {
    "all_nodes": "_all_nodes",
    "all_support": "_all_support",
    "by_size": "_by_size",
    "calibration": "_calibration",
    "data_range": "_data_range",
    "distance_quantiles": "_distance_quantiles",
    "elimination": "_elimination",
    "empty_network": "_empty_network",
    "learner": "_learner",
    "n_samples": "_n_samples",
    "noise_path": "_noise_path",
    "noise_variance": "_noise",
    "orthogonal_coef": "_orthogonal_coef",
    "output_config": "_sklearn_output_config",
    "placed": "_placed",
    "places": "_places",
    "precision": "_precision",
    "predicted": "_predicted",
    "seen": "_seen",
    "single_output": "_single_output",
    "squared_errors": "_squared_errors",
    "triangle": "_triangle",
    "uncertainty": "_uncertainty",
    "units": "_units",
    "weight_seen": "_weight_seen",
}
"""Private attributes of our estimators by the format's names. Others are not saved or loaded."""

OLD_ATTRIBUTES = frozenset({*ATTRIBUTES.values(), "_quadratic_model", "_solution"})
"""Names of attributes in files of version 1."""

DERIVED = frozenset({"coef_", "intercept_", "n_bytes_"})
"""Attributes of estimators that older files have and the network tells itself."""

NUMBERS = frozenset({"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"})
"""Kinds of numbers that arrays may hold, always little-endian."""

CLASSES_OF_NUMBERS: dict[str, type] = {
    **{np.dtype(kind).name: np.dtype(kind).type for kind in sorted(NUMBERS)},
    "builtins.bool": bool,
    "builtins.float": float,
    "builtins.int": int,
    "builtins.object": object,
    "builtins.str": str,
}
"""Classes that may be a value themselves, such as ``OneHotEncoder(dtype=np.float64)``."""

NOT_STORED = frozenset(
    {
        "_callback_fit_ctx",
        "_metadata_request",  # stored by content, see ``encoding``
        "_parent_callback_ctx",
        "_skl_callbacks",
        "_skl_callbacks_to_teardown",
        "memory",
        "n_jobs",
    }
)
"""What belongs to the machine or the session, not to the model.

A folder to cache in and a number of processes are refused from files: the first is a place to load
pickles from, the second may be any number.
"""


def trusted_types() -> list[str]:
    """Full names of the types that a model can hold and skops does not know: its trust list.

    Returns
    -------
    list of str
        For ``skops.io.load(path, trusted=drumlin.io.trusted_types())``.

    See Also
    --------
    drumlin.load

    Examples
    --------
    >>> from drumlin.io import trusted_types
    >>> "drumlin.basis.nodes.Nodes" in trusted_types()
    True
    """
    ours = (*ESTIMATORS, *PARTS.values(), *TABLES, *TABLE_PARTS)
    names = {f"{cls.__module__}.{cls.__qualname__}" for cls in ours}
    return sorted(names | {"numpy.dtype"})  # which SimpleImputer remembers


def is_ours(model: Any) -> bool:
    """Whether an object is an estimator of ours."""
    return type(model) in ESTIMATORS
