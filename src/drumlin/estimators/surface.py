"""What every fitted network answers, whatever family it is of.

Answers come from ``network_`` and from a small remembered state: the quantiles of the training
samples' distances, and the relevance of the inputs. What an estimator does not know raises an
AttributeError that says why, so ``hasattr`` tells what can be asked.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from sklearn.utils.validation import check_is_fitted

from drumlin._typing import FloatArray
from drumlin.basis import Nodes
from drumlin.estimators.checks import new_inputs
from drumlin.estimators.explained import ExplainedNetwork
from drumlin.estimators.lazy import blockwise
from drumlin.estimators.training import Training
from drumlin.estimators.typed import available_if
from drumlin.network import BYTES, Network
from drumlin.novelty import NOVELTY_ROWS, Novelty
from drumlin.relevance import RELEVANCE_ROWS, relevance
from drumlin.sample import Rows
from drumlin.trust import SeenInputs

MOST_DISTANCES = 20_000_000
"""Distances computed for that: fewer rows where every sample is a node."""

LOO = ("loo_error_", "loo_score_", "loo_log_loss_")
"""Figures of leave-one-out predictions."""

UNKNOWN = (
    "'fit' cannot tell it with these parameters or for a stream (see docs/estimators.md), or the "
    "model was truncated, saved by an older version or with uncertainty=False, or taken from "
    "within a fit."
)
"""Why an attribute may be missing."""


class Remembered:
    """A fitted attribute that ``fit`` sets where it is known.

    Reading it elsewhere raises an AttributeError with the reason. What an instance has of this name
    comes first, as with every descriptor that cannot be set.

    Parameters
    ----------
    reason : str
        Why it may be missing.
    """

    def __init__(self, reason: str = UNKNOWN) -> None:
        self.reason = reason

    def __set_name__(self, owner, name: str) -> None:
        self.name = name

    def __get__(self, model, owner=None):
        if model is None:
            return self
        check_is_fitted(model)
        raise AttributeError(
            f"This {type(model).__name__} does not know {self.name!r}: {self.reason}"
        )


def _knows_distances(model) -> bool:
    """Whether training distances are remembered; unfitted models are to say so themselves."""
    if hasattr(model, "network_") and "_distance_quantiles" not in vars(model):
        raise AttributeError(f"This {type(model).__name__} does not know 'novelty': {UNKNOWN}")
    return True


class NetworkSurface(ExplainedNetwork):
    """Answers of a fitted network."""

    network_: Network
    _places: Nodes  # of a model that has lost some since
    _single_output = False  # whether outputs have no axis of their own: numbers from a 1-d y

    n_nodes_: int
    n_features_in_: int
    relevance_: FloatArray = Remembered()  # type: ignore[assignment]
    loo_error_: float = Remembered()  # type: ignore[assignment]

    @property
    def _n_classes(self) -> int:
        """Classes; one where targets are numbers."""
        return len(getattr(self, "classes_", [0]))

    def _validated(self, X) -> FloatArray:
        return new_inputs(self, X)

    def _scores(self, X) -> FloatArray:
        """Scores of shape (n_samples, n_outputs) of raw inputs."""
        X = self._validated(X)
        return self.network_(X)

    # ------------------------------------------------------------------ what is stored
    @property
    def coef_(self) -> FloatArray:
        """Weights (n_outputs, n_nodes_), or (n_nodes_,) of the single number a 1-d y is of."""
        check_is_fitted(self)
        coef = self.network_.coef
        return coef[:, 0] if self._single_output else coef.T

    @property
    def intercept_(self) -> FloatArray | float:
        """Constants (n_outputs,), or one float."""
        check_is_fitted(self)
        intercept = self.network_.intercept
        return float(intercept[0]) if self._single_output else intercept

    @property
    def n_bytes_(self) -> int:
        """Bytes of the network's numbers."""
        check_is_fitted(self)
        return BYTES * self.network_.size

    # ------------------------------------------------------------------ questions
    @available_if(_knows_distances)
    @blockwise
    def novelty(self, X: Any) -> FloatArray:
        """How far a sample is from all nodes, compared with the training samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Part of the training samples that are nearer to a node than the sample: 0 at a node, 1
            farther away than everything seen. Samples like the training ones are spread evenly
            over [0, 1]. Where every training sample has its own node, that one does not count for
            it.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from drumlin import DrumlinClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> near, far = DrumlinClassifier(max_nodes=3).fit(X, y).novelty([X[0], X[0] + 50.0])
        >>> bool(far > near)
        True
        """
        X = self._validated(X)
        return self._novelty(X)

    @blockwise
    def contributions(self, X: Any) -> FloatArray:
        """What every node adds to every score.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_nodes_ + 1, n_outputs)
            The last entry of the second axis is the intercept; the sum over it is the score.
        """
        X = self._validated(X)
        return self.network_.contributions(X)

    @blockwise
    def gradient(self, X: Any) -> FloatArray:
        """Exact derivatives of the scores with respect to the inputs, in the units of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_outputs, n_features) or (n_samples, n_features)
            Without the axis of outputs where ``coef_`` has none.
        """
        X = self._validated(X)
        gradient = self.network_.gradient(X)
        return gradient[:, 0] if self._single_output else gradient

    # ------------------------------------------------------------------ what is remembered
    def _remember_training(self, training: Training) -> None:
        """Keep what questions need of the training samples."""
        self._remember_rows(training.sample(self._n_classes), training.target_scale)

    def _remember_rows(
        self,
        rows: Rows,
        output_scale: FloatArray,
        n_distances: int = NOVELTY_ROWS,
        n_slopes: int = RELEVANCE_ROWS,
    ) -> None:
        """Keep distances and, of outputs in comparable units, slopes."""
        most = max(1, MOST_DISTANCES // max(1, len(self.network_.nodes)))
        some = rows.draw(min(n_distances, most))
        self.__dict__.pop("_places", None)  # of an earlier fit
        # What was seen is samples, whatever their classes weigh.
        self._distance_quantiles = Novelty.of(self.network_, some.X, some.copies).quantiles
        self._seen = SeenInputs.of(some.X, some.copies)
        comparable = replace(self.network_, coef=self.network_.coef / output_scale)
        self.relevance_ = relevance(comparable, rows.draw(min(n_slopes, most)))

    @property
    def _novelty(self) -> Novelty:
        _knows_distances(self)
        inputs, nodes = self.network_.inputs, vars(self).get("_places", self.network_.nodes)
        view = None if inputs is None else inputs.unclipped()
        return Novelty(replace(self.network_, nodes=nodes, inputs=view), self._distance_quantiles)

    def _copy_for_fewer_nodes(self):
        """Return a copy that still knows where data were, whatever nodes it will keep."""
        smaller = copy.copy(self)
        smaller.__dict__.pop("_calibration", None)  # scores left out are not known without data
        smaller._places = vars(self).get("_places", self.network_.nodes)
        return smaller
