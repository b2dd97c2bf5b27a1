r"""Joint refinement: weights, centers and widths minimise one penalised loss together.

.. math:: \frac{1}{\sigma^2} \sum_i s_i \, \ell(y_i, f(x_i)) + \tfrac12 \sum_v \lambda_v v^2

by L-BFGS in variables scaled by the fourth root of their Gauss-Newton curvature (from a draw,
renewed between rounds). Between rounds, nodes that are not worth their price are dropped. Where
the errors of rows left out are known, further rounds follow as long as they clearly fall: a fixed
number of iterations is too few where there is little noise, and overfits where there is much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from drumlin.refinement.objective import penalized_loss
from drumlin.refinement.rounds import one_round, with_weights
from drumlin.refinement.schedule import Schedule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.variables import Variables
from drumlin.sample import Rows


def refine(
    variables: Variables,
    rows: Rows,
    objective: Objective,
    schedule: Schedule,
    on_round: Callable[[Refined], bool] = lambda state: False,
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
    """
    state = with_weights(variables, rows.represented_by(schedule.large), objective)
    try:
        for i, iterations in enumerate(schedule.rounds, 1):
            pruned = i < len(schedule.rounds)
            done = one_round(state, rows, objective, schedule, iterations, pruned=pruned)
            state = done.state
            if state.interrupted or on_round(state) or done.converged:
                return state
    except KeyboardInterrupt:
        return replace(state, interrupted=True)
    return _refined_further(state, rows, objective, schedule, on_round)


def _refined_further(
    state: Refined,
    rows: Rows,
    objective: Objective,
    schedule: Schedule,
    on_round: Callable[[Refined], bool],
) -> Refined:
    """Rounds as long as errors left out clearly fall; the one after which they do not is undone."""
    try:
        error = objective.left_out(state, rows)
        for iterations in schedule.further if np.isfinite(error) else ():
            trial = one_round(state, rows, objective, schedule, iterations, pruned=False)
            if trial.state.interrupted:
                return replace(state, interrupted=True)
            before, error = error, objective.left_out(trial.state, rows)
            if error >= (1.0 - schedule.worth) * before:
                return state
            state = trial.state
            if on_round(state) or trial.converged:
                return state
    except KeyboardInterrupt:
        return replace(state, interrupted=True)
    return state


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
