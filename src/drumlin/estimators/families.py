"""Our estimators by the names of their families or papers, for classes and for numbers."""

from __future__ import annotations

from typing import Any

from drumlin._errors import ParameterError, refuse_of_numbers
from drumlin.estimators.drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators.forward import ForwardRBFClassifier, ForwardRBFRegressor
from drumlin.estimators.nadaraya_watson import NadarayaWatsonClassifier, NadarayaWatsonRegressor
from drumlin.estimators.presets import CITATIONS, presets
from drumlin.estimators.rbf_network import RBFNetworkClassifier, RBFNetworkRegressor
from drumlin.estimators.sparse_logistic import SparseKernelLogisticRegression
from drumlin.estimators.tunable import TunableRBFClassifier, TunableRBFRegressor

FAMILIES: dict[str, dict[str, type]] = {
    "drumlin": {"classification": DrumlinClassifier, "regression": DrumlinRegressor},
    "forward": {"classification": ForwardRBFClassifier, "regression": ForwardRBFRegressor},
    "tunable": {"classification": TunableRBFClassifier, "regression": TunableRBFRegressor},
    "logistic": {"classification": SparseKernelLogisticRegression},
    "network": {"classification": RBFNetworkClassifier, "regression": RBFNetworkRegressor},
    "nadaraya-watson": {
        "classification": NadarayaWatsonClassifier,
        "regression": NadarayaWatsonRegressor,
    },
}
"""Classes by family and task."""


def build(method: str, task: str, *, seed: int = 0, max_nodes: int | None = None) -> Any:
    """Return an unfitted estimator.

    Parameters
    ----------
    method : str
        A key of ``FAMILIES``.
    task : {"classification", "regression"}
    seed : int
        The ``random_state``.
    max_nodes : int or None
        Most nodes.

    Raises
    ------
    ParameterError
        Where the family has no estimator for the task, or no limit of nodes.
    """
    check_method(method)
    if task not in FAMILIES[method]:
        able = [name for name, classes in FAMILIES.items() if task in classes]
        raise ParameterError(
            f"The 'method' parameter must be one of {able} for {task}. Got {method!r}."
        )
    return _limited(FAMILIES[method][task](random_state=seed), method, max_nodes)


def build_preset(citation: str, task: str, *, seed: int = 0, max_nodes: int | None = None) -> Any:
    """Return an unfitted estimator with the settings of a paper, which are for classes.

    Parameters
    ----------
    citation : str
        One of ``CITATIONS``.
    task, seed, max_nodes
        As in ``build``.

    Raises
    ------
    ParameterError
        Where there is no such paper, or the task is not its task.
    """
    check_preset(citation)
    if task != "classification":
        raise ParameterError(
            f"The 'preset' parameter must be None for {task}: the papers predict classes. "
            f"Got {citation!r}."
        )
    return _limited(presets(citation).set_params(random_state=seed), citation, max_nodes)


def weighted(estimator: Any, class_weight: Any) -> Any:
    """Let an unfitted estimator weigh classes.

    Raises
    ------
    ParameterError
        Where it predicts numbers.
    """
    if class_weight is None:
        return estimator
    if "class_weight" not in estimator.get_params():
        refuse_of_numbers(class_weight=class_weight)
    return estimator.set_params(class_weight=class_weight)


def _limited(estimator: Any, method: str, max_nodes: int | None) -> Any:
    """Limit the nodes, under the name that the limit has."""
    if max_nodes is None:
        return estimator
    size = next((p for p in ("max_nodes", "n_nodes") if p in estimator.get_params()), None)
    if size is None:
        raise ParameterError(
            f"The 'max_nodes' parameter has no meaning for the method {method!r}. Got {max_nodes}."
        )
    return estimator.set_params(**{size: max_nodes})


def check_method(method: str) -> None:
    """Refuse unknown names."""
    if method not in FAMILIES:
        raise ParameterError(
            f"The 'method' parameter must be one of {list(FAMILIES)}. Got {method!r}."
        )


def check_preset(citation: str) -> None:
    """Refuse unknown papers."""
    if citation not in CITATIONS:
        raise ParameterError(
            f"The 'preset' parameter must be one of {list(CITATIONS)}. Got {citation!r}."
        )
