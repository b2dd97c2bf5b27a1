"""Small radial-basis-function networks that choose their own size."""

from drumlin import cover, datasets
from drumlin._version import __version__
from drumlin.estimators import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    NadarayaWatsonClassifier,
    NadarayaWatsonRegressor,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
    SparseKernelLogisticRegression,
    TunableRBFClassifier,
    TunableRBFRegressor,
)
from drumlin.experiments import presets
from drumlin.io import load, save

__all__ = [
    "DrumlinClassifier",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "ForwardRBFRegressor",
    "NadarayaWatsonClassifier",
    "NadarayaWatsonRegressor",
    "RBFNetworkClassifier",
    "RBFNetworkRegressor",
    "SparseKernelLogisticRegression",
    "TunableRBFClassifier",
    "TunableRBFRegressor",
    "__version__",
    "cover",
    "datasets",
    "load",
    "presets",
    "save",
]
