"""The methods that are compared: published settings, our defaults, the rivals.

To add the method of a paper, add one line to ``PAPERS``: its key for :func:`presets` and the class
whose defaults shall stand beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn.base import ClassifierMixin

from drumlin.estimators import (
    DrumlinClassifier,
    ForwardRBFClassifier,
    RBFNetworkClassifier,
    SparseKernelLogisticRegression,
    TunableRBFClassifier,
)
from drumlin.estimators.presets import presets
from drumlin.evaluation import methods, rivals
from drumlin.evaluation.methods import Method, Shape, n_nodes

PAPERS: dict[str, type[ClassifierMixin]] = {
    "hong2008": ForwardRBFClassifier,
    "hong2014": ForwardRBFClassifier,
    "chen2010": TunableRBFClassifier,
    "ando2004": SparseKernelLogisticRegression,
    "haykin5": RBFNetworkClassifier,
}
"""Papers that can be reproduced, with the class that holds their method."""

BASELINE = "svm-tuned"
"""The rival that differences are taken to."""


def _preset(citation: str) -> Method:
    def build(shape: Shape) -> Any:
        return presets(citation, dataset=shape.dataset)

    return Method(citation, f'`presets("{citation}")`', "preset", build, n_nodes)


def _default(cls: type[ClassifierMixin]) -> Method:
    return Method(cls.__name__, f"`{cls.__name__}()`", "default", lambda shape: cls(), n_nodes)


RIVALS = [
    replace(
        methods.TUNED_SVC,
        name=BASELINE,
        about="SVC, C and gamma by a 6 x 6 grid and 5 folds on the training part of each of the "
        "first 5 realisations, then the medians for all (the benchmark's own protocol)",
    ),
    replace(methods.SVC, name="svm"),
    methods.LOGISTIC,
    Method(
        "l1-kernel",
        "L1 logistic regression on Gaussian kernel columns, C and gamma tuned like svm-tuned "
        "(4 x 4 grid)",
        "rival",
        lambda shape: rivals.l1_on_columns(shape.n_classes),
        size=rivals.n_columns,
        search=lambda shape: rivals.l1_search(shape.n_features, shape.n_classes),
    ),
    methods.BOOSTING,
    methods.rival(
        "rvm",
        "relevance vector machine (fastrvm) with its defaults",
        rivals.relevance_vectors,
        size=rivals.n_relevance,
        needs="fastrvm",
    ),
]
"""Some need a package of their own."""


def _registered() -> dict[str, Method]:
    classes: list[type] = list(dict.fromkeys([DrumlinClassifier, *PAPERS.values()]))
    known = [*map(_preset, PAPERS), *map(_default, classes), *RIVALS]
    return {method.name: method for method in known}


METHODS = _registered()
"""Every method by name, in the order of the tables."""


def methods_of(paper: str) -> dict[str, Method]:
    """Return the methods to run for a paper (or "all"): its own, the flagship, the rivals."""
    here = {name: method for name, method in METHODS.items() if method.is_available}
    if paper == "all":
        return here
    names = {paper, PAPERS[paper].__name__, DrumlinClassifier.__name__}
    return {
        name: method for name, method in here.items() if method.kind == "rival" or name in names
    }
