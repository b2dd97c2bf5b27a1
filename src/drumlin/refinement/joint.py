r"""Joint gradient descent on weights, centers and widths (Problem 5.8 of haykin5).

.. math:: E = \frac12 \sum_i s_i \|d_i - f(x_i)\|^2 + \frac{\alpha}{2} \|W\|^2

With the widths :math:`s_j` of the nodes, one for each, the derivatives are those of
``_kernels.refinement`` summed over the inputs. Steps are those of L-BFGS, not of three fixed
learning rates; centers move in units of their starting width and widths as logarithms, so that all
variables are of one size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from drumlin._kernels import SQUARED, NodeParameters, backend
from drumlin._typing import FloatArray

_MEMORY = 20


@dataclass(frozen=True)
class JointProblem:
    """What is to be minimised.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Standardised inputs.
    targets : ndarray of shape (n_samples, n_outputs)
    weight : ndarray of shape (n_samples,)
    alpha : float
        Penalty of the weights.
    fit_intercept : bool
    """

    Z: FloatArray
    targets: FloatArray
    weight: FloatArray
    alpha: float
    fit_intercept: bool

    def value_and_gradient(self, v: FloatArray, start: NodeParameters) -> tuple[float, FloatArray]:
        """E and its gradient in the variables ``[b, W, u, S]``."""
        nodes = unpack(v, start)
        value, d = backend().value_and_gradient(
            np.ascontiguousarray(self.Z.T), self.targets, self.weight, nodes, SQUARED
        )
        unit = 1.0 / start.inv_widths[:, :1]
        gradient = [
            d.intercept * self.fit_intercept,
            d.coef + self.alpha * nodes.coef,
            unit * d.centers,
            d.log_widths.sum(axis=1),
        ]
        penalty = 0.5 * self.alpha * float((nodes.coef**2).sum())
        return value + penalty, np.concatenate([np.ravel(g) for g in gradient])


def unpack(v: FloatArray, start: NodeParameters) -> NodeParameters:
    """Network of the variables ``[b, W, u, S]`` around a start with round nodes."""
    n_nodes, n_outputs = start.coef.shape
    cuts = np.cumsum([n_outputs, start.coef.size, start.centers.size])
    b, W, u, S = np.split(v, cuts)
    return NodeParameters(
        start.centers + u.reshape(start.centers.shape) / start.inv_widths[:, :1],
        start.inv_widths * np.exp(-S)[:, None],
        W.reshape(n_nodes, n_outputs).copy(),
        b.copy(),
    )


def descend(
    problem: JointProblem,
    start: NodeParameters,
    max_iter: int,
    on_iteration: Callable[[NodeParameters], bool],
) -> tuple[NodeParameters, bool]:
    """Move everything downhill together.

    Parameters
    ----------
    problem : JointProblem
    start : NodeParameters
        Round nodes with the weights that are best for them.
    max_iter : int
    on_iteration : callable
        Called with the best network after every iteration; a true answer stops.

    Returns
    -------
    nodes : NodeParameters
        The best seen, also after an interrupt.
    interrupted : bool
    """
    moved = start.centers.size + len(start.centers)
    vector = np.concatenate([start.intercept, start.coef.ravel(), np.zeros(moved)])
    best = (np.inf, vector)

    def objective(v: FloatArray) -> tuple[float, FloatArray]:
        nonlocal best
        value, gradient = problem.value_and_gradient(v, start)
        if value < best[0]:
            best = (value, v.copy())
        return value, gradient

    def callback(intermediate_result: object) -> None:
        if on_iteration(unpack(best[1], start)):
            raise StopIteration

    interrupted = False
    options = {"maxiter": max_iter, "maxcor": _MEMORY}
    try:
        minimize(objective, vector, jac=True, method="L-BFGS-B", callback=callback, options=options)
    except KeyboardInterrupt:
        interrupted = True
    return unpack(best[1], start), interrupted
