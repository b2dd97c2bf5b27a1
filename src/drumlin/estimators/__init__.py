"""scikit-learn's face: the only room that knows validation, classes and random states."""

from drumlin.estimators.drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators.forward import ForwardRBFClassifier, ForwardRBFRegressor
from drumlin.estimators.nadaraya_watson import NadarayaWatsonClassifier, NadarayaWatsonRegressor
from drumlin.estimators.rbf_network import RBFNetworkClassifier, RBFNetworkRegressor
from drumlin.estimators.sparse_logistic import SparseKernelLogisticRegression
from drumlin.estimators.tunable import TunableRBFClassifier, TunableRBFRegressor

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
]
