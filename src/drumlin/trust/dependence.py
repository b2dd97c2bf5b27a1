r"""How scores depend on some inputs on average: partial dependence.

With the inputs in S at given values and all others as in n rows, the mean score is
:math:`\frac1n \sum_r f(x_S, x_{r, \bar S})`. A Gaussian node is a product over inputs, so with
:math:`\varphi_{ji}` its factor of input i,

.. math:: \bar f(x_S) = b + \sum_j w_j \prod_{i \in S} \varphi_{ji}(x_i) \;
          \frac1n \sum_r \prod_{i \notin S} \varphi_{ji}(x_{ri})

and the mean over rows is formed once for all values: M (n d + g) operations for g of them instead
of M n d g. Where a view mixes inputs, or nodes are normalised or no Gaussians, it is formed for
every value, as scikit-learn does.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from drumlin._typing import FloatArray
from drumlin.network import Network
from drumlin.trust.shapley import factors_of, has_products

_AT_ONCE = 2_000_000
"""Numbers handled at once."""


def partial_dependence(
    network: Network, rows: FloatArray, inputs: Sequence[int], values: FloatArray
) -> FloatArray:
    """Mean scores (n_values, n_outputs) with some inputs at given values.

    Parameters
    ----------
    network : Network
    rows : ndarray of shape (n_rows, n_features)
        Where the other inputs come from.
    inputs : sequence of int
        Different ones.
    values : ndarray of shape (n_values, n_inputs)
    """
    of_all = _of_products if has_products(network) else _one_by_one
    return of_all(network, rows, list(inputs), values)


def _of_products(
    network: Network, rows: FloatArray, inputs: list[int], values: FloatArray
) -> FloatArray:
    others = np.setdiff1d(np.arange(rows.shape[1]), inputs)
    rest = np.zeros(len(network.nodes))
    step = max(1, _AT_ONCE // max(1, network.nodes.centers.size))
    for start in range(0, len(rows), step):
        part = factors_of(network, rows[start : start + step])[:, :, others]
        rest += part.prod(axis=2).sum(axis=0)
    at = np.tile(rows[:1], (len(values), 1))
    at[:, inputs] = values
    own = np.concatenate(
        [
            factors_of(network, at[start : start + step])[:, :, inputs].prod(axis=2)
            for start in range(0, len(at), step)
        ]
    )
    return np.asarray(own * (rest / len(rows)) @ network.coef + network.intercept)


def _one_by_one(
    network: Network, rows: FloatArray, inputs: list[int], values: FloatArray
) -> FloatArray:
    moved, means = rows.copy(), []
    for value in values:
        moved[:, inputs] = value
        means.append(network(moved).mean(axis=0))
    return np.array(means)
