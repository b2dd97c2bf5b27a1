r"""Joint refinement: weights, centers and widths minimise one penalised loss together.

.. math:: \frac{1}{\sigma^2} \sum_i s_i \, \ell(y_i, f(x_i)) + \tfrac12 \sum_v \lambda_v v^2

by L-BFGS in variables scaled by the fourth root of their Gauss-Newton curvature (from a draw,
renewed between rounds). Between rounds, nodes that are not worth their price are dropped. Large
tables are refined on growing draws first, the loss scaled up to all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray, IntArray
from drumlin.basis import gaussian_activations
from drumlin.laplace import Elimination
from drumlin.linear.weights import fit_weights
from drumlin.losses import Loss
from drumlin.refinement.descent import descend
from drumlin.refinement.objective import curvatures, penalized_loss
from drumlin.refinement.schedule import Schedule
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
    kept : ndarray of shape (n_nodes,)
        Starting nodes that are left.
    noise : float
        Variance of the noise, as far as it is known.
    interrupted : bool
    """

    variables: Variables
    vector: FloatArray
    penalties: Penalties
    kept: IntArray
    noise: float = 1.0
    interrupted: bool = False

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
        return self.penalties.of_weights(len(self.kept))


@dataclass(frozen=True)
class Objective:
    """What is minimised, and what a node must save.

    Parameters
    ----------
    loss : Loss
    penalties : callable
        Penalties for a number of nodes.
    price : float
        Loss that a node must save.
    max_nodes : int or None
        Most nodes after the first round.
    noise : callable
        From a state and rows to the variance of the noise; called after every round.
    """

    loss: Loss
    penalties: Callable[[int], Penalties]
    price: float
    max_nodes: int | None = None
    noise: Callable[[Refined, Rows], float] = lambda state, rows: state.noise


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
    state: Refined | None = None
    rows = rows.in_single(rows.n_rows > schedule.large)
    try:
        for size, rounds in schedule.stages(rows.n_rows):
            part = rows if size is None else rows.represented_by(size)
            if state is None:
                state = _with_weights(variables, part.represented_by(schedule.large), objective)
            for i, iterations in enumerate(rounds, 1):
                part = part.with_noise(state.noise)
                state, converged = _descend(state, part, objective, schedule, iterations)
                if i < len(rounds):
                    state, dropped = _prune(state, part, objective, schedule)
                    converged = converged and not dropped
                state = replace(state, noise=objective.noise(state, part))
                if state.interrupted or on_round(state):
                    return state
                if converged:
                    break
    except KeyboardInterrupt:
        if state is None:
            raise
        return replace(state, interrupted=True)
    assert state is not None
    return state


def _with_weights(variables: Variables, sample: Sample, objective: Objective) -> Refined:
    """Fit the weights of the starting nodes."""
    n_nodes = len(variables.centers)
    penalties = objective.penalties(n_nodes)
    inv_widths = np.full(variables.centers.shape, 1.0 / variables.width)
    Phi = gaussian_activations(sample.X, variables.centers, inv_widths)
    pair = (penalties.intercept, penalties.coef)
    coef, intercept = fit_weights(Phi, sample.targets, sample.loss_weight, objective.loss, pair)
    vector = variables.with_weights(coef, intercept)
    return Refined(variables, vector, penalties, np.arange(n_nodes), sample.noise)


def _descend(
    state: Refined, rows: Rows, objective: Objective, schedule: Schedule, iterations: int
) -> tuple[Refined, bool]:
    """One run of L-BFGS; an interrupt keeps the best point seen."""
    variables, penalties = state.variables, state.precision()
    loss = objective.loss
    sample = rows.represented_by(schedule.curvature_rows)
    scale = (curvatures(sample, loss, variables, state.vector) + penalties) ** -0.25

    def value_and_gradient(u: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = penalized_loss(rows, loss, variables, u * scale, penalties)
        return value, gradient * scale

    found = descend(value_and_gradient, state.vector / scale, schedule.options(iterations))
    state = replace(state, vector=found.vector * scale, interrupted=found.interrupted)
    return state, found.converged or found.interrupted


def _prune(
    state: Refined, rows: Rows, objective: Objective, schedule: Schedule
) -> tuple[Refined, bool]:
    """Drop the nodes that are not worth their price, and those beyond the limit."""
    sample = rows.represented_by(schedule.price_rows)
    candidates = Elimination.of(state, sample, objective.loss)
    kept = candidates.prune(objective.price, objective.max_nodes)
    if len(kept) == len(state.kept):
        return state, False
    variables, vector = state.variables.keep(state.vector, kept)
    weights = candidates.weights
    vector[: variables.cuts[1]] = variables.pack(weights[-1], weights[kept])
    smaller = replace(
        state,
        variables=variables,
        vector=vector,
        penalties=objective.penalties(len(kept)),
        kept=state.kept[kept],
    )
    return smaller, True


def description_length(state: Refined, rows: Rows, objective: Objective) -> float:
    r"""Penalised loss, the price of all nodes, and :math:`\tfrac N2 \log` of the noise.

    What ``refine`` makes small, comparable between networks that learned different noise.
    """
    value, _ = penalized_loss(
        rows.with_noise(state.noise),
        objective.loss,
        state.variables,
        state.vector,
        state.precision(),
    )
    noise = 0.5 * rows.total * state.variables.n_outputs * float(np.log(state.noise))
    return value + objective.price * len(state.kept) + noise
