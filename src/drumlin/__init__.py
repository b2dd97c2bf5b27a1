"""Small radial-basis-function networks that choose their own size."""

from drumlin.estimators import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    SparseKernelLogisticRegression,
)
from drumlin.experiments import presets

__version__ = "0.1.0.dev0"

__all__ = [
    "DrumlinClassifier",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "ForwardRBFRegressor",
    "SparseKernelLogisticRegression",
    "presets",
]
