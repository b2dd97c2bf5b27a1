"""Which arrays of a model must agree in which sides: all that methods compute with.

Layouts are those of ``drumlin._kernels.door``. The letters of an estimator are

M nodes, d features, z features as nodes see them, m outputs; L nodes of all sizes, k columns of
their factor, P places that data were near to, h Hessians, c contrasts of classes, v variables,
s nodes and t directions that uncertainty is known of, r rows that probabilities are calibrated on.

A name that ends with "?" may be missing or None.
"""

from __future__ import annotations

from typing import Any

from drumlin import estimators
from drumlin._kernels import Factor
from drumlin._kernels.door import LAYOUTS, check_layout
from drumlin.basis import InputMap, Nodes, Powers, Standardizer
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.estimators.training import Units
from drumlin.flagship.smooth import Smooth
from drumlin.io.errors import ModelFileError
from drumlin.laplace import Elimination, QuadraticModel, Uncertainty
from drumlin.laplace.rounding import RoundedTriangle
from drumlin.linear.least_squares import Interpolation, LeastSquares
from drumlin.linear.streaming import BlockLeastSquares, LeastMeanSquares, RecursiveLeastSquares
from drumlin.losses.predicted import Predicted
from drumlin.network import Network
from drumlin.novelty import GRID
from drumlin.refinement.state import Refined
from drumlin.refinement.variables import Variables
from drumlin.selection.placing import Placed
from drumlin.trust import Calibration, SeenInputs

Layouts = dict[str, str]


def _within(prefix: str, layouts: Layouts) -> Layouts:
    """Layouts of a part by the names that they have in the whole; a prefix may end with "?"."""
    may = "?" if prefix.endswith("?") else ""
    return {
        f"{prefix.rstrip('?')}.{name.rstrip('?')}{may or '?' * name.endswith('?')}": layout
        for name, layout in layouts.items()
    }


_NODES = {"centers": "M d!", "widths": "M d"}
_SCALER = {"shift": "d", "scale": "d"}
_POWERS = {"power": "d", **_within("scaler", _SCALER)}
_FACTOR = LAYOUTS[Factor]
_WEIGHTS = {"coef": "M m!", "intercept": "m"}
_ELIMINATION = {"weights": "M+1 c!", "inverse": "h! M+1 M+1"}
_PREDICTED = {"scores": "r m!", "labels": "r", "weight": "r"}
_UNITS = {**_within("scaler", _SCALER), "target_shift": "m", "target_scale": "m"}
_PLACED = {
    "centers": "M d!",
    "widths": "M",
    "originals": "M d",
    **_within("scaler", _SCALER),
    "support?": "M",
}
_SEEN = {"mean": "d!", "spread": "d", "low": "d", "high": "d", "whole": "d"}
_SMOOTH = {"centers": "M d", "shape": "d+1", "coef": "M 1", "intercept": "1"}

PARTS: dict[type, Layouts] = {
    BlockLeastSquares: _within("posterior.factor", _FACTOR),
    Calibration: {"scores": "r", "mass": "r", "ends": "g!"},
    Elimination: _ELIMINATION,
    Factor: _FACTOR,
    InputMap: {
        **_within("scaler", _SCALER),
        "matrix?": "d z!",
        **_within("powers?", _POWERS),
    },
    Interpolation: {**_WEIGHTS, "loo_errors": "M m"},
    LeastMeanSquares: _WEIGHTS,
    LeastSquares: _within("factor", _FACTOR),
    Network: {**_within("nodes", _NODES), **_WEIGHTS, "shares?": "M"},
    Nodes: _NODES,
    Placed: _PLACED,
    Powers: _POWERS,
    Predicted: _PREDICTED,
    QuadraticModel: {"factor": "v! v"},
    RecursiveLeastSquares: _within("posterior.factor", _FACTOR),
    Refined: {"variables.centers": "M d"},
    RoundedTriangle: {"sizes": "v!", "coded": "b"},
    SeenInputs: _SEEN,
    Smooth: _SMOOTH,
    Standardizer: _SCALER,
    Uncertainty: {
        **_within("nodes", _NODES),
        "coef": "M 1",
        "scale": "v!",
        "order": "v",
        "factor.sizes?": "v",
    },
    Units: _UNITS,
    Variables: {"centers": "M d!", "support": "M"},
}
"""Layouts of parts, whoever holds them."""

_MAPPED = {"centers": "M z!", "widths": "M z"}
_EVERY = {
    **_within("network_.nodes", _MAPPED),
    **_within("network_", _WEIGHTS),
    "network_.shares?": "M",
    **_within("network_.inputs.scaler?", _SCALER),
    "network_.inputs.matrix?": "d z",
    **_within("network_.inputs.powers?", _POWERS),
    "feature_names_in_?": "d",
    "support_?": "M",
    "relevance_?": "d",
    "_distance_quantiles?": f"{len(GRID)}",
    **_within("_seen?", _SEEN),
    "_places.centers?": "P z",
    "_places.widths?": "P z",
}
_DESCRIBED = {"centers_": "M d!", "widths_": "M d"}
_REFINED = {
    "_data_range.0": "d!",
    "_data_range.1": "d",
    "_places.centers": "P z",
    "_places.widths": "P z",
    "_distance_quantiles": f"{len(GRID)}",
    "_units.0": "m",
    "_units.1": "m",
    "_elimination.weights?": "M+1 m",
    "loo_errors_?": "m",
    "_uncertainty.nodes.centers?": "s z",
}
_SELECTED = {
    **_DESCRIBED,
    "_all_nodes.centers": "L z",
    "_all_nodes.widths": "L z",
    "_all_support?": "L",
    "_triangle": "k k",
    "_orthogonal_coef": "k m",
    "_precision?": "k",
    "_noise_path?": "q m",
}
_STREAMING = {
    **_DESCRIBED,
    **_within("_placed", _PLACED),
    **_within("_units", _UNITS),
    **_within("_empty_network.nodes", _NODES),
    **_within("_empty_network", _WEIGHTS),
    "_empty_network.shares?": "M",
    **_within("_learner.posterior.factor?", _FACTOR),
    **_within("_learner?", _WEIGHTS),
}
_AVERAGES = {**_DESCRIBED, "network_.shares": "M", "bandwidth_": "d"}

_COMPRESSED = {
    "_data_range.0": "d!",
    "_data_range.1": "d",
    "_distance_quantiles": f"{len(GRID)}",
}

ESTIMATORS: dict[type, Layouts] = {
    CompressedClassifier: _COMPRESSED,
    estimators.DrumlinClassifier: _REFINED,
    estimators.DrumlinRegressor: _REFINED,
    estimators.ForwardRBFClassifier: _SELECTED,
    estimators.ForwardRBFRegressor: _SELECTED,
    estimators.NadarayaWatsonClassifier: _AVERAGES,
    estimators.NadarayaWatsonRegressor: _AVERAGES,
    estimators.RBFNetworkClassifier: {**_STREAMING, **_within("_predicted", _PREDICTED)},
    estimators.RBFNetworkRegressor: _STREAMING,
    estimators.SparseKernelLogisticRegression: {
        **_DESCRIBED,
        **_within("_elimination", _ELIMINATION),
    },
    estimators.TunableRBFClassifier: _SELECTED,
    estimators.TunableRBFRegressor: _SELECTED,
}
"""Layouts of what estimators have beside those that all have. One for each is needed."""


def agreed_sizes(value: Any) -> dict[str, int]:
    """Refuse a part or an estimator with arrays that do not fit each other.

    Returns
    -------
    dict
        Sizes by the letters of the layouts.
    """
    cls = type(value)
    layouts = {**_EVERY, **ESTIMATORS[cls]} if cls in ESTIMATORS else PARTS.get(cls, {})
    sizes: dict[str, int] = {}
    for name, layout in layouts.items():
        array = _find(value, name.rstrip("?"))
        if array is None and name.endswith("?"):
            continue
        try:
            check_layout(cls.__name__, name.rstrip("?"), array, layout, sizes)
        except ValueError as error:
            raise ModelFileError(str(error)) from error
    return sizes


def _find(value: Any, path: str) -> Any:
    """Return what a dotted name leads to by stored fields, not by properties; None if nowhere."""
    for name in path.split("."):
        if isinstance(value, tuple):
            is_place = name.isdigit() and int(name) < len(value)
            value = value[int(name)] if is_place else getattr(value, name, None)
        else:
            value = getattr(value, "__dict__", {}).get(name)
    return value
