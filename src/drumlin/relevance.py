"""How much every input matters to a network."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis.scaling import stable_moments
from drumlin.network import Network
from drumlin.sample import Sample

RELEVANCE_ROWS = 500
"""Rows whose slopes are averaged."""


def relevance(network: Network, sample: Sample) -> FloatArray:
    """Mean slope of the scores along every (clipped) input, times its spread; sums to 1.

    Parameters
    ----------
    network : Network
    sample : Sample
        Raw inputs.

    Returns
    -------
    ndarray of shape (n_features,)
        Zeros where no score has a slope.
    """
    X, inputs, unit = sample.X, network.inputs, network.nodes.unit
    matrix = None if inputs is None else inputs.matrix
    slopes = network.slopes(network.mapped(X))
    if slopes.shape[1] > 1 and sample.n_classes > 1:
        slopes = slopes - slopes.mean(axis=1, keepdims=True)  # a shift of all means nothing
    _, spread, largest = stable_moments(
        X if inputs is None else replace(inputs, matrix=None)(X), sample.weight
    )
    if matrix is not None:
        slopes, unit = (slopes / unit) @ matrix.T, np.ones(len(matrix))
    share = sample.weight / sample.weight.sum()
    power = share @ np.abs(slopes).sum(axis=1) * (spread * (largest / unit))
    total = power.sum()
    return np.asarray(power / total if total > 0.0 else np.zeros_like(power))
