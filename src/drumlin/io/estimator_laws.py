"""What must hold of whole estimators: attributes that belong to their network and to each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from drumlin import estimators
from drumlin.estimators.compressed import CompressedClassifier
from drumlin.flagship.figures import NOTES, REFINED
from drumlin.io.errors import require
from drumlin.io.numbers import arrays_in, finite, is_number, positive
from drumlin.laplace import Elimination, MeanVariance, Uncertainty
from drumlin.linear.least_squares import Interpolation
from drumlin.linear.streaming import BlockLeastSquares, LeastMeanSquares, RecursiveLeastSquares
from drumlin.network import Network
from drumlin.trust import Calibration

NUMBERS = (
    "bic_", "loo_error_", "loo_log_loss_", "loo_score_", "noise_std_", "temperature_", "width_",
    "_n_samples", "_noise",
)  # fmt: skip
"""Attributes that are one number, where there are such."""

NOT_NEGATIVE = ("temperature_", "noise_std_", "_n_samples", "_noise")
"""Those of them that methods compute with: finite too."""

PER_OUTPUT = ("noise_std_",)
"""Those of them of which every one of several outputs has its own."""


def check_network(estimator: Any) -> None:
    """Refuse an estimator without a network."""
    good = type(vars(estimator).get("network_")) is Network
    require(good, f"{type(estimator).__name__} has no network.")


def check_estimator(estimator: Any, sizes: dict[str, int]) -> None:
    """Refuse an estimator whose attributes do not belong to its network.

    Parameters
    ----------
    estimator : estimator
        With arrays that agree.
    sizes : dict
        Their sizes, see ``layouts``.
    """
    name, learned = type(estimator).__name__, vars(estimator)
    network = learned["network_"]
    mapped = network.inputs is not None and network.inputs.matrix is not None
    require(
        mapped or sizes["z"] == sizes["d"],
        f"{name} has nodes of {sizes['z']} features, but {sizes['d']} features.",
    )
    for attribute, expected in (("n_features_in_", sizes["d"]), ("n_nodes_", sizes["M"])):
        given = learned.get(attribute)
        require(
            type(given) is int and given == expected,
            f"{name}.{attribute} must be {expected}, as in its network.",
        )
    for attribute, value in learned.items():
        if attribute.startswith("_"):  # what methods compute with; public records may hold NaN
            require(finite(*arrays_in(value)), f"{name}.{attribute} is not finite.")
    _check_numbers(name, learned, sizes["m"])
    if "_distance_quantiles" in learned:
        known = learned["_distance_quantiles"]
        ascending = (known >= 0.0).all() and (np.diff(known) >= 0.0).all()
        require(ascending, f"{name}._distance_quantiles must ascend from 0 or more.")
    _check_calibration(name, learned, sizes["m"])
    if "classes_" in learned:
        _check_classes(name, learned["classes_"], sizes["m"])
    if "_single_output" in learned:
        single = learned["_single_output"]
        good = type(single) is bool and single == (sizes["m"] == 1 and single)
        require(good, f"{name}._single_output is wrong for {sizes['m']} outputs.")
    _LAWS[type(estimator)](estimator, sizes)


def _check_calibration(name: str, learned: dict[str, Any], n_outputs: int) -> None:
    known = learned.get("_calibration")
    n_groups = max(n_outputs, 2) if "classes_" in learned else n_outputs
    good = known is None or (type(known) is Calibration and known.n_groups == n_groups)
    require(good, f"{name}._calibration must have scores of {n_groups} classes or outputs.")


def _check_numbers(name: str, learned: dict[str, Any], n_outputs: int) -> None:
    for attribute in NUMBERS:
        value = learned.get(attribute, 0.0)
        several = attribute in PER_OUTPUT and np.shape(value) == (n_outputs,) != (1,)
        require(several or is_number(value), f"{name}.{attribute} must be a number.")
        if attribute in NOT_NEGATIVE:
            good = finite(value) and np.min(value) >= 0.0
            require(good, f"{name}.{attribute} must be finite and not negative.")


def _check_classes(name: str, classes: Any, n_outputs: int) -> None:
    good = isinstance(classes, np.ndarray) and classes.ndim == 1 and len(classes) > 1
    require(good, f"{name}.classes_ must be an array of at least two classes.")
    require(
        len(classes) == (n_outputs if n_outputs > 1 else 2),
        f"{name} has {len(classes)} classes, but its network {n_outputs} outputs.",
    )
    try:
        ascending = bool((classes[:-1] < classes[1:]).all())
    except TypeError:  # of texts and numbers together
        ascending = False
    require(ascending, f"{name}.classes_ must be in ascending order, each once.")


def _check_compressed(estimator: Any, sizes: dict[str, int]) -> None:
    learned, name = vars(estimator), type(estimator).__name__
    _check_range(name, learned["_data_range"])
    require(is_number(learned.get("temperature_")), f"{name} has no temperature.")
    require(isinstance(learned.get("classes_"), np.ndarray), f"{name} has no classes.")
    known = learned.get("compression_")
    good = isinstance(known, dict) and all(v is None or is_number(v) for v in known.values())
    require(good, f"{name}.compression_ must be a dict of numbers.")


def _check_range(name: str, ends: Any) -> None:
    low, high = ends
    require((low <= high).all(), f"{name}._data_range must ascend.")


def _check_refined(estimator: Any, sizes: dict[str, int]) -> None:
    learned, name = vars(estimator), type(estimator).__name__
    require(positive(learned["_units"][1]), "a scale of the targets is not above zero.")
    note = learned.get("loo_note_", REFINED)
    require(note in NOTES, f"{name}.loo_note_ is none of the notes there are.")
    wanted = Elimination if sizes["M"] else type(None)
    require(
        type(learned.get("_elimination")) is wanted,
        f"{name} with {sizes['M']} nodes must have {wanted.__name__} in _elimination.",
    )
    _check_range(name, learned["_data_range"])
    known = learned.get("_uncertainty")
    kinds = (Uncertainty, MeanVariance)
    good = known is None or (type(known) in kinds and sizes["m"] == 1)
    require(good, f"{name} must have an Uncertainty of one output, or none.")


def _check_selected(estimator: Any, sizes: dict[str, int]) -> None:
    name, n_nodes = type(estimator).__name__, sizes["M"]
    n_columns = n_nodes + bool(estimator.fit_intercept)
    require(
        sizes["L"] >= n_nodes and sizes["k"] >= n_columns,
        f"{name} must know at least {n_nodes} nodes and {n_columns} columns of their factor.",
    )
    if "q" in sizes:
        learned = vars(estimator)
        n_sizes = sizes["k"] - bool(estimator.fit_intercept) + 1
        good = sizes["q"] == n_sizes and (learned["_noise_path"] >= 0.0).all()
        require(good, f"{name}._noise_path must know the noise of every size.")
        good = learned.get("_precision") is not None and positive(learned["_precision"])
        require(good, f"{name}._precision must be positive.")
    by_size = vars(estimator).get("_by_size")
    require(isinstance(by_size, dict), f"{name}._by_size must be a dict.")
    for attribute, values in by_size.items():
        require(
            attribute in NUMBERS
            and isinstance(values, list)
            and len(values) > n_nodes
            and all(map(is_number, values)),
            f"{name}._by_size must hold a number for every size of the network.",
        )
        if attribute in NOT_NEGATIVE:
            good = finite(values) and min(values) >= 0.0
            require(good, f"{name}._by_size[{attribute!r}] must be finite and not negative.")


def _check_streaming(estimator: Any, sizes: dict[str, int]) -> None:
    learned, name = vars(estimator), type(estimator).__name__
    learners = (BlockLeastSquares, Interpolation, LeastMeanSquares, RecursiveLeastSquares)
    require(type(learned.get("_learner")) in learners, f"{name} has no weights that can learn.")
    empty = learned["_empty_network"]
    require(type(empty) is Network and empty.inputs is None, f"{name} has no empty network.")
    errors = learned.get("_squared_errors")
    good = isinstance(errors, list) and all(map(is_number, errors))
    require(good, f"{name}._squared_errors must be a list of numbers.")
    for attribute in ("n_samples_seen_", "n_iter_"):
        require(type(learned.get(attribute)) is int, f"{name}.{attribute} must be an int.")
    seen = learned.get("_weight_seen", 1.0)  # older files do not have it
    good = is_number(seen) and finite(seen) and seen > 0.0
    require(good, f"{name}._weight_seen must be a positive finite number.")


def _check_averages(estimator: Any, sizes: dict[str, int]) -> None:
    require(not estimator.network_.intercept.any(), "local averages have no intercept.")


def _check_shares(estimator: Any, sizes: dict[str, int]) -> None:
    _check_averages(estimator, sizes)
    coef = estimator.network_.coef
    good = ((coef == 0.0) | (coef == 1.0)).all() and (coef.sum(axis=1) == 1.0).all()
    require(good, f"{type(estimator).__name__} must give every sample to one class.")
    require(sizes["m"] == len(estimator.classes_), "every class needs an output.")


def _check_contrasts(estimator: Any, sizes: dict[str, int]) -> None:
    n_contrasts = max(sizes["m"] - 1, 1)
    reference = estimator.reference_
    require(
        isinstance(reference, int) and 0 <= reference <= n_contrasts,
        f"reference_ must be the index of a class. Got {reference!r}.",
    )
    require(
        sizes["c"] == sizes["h"] == n_contrasts,
        f"there must be {n_contrasts} contrasts of {sizes['m']} outputs, each with its Hessian. "
        f"Got {sizes['c']} and {sizes['h']}.",
    )


_LAWS: dict[type, Callable[[Any, dict[str, int]], None]] = {
    CompressedClassifier: _check_compressed,
    estimators.DrumlinClassifier: _check_refined,
    estimators.DrumlinRegressor: _check_refined,
    estimators.ForwardRBFClassifier: _check_selected,
    estimators.ForwardRBFRegressor: _check_selected,
    estimators.NadarayaWatsonClassifier: _check_shares,
    estimators.NadarayaWatsonRegressor: _check_averages,
    estimators.RBFNetworkClassifier: _check_streaming,
    estimators.RBFNetworkRegressor: _check_streaming,
    estimators.SparseKernelLogisticRegression: _check_contrasts,
    estimators.TunableRBFClassifier: _check_selected,
    estimators.TunableRBFRegressor: _check_selected,
}
"""What must hold, by type. Every estimator needs a line."""
