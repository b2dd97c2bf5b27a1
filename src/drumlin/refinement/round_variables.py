r"""Variables of round nodes: the joint descent of Problem 5.8 of haykin5.

.. math:: E = \frac12 \sum_i s_i \|d_i - f(x_i)\|^2 + \frac{\alpha}{2} \|W\|^2

With the widths :math:`s_j` of the nodes, one for each, the derivatives are those of
``_kernels.refinement`` summed over the inputs. Steps are those of L-BFGS, not of three fixed
learning rates; centers move in units of their starting width and widths as logarithms, so that all
variables are of one size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._kernels import Gradient, NodeParameters
from drumlin._typing import FloatArray


@dataclass(frozen=True)
class RoundVariables:
    """Layout ``[b, W, u, S]`` of the vector, around given round nodes.

    Parameters
    ----------
    start : NodeParameters
        Round nodes with the weights that are best for them.
    fit_intercept : bool
        Whether b moves.
    common_width : bool
        Whether all widths change by one factor: the problem as it is printed, where the nodes
        start with one width.
    """

    start: NodeParameters
    fit_intercept: bool = True
    common_width: bool = False

    @property
    def units(self) -> FloatArray:
        """Starting widths (n_nodes, 1)."""
        return 1.0 / self.start.inv_widths[:, :1]

    def vector(self) -> FloatArray:
        """Return the starting point."""
        moves = self.start.centers.size + (1 if self.common_width else len(self.start.centers))
        return np.concatenate([self.start.intercept, self.start.coef.ravel(), np.zeros(moves)])

    def nodes(self, v: FloatArray) -> NodeParameters:
        """Return the network these variables stand for."""
        start = self.start
        cuts = np.cumsum([len(start.intercept), start.coef.size, start.centers.size])
        b, W, u, S = np.split(v, cuts)
        return NodeParameters(
            start.centers + self.units * u.reshape(start.centers.shape),
            start.inv_widths * np.exp(-S)[:, None],
            W.reshape(start.coef.shape).copy(),
            b.copy(),
        )

    def gradient(self, d_nodes: Gradient) -> FloatArray:
        """Chain rule from centers and log-widths to the variables."""
        d_widths = d_nodes.log_widths.sum(axis=1)
        groups = (
            d_nodes.intercept * self.fit_intercept,
            d_nodes.coef,
            self.units * d_nodes.centers,
            d_widths.sum() if self.common_width else d_widths,
        )
        return np.concatenate([np.ravel(group) for group in groups])

    def penalties(self, alpha: float) -> FloatArray:
        """Penalty of every variable: of the weights only."""
        penalties = np.zeros(len(self.vector()))
        n_outputs = len(self.start.intercept)
        penalties[n_outputs : n_outputs + self.start.coef.size] = alpha
        return penalties
