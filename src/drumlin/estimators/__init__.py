"""scikit-learn's face: the only room that knows validation, classes and random states."""

from drumlin.estimators.drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.estimators.forward import ForwardRBFClassifier, ForwardRBFRegressor
from drumlin.estimators.sparse_logistic import SparseKernelLogisticRegression

__all__ = [
    "DrumlinClassifier",
    "DrumlinRegressor",
    "ForwardRBFClassifier",
    "ForwardRBFRegressor",
    "SparseKernelLogisticRegression",
]
