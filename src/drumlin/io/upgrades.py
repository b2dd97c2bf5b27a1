"""From what files of older versions hold to what models are made of today."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular
from sklearn.compose import TransformedTargetRegressor
from sklearn.preprocessing import KBinsDiscretizer

from drumlin import estimators
from drumlin.basis import Gaussian, Nodes
from drumlin.flagship.figures import UNKNOWN
from drumlin.flagship.smooth import Smooth
from drumlin.io.bins import edges_of_list
from drumlin.io.errors import require
from drumlin.io.laws import check_rounded
from drumlin.io.tables import restored
from drumlin.io.targets import with_copy
from drumlin.laplace import Uncertainty
from drumlin.laplace.rounding import MOST_BITS, RoundedTriangle, n_entries
from drumlin.refinement import Refined, Variables
from drumlin.tables import TableEncoder

State = dict[str, Any]


def upgrade(cls: type, state: State) -> State:
    """Return the state of an object as the present version has it.

    Parameters
    ----------
    cls : type
        Of the registry.
    state : dict
        Fields, or parameters and attributes, as the file has them; they are built already.
    """
    step = _UPGRADES.get(cls)
    return state if step is None else step(state)


def _refined(state: State) -> State:
    """Drop what no answer needed."""
    return {name: value for name, value in state.items() if name not in ("factor", "kept")}


def _variables(state: State) -> State:
    """Say nothing of the rows that nodes started on."""
    n_nodes = np.asarray(state.get("centers")).shape[:1]
    return {"support": np.zeros(n_nodes, dtype=np.int64), **state}


def _smooth(state: State) -> State:
    """All had one nugget."""
    return {**state, "nugget": state.get("nugget", 1e-8)}


def _described(state: State) -> State:
    """Bound the range of the data by what version 1 knew of it; it stored a description instead.

    Inputs that a regression does not clip have no outliers (``flagship.view``), others are said to
    be within their clip.
    """
    if "loo_error_" in state and "loo_note_" not in state:  # else its place among the others stays
        state = {**state, "loo_note_": UNKNOWN}
    if "_data_range" in state:
        return state
    state = {name: state[name] for name in state if name not in ("centers_", "widths_")}
    inputs = state["network_"].inputs
    farthest = np.sqrt(2.0 * np.log(2.0 * max(1.0, state["_n_samples"])))
    reach = np.where(np.isfinite(inputs.clip), inputs.clip, farthest) * inputs.scaler.scale
    shift, most = inputs.scaler.shift, np.finfo(float).max
    low, high = (np.clip(bound, -most, most) for bound in (shift - reach, shift + reach))
    state["_data_range"] = (low, high)
    return state


def _logistic(state: State) -> State:
    """Models from before there was a choice had equal priors, and the first class as reference."""
    state = {"model_prior": "equal", "reference": 0, **state}
    if "reference_" in state or "classes_" not in state:
        return state
    several = len(state["classes_"]) > 2
    known = isinstance(state["reference"], int) and several
    return {"reference_": state["reference"] % len(state["classes_"]) if known else 0, **state}


def _regressor(state: State) -> State:
    state = _described(state)
    if "_quadratic_model" not in state:
        return state
    model, solution = state.pop("_quadratic_model"), state.pop("_solution", None)
    state["_uncertainty"] = None if model is None else _uncertainty(model, solution)
    return state


def _uncertainty(model: Any, solution: Any) -> Uncertainty:
    """Keep all of a quadratic model, in full precision: answers stay what they were."""
    size = len(model.factor)
    require(
        solution is not None and solution.size == size <= np.iinfo(np.int16).max,
        f"DrumlinRegressor must know {size} variables of its solution.",
    )
    nodes = solution.nodes()
    require(nodes.coef.shape[1] == 1, "DrumlinRegressor has more than one output.")
    factor = solve_triangular(model.factor, solution.chain().T, lower=True).T
    return Uncertainty(
        Nodes(nodes.centers, 1.0 / nodes.inv_widths, Gaussian()),
        nodes.coef,
        solution.shares_widths,
        np.ones(len(factor), dtype=np.float32),
        np.arange(len(factor), dtype=np.int16),
        np.ascontiguousarray(factor),
    )


def _triangle(state: State) -> State:
    """Code entries that stood one after the other, each in the same number of bits."""
    if "packed" not in state:
        return state
    known: dict[str, Any] = {"bits": None, "sizes": None, **state}
    bits, sizes, packed = known["bits"], known["sizes"], known["packed"]
    good = isinstance(sizes, np.ndarray) and sizes.dtype == np.float16
    require(good, "RoundedTriangle.sizes is not an array of float16.")
    good = isinstance(packed, np.ndarray) and packed.dtype == np.uint8 and type(bits) is int
    require(good, "a triangle must have a number of bits, and bytes.")
    check_rounded(bits, sizes.size)
    n = n_entries(sizes.size)
    wanted = -(-n * bits // 8)
    require(packed.shape == (wanted,), f"a triangle needs {wanted} bytes. Got {packed.size}.")
    table = np.zeros((n, MOST_BITS), dtype=np.uint8)
    table[:, MOST_BITS - bits :] = np.unpackbits(packed, count=n * bits).reshape(n, bits)
    return vars(RoundedTriangle.of_entries(bits, sizes, np.packbits(table, axis=1).view(">u2")))


_UPGRADES: dict[type, Callable[[State], State]] = {
    KBinsDiscretizer: edges_of_list,
    Refined: _refined,
    RoundedTriangle: _triangle,
    Smooth: _smooth,
    TableEncoder: restored,
    TransformedTargetRegressor: with_copy,
    Variables: _variables,
    estimators.DrumlinClassifier: _described,
    estimators.DrumlinRegressor: _regressor,
    estimators.SparseKernelLogisticRegression: _logistic,
}
