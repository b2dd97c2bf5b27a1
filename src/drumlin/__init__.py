"""Small radial-basis-function networks that choose their own size.

Names are imported when they are first asked for: what is not used costs nothing.
"""

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING

from drumlin._version import __version__

if TYPE_CHECKING:
    from drumlin import cover, datasets, deploy, evaluation, export
    from drumlin.compression import compress
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
    from drumlin.estimators.presets import presets
    from drumlin.io import load, save
    from drumlin.tables import TableEncoder, make_table_model

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
    "TableEncoder",
    "TunableRBFClassifier",
    "TunableRBFRegressor",
    "__version__",
    "compress",
    "cover",
    "datasets",
    "deploy",
    "evaluation",
    "export",
    "load",
    "make_table_model",
    "presets",
    "save",
]

if not TYPE_CHECKING:  # a checker would take any name for granted
    _ROOMS = {room.name for room in pkgutil.iter_modules(__path__) if room.name[0] != "_"}
    _HOMES = {  # of what is no estimator
        "TableEncoder": "tables",
        "compress": "compression",
        "load": "io",
        "make_table_model": "tables",
        "presets": "estimators.presets",
        "save": "io",
    }

    def __getattr__(name):
        if name in _ROOMS:
            return import_module(f"drumlin.{name}")
        if name not in __all__:
            raise AttributeError(f"module 'drumlin' has no attribute {name!r}")
        value = getattr(import_module(f"drumlin.{_HOMES.get(name, 'estimators')}"), name)
        return globals().setdefault(name, value)

    def __dir__():
        return sorted({*__all__, *_ROOMS})
