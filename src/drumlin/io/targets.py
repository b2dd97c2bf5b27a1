"""Transformed targets in files: which functions and steps may change the units of a target."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)

from drumlin.io.errors import require
from drumlin.tables.transformed import FUNCTIONS, PAIRS

State = dict[str, Any]

TARGET_STEPS = (
    FunctionTransformer,
    MinMaxScaler,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
"""What may stand before a target: all have a way back that keeps order."""

_NAMES = {function: name for name, function in FUNCTIONS.items()}


def name_of_function(value: Any) -> str | None:
    """Return the name under which files hold a function; None where they cannot."""
    return _NAMES.get(value) if isinstance(value, np.ufunc) else None


def without_copy(state: State) -> State:
    """Leave out the unfitted regressor: the fitted one has the same parameters."""
    return {name: value for name, value in state.items() if name != "regressor"}


def with_copy(state: State) -> State:
    """Return the attributes with an unfitted regressor, as ``fit`` has left them."""
    require("regressor_" in state, "a TransformedTargetRegressor has no regressor.")
    require("regressor" not in state, "a TransformedTargetRegressor has two regressors.")
    return state | {"regressor": clone(state["regressor_"])}


def check_function(step: FunctionTransformer) -> None:
    """Refuse a function with arguments that a file may have made up."""
    for name in ("kw_args", "inv_kw_args"):
        require(not vars(step).get(name), f"FunctionTransformer.{name} must be empty in a file.")


def check_target(target: Any) -> None:
    """Refuse a transformed target without a regressor, or with no way back that keeps order."""
    learned = vars(target)
    _check_steps(learned)
    network = learned["regressor_"]
    network = network.steps[-1][1] if isinstance(network, Pipeline) else network
    n_outputs = len(network.network_.intercept) if hasattr(network, "network_") else 0
    require(n_outputs > 0, "a TransformedTargetRegressor has no network.")
    known = getattr(learned["transformer_"], "n_features_in_", n_outputs)
    require(known == n_outputs, f"the transformed target must have {n_outputs} outputs.")
    dimension = learned.get("_training_dim")
    good = type(dimension) is int and dimension == (1 if network._single_output else 2)
    require(good, "a TransformedTargetRegressor has answers of another shape than its network.")
    names = [getattr(one, "feature_names_in_", None) for one in (target, learned["regressor_"])]
    same = names[0] is None or (names[1] is not None and list(names[0]) == list(names[1]))
    require(same, "a TransformedTargetRegressor has other names than its regressor.")


def _check_steps(learned: State) -> None:
    fitted, given = learned.get("transformer_"), learned.get("transformer")
    require(
        type(fitted) in TARGET_STEPS and (given is None or type(given) is type(fitted)),
        f"a target may be transformed by {[cls.__name__ for cls in TARGET_STEPS]}.",
    )
    pair = (learned.get("func"), learned.get("inverse_func"))
    known = (getattr(fitted, "func", None), getattr(fitted, "inverse_func", None))
    require(given is not None or pair == known, "a target has two pairs of functions.")
    names = tuple(map(name_of_function, known))
    good = known == (None, None) or (names[0] in PAIRS and PAIRS[str(names[0])] == names[1])
    require(good, f"functions of a target must be a pair of NumPy's {PAIRS}.")
