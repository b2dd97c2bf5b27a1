r"""Joint refinement: weights, centers and widths minimise one penalised loss together.

.. math:: \frac{1}{\sigma^2} \sum_i s_i \, \ell(y_i, f(x_i)) + \tfrac12 \sum_v \lambda_v v^2

by L-BFGS in variables scaled by the fourth root of their Gauss-Newton curvature (from a draw,
renewed between rounds). Between rounds, nodes that are not worth their price are dropped. At last,
samples left out say what more there is to do (``small``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from drumlin.refinement.objective import penalized_loss
from drumlin.refinement.rounds import descent, one_round, with_weights
from drumlin.refinement.schedule import GrowthRule, Schedule
from drumlin.refinement.small import SmallRefinement
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.variables import Variables
from drumlin.sample import Rows


def refine(
    variables: Variables,
    rows: Rows,
    objective: Objective,
    schedule: Schedule,
    on_round: Callable[[Refined], bool] = lambda state: False,
    growth: GrowthRule | None = None,
) -> Refined:
    """Refine nodes and weights together; drop nodes that are not worth their price.

    Parameters
    ----------
    variables : Variables
        The starting nodes.
    rows : Rows
    objective : Objective
    schedule : Schedule
    on_round : callable
        Called after every round; a true answer stops. An interrupt keeps the best state.
    growth : GrowthRule or None
        How nodes are added at last; None where none are.
    """
    state = with_weights(variables, rows.represented_by(schedule.large), objective)
    try:
        for i, iterations in enumerate(schedule.rounds, 1):
            pruned = i < len(schedule.rounds)
            move = descent(schedule, iterations)
            done = one_round(state, rows, objective, schedule, move, pruned=pruned)
            state = done.state
            if state.interrupted or on_round(state):
                return state
            if done.converged:
                break
    except KeyboardInterrupt:
        return replace(state, interrupted=True)
    return SmallRefinement(rows, objective, schedule, growth, on_round).run(
        state, converged=done.converged
    )


def description_length(state: Refined, rows: Rows, objective: Objective) -> float:
    r"""Penalised loss, the price of all nodes, and :math:`\tfrac N2 \log` of the noise.

    What ``refine`` makes small, comparable between networks that learned different noise.
    """
    value, _ = penalized_loss(
        rows.with_noise(state.noise),
        objective.loss(state.noise),
        state.variables,
        state.vector,
        state.precision(),
    )
    noise = 0.5 * rows.total * state.variables.n_outputs * float(np.log(state.noise))
    return value + objective.price(rows.total) * state.n_nodes + noise
