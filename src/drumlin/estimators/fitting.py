"""The one ``fit`` of all networks that are fitted to a prepared training problem."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin

from drumlin._kernels.blas import one_blas_thread
from drumlin.estimators import table_training
from drumlin.estimators.large_tables import dask_table
from drumlin.estimators.lazy import is_dask, refuse_dask
from drumlin.estimators.progress import told_of
from drumlin.estimators.training import Training
from drumlin.estimators.typed import fit_context
from drumlin.estimators.whole_or_not import whole_or_not


class BaseNetwork(CallbackSupportMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of the estimators that follow a paper or a book."""

    _merges_rows = _counts_weights = False  # weights are taken as given
    _takes_tables = False  # whether all that is learned is sums over rows, and draws

    _prepare: Callable[..., tuple[Training, dict]]  # of the face
    _reading: Callable[[], dict]

    @abstractmethod
    def _fit_training(self, training: Any, told: dict) -> None:
        """Fit a network and set what was learned; ``told`` is what callbacks are told.

        A ``Training``, or a ``TableTraining`` where an estimator takes tables without another way.
        """

    def _check_parts(self) -> None:
        """Refuse parameters that do not go together."""

    @whole_or_not
    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the network, from nothing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            ``ForwardRBF*`` and ``RBFNetwork*`` take Dask collections, too, and so for y and
            weights.
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
            if any(map(is_dask, (X, y, sample_weight))):
                self._fit_dask(X, y, sample_weight)
            else:
                self._fit_training(*self._prepare(X, y, sample_weight))
        return self

    def _fit_dask(self, X, y, sample_weight) -> None:
        """Fit to the partitions of Dask collections, where they are unless they are few rows."""
        if not self._takes_tables:
            refuse_dask(self, X, y, sample_weight)
        table = dask_table(self, X, y, sample_weight, **self._reading())
        if table.n_rows <= table_training.IN_MEMORY:
            self._fit_training(*self._prepare(*table.in_memory()))
            return
        training = table_training.TableTraining.of(self, table)
        self._fit_table(training, told_of(X, y, sample_weight))

    def _fit_table(self, training: table_training.TableTraining, told: dict) -> None:
        """Fit to rows that are not in memory."""
        self._fit_training(training, told)
