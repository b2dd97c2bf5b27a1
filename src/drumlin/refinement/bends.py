r"""Second derivatives of the scores in the variables: how a network bends.

A score is a sum over nodes, so no two nodes share a second derivative, and centers and log-widths
are linear in the variables. With :math:`d_i = (z_i - c_{ji}) / s_{ji}`, centers in units of their
widths and :math:`\ell` for log-widths, the activation of a node has

.. math:: \partial_{c_i c_k} \varphi = \varphi (d_i d_k - \delta_{ik}), \quad
    \partial_{c_i \ell_k} \varphi = \varphi (d_i d_k^2 - 2 \delta_{ik} d_i), \quad
    \partial_{\ell_i \ell_k} \varphi = \varphi (d_i^2 d_k^2 - 2 \delta_{ik} d_i^2)
"""

from __future__ import annotations

import numpy as np

from drumlin._kernels import NodeParameters
from drumlin._typing import FloatArray
from drumlin.basis import gaussian_activations
from drumlin.refinement.variables import Variables


def bends(Z: FloatArray, variables: Variables, v: FloatArray, pull: FloatArray) -> FloatArray:
    """Second derivatives (n_variables, n_variables) of a sum of all scores.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
    variables : Variables
    v : ndarray of shape (n_variables,)
    pull : ndarray of shape (n_samples, n_outputs)
        Factors of the scores in the sum.
    """
    nodes, bent = variables.nodes(v), np.zeros((len(v), len(v)))
    Phi = gaussian_activations(Z, nodes.centers, nodes.inv_widths)
    where = variables.split(np.arange(float(len(v))))
    _, W, u, S, a, T = (group.astype(np.int64) for group in where)
    chain = _chain(Z.shape[1])
    for j in range(len(nodes.centers)):
        twice, mixed = _of_node(Z, nodes, j, variables.width * nodes.inv_widths[j], Phi, pull)
        moved = np.concatenate([u[j], S[[j]], a, T[j]])
        bent[np.ix_(moved, moved)] += chain.T @ twice @ chain
        bent[np.ix_(W[j], moved)] += mixed @ chain
        bent[np.ix_(moved, W[j])] += (mixed @ chain).T
    return bent


def _chain(d: int) -> FloatArray:
    """Derivatives (2 d, 3 d + 1) of a node's shifts and log-widths in its ``[u, S, a, T]``."""
    own, none = np.eye(d), np.zeros((d, d))
    shifts = np.hstack([own, np.zeros((d, 1)), none, none])
    return np.vstack([shifts, np.hstack([none, np.ones((d, 1)), own, own])])


def _of_node(
    Z: FloatArray,
    nodes: NodeParameters,
    j: int,
    shift: FloatArray,
    Phi: FloatArray,
    pull: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Second derivatives in shifts and log-widths (2 d, 2 d), and in weights beside them (K, 2 d).

    ``shift`` (d,) is what a unit of the shifts is in widths of the node.
    """
    d = Z.shape[1]
    distance = (Z - nodes.centers[j]) * nodes.inv_widths[j]
    slopes = np.hstack([distance * shift, distance**2])
    pulled = pull * Phi[:, [j]]
    along = pulled @ nodes.coef[j]
    twice = (slopes * along[:, None]).T @ slopes
    i = np.arange(d)
    once = along @ slopes
    twice[i, i] -= along.sum() * shift**2
    twice[i, d + i] -= 2.0 * once[:d]
    twice[d + i, i] -= 2.0 * once[:d]
    twice[d + i, d + i] -= 2.0 * once[d:]
    return twice, pulled.T @ slopes
