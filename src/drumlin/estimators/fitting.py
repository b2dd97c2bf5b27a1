"""The one ``fit`` of all networks that are fitted to a prepared training problem."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin

from drumlin._kernels.blas import one_blas_thread
from drumlin.estimators.training import Training
from drumlin.estimators.typed import fit_context
from drumlin.estimators.whole_or_not import whole_or_not


class BaseNetwork(CallbackSupportMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the estimators that follow a paper or a book."""

    _prepare: Callable[..., tuple[Training, dict]]

    @abstractmethod
    def _fit_training(self, training: Training, told: dict) -> None:
        """Fit a network and set what was learned; ``told`` is what callbacks are told."""

    def _check_parts(self) -> None:
        """Refuse parameters that do not go together."""

    def _weight_units(self, weight, factors) -> tuple[float, float]:
        """What weights and factors of classes are divided by: nothing, they are taken as given."""
        return 1.0, 1.0

    def _arrange(self, X, y, weight, rows):
        """Rows of positive weight, as they come."""
        return X, y, weight, rows

    @whole_or_not
    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the network, from nothing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Classes, or numbers: those of one output or of several.
        sample_weight : array-like of shape (n_samples,) or None, default=None
            How often each row counts. Rows of weight zero are ignored. Weights that are only
            relative are best divided by their mean: penalties compare themselves with their sum.

        Returns
        -------
        self : estimator
            This estimator, fitted.
        """
        self._check_parts()
        with one_blas_thread():  # results must not depend on threads
            self._fit_training(*self._prepare(X, y, sample_weight))
        return self
