r"""Joint refinement: weights, centers and widths minimise one penalised loss together.

.. math:: \sum_i s_i \, \ell(y_i, f(x_i)) + \tfrac12 \sum_v \lambda_v v^2

by L-BFGS in variables scaled by the fourth root of their Gauss-Newton curvature (from a sample,
renewed between rounds). Between rounds, nodes that are not worth their price are dropped. Large
tables are refined on growing samples first, the loss scaled up to all rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import fmin_l_bfgs_b
from scipy.special import expit, softmax

from drumlin._kernels import HUBER_DELTA, LOGISTIC, SOFTMAX, NodeParameters, backend
from drumlin._kernels.refinement import Columns, Targets
from drumlin._typing import FloatArray, IntArray
from drumlin.readout.activations import activations, jacobian
from drumlin.readout.pruning import elimination
from drumlin.readout.variables import Penalties, Variables
from drumlin.readout.weights import fit_weights

ROUNDS = (20, 40, 60)
"""Most iterations of each round on the first (or only) sample."""

SAMPLE = 5000
"""Rows of the first sample of a large table."""

LARGE = 7500
"""Tables above this many rows are refined on samples first, in single precision."""

ELIMINATION_ROWS = 5000
"""Most rows whose curvature prices the nodes."""

_CURVATURE_ROWS = 2000
_MEMORY = 60
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class RefineProblem:
    """What is to be minimised.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Mapped inputs.
    targets : ndarray
        Labels of shape (n_samples,), or numbers of shape (n_samples, n_outputs).
    weight : ndarray of shape (n_samples,)
    loss : int
        A code of ``_kernels``.
    delta : float
        Where the Huber loss turns linear.
    single : bool
        Whether single precision is enough (the loss of a large table is a mean over many rows).
    """

    Z: FloatArray
    targets: Targets
    weight: FloatArray
    loss: int
    delta: float = HUBER_DELTA
    single: bool = False

    def at_most(self, size: int) -> RefineProblem:
        """Return itself, or a fixed sample of so many rows."""
        return self if len(self.Z) <= size else self.take(_sample(len(self.Z), size))

    def take(self, rows: IntArray | slice) -> RefineProblem:
        """Return some of the samples, weighted so that they stand for all."""
        weight = self.weight[rows]
        factor = self.weight.sum() / weight.sum()
        return replace(self, Z=self.Z[rows], targets=self.targets[rows], weight=factor * weight)


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
    interrupted : bool
    factor : float
        By which the weights of the problem were multiplied on the way.
    """

    variables: Variables
    vector: FloatArray
    penalties: Penalties
    kept: IntArray
    interrupted: bool = False
    factor: float = 1.0

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

    def precision(self) -> FloatArray:
        """Penalties of the variables."""
        return self.variables.penalties(self.penalties)

    def weight_penalties(self) -> FloatArray:
        """Penalties of the weights, then of the intercept."""
        return self.penalties.of_weights(len(self.kept))


def refine(
    problem: RefineProblem,
    variables: Variables,
    penalties: Callable[[int], Penalties],
    price: float,
    on_round: Callable[[Refined], bool] | None = None,
    reweight: Callable[[RefineProblem, Refined], float] | None = None,
    max_nodes: int | None = None,
) -> Refined:
    """Refine nodes and weights together; drop nodes that are not worth their price.

    Parameters
    ----------
    problem : RefineProblem
    variables : Variables
        The starting nodes.
    penalties : callable
        Penalties for a number of nodes.
    price : float
        Loss that a node must save.
    on_round : callable or None
        Called after every round; a true answer stops.
    reweight : callable or None
        Factor of all weights after a round (regression learns its noise this way).
    max_nodes : int or None
        Most nodes after the first round.
    """
    state: Refined | None = None
    factor = 1.0
    problem = replace(problem, single=len(problem.Z) > LARGE)
    try:
        for sample, rounds in _schedule(problem):
            part = problem if sample is None else problem.take(sample)
            part = replace(part, weight=factor * part.weight)
            if state is None:
                state = _start(part, variables, penalties)
            for i, iterations in enumerate(rounds):
                state, converged = _round(part, state, iterations)
                if i < len(rounds) - 1:
                    state, dropped = _prune(part, state, penalties, price, max_nodes)
                    converged = converged and not dropped
                if reweight is not None:
                    change = reweight(part, state)
                    part, factor = replace(part, weight=change * part.weight), factor * change
                    state = replace(state, factor=factor)
                if state.interrupted or (on_round is not None and on_round(state)):
                    return state
                if converged:
                    break
    except KeyboardInterrupt:
        if state is None:
            raise
        return replace(state, interrupted=True)
    assert state is not None
    return state


def _schedule(problem: RefineProblem) -> list[tuple[IntArray | None, tuple[int, ...]]]:
    """Samples of growing size (None: all rows) and the iterations on each."""
    n = len(problem.Z)
    if n <= LARGE:
        return [(None, ROUNDS)]
    stages: list[tuple[IntArray | None, tuple[int, ...]]] = [(_sample(n, SAMPLE), ROUNDS)]
    size = 4 * SAMPLE
    while 2 * size < n:
        stages.append((_sample(n, size), (40,) * 8 if size == 4 * SAMPLE else (40,)))
        size *= 4
    stages.append((None, (80 if n <= 30_000 else 40 if n <= 120_000 else 20,)))
    return stages


def _sample(n: int, size: int) -> IntArray:
    """A fixed pseudo-random sample of rows, nested in larger ones."""
    return np.sort(np.random.default_rng(0).permutation(n)[:size])


def _start(
    problem: RefineProblem, variables: Variables, penalties: Callable[[int], Penalties]
) -> Refined:
    """Fit the weights of the starting nodes."""
    n_nodes = len(variables.centers)
    values = penalties(n_nodes)
    inv_widths = np.full(variables.centers.shape, 1.0 / variables.width)
    Phi = activations(problem.Z, variables.centers, inv_widths)
    coef, intercept = fit_weights(
        Phi, problem.targets, problem.weight, problem.loss, (values.intercept, values.coef)
    )
    vector = variables.with_weights(coef, intercept)
    return Refined(variables, vector, values, np.arange(n_nodes))


def _round(problem: RefineProblem, state: Refined, iterations: int) -> tuple[Refined, bool]:
    """One run of L-BFGS; an interrupt keeps the best point seen."""
    variables, lam = state.variables, state.variables.penalties(state.penalties)
    columns: Columns = np.ascontiguousarray(problem.Z.T)
    if problem.single:
        columns = columns.astype(np.float32)
    scale = (curvatures(problem, variables, state.vector) + lam) ** -0.25
    best_value, best_vector = np.inf, state.vector

    def objective(u: FloatArray) -> tuple[float, FloatArray]:
        v = u * scale
        value, gradient = penalized_loss(columns, problem, variables, v, lam)
        nonlocal best_value, best_vector
        if value < best_value:
            best_value, best_vector = value, v
        return value, gradient * scale

    try:
        u, _, info = fmin_l_bfgs_b(
            objective,
            state.vector / scale,
            m=_MEMORY,
            maxiter=iterations,
            factr=_TOLERANCE / np.finfo(float).eps,
            pgtol=1e-5,
        )
    except KeyboardInterrupt:
        return replace(state, vector=best_vector, interrupted=True), True
    return replace(state, vector=u * scale), info["nit"] < iterations


def description_length(
    problem: RefineProblem, refined: Refined, price: float, n_samples: float
) -> float:
    r"""Penalised loss, the price of all nodes, and :math:`\tfrac N2 \log` of the noise.

    What ``refine`` makes small, comparable between networks that learned different noise.
    """
    problem = replace(problem, weight=refined.factor * problem.weight)
    columns = np.ascontiguousarray(problem.Z.T)
    value, _ = penalized_loss(
        columns, problem, refined.variables, refined.vector, refined.precision()
    )
    return value + price * len(refined.kept) - 0.5 * n_samples * float(np.log(refined.factor))


def penalized_loss(
    columns: Columns,
    problem: RefineProblem,
    variables: Variables,
    v: FloatArray,
    lam: FloatArray,
) -> tuple[float, FloatArray]:
    """Value and gradient of what is minimised."""
    value, d_nodes = backend().value_and_gradient(
        columns,
        problem.targets,
        problem.weight,
        variables.nodes(v),
        problem.loss,
        delta=problem.delta,
    )
    pull = lam * v
    return value + 0.5 * float(pull @ v), variables.gradient(d_nodes) + pull


def _prune(
    problem: RefineProblem,
    state: Refined,
    penalties: Callable[[int], Penalties],
    price: float,
    max_nodes: int | None,
) -> tuple[Refined, bool]:
    """Drop the nodes that are not worth their price, and those beyond the limit."""
    problem, nodes = problem.at_most(ELIMINATION_ROWS), state.nodes()
    Phi = activations(problem.Z, nodes.centers, nodes.inv_widths)
    candidates = elimination(
        Phi, nodes.coef, nodes.intercept, problem.weight, problem.loss, state.weight_penalties()
    )
    kept = candidates.until(price=price)
    if max_nodes is not None:
        kept = candidates.until(n_nodes=max_nodes)
    if len(kept) == len(nodes.coef):
        return state, False
    variables, vector = state.variables.keep(state.vector, kept)
    weights = candidates.weights
    vector[: variables.cuts[1]] = variables.pack(weights[-1], weights[kept])
    values = penalties(len(kept))
    return replace(
        state, variables=variables, vector=vector, penalties=values, kept=state.kept[kept]
    ), True


def curvatures(problem: RefineProblem, variables: Variables, v: FloatArray) -> FloatArray:
    """Diagonal of the Gauss-Newton matrix of the summed loss, from a sample of rows.

    For the shared metric a, the nodes are taken as independent.
    """
    step = -(-len(problem.Z) // _CURVATURE_ROWS)
    part = problem.take(slice(None, None, step))
    nodes, Z = variables.nodes(v), part.Z
    C, W = nodes.centers, nodes.coef
    Phi = activations(Z, C, nodes.inv_widths)
    own, mixed = _score_curvatures(Phi @ W + nodes.intercept, W, part)
    R = Phi * Phi * mixed
    p2 = nodes.inv_widths**2
    m0 = R.sum(axis=0)[:, None]
    m1, m2, m3, m4 = (R.T @ Z**k for k in (1, 2, 3, 4))
    shift = (variables.width * p2) ** 2 * (m2 - 2.0 * C * m1 + C * C * m0)
    deviation = p2**2 * (m4 - 4.0 * C * m3 + 6.0 * C * C * m2 - 4.0 * C**3 * m1 + C**4 * m0)
    deviation = np.maximum(deviation, 0.0)
    r2 = -2.0 * np.log(np.maximum(Phi, 1e-300))
    scale = np.maximum(np.einsum("nm,nm->m", R, r2 * r2), 0.0)
    return variables.pack(
        own.sum(axis=0),
        (Phi * Phi).T @ own,
        np.maximum(shift, 0.0),
        scale,
        deviation.sum(axis=0),
        deviation,
    )


def _score_curvatures(
    scores: FloatArray, W: FloatArray, problem: RefineProblem
) -> tuple[FloatArray, FloatArray]:
    """Weighted curvature of each score, and of moving all scores along each node's weights."""
    weight = problem.weight[:, None]
    if problem.loss == SOFTMAX:
        p = softmax(scores, axis=1)
        return p * (1.0 - p) * weight, (p @ (W * W).T - (p @ W.T) ** 2) * weight
    if problem.loss == LOGISTIC:
        p = expit(scores)
        own = p * (1.0 - p) * weight
    else:
        own = np.repeat(weight, W.shape[1], axis=1)
    return own, own @ (W * W).T
