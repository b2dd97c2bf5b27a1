r"""New nodes where a refined network errs.

The slopes of the loss are what the network leaves unexplained. A forward path of least squares over
nodes on some rows, all columns freed from what the present nodes can say, proposes those that
explain most of it; leave-one-out says how many. New nodes have the metric that all nodes share.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, qr

from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations
from drumlin.basis.nodes import gaussian_blocks
from drumlin.laplace.quadratic import LEAST_CURVATURE
from drumlin.linear.factors import cholesky_factor
from drumlin.linear.gram import GramPath, gram_path
from drumlin.losses import Loss
from drumlin.refinement.schedule import GrowthRule
from drumlin.refinement.state import Objective, Refined
from drumlin.sample import Sample

_TINY = float(np.finfo(float).tiny)

_STEPS = (2.0, 1.0, 0.5, 0.25)
"""Lengths tried of the step that gives new nodes their weights."""


def grown(
    state: Refined, sample: Sample, part: Sample, objective: Objective, most: int, rule: GrowthRule
) -> Refined | None:
    """Return the network with new nodes, at most so many; None where none would help.

    Parameters
    ----------
    state : Refined
    sample : Sample
        Rows, in no order, among which nodes are looked for: the first are the candidates.
    part : Sample
        Rows that give the weights.
    objective : Objective
    most : int
    rule : GrowthRule
    """
    least, per_node = rule.candidates
    centers = sample.X[: max(least, per_node * most)]
    loss = objective.loss(state.noise)
    unexplained = _Unexplained.by(state, sample, loss)
    paths = {}
    for scale in _scales(state, rule):
        inv_widths = _inv_widths(state, scale, len(centers))
        columns = unexplained.freed_(gaussian_activations(sample.X, centers, inv_widths))
        paths[scale] = gram_path(columns, unexplained.targets, sample.weight, most, rule.alpha)
    scale, path = min(paths.items(), key=lambda item: item[1].squared_errors.min())
    chosen = path.order[: path.squared_errors.argmin()]
    if not len(chosen) or _gain(path, sample) < rule.signal * np.log(len(centers)):
        return None
    variables, vector = state.variables.join(
        state.vector, centers[chosen], sample.index[chosen], scale
    )
    penalties = objective.penalties(len(variables.centers), part.total)
    larger = replace(state, variables=variables, vector=vector, penalties=penalties)
    return _with_new_weights(larger, part, loss)


def _gain(path: GramPath, sample: Sample) -> float:
    """Fall of the samples' log error with the best prefix."""
    log_errors = np.log(np.maximum(path.squared_errors, _TINY))
    return sample.n_samples * float(log_errors[0] - log_errors.min())


class _Unexplained(NamedTuple):
    """What a network leaves to be explained on a sample.

    Parameters
    ----------
    targets : ndarray of shape (n_rows, n_outputs)
        Slopes of the loss, downhill.
    present : ndarray of shape (n_rows, n_nodes + 1)
        Orthonormal columns that the present nodes and the intercept span, rows times ``root``.
    root : ndarray of shape (n_rows, 1)
        Square roots of the weights.
    """

    targets: FloatArray
    present: FloatArray
    root: FloatArray

    @classmethod
    def by(cls, state: Refined, sample: Sample, loss: Loss) -> _Unexplained:
        columns, scores = _columns(state, sample)
        root = np.sqrt(sample.weight)[:, None]
        present = qr(root * columns, mode="economic", check_finite=False)[0]
        left = cls(-loss.slopes(sample.targets, scores), present, root)
        return left._replace(targets=left.freed_(left.targets))

    def freed_(self, columns: FloatArray) -> FloatArray:
        """Free columns, in place, from what the present nodes can say."""
        columns *= self.root
        columns -= self.present @ (self.present.T @ columns)
        columns /= self.root
        return columns


def _columns(state: Refined, sample: Sample) -> tuple[FloatArray, FloatArray]:
    """Ones and activations (n_rows, n_nodes + 1), and scores."""
    nodes = state.nodes()
    Phi = gaussian_activations(sample.X, nodes.centers, nodes.inv_widths)
    return np.column_stack([np.ones(len(Phi)), Phi]), Phi @ nodes.coef + nodes.intercept


def _column_blocks(state: Refined, sample: Sample) -> Iterator[tuple[slice, FloatArray]]:
    """Yield slices of rows and their ones and activations (n_rows, n_nodes + 1)."""
    nodes = state.nodes()
    for rows, Phi in gaussian_blocks(sample.X, nodes.centers, nodes.inv_widths):
        yield rows, np.column_stack([np.ones(len(Phi)), Phi])


def _scales(state: Refined, rule: GrowthRule) -> list[float]:
    """Own scales that new nodes may have."""
    _, _, _, S, _, _ = state.variables.split(state.vector)
    return [float(np.median(S)) + step for step in rule.scales]


def _inv_widths(state: Refined, scale: float, n_nodes: int) -> FloatArray:
    """Inverse widths of nodes with the shared metric and a scale."""
    _, _, _, _, a, _ = state.variables.split(state.vector)
    return np.tile(np.exp(-scale - a) / state.variables.width, (n_nodes, 1))


def _with_new_weights(state: Refined, sample: Sample, loss: Loss) -> Refined:
    """Move the weights by one Newton step, the outputs taken as independent and alike."""
    cut, penalties = state.variables.cuts[1], np.roll(state.weight_penalties(), 1)
    now = state.vector[:cut].reshape(-1, state.variables.n_outputs)
    system, pull = np.diag(penalties), penalties[:, None] * now
    for rows, columns in _column_blocks(state, sample):
        weight, scores = sample.loss_weight[rows], columns @ now
        curvature = np.maximum(loss.curvatures(scores).mean(axis=1), LEAST_CURVATURE)
        system += (columns * (weight * curvature)[:, None]).T @ columns
        pull += columns.T @ (weight[:, None] * loss.slopes(sample.targets[rows], scores))
    step = cho_solve((cholesky_factor(system), True), -pull)
    moved = [now + length * step for length in (*_STEPS, 0.0)]
    objectives = 0.5 * np.array([penalties @ (w * w).sum(axis=1) for w in moved])
    for rows, columns in _column_blocks(state, sample):
        weight, targets = sample.loss_weight[rows], sample.targets[rows]
        objectives += [weight @ loss.values(targets, columns @ w) for w in moved]
    best = moved[objectives.argmin()]
    return replace(state, vector=np.concatenate([best.ravel(), state.vector[cut:]]))
