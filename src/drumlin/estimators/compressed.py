"""A classifier that is only a network: what ``drumlin.compress`` makes of another model."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from drumlin._typing import FloatArray
from drumlin.estimators.class_outputs import ClassOutputs
from drumlin.flagship import described_nodes
from drumlin.losses import winners
from drumlin.network import Network
from drumlin.sample import Sample


class CompressedClassifier(ClassOutputs, BaseEstimator):
    """A network with the classes of another classifier; ``drumlin.compress`` makes it.

    It predicts, can be saved and can be exported; it cannot be fitted.

    Attributes
    ----------
    network_ : Network
    classes_ : ndarray of shape (n_classes,)
        Those of the model that it imitates.
    temperature_ : float
        Makes probabilities of scores.
    n_features_in_, n_nodes_ : int
    compression_ : dict
        How well it imitates, and how small it is.

    See Also
    --------
    drumlin.compress

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.svm import SVC
    >>> from drumlin import compress
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> small = compress(SVC().fit(X, y), X, max_nodes=5)
    >>> type(small).__name__, small.predict_proba(X).shape
    ('CompressedClassifier', (200, 2))
    """

    def fit(self, X: Any, y: Any) -> Any:
        """Refuse: compressed classifiers are made by ``drumlin.compress``."""
        raise TypeError("A CompressedClassifier is made by drumlin.compress, it cannot be fitted.")

    @classmethod
    def of(cls, network: Network, classes: Any, temperature: float, X: FloatArray) -> Any:
        """Return a fitted classifier that remembers where the rows X (n_rows, n_inputs) were."""
        made: Any = cls()
        made.network_, made.classes_, made.temperature_ = network, np.asarray(classes), temperature
        made.n_features_in_, made.n_nodes_ = X.shape[1], len(network.nodes)
        made._data_range = (X.min(axis=0), X.max(axis=0))
        scores, ones = network(X), np.ones(len(X))
        rows = Sample.of(X, scores, winners(scores).astype(np.int64), ones, len(made.classes_))
        made._remember_rows(rows, np.ones(scores.shape[1]))
        return made

    @property
    def centers_(self) -> FloatArray:
        """Centers (n_nodes_, n_features_in_) in the units of the inputs."""
        return self._described()[0]

    @property
    def widths_(self) -> FloatArray:
        """Widths (n_nodes_, n_features_in_) in the units of the inputs."""
        return self._described()[1]

    def _described(self) -> tuple[FloatArray, FloatArray]:
        check_is_fitted(self)
        nodes = self.network_.nodes
        if self.network_.inputs is None:
            return nodes.centers, nodes.widths
        return described_nodes(self.network_, self._data_range)
