"""What stands beside the flagship: the packages people use, with their defaults.

The SVC has none worth the name: it is tuned on every split by its usual grid search, on the
training rows alone, and calibrated by Platt's method; both are part of its time. Where a package
needs rows to stop early, it takes them from the training rows itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.calibration import CalibratedClassifierCV

from drumlin.evaluation import methods, rivals
from drumlin.evaluation.methods import Method, n_nodes, rival
from drumlin.experiments.methods import METHODS

OURS = "drumlin"
OTHERS_OF_OURS = (
    "ForwardRBFClassifier",
    "TunableRBFClassifier",
    "RBFNetworkClassifier",
    "SparseKernelLogisticRegression",
)
"""The classes of the papers, with their defaults."""


class TunedSVC(ClassifierMixin, BaseEstimator):
    """RBF-kernel SVM, C and gamma by a grid search, then calibrated by Platt's method."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> TunedSVC:
        """Search, and calibrate the best."""
        best = rivals.svm_search(X.shape[1]).fit(X, y).best_estimator_
        self.model_ = CalibratedClassifierCV(clone(best), ensemble=False, cv=rivals.FOLDS)
        self.model_.fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    @property
    def machine_(self) -> Any:
        """The best machine, fitted to all rows."""
        return self.model_.calibrated_classifiers_[0].estimator

    def predict(self, X: np.ndarray) -> np.ndarray:
        """The classes of the machine itself; calibration can turn those near the boundary."""
        return self.machine_.predict(X)

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Calibrated probabilities (n_samples, n_classes)."""
        return self.model_.predict_proba(X)


def xrfm() -> Any:
    """XRFM (Beaglehole et al. 2025) with pytabkit's preprocessing and defaults."""
    from pytabkit import XRFM_D_Classifier

    return XRFM_D_Classifier(device="cpu", n_threads=1)


def realmlp() -> Any:
    """RealMLP (Holzmüller et al. 2024) with its tuned defaults."""
    from pytabkit import RealMLP_TD_Classifier

    return RealMLP_TD_Classifier(device="cpu", n_threads=1)


def _ours(name: str) -> Method:
    return replace(METHODS["DrumlinClassifier"], name=name)


_MORE = {method.name: method for method in methods.MORE["classification"]}

MODELS: dict[str, Method] = {
    method.name: method
    for method in (
        _ours(OURS),
        rival(
            "SVC, tuned",
            "SVC, C and gamma by a 6 x 6 grid and 5 folds of the training rows; Platt's "
            "probabilities",
            TunedSVC,
            size=lambda fitted: rivals.n_support(fitted.machine_),
        ),
        rival(
            "fastrvm",
            "relevance vector machine, inputs standardised",
            rivals.relevance_vectors,
            size=rivals.n_relevance,
            needs="fastrvm",
        ),
        _MORE["CatBoost"],
        _MORE["LightGBM"],
        replace(methods.BOOSTING, name="HistGB"),
        _MORE["EBM"],
        rival("xRFM", "`XRFM_D_Classifier` of pytabkit", xrfm, needs="xrfm"),
        rival("RealMLP", "`RealMLP_TD_Classifier` of pytabkit", realmlp, needs="pytabkit"),
        *(replace(METHODS[name], size=n_nodes) for name in OTHERS_OF_OURS),
    )
}
"""Every column of the page."""

DISTRIBUTIONS = {
    "SVC, tuned": "scikit-learn",
    "fastrvm": "fastrvm",
    "CatBoost": "catboost",
    "LightGBM": "lightgbm",
    "EBM": "interpret-core",
    "xRFM": "xrfm",
    "RealMLP": "pytabkit",
}
"""Packages whose versions the page tells."""
