"""The penalised loss as a function of the variables: value, gradient, curvature."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np

from drumlin._kernels import Gradient, NodeParameters, backend
from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations
from drumlin.losses import Loss
from drumlin.refinement.variables import Variables
from drumlin.sample import Rows, Sample


class NodeVariables(Protocol):
    """A vector that stands for a network."""

    def nodes(self, v: FloatArray) -> NodeParameters:
        """Return the network these variables stand for."""

    def gradient(self, d_nodes: Gradient) -> FloatArray:
        """Chain rule from the network to the variables."""


def loss_of_part(part: Sample, nodes: NodeParameters, loss: Loss) -> tuple[float, Gradient]:
    """Value and gradient of the summed loss of a part of the rows."""
    result: tuple[float, Gradient] = backend().value_and_gradient(
        part.columns,
        part.targets,
        part.loss_weight,
        nodes,
        loss.code,
        delta=loss.threshold,
        reach=part.reach if part.single else None,  # products are for single precision
    )
    return result


def penalized_loss(
    rows: Rows, loss: Loss, variables: NodeVariables, v: FloatArray, penalties: FloatArray
) -> tuple[float, FloatArray]:
    """Value and gradient of what is minimised.

    Parameters
    ----------
    rows : Rows
    loss : Loss
    variables : NodeVariables
    v : ndarray of shape (n_variables,)
    penalties : ndarray of shape (n_variables,)
    """
    nodes = variables.nodes(v)
    value, slopes = rows.sum(
        partial(loss_of_part, nodes=nodes, loss=loss), cost=max(nodes.centers.size, 1)
    )
    pull = penalties * v
    return value + 0.5 * float(pull @ v), variables.gradient(slopes) + pull


def curvatures(sample: Sample, loss: Loss, variables: Variables, v: FloatArray) -> FloatArray:
    """Diagonal of the Gauss-Newton matrix of the summed loss.

    For the shared metric a, the nodes are taken as independent.
    """
    nodes, Z, weight = variables.nodes(v), sample.X, sample.loss_weight[:, None]
    C, W = nodes.centers, nodes.coef
    Phi = gaussian_activations(Z, C, nodes.inv_widths)
    scores = Phi @ W + nodes.intercept
    own = loss.curvatures(scores) * weight
    R = Phi * Phi * (loss.curvatures_along(scores, W) * weight)
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
