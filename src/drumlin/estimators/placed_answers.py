"""What a fitted network of Haykin's answers, in the units of the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import clustering_cost, encoder
from drumlin.estimators.checks import new_inputs
from drumlin.estimators.solvers import WITHOUT_POSTERIOR
from drumlin.estimators.training import Units
from drumlin.estimators.truncation import TruncatedNetwork
from drumlin.laplace import Elimination
from drumlin.linear.least_squares import Interpolation, LeastSquares
from drumlin.linear.streaming import BlockLeastSquares, Learner, RecursiveLeastSquares
from drumlin.network import Network
from drumlin.selection.placing import Placed


class PlacedAnswers(TruncatedNetwork):
    """Attributes and answers that follow from placed nodes and what learned their weights."""

    solver: str
    normalized: bool
    _single_output: bool
    _units: Units
    _placed: Placed
    _empty_network: Network
    _learner: Learner | Interpolation
    _squared_errors: list[float]
    _set_nodes: Callable[[Placed], None]  # of the fit
    _forget_figures: Callable[[], None]
    _copy_for_fewer_nodes: Callable[[], Any]  # of the surface

    # ------------------------------------------------------------------ what was learned
    def _set_weights(self) -> None:
        attributes = self._network_attributes(
            self._empty_network, self._learner.coef, self._learner.intercept
        )
        for name, value in attributes.items():
            setattr(self, name, value)

    def _network_attributes(
        self, network: Network, coef: FloatArray, intercept: FloatArray
    ) -> dict:
        """Attributes that describe a network, in the units of the data."""
        units = self._units
        coef = np.asarray(coef * units.target_scale)
        intercept = np.asarray(intercept * units.target_scale + units.target_shift)
        nodes = network.nodes
        return {
            "network_": replace(network, coef=coef, intercept=intercept),
            "n_nodes_": len(nodes),
            "centers_": nodes.centers,
            "widths_": nodes.widths,
            **({} if self._placed.support is None else {"support_": self._placed.support}),
        }

    @property
    def mse_path_(self) -> FloatArray:
        """Learning curve: mean squared errors, one for every 50 samples or iteration."""
        check_is_fitted(self)
        if not self._squared_errors:
            raise AttributeError(f"solver={self.solver!r} has no learning curve 'mse_path_'.")
        return np.array(self._squared_errors)

    @property
    def coef_cov_(self) -> FloatArray:
        """Covariance of the weights, eq. (5.46)."""
        posterior = self._posterior("the covariance 'coef_cov_'")
        scales = posterior.noise * self._units.target_scale**2
        return posterior.P * (scales[0] if self._single_output else scales[:, None, None])

    # ------------------------------------------------------------------ the fitted model
    def encode(self, X: Any) -> IntArray:
        """Cluster of every sample, the nearest center's: the encoder (5.22), (5.29).

        Distances are in standardised units, as K-means saw them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of int of shape (n_samples,)
            Rows of ``centers_``.
        """
        X = new_inputs(self, X)
        return encoder(self._placed.scaler.transform(X), self._placed.centers)

    def clustering_cost(self, X: Any, sample_weight: Any = None) -> float:
        """Sum J(C) of the squared distances to the nearest center (5.26), in standardised units.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        sample_weight : array-like of shape (n_samples,) or None, default=None

        Returns
        -------
        float
        """
        X = new_inputs(self, X)
        weight = _check_sample_weight(sample_weight, X, dtype=np.float64)
        return clustering_cost(self._placed.scaler.transform(X), weight, self._placed.centers)

    def _truncated(self, n_nodes: int):
        """Return the nodes that matter most, with the weights of least squares with these alone."""
        posterior = self._posterior("which nodes matter")
        kept, _, _ = Elimination.of_least_squares(posterior).reduced(n_nodes)
        smaller = self._copy_for_fewer_nodes()
        smaller._forget_figures()
        smaller._set_nodes(self._placed.take(kept))
        assert isinstance(self._learner, (RecursiveLeastSquares, BlockLeastSquares))
        smaller._learner = replace(self._learner, posterior=posterior.take(kept))
        smaller._set_weights()
        return smaller

    def _can_lose_nodes(self) -> bool:
        """Whether weights have a covariance and nodes stand alone."""
        if self.normalized or self.solver in WITHOUT_POSTERIOR:
            raise AttributeError(
                f"truncate of {type(self).__name__} needs normalized=False (else every node is in "
                f"all activations) and a 'solver' that knows the covariance of the weights. Got "
                f"normalized={self.normalized!r} and solver={self.solver!r}."
            )
        return True

    def _posterior(self, what: str) -> LeastSquares:
        check_is_fitted(self)
        posterior = self._learner.posterior
        if posterior is None:
            raise AttributeError(
                f"solver={self.solver!r} of {type(self).__name__} does not know {what}; 'rls', "
                "'ridge' and 'gradient' do."
            )
        return posterior
