"""What a file says of its model to those who do not load it: ``describe``, ``drumlin inspect``."""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline

from drumlin._version import __version__
from drumlin.io.trial import last_step
from drumlin.tables.transformed import is_transformed

_SIMPLE = (bool, int, float, str, np.bool_, np.integer, np.floating)


def versions() -> dict[str, str]:
    """Versions of what a model file depends on."""
    return {
        "drumlin": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
    }


def facts_of(model: Any) -> dict[str, Any]:
    """Gather what is worth knowing of a fitted model, as plain data.

    Returns
    -------
    dict
        estimator, task, steps, n_features, feature_names, classes, n_nodes, n_outputs,
        parameters (those that are not the default, as text), learned (fitted numbers by name).
    """
    estimator = last_step(model)
    steps = _steps(model)
    names, classes = getattr(model, "feature_names_in_", None), getattr(estimator, "classes_", None)
    return {
        "estimator": type(estimator).__name__,
        "task": "classification" if is_classifier(estimator) else "regression",
        "steps": [type(step).__name__ for step in steps],
        "n_features": int(model.n_features_in_),
        "feature_names": None if names is None else list(names),
        "classes": None if classes is None else classes.tolist(),
        "n_nodes": len(estimator.network_.nodes),
        "n_outputs": len(estimator.network_.intercept),
        "parameters": _changed_parameters(estimator),
        "learned": {
            name: value.item() if isinstance(value, np.generic) else value
            for name, value in vars(estimator).items()
            if name.endswith("_") and not name.startswith("_") and isinstance(value, _SIMPLE)
        },
    }


def _steps(model: Any) -> list[Any]:
    """All parts from the first to the network."""
    if is_transformed(model):
        return [model, *_steps(model.regressor_)]
    if not isinstance(model, Pipeline):
        return [model]
    return [*(step for _, step in model.steps[:-1]), *_steps(model.steps[-1][1])]


def _changed_parameters(estimator: Any) -> dict[str, str]:
    defaults = type(estimator)().get_params(deep=False)
    given = estimator.get_params(deep=False)
    return {
        name: repr(value) for name, value in given.items() if repr(value) != repr(defaults[name])
    }
