"""A classifier that is only a network: what a compressed model is."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from drumlin._typing import FloatArray
from drumlin.estimators._outputs import ClassOutputs
from drumlin.losses import fit_temperature
from drumlin.network import Network


class CompressedClassifier(ClassOutputs, BaseEstimator):
    """A network with the classes of another classifier; ``drumlin.compress`` makes it.

    It predicts and can be exported; it cannot be fitted.

    Attributes
    ----------
    network_ : Network
    classes_ : ndarray of shape (n_classes,)
    temperature_ : float
        Makes probabilities of scores.
    n_features_in_, n_nodes_ : int
    compression_ : dict
        How well it imitates, and how small it is.
    """

    def fit(self, X: Any, y: Any) -> Any:
        """Refuse: compressed classifiers are made by ``drumlin.compress``."""
        raise TypeError("A CompressedClassifier is made by drumlin.compress, it cannot be fitted.")

    @classmethod
    def of(cls, network: Network, classes: Any, temperature: float, n_inputs: int) -> Any:
        """Return a fitted classifier."""
        made = cls()
        made.network_, made.classes_, made.temperature_ = network, np.asarray(classes), temperature
        made.n_features_in_, made.n_nodes_ = n_inputs, len(network.nodes)
        return made


def temperature_of(scores: FloatArray, probabilities: FloatArray) -> float:
    """Inverse temperature that suits wanted probabilities (n_samples, n_classes)."""
    return fit_temperature(scores, probabilities, np.ones(len(scores)))
