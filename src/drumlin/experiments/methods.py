"""The methods that are compared: published settings, our defaults, the rivals.

To add the method of a paper, add one line to ``PAPERS``: its key for :func:`presets` and the class
whose defaults shall stand beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GridSearchCV

from drumlin.estimators import (
    DrumlinClassifier,
    ForwardRBFClassifier,
    RBFNetworkClassifier,
    SparseKernelLogisticRegression,
    TunableRBFClassifier,
)
from drumlin.experiments import rivals
from drumlin.experiments.presets import presets
from drumlin.experiments.problems import Shape

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


@dataclass(frozen=True)
class Method:
    """One row of the tables.

    Parameters
    ----------
    name, about : str
        Key, and one line for the legend.
    kind : {"preset", "default", "rival"}
    build : callable
        From the shape of a problem to an unfitted estimator.
    size : callable or None
        Nodes, support vectors or columns of a fitted one; None where that means nothing.
    search : callable or None
        From the shape to the search that tunes it on the first training realisations.
    calibrated : bool
        Whether its log-loss needs Platt's calibration, because it has no probabilities.
    needs : str or None
        A package that drumlin does not bring along.
    """

    name: str
    about: str
    kind: str
    build: Callable[[Shape], Any]
    size: Callable[[Any], int] | None = None
    search: Callable[[Shape], GridSearchCV] | None = None
    calibrated: bool = False
    needs: str | None = None

    @property
    def is_available(self) -> bool:
        """Whether it can run here."""
        return self.needs is None or find_spec(self.needs) is not None


def _n_nodes(fitted: Any) -> int:
    return int(fitted.n_nodes_)


def _preset(citation: str) -> Method:
    def build(shape: Shape) -> Any:
        return presets(citation, dataset=shape.dataset)

    return Method(citation, f'`presets("{citation}")`', "preset", build, _n_nodes)


def _default(cls: type[ClassifierMixin]) -> Method:
    return Method(cls.__name__, f"`{cls.__name__}()`", "default", lambda shape: cls(), _n_nodes)


def _rival(name: str, about: str, build: Callable[[], Any], **options: Any) -> Method:
    return Method(name, about, "rival", lambda shape: build(), **options)


RIVALS = [
    _rival(
        BASELINE,
        "SVC, C and gamma by a 6 x 6 grid and 5 folds on the training part of each of the first 5 "
        "realisations, then the medians for all (the benchmark's own protocol)",
        rivals.svc,
        size=rivals.n_support,
        search=lambda shape: rivals.svm_search(shape.n_features),
        calibrated=True,
    ),
    _rival("svm", "SVC with its defaults", rivals.svc, size=rivals.n_support, calibrated=True),
    _rival("logistic", "linear LogisticRegression with its defaults", rivals.logistic),
    Method(
        "l1-kernel",
        "L1 logistic regression on Gaussian kernel columns, C and gamma tuned like svm-tuned "
        "(4 x 4 grid)",
        "rival",
        lambda shape: rivals.l1_on_columns(shape.n_classes),
        size=rivals.n_columns,
        search=lambda shape: rivals.l1_search(shape.n_features, shape.n_classes),
    ),
    _rival(
        "boosting",
        "HistGradientBoostingClassifier with its defaults",
        HistGradientBoostingClassifier,
    ),
    _rival(
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
    methods = [*map(_preset, PAPERS), *map(_default, classes), *RIVALS]
    return {method.name: method for method in methods}


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
