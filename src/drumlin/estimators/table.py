"""The table of docs/estimators.md: what every estimator can do, asked of fitted models.

``python -m drumlin.estimators.table docs/estimators.md`` writes it anew; without a file it is
shown.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, is_classifier
from sklearn.utils import get_tags

from drumlin import estimators

BEGIN, END = "<!-- begin of the generated table -->", "<!-- end of the generated table -->"

FAMILIES = {
    "Drumlin": "Drumlin",
    "ForwardRBF": "ForwardRBF",
    "TunableRBF": "TunableRBF",
    "SparseKernelLogisticRegression": "SparseKernel-<br>LogisticRegression",
    "RBFNetwork": "RBFNetwork",
    "NadarayaWatson": "NadarayaWatson",
}
"""Columns: what names of estimators begin with, and how the table shows it."""


def _has(*names: str) -> Callable[[BaseEstimator], bool]:
    return lambda model: all(hasattr(model, name) for name in names)


def _takes(method: str, parameter: str) -> Callable[[BaseEstimator], bool]:
    return lambda model: parameter in inspect.signature(getattr(model, method)).parameters


CAPABILITIES: dict[str, Callable[[BaseEstimator], bool]] = {
    "`network_`, `coef_`, `intercept_`, `n_nodes_`": _has(
        "network_", "coef_", "intercept_", "n_nodes_"
    ),
    "`centers_`, `widths_`": _has("centers_", "widths_"),
    "`n_bytes_`": _has("n_bytes_"),
    "`relevance_`, `feature_importances_`": _has("relevance_", "feature_importances_"),
    "`novelty(X)`": _has("novelty"),
    "`contributions(X)`": _has("contributions"),
    "`gradient(X)`": _has("gradient"),
    "`explain(X)`, `counterfactual(x, target)`": _has("explain", "counterfactual"),
    "`predict_proba(X)`, `predict_log_proba(X)`": _has("predict_proba", "predict_log_proba"),
    "`predict(X, reject=)`": _takes("predict", "reject"),
    "`predict(X, return_std=True)`": _takes("predict", "return_std"),
    "`predict_set(X)`": _has("predict_set"),
    "`predict_interval(X)`": _has("predict_interval"),
    "`loo_error_`": _has("loo_error_"),
    "`loo_score_`": _has("loo_score_"),
    "`loo_log_loss_`": _has("loo_log_loss_"),
    "`path_`": _has("path_"),
    "`truncate(n_nodes)`": _has("truncate"),
    "`max_nodes`": lambda model: "max_nodes" in model.get_params(),
    "`partial_fit(X, y)`": _has("partial_fit"),
    "more than two classes": lambda model: (
        is_classifier(model) and get_tags(model).classifier_tags.multi_class
    ),
    "several outputs": lambda model: get_tags(model).target_tags.multi_output,
    "`sample_weight`": _takes("fit", "sample_weight"),
}
"""Rows: how to ask a fitted model for a capability."""


def fitted_models() -> dict[str, BaseEstimator]:
    """All estimators by name, with default parameters, fitted to a few samples."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2))
    y = np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.1 * rng.standard_normal(len(X))
    models = {name: getattr(estimators, name)() for name in estimators.__all__}
    return {
        name: model.fit(X, y > 0.0 if is_classifier(model) else y) for name, model in models.items()
    }


def table() -> str:
    """Return the table in Markdown: C for classifiers, R for regressors."""
    models = fitted_models()
    rows = [["", *FAMILIES.values()], ["---", *[":-:"] * len(FAMILIES)]]
    for label, can in CAPABILITIES.items():
        rows.append([label, *[_cell(models, family, can) for family in FAMILIES]])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _cell(
    models: dict[str, BaseEstimator], family: str, can: Callable[[BaseEstimator], bool]
) -> str:
    of_family = [model for name, model in models.items() if name.startswith(family)]
    letters = ["C" if is_classifier(model) else "R" for model in of_family if can(model)]
    return " ".join(sorted(letters))


def with_table(page: str) -> str:
    """Return a page with the table between its two marks."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        path = Path(sys.argv[1])
        path.write_text(with_table(path.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        sys.stdout.write(table() + "\n")
