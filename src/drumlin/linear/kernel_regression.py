r"""Kernel regression: leave-one-out predictions and the density of the inputs.

The Nadaraya-Watson estimator (5.58) is a normalised network whose nodes are the samples and whose
weights are their targets, so predicting is the work of ``Network``. Here is what only it can do: a
sample is left out of its own average by dropping one term (no refit),

.. math:: F^{(-i)}(x_i) = \sum_{j \ne i} y_j k_{ij} \Big/ \sum_{j \ne i} k_{ij}

and the denominator is the Parzen-Rosenblatt density (5.55). Both look at blocks of samples, so
memory stays bounded.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Gaussian, Nodes

BLOCK = 1 << 21
"""Kernel values computed at once (16 MB), or those of one sample."""


def loo_predictions(
    Z: FloatArray,
    values: FloatArray,
    share: FloatArray,
    left_out: FloatArray,
    rows: IntArray,
    bandwidths: FloatArray,
) -> FloatArray:
    """Predictions of some samples from all others, for several bandwidths.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
        Inputs, in units in which the bandwidth is the same for all.
    values : ndarray of shape (n_samples, n_outputs)
    share : ndarray of shape (n_samples,)
        Weights of the samples.
    left_out : ndarray of shape (n_samples,)
        Weight of one copy of each sample. No more than that is left out of its own average; what a
        sample has above is other copies of it.
    rows : ndarray of shape (n_rows,)
        Samples to be predicted.
    bandwidths : ndarray of shape (n_bandwidths,)

    Returns
    -------
    ndarray of shape (n_bandwidths, n_rows, n_outputs)
    """
    # In units near the bandwidths, whatever those of Z are; a power of two changes no digit.
    unit = np.ldexp(1.0, np.frexp(bandwidths.max())[1])
    nodes = Nodes(Z, np.full_like(Z, unit), Gaussian())
    with np.errstate(divide="ignore"):
        # Added to a squared distance, this multiplies the kernel by what is left of the weight.
        own = -2.0 * np.log(np.maximum(share - left_out, 0.0) / share)
    result = np.empty((len(bandwidths), len(rows), values.shape[1]))
    for block in _blocks(len(rows), len(Z)):
        columns = np.arange(len(rows[block]))
        d2 = nodes.squared_distances(Z[rows[block]])
        r2 = np.empty_like(d2)  # for all bandwidths: new memory costs more than the product
        for k, bandwidth in enumerate(bandwidths):
            np.multiply(d2, (bandwidth / unit) ** -2.0, out=r2)
            r2[rows[block], columns] += own[rows[block]]
            result[k, block] = nodes.radial.normalize_(r2, share).T @ values
    return result


def log_density(nodes: Nodes, share: FloatArray, X: FloatArray) -> FloatArray:
    r"""Logarithm of the Parzen-Rosenblatt density (5.55) with Gaussian kernels (5.68).

    .. math:: \log \frac{1}{\sum_j s_j} \sum_j s_j
              \prod_i \frac{1}{h_i \sqrt{2\pi}} e^{-(x_i - x_{ji})^2 / 2 h_i^2}

    Inputs with infinite widths are left out of the product.

    Parameters
    ----------
    nodes : Nodes
        One per sample, all of the same widths h.
    share : ndarray of shape (n_nodes,)
    X : ndarray of shape (n_samples, n_features)

    Returns
    -------
    ndarray of shape (n_samples,)
    """
    widths = nodes.widths[0][np.isfinite(nodes.widths[0])]
    constant = np.log(share.sum()) + np.log(widths * np.sqrt(2.0 * np.pi)).sum()
    result = np.empty(len(X))
    for block in _blocks(len(X), len(nodes)):
        exponents = -0.5 * nodes.squared_distances(X[block])
        result[block] = logsumexp(exponents, axis=0, b=share[:, None])
    return result - constant


def _blocks(n_rows: int, n_nodes: int) -> Iterator[slice]:
    step = max(1, BLOCK // n_nodes)
    for start in range(0, n_rows, step):
        yield slice(start, start + step)
