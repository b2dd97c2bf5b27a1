"""The estimators that ``drumlin fit`` offers, by the name of ``--method``."""

from __future__ import annotations

from typing import Any

from drumlin import estimators
from drumlin.cli.console import UsageError
from drumlin.tables import CLASSIFICATION

METHODS = {
    "drumlin": ("DrumlinClassifier", "DrumlinRegressor"),
    "forward": ("ForwardRBFClassifier", "ForwardRBFRegressor"),
    "tunable": ("TunableRBFClassifier", "TunableRBFRegressor"),
    "logistic": ("SparseKernelLogisticRegression", None),
    "network": ("RBFNetworkClassifier", "RBFNetworkRegressor"),
}
"""Names of the classes for classes and for numbers."""


def build(method: str, task: str, *, seed: int = 0, max_nodes: int | None = None) -> Any:
    """Return an unfitted estimator.

    Parameters
    ----------
    method : str
        A key of ``METHODS``.
    task : {"classification", "regression"}
    seed : int
        The ``random_state``.
    max_nodes : int or None
        Most nodes.
    """
    check_method(method)
    name = METHODS[method][task != CLASSIFICATION]
    if name is None:
        fit = [key for key, names in METHODS.items() if names[1] is not None]
        raise UsageError(f"The option '--method' must be one of {fit} for {task}. Got {method!r}.")
    cls = getattr(estimators, name, None)
    if cls is None:
        raise UsageError(
            f"The option '--method' must be one that this version has; it has no {name}. "
            f"Got {method!r}."
        )
    estimator = cls(random_state=seed)
    if max_nodes is None:
        return estimator
    size = next((p for p in ("max_nodes", "n_nodes") if p in estimator.get_params()), None)
    if size is None:
        raise UsageError(f"The option '--max-nodes' has no meaning for the method {method!r}.")
    return estimator.set_params(**{size: max_nodes})


def check_method(method: str) -> None:
    """Refuse unknown names."""
    if method not in METHODS:
        raise UsageError(f"The option '--method' must be one of {list(METHODS)}. Got {method!r}.")
