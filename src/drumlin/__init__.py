"""Small radial-basis-function networks that choose their own size."""

from drumlin import cover, datasets
from drumlin.estimators import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    NadarayaWatsonClassifier,
    NadarayaWatsonRegressor,
    RBFNetworkClassifier,
    RBFNetworkRegressor,
    TunableRBFClassifier,
    TunableRBFRegressor,
)
from drumlin.experiments import presets

__version__ = "0.1.0.dev0"

__all__ = [
    "DrumlinClassifier",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "ForwardRBFRegressor",
    "NadarayaWatsonClassifier",
    "NadarayaWatsonRegressor",
    "RBFNetworkClassifier",
    "RBFNetworkRegressor",
    "TunableRBFClassifier",
    "TunableRBFRegressor",
    "cover",
    "datasets",
    "presets",
]
