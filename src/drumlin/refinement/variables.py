r"""The variables of the joint refinement, as one vector.

.. math:: c_j = c^0_j + s_0 u_j, \qquad \log s_{ji} = \log s_0 + S_j + a_i + T_{ji}

Centers move in units of the starting width; log-widths are a sum of the node's own scale S, a
metric a that all nodes share, and individual deviations T, each with its own penalty. Penalising
the sum's parts differently makes nodes share what they can.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np

from drumlin._kernels import Gradient, NodeParameters
from drumlin._typing import FloatArray, IntArray
from drumlin.laplace.slopes import Slopes, n_slopes

_FARTHEST = 80.0  # log-widths that a line search tries and leaves: single precision must hold them


@dataclass(frozen=True)
class Penalties:
    """Half of each times the squared variable joins the summed loss.

    Parameters
    ----------
    intercept, coef, shift, scale, metric, deviation : float
        For b, W, u, S, a and T.
    """

    intercept: float
    coef: float
    shift: float
    scale: float
    metric: float
    deviation: float

    def of_weights(self, n_nodes: int) -> FloatArray:
        """Penalties (n_nodes + 1,) of the weights, then of the intercept."""
        return np.append(np.full(n_nodes, self.coef), self.intercept)


@dataclass(frozen=True)
class Variables:
    """Layout ``[b, W, u, S, a, T]`` of the vector, around given starting nodes.

    Parameters
    ----------
    centers : ndarray of shape (n_nodes, n_features)
        Starting centers.
    width : float or ndarray of shape (n_features,)
        Starting width of all nodes, or along every input.
    n_outputs : int
    support : ndarray of shape (n_nodes,)
        Rows given to ``fit`` that the nodes started on.
    """

    centers: FloatArray
    width: float | FloatArray
    n_outputs: int
    support: IntArray

    @cached_property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shapes of the groups."""
        m, d = self.centers.shape
        return [(self.n_outputs,), (m, self.n_outputs), (m, d), (m,), (d,), (m, d)]

    @cached_property
    def cuts(self) -> list[int]:
        """Where each group ends."""
        return list(accumulate(math.prod(shape) for shape in self.shapes))

    @property
    def size(self) -> int:
        """Number of variables."""
        return self.cuts[-1]

    @property
    def per_node(self) -> int:
        """Variables that every node has for itself."""
        return self.n_outputs + 2 * self.centers.shape[1] + 1

    def split(self, v: FloatArray) -> list[FloatArray]:
        """Views of the groups in their shapes."""
        starts = [0, *self.cuts[:-1]]
        groups = zip(starts, self.cuts, self.shapes, strict=True)
        return [v[start:stop].reshape(shape) for start, stop, shape in groups]

    def pack(self, *groups: FloatArray) -> FloatArray:
        """Vector of all groups."""
        return np.concatenate([np.ravel(group) for group in groups])

    def with_weights(self, coef: FloatArray, intercept: FloatArray) -> FloatArray:
        """Vector of the starting nodes with given weights."""
        v = np.zeros(self.size)
        v[: self.cuts[1]] = self.pack(intercept, coef)
        return v

    def nodes(self, v: FloatArray) -> NodeParameters:
        """Return the network these variables stand for."""
        b, W, u, S, a, T = self.split(v)
        log_widths = np.log(self.width) + S[:, None] + a + T
        centers = self.centers + self.width * u
        inv_widths = np.exp(np.clip(-log_widths, -_FARTHEST, _FARTHEST))
        return NodeParameters(centers, inv_widths, np.ascontiguousarray(W), b.copy())

    def gradient(self, d_nodes: Gradient) -> FloatArray:
        """Chain rule from centers and log-widths to the variables."""
        d_log = d_nodes.log_widths
        return self.pack(
            d_nodes.intercept,
            d_nodes.coef,
            self.width * d_nodes.centers,
            d_log.sum(axis=1),
            d_log.sum(axis=0),
            d_log,
        )

    def chain(self, inv_widths: FloatArray) -> FloatArray:
        """Derivatives (n_slopes, n_variables): the chain rule for every one of the slopes.

        Parameters
        ----------
        inv_widths : ndarray of shape (n_nodes, n_features)
            Units of the centers in ``Slopes``.
        """
        m, d = self.centers.shape
        units = np.eye(n_slopes(m, d, shared=False))
        moved = units[:, m + 1 :].reshape(-1, 2, m, d)
        slopes = Slopes(units[:, 1 : m + 1], moved[:, 0], moved[:, 1])
        return by_variables(units[:, :1], slopes, self.width * inv_widths)

    def penalties(self, values: Penalties) -> FloatArray:
        """Penalty of every variable."""
        sizes = np.diff([0, *self.cuts])
        names = ("intercept", "coef", "shift", "scale", "metric", "deviation")
        return np.repeat([getattr(values, name) for name in names], sizes)

    def keep(self, v: FloatArray, kept: IntArray) -> tuple[Variables, FloatArray]:
        """Drop nodes."""
        b, W, u, S, a, T = self.split(v)
        smaller = replace(self, centers=self.centers[kept], support=self.support[kept])
        return smaller, smaller.pack(b, W[kept], u[kept], S[kept], a, T[kept])

    def join(
        self, v: FloatArray, centers: FloatArray, support: IntArray, scale: float
    ) -> tuple[Variables, FloatArray]:
        """Add nodes of no weight.

        Parameters
        ----------
        v : ndarray of shape (n_variables,)
        centers : ndarray of shape (n_new, n_features)
        support : ndarray of shape (n_new,)
        scale : float
            Of the new nodes: they have the metric that all share, and this scale of their own.
        """
        b, W, u, S, a, T = self.split(v)
        larger = replace(
            self,
            centers=np.vstack([self.centers, centers]),
            support=np.append(self.support, support),
        )
        n_new, still = len(centers), np.zeros_like(centers)
        W = np.vstack([W, np.zeros((n_new, self.n_outputs))])
        S = np.append(S, np.full(n_new, scale))
        return larger, larger.pack(b, W, np.vstack([u, still]), S, a, np.vstack([T, still]))


def jacobian(Z: FloatArray, nodes: NodeParameters, width: float | FloatArray) -> FloatArray:
    """Derivatives (n_samples, n_variables) of the single score in ``[b, W, u, S, a, T]``."""
    slopes = Slopes.of(Z, nodes.centers, nodes.inv_widths, nodes.coef)
    return by_variables(np.ones((len(Z), 1)), slopes, width * nodes.inv_widths)


def by_variables(intercept: FloatArray, slopes: Slopes, shift: FloatArray) -> FloatArray:
    """Turn slopes into derivatives (n_samples, n_variables) in ``[b, W, u, S, a, T]``.

    Parameters
    ----------
    intercept : ndarray of shape (n_samples, n_outputs)
    slopes : Slopes
        Those in weights may have another axis, of outputs.
    shift : ndarray of shape (n_nodes, n_features)
        What a unit of the shifts u is in widths of the nodes.
    """
    log_width, n = slopes.log_widths, len(intercept)
    return np.concatenate(
        [
            intercept,
            slopes.weights.reshape(n, -1),
            (slopes.centers * shift).reshape(n, -1),
            log_width.sum(axis=2),
            log_width.sum(axis=1),
            log_width.reshape(n, -1),
        ],
        axis=1,
    )
