"""What must hold of the parts of a model for it to predict: shapes that agree, finite numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.utils._param_validation import InvalidParameterError

from drumlin._kernels import Factor
from drumlin.basis import InputMap, Nodes, Standardizer
from drumlin.basis.scaling import SMALLEST
from drumlin.estimators._placing import Placed
from drumlin.estimators._training import Units
from drumlin.estimators.rbf_network import Predicted
from drumlin.flagship.smooth import Smooth
from drumlin.io.errors import ModelFileError, require
from drumlin.io.registry import is_ours
from drumlin.laplace.elimination import Elimination
from drumlin.laplace.quadratic import QuadraticModel
from drumlin.linear.least_squares import LeastSquares
from drumlin.linear.streaming import LeastMeanSquares
from drumlin.network import Network
from drumlin.refinement.refine import Refined
from drumlin.refinement.variables import Variables


def check_object(value: Any) -> None:
    """Refuse a part, step or estimator that contradicts itself."""
    if isinstance(value, BaseEstimator) and hasattr(value, "_parameter_constraints"):
        try:
            value._validate_params()
        except InvalidParameterError as error:
            raise ModelFileError(str(error)) from error
    n_features = getattr(value, "__dict__", {}).get("n_features_in_", 1)
    require(type(n_features) is int, f"{type(value).__name__}.n_features_in_ must be an int.")
    if is_ours(value):
        _check_estimator(value)
    elif type(value) in _LAWS:
        _LAWS[type(value)](value)


def _check_estimator(estimator: Any) -> None:
    """Refuse an estimator whose attributes do not belong to its network."""
    name, learned = type(estimator).__name__, vars(estimator)
    network = learned.get("network_")
    require(type(network) is Network, f"{name} has no network.")
    n_nodes, n_features = network.nodes.centers.shape
    if network.inputs is not None:
        n_features = len(network.inputs.scaler.shift)  # a projection has fewer outputs
    n_outputs = len(network.intercept)
    for attribute, expected in (("n_features_in_", n_features), ("n_nodes_", n_nodes)):
        given = learned.get(attribute, expected)
        require(
            type(given) is int and given == expected,
            f"{name}.{attribute} must be {expected}, as in its network.",
        )
    _require_array(learned, "centers_", name, (n_nodes, n_features))
    _require_array(learned, "feature_names_in_", name, (n_features,))
    for attribute, value in learned.items():
        if attribute.startswith("_"):  # what methods compute with; public records may hold NaN
            require(_finite(*_arrays_in(value)), f"{name}.{attribute} is not finite.")
    if "classes_" in learned:
        classes = learned["classes_"]
        good = isinstance(classes, np.ndarray) and classes.ndim == 1 and len(classes) > 1
        require(good, f"{name}.classes_ must be an array of at least two classes.")
        require(
            len(classes) == (n_outputs if n_outputs > 1 else 2),
            f"{name} has {len(classes)} classes, but its network {n_outputs} outputs.",
        )


def _require_array(learned: dict[str, Any], attribute: str, name: str, shape: Any) -> None:
    """Demand an array of a shape where there is such an attribute."""
    if attribute in learned:
        array = learned[attribute]
        good = isinstance(array, np.ndarray) and array.shape == shape
        require(good, f"{name}.{attribute} must be an array of shape {shape}.")


def _arrays_in(value: Any) -> list[np.ndarray]:
    """Arrays that are a value or stand in a tuple; numbers only."""
    values = value if isinstance(value, tuple) else (value,)
    return [v for v in values if isinstance(v, np.ndarray) and v.dtype.kind in "iuf"]


def _finite(*arrays: np.ndarray) -> bool:
    return all(bool(np.isfinite(array).all()) for array in arrays)


def _positive(array: Any) -> bool:
    """Whether all can be divided by; infinity can, NaN and what is next to zero cannot."""
    return bool((np.asarray(array) >= SMALLEST).all())


def _check_nodes(nodes: Nodes) -> None:
    shape = nodes.centers.shape
    require(
        len(shape) == 2 and shape[1] > 0 and nodes.widths.shape == shape,
        f"nodes need one width for every entry of a center. Got {nodes.widths.shape} for {shape}.",
    )
    require(_finite(nodes.centers), "a center is not finite.")
    require(_positive(nodes.widths), "a width is not above zero.")


def _check_network(network: Network) -> None:
    n_nodes, n_mapped = network.nodes.centers.shape
    n_outputs = network.intercept.size
    require(
        network.coef.shape == (n_nodes, n_outputs)
        and network.intercept.shape == (n_outputs,)
        and n_outputs > 0,
        f"the weights of a network must have shape ({n_nodes}, {n_outputs}), for {n_nodes} nodes "
        f"and {n_outputs} outputs. Got {network.coef.shape}.",
    )
    require(_finite(network.coef, network.intercept), "a weight of the network is not finite.")
    inputs, shares = network.inputs, network.shares
    require(
        shares is None or (shares.shape == (n_nodes,) and _finite(shares) and _positive(shares)),
        "the shares of a normalised network are not one positive number per node.",
    )
    if inputs is not None:
        matrix = inputs.matrix
        n_inputs = len(inputs.scaler.shift) if matrix is None else matrix.shape[1]
        require(
            n_inputs == n_mapped,
            "the nodes of a network and its input map differ in the number of features.",
        )


def _check_standardizer(scaler: Standardizer) -> None:
    require(
        scaler.shift.ndim == 1 and scaler.scale.shape == scaler.shift.shape,
        "a standardizer needs a shift and a scale for every feature.",
    )
    require(_finite(scaler.shift), "a shift of the inputs is not finite.")
    require(_positive(scaler.scale), "a scale of the inputs is not above zero.")


def _check_map(inputs: InputMap) -> None:
    n_features = len(inputs.scaler.shift)
    clip, matrix = np.asarray(inputs.clip), inputs.matrix
    require(clip.shape in ((), (n_features,)), "the inputs' clip has not their shape.")
    require(_positive(clip), "the inputs' clip is not above zero.")
    require(
        matrix is None or (matrix.ndim == 2 and len(matrix) == n_features and matrix.size > 0),
        f"the matrix of the inputs must have {n_features} rows.",
    )
    require(matrix is None or _finite(matrix), "the matrix of the inputs is not finite.")


def _check_elimination(candidates: Elimination) -> None:
    weights, inverse = candidates.weights, candidates.inverse
    require(weights.ndim == 2 and inverse.ndim == 3, "weights that can be dropped have no shape.")
    n, n_outputs = weights.shape
    require(
        n > 0 and inverse.shape in ((1, n, n), (n_outputs, n, n)),
        f"inverse Hessians must have shape ({n}, {n}) for {n} weights. Got {inverse.shape[1:]}.",
    )
    require(_finite(weights, inverse), "an inverse Hessian is not finite.")


def _check_quadratic(model: QuadraticModel) -> None:
    factor = model.factor
    require(factor.ndim == 2 and factor.shape[0] == factor.shape[1], "a factor is not square.")
    require(_finite(factor) and _positive(np.diag(factor)), "a factor is not of Cholesky's kind.")


def _check_finite(part: Any) -> None:
    """Refuse a data class or named tuple with a number that is none."""
    values = part if isinstance(part, tuple) else tuple(vars(part).values())
    require(_finite(*_arrays_in(values)), f"{type(part).__name__} is not finite.")


def _check_encoder(encoder: OneHotEncoder) -> None:
    known = vars(encoder).get("categories_")
    good = known is None or (
        isinstance(known, list)
        and all(isinstance(part, np.ndarray) and part.ndim == 1 and len(part) for part in known)
    )
    require(good, "the categories of a OneHotEncoder are not one array for every feature.")


def _check_imputer(imputer: SimpleImputer) -> None:
    learned = vars(imputer)
    _require_array(learned, "statistics_", "SimpleImputer", (learned.get("n_features_in_"),))


def _check_scaler(scaler: StandardScaler) -> None:
    learned = {name: value for name, value in vars(scaler).items() if value is not None}
    for attribute in ("mean_", "scale_"):
        _require_array(learned, attribute, "StandardScaler", (learned.get("n_features_in_"),))


_LAWS: dict[type, Callable[[Any], None]] = {
    Elimination: _check_elimination,
    InputMap: _check_map,
    Network: _check_network,
    Nodes: _check_nodes,
    OneHotEncoder: _check_encoder,
    QuadraticModel: _check_quadratic,
    SimpleImputer: _check_imputer,
    StandardScaler: _check_scaler,
    Standardizer: _check_standardizer,
    **dict.fromkeys(
        (
            Factor,
            LeastMeanSquares,
            LeastSquares,
            Placed,
            Predicted,
            Refined,
            Smooth,
            Units,
            Variables,
        ),
        _check_finite,
    ),
}
