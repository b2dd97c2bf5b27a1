"""One round of the refinement: downhill on some rows, then without the nodes that do not pay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations
from drumlin.laplace import Elimination
from drumlin.linear.weights import fit_weights
from drumlin.losses import Loss
from drumlin.refinement.descent import descend
from drumlin.refinement.objective import curvatures, penalized_loss
from drumlin.refinement.schedule import Schedule, Stir, StirRule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.stirring import stirred
from drumlin.refinement.variables import Variables
from drumlin.sample import Rows, Sample


def with_weights(variables: Variables, sample: Sample, objective: Objective) -> Refined:
    """Fit the weights of the starting nodes."""
    penalties = objective.penalties(len(variables.centers), sample.total)
    inv_widths = np.full(variables.centers.shape, 1.0 / variables.width)
    Phi = gaussian_activations(sample.X, variables.centers, inv_widths)
    pair, loss = (penalties.intercept, penalties.coef), objective.loss(sample.noise)
    coef, intercept = fit_weights(Phi, sample.targets, sample.loss_weight, loss, pair)
    vector = variables.with_weights(coef, intercept)
    return Refined(variables, vector, penalties, sample.noise)


class Moved(NamedTuple):
    """A state after a move, whether it ended before its iterations did, and what it saved.

    That is the part of the penalised loss of its rows, where it is known.
    """

    state: Refined
    ended: bool = False
    saved: float = 0.0


Move: TypeAlias = Callable[[Refined, Rows, Loss], Moved]
"""From a network, rows and a loss to another network."""


class Round(NamedTuple):
    """A state after a round, the same of its move, and whether nodes were dropped."""

    state: Refined
    ended: bool
    saved: float
    dropped: bool

    @property
    def converged(self) -> bool:
        """Whether there is nothing left to do."""
        return self.ended and not self.dropped


def one_round(
    state: Refined,
    rows: Rows,
    objective: Objective,
    schedule: Schedule,
    move: Move,
    *,
    pruned: bool = True,
) -> Round:
    """Move downhill on rows and drop nodes.

    Parameters
    ----------
    state : Refined
    rows : Rows
        Their number says what penalties are and what a node must save.
    objective : Objective
    schedule : Schedule
    move : Move
    pruned : bool
        Whether nodes are dropped.
    """
    rows = rows.with_noise(state.noise)
    penalties = objective.penalties(state.n_nodes, rows.total)
    moved = move(replace(state, penalties=penalties), rows, objective.loss(state.noise))
    state, dropped = moved.state, False
    if pruned:
        state, dropped = _pruned(state, rows, objective, schedule)
    state = replace(state, noise=objective.noise(state, rows))
    return Round(state, moved.ended, moved.saved, dropped)


def descent(schedule: Schedule, iterations: int) -> Move:
    """Return the move of one run of L-BFGS; an interrupt keeps the best point seen."""
    return partial(_descended, schedule=schedule, iterations=iterations)


def stirring(rule: StirRule, stir: Stir) -> Move:
    """Return the move by the gradients of small batches; an interrupt goes through."""
    return lambda state, rows, loss: Moved(stirred(state, rows, loss, rule, stir))


def _descended(
    state: Refined, rows: Rows, loss: Loss, schedule: Schedule, iterations: int
) -> Moved:
    variables, penalties = state.variables, state.precision()
    sample = rows.represented_by(schedule.curvature_rows)
    scale = (curvatures(sample, loss, variables, state.vector) + penalties) ** -0.25

    def value_and_gradient(u: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = penalized_loss(rows, loss, variables, u * scale, penalties)
        return value, gradient * scale

    found = descend(value_and_gradient, state.vector / scale, schedule.options(iterations))
    state = replace(state, vector=found.vector * scale, interrupted=found.interrupted)
    return Moved(state, found.converged or found.interrupted, found.saved)


def _pruned(
    state: Refined, rows: Rows, objective: Objective, schedule: Schedule
) -> tuple[Refined, bool]:
    """Drop the nodes that are not worth their price, and those beyond the limit."""
    sample = rows.represented_by(schedule.price_rows)
    candidates = Elimination.of(state, sample, objective.loss(state.noise))
    kept = candidates.prune(objective.price(rows.total), objective.max_nodes)
    if len(kept) == state.n_nodes:
        return state, False
    variables, vector = state.variables.keep(state.vector, kept)
    weights = candidates.weights
    vector[: variables.cuts[1]] = variables.pack(weights[-1], weights[kept])
    penalties = objective.penalties(len(kept), rows.total)
    return replace(state, variables=variables, vector=vector, penalties=penalties), True
