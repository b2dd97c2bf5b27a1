r"""What every input adds to a score: Shapley values against a background.

The value of a set S of inputs is the mean score of rows that have the inputs in S from the row x to
be explained and all others from a row b of the background. A Gaussian node is a product over
inputs, so its value is :math:`\prod_{i \in S} a_i \prod_{i \notin S} b_i`, and its Shapley values
are integrals of polynomials,

.. math:: \phi_i = (a_i - b_i) \int_0^1 \prod_{k \ne i} \big(t a_k + (1 - t) b_k\big) \, dt

(the diagonal of Owen's multilinear extension), which Gauss's rule with d/2 points gives exactly.
Where a view mixes inputs, or nodes are normalised or no Gaussians, the subsets are enumerated, and
where inputs are too many for that, the gradient is integrated along the straight line from b to x
(Aumann and Shapley's values): all of them sum to the difference of the scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Gaussian
from drumlin.network import Network

SHAPLEY, PATH = "Shapley values", "Aumann-Shapley values"
"""What attributions are."""

MIXED = f"{SHAPLEY}, and {PATH} of some rows"
"""What they are together; ``Explanation.methods`` tells the rows."""

MOST_ENUMERATED = 10
"""Inputs whose subsets are enumerated where there is no closed form."""

_AT_ONCE = 2_000_000
"""Numbers handled at once."""

_FIRST_POINTS, _LAST_POINTS, _CLOSE = 32, 4096, 1e-11
"""Points of the integral along a line: doubled until it is as close as this to the difference."""


@dataclass(frozen=True)
class Explanation:
    """Where scores come from.

    Parameters
    ----------
    inputs : ndarray of shape (n_samples, n_features, n_outputs)
        What every input adds to ``base``.
    base : ndarray of shape (n_outputs,)
        Mean score of the background.
    nodes : ndarray of shape (n_samples, n_nodes + 1, n_outputs)
        What every node adds, the intercept last. Broad nodes cancel: read inputs first.
    methods : tuple of str
        What the ``inputs`` of every row are, ``SHAPLEY`` or ``PATH``.
    background : ndarray of shape (n_rows, n_features)
        Rows that inputs are compared with.
    """

    inputs: FloatArray
    base: FloatArray
    nodes: FloatArray
    methods: tuple[str, ...]
    background: FloatArray

    @property
    def method(self) -> str:
        """What ``inputs`` are: ``SHAPLEY``, ``PATH``, or ``MIXED`` where rows have both."""
        return self.methods[0] if len(set(self.methods)) == 1 else MIXED

    @property
    def scores(self) -> FloatArray:
        """Scores (n_samples, n_outputs) of the rows explained."""
        return np.asarray(self.nodes.sum(axis=1))


def explain(network: Network, X: FloatArray, background: FloatArray) -> Explanation:
    """Explain the scores of rows.

    Parameters
    ----------
    network : Network
    X : ndarray of shape (n_samples, n_features)
    background : ndarray of shape (n_rows, n_features)
    """
    n_outputs, base = len(network.intercept), network(background).mean(axis=0)
    values, methods = np.zeros((*X.shape, n_outputs)), [SHAPLEY] * len(X)
    for row, x in enumerate(X):
        active = np.flatnonzero((x != background).any(axis=0))
        if has_products(network):
            values[row] = shapley_of_products(network, x, background)
        elif len(active) <= MOST_ENUMERATED:
            values[row, active] = shapley_by_subsets(network, x, background, active)
        else:
            values[row], methods[row] = path_integral(network, x, background), PATH
    return Explanation(values, base, network.contributions(X), tuple(methods), background)


def has_products(network: Network) -> bool:
    """Whether every node is a product over raw inputs."""
    mixed = network.inputs is not None and network.inputs.matrix is not None
    return isinstance(network.nodes.radial, Gaussian) and network.shares is None and not mixed


# ---------------------------------------------------------------------- products
def shapley_of_products(network: Network, x: FloatArray, background: FloatArray) -> FloatArray:
    """Shapley values (n_features, n_outputs) of a sum of products over inputs.

    Parameters
    ----------
    network : Network
        With products, see ``has_products``.
    x : ndarray of shape (n_features,)
    background : ndarray of shape (n_rows, n_features)
    """
    a = factors_of(network, x[None])[0]  # (M, d)
    values = np.zeros((a.shape[1], len(network.intercept)))
    step = max(1, _AT_ONCE // max(1, a.size))
    for start in range(0, len(background), step):
        b = factors_of(network, background[start : start + step])  # (B, M, d)
        values += np.einsum("bmd,mk->dk", shares_of_products(a, b), network.coef)
    return values / len(background)


def shares_of_products(a: FloatArray, b: FloatArray) -> FloatArray:
    """Shapley values, over the last axis, of the games that go from products of b to those of a.

    Parameters
    ----------
    a, b : ndarray of shape (..., n_factors)
    """
    points, weights = np.polynomial.legendre.leggauss(max(1, math.ceil(a.shape[-1] / 2)))
    shares = np.zeros(np.broadcast_shapes(a.shape, b.shape))
    for t, weight in zip(0.5 * (points + 1.0), 0.5 * weights, strict=True):
        shares += weight * _products_of_others(b + t * (a - b))
    return (a - b) * shares


def _products_of_others(f: FloatArray) -> FloatArray:
    """Products over the last axis of all entries but each, without dividing."""
    before, after = np.ones_like(f), np.ones_like(f)
    np.cumprod(f[..., :-1], axis=-1, out=before[..., 1:])
    after[..., :-1] = np.cumprod(f[..., :0:-1], axis=-1)[..., ::-1]
    return np.asarray(before * after)


def factors_of(network: Network, X: FloatArray) -> FloatArray:
    """Gaussian factors (n_samples, n_nodes, n_features) of every node and input."""
    nodes = network.nodes
    distance = (network.mapped(X)[:, None, :] - nodes.centers) / nodes.widths
    return np.asarray(np.exp(-0.5 * distance**2))


# ---------------------------------------------------------------------- any network
def shapley_by_subsets(
    network: Network, x: FloatArray, background: FloatArray, active: IntArray
) -> FloatArray:
    """Shapley values (n_active, n_outputs) by their definition, over all subsets.

    Parameters
    ----------
    network : Network
    x : ndarray of shape (n_features,)
    background : ndarray of shape (n_rows, n_features)
    active : ndarray of shape (n_active,)
        Inputs that differ; others add nothing.
    """
    d = len(active)
    members = (np.arange(2**d)[:, None] >> np.arange(d)) & 1 == 1  # (2^d, d)
    worth = np.zeros((2**d, len(network.intercept)))
    for b in background:
        rows = np.tile(b, (2**d, 1))
        rows[:, active] = np.where(members, x[active], b[active])
        worth += network(rows) / len(background)
    size = members.sum(axis=1)
    chance = np.array([1.0 / (d * math.comb(d - 1, k)) for k in range(d)])
    values = np.empty((d, worth.shape[1]))
    for i in range(d):
        without = np.flatnonzero(~members[:, i])
        values[i] = chance[size[without]] @ (worth[without + 2**i] - worth[without])
    return values


def path_integral(network: Network, x: FloatArray, background: FloatArray) -> FloatArray:
    """Integrals (n_features, n_outputs) of the gradient along lines from the background to x."""
    values = np.zeros((len(x), len(network.intercept)))
    for b in background:
        values += _line_integral(network, b, x)
    return values / len(background)


def _line_integral(network: Network, start: FloatArray, stop: FloatArray) -> FloatArray:
    ends = network(np.stack([start, stop]))
    size = np.abs(network.contributions(np.stack([start, stop]))).sum(axis=1).max() + 1.0
    n_points = _FIRST_POINTS
    while True:
        points, weights = np.polynomial.legendre.leggauss(min(n_points, _FIRST_POINTS))
        n_panels = n_points // len(points)
        t = (np.arange(n_panels)[:, None] + 0.5 * (points + 1.0)).ravel() / n_panels
        rows = start + t[:, None] * (stop - start)
        share = np.tile(0.5 * weights, n_panels) / n_panels
        mean = np.einsum("t,tkd->dk", share, network.gradient(rows))
        values = mean * (stop - start)[:, None]
        gap = np.abs(values.sum(axis=0) - (ends[1] - ends[0])).max()
        if gap <= _CLOSE * size or n_points >= _LAST_POINTS:
            return np.asarray(values)
        n_points *= 2
