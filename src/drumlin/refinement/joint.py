"""Joint descent on weights, centers and widths of round nodes: Problem 5.8 of haykin5."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from drumlin._kernels import NodeParameters
from drumlin.losses import Squared
from drumlin.refinement.descent import descend
from drumlin.refinement.objective import penalized_loss
from drumlin.refinement.round_variables import RoundVariables
from drumlin.sample import Sample

MEMORY = 20
"""Steps that the descent remembers."""


@dataclass(frozen=True)
class JointDescent:
    """How nodes move.

    Parameters
    ----------
    alpha : float
        Penalty of the squared weights.
    max_iter : int
        Most iterations.
    fit_intercept : bool
        Whether the constant moves.
    common_width : bool
        Whether all nodes have one width, the geometric mean of those they start with.
    """

    alpha: float
    max_iter: int
    fit_intercept: bool = True
    common_width: bool = False

    def __call__(
        self,
        start: NodeParameters,
        rows: Sample,
        on_iteration: Callable[[NodeParameters], bool] = lambda best: False,
    ) -> tuple[NodeParameters, bool]:
        """Return nodes of least squared error, and whether an interrupt ended the descent.

        Parameters
        ----------
        start : NodeParameters
            Round nodes, in the space of the rows, with the weights that are best for them.
        rows : Sample
        on_iteration : callable
            Called with the best nodes so far; a true answer stops.
        """
        if self.common_width:
            width = np.exp(np.log(start.inv_widths).mean())
            start = start._replace(inv_widths=np.full_like(start.inv_widths, width))
        variables = RoundVariables(start, self.fit_intercept, self.common_width)
        penalties, loss = variables.penalties(self.alpha), Squared()
        found = descend(
            lambda v: penalized_loss(rows, loss, variables, v, penalties),
            variables.vector(),
            {"maxcor": MEMORY, "maxiter": self.max_iter},
            lambda best: on_iteration(variables.nodes(best)),
        )
        return variables.nodes(found.vector), found.interrupted
