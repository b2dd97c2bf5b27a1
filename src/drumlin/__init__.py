"""Small radial-basis-function networks that choose their own size."""

from drumlin._version import __version__
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

__all__ = [
    "DrumlinClassifier",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "ForwardRBFRegressor",
    "TunableRBFClassifier",
    "TunableRBFRegressor",
    "__version__",
    "load",
    "presets",
    "save",
]
