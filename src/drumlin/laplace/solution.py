"""What a quadratic model is formed of: a network at the optimum of a penalised loss."""

from __future__ import annotations

from typing import Protocol

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray


class Solution(Protocol):
    """A network whose variables are known."""

    @property
    def size(self) -> int:
        """Number of variables."""

    def nodes(self) -> NodeParameters:
        """Return the network."""

    def jacobian(self, Z: FloatArray) -> FloatArray:
        """Derivatives (n_samples, n_variables) of the single score in the variables."""

    @property
    def shares_widths(self) -> bool:
        """Whether all nodes share their widths, and centers are fixed."""

    def chain(self) -> FloatArray:
        """Derivatives (n_slopes, n_variables) of what ``slopes`` are with respect to."""

    def precision(self) -> FloatArray:
        """Penalties of the variables: a diagonal, or a matrix."""

    def weight_penalties(self) -> FloatArray:
        """Penalties of the weights and, last, the intercept: a diagonal, or a matrix."""
