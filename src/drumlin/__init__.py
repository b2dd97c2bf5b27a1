"""Small radial-basis-function networks that choose their own size."""

from drumlin.estimators import (
    DrumlinClassifier,
    DrumlinRegressor,
    ForwardRBFClassifier,
    ForwardRBFRegressor,
    TunableRBFClassifier,
    TunableRBFRegressor,
)
from drumlin.experiments import presets
from drumlin.io import load, save

__version__ = "0.1.0.dev0"

__all__ = [
    "DrumlinClassifier",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "ForwardRBFRegressor",
    "TunableRBFClassifier",
    "TunableRBFRegressor",
    "load",
    "presets",
    "save",
]
