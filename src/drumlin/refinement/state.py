"""What the refinement moves, and what it makes small."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray
from drumlin.laplace.shared import SharedSlopes
from drumlin.losses import Loss
from drumlin.refinement.bends import bends
from drumlin.refinement.sharing import covariance_of_slopes, curvature_of_variables, shared_slopes
from drumlin.refinement.variables import Penalties, Variables, jacobian
from drumlin.sample import Rows, Sample


@dataclass(frozen=True)
class Refined:
    """Variables at the minimum.

    Parameters
    ----------
    variables : Variables
    vector : ndarray
    penalties : Penalties
    noise : float
        Variance of the noise, as far as it is known.
    interrupted : bool
    """

    variables: Variables
    vector: FloatArray
    penalties: Penalties
    noise: float = 1.0
    interrupted: bool = False

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.variables.centers)

    @property
    def size(self) -> int:
        """Number of variables."""
        return self.variables.size

    def nodes(self) -> NodeParameters:
        """Return the refined network."""
        return self.variables.nodes(self.vector)

    def jacobian(self, Z: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_variables) of the single score in the variables."""
        return jacobian(Z, self.nodes(), self.variables.width)

    def shared_slopes(self, Z: FloatArray) -> SharedSlopes:
        """Derivatives of all scores in weights and in what moves the nodes they share."""
        return shared_slopes(Z, self.nodes())

    def curvature_of_variables(self, H: FloatArray) -> FloatArray:
        """Curvature in the variables of a curvature in the slopes."""
        return curvature_of_variables(self.variables, self.vector, H)

    def covariance_of_slopes(self, inverse: FloatArray) -> FloatArray:
        """Covariance of the slopes' weights and moves, of the variables' covariance."""
        return covariance_of_slopes(self.variables, self.vector, inverse)

    def bends(self, Z: FloatArray, pull: FloatArray) -> FloatArray:
        """Second derivatives (n_variables, n_variables) of the sum of scores times ``pull``."""
        return bends(Z, self.variables, self.vector, pull)

    @property
    def shares_widths(self) -> bool:
        """Nodes have centers and widths of their own."""
        return False

    def chain(self) -> FloatArray:
        """Derivatives (n_slopes, n_variables) of centers and widths in the variables."""
        return self.variables.chain(self.nodes().inv_widths)

    def precision(self) -> FloatArray:
        """Penalties of the variables."""
        return self.variables.penalties(self.penalties)

    def weight_penalties(self) -> FloatArray:
        """Penalties of the weights, then of the intercept."""
        return self.penalties.of_weights(self.n_nodes)


@dataclass(frozen=True)
class Objective:
    """What is minimised, and what a node must save.

    Parameters
    ----------
    loss : callable
        From a variance of the noise to the loss of a row: outliers are told by the noise.
    penalties : callable
        From a number of nodes and of samples to penalties.
    price : callable
        From a number of samples to the loss that a node must save.
    max_nodes : int or None
        Most nodes after the first round.
    noise : callable
        From a state and rows to the variance of the noise; called after every round.
    left_out : callable
        From a state and rows to some of these and their scores left out; None if not known.
    most_variables : int
        Of states with more it is None: networks do not grow beyond.
    may_grow : bool
        Whether nodes may be added where these judge.
    """

    loss: Callable[[float], Loss]
    penalties: Callable[[int, float], Penalties]
    price: Callable[[float], float]
    max_nodes: int | None = None
    noise: Callable[[Refined, Rows], float] = lambda state, rows: state.noise
    left_out: Callable[[Refined, Rows], tuple[Sample, FloatArray] | None] = lambda state, rows: None
    most_variables: int = 0
    may_grow: bool = True
