r"""Nodes described in the units of the inputs: to be read, not to be computed with.

A node is a Gaussian in the space that inputs are mapped to. There is no ellipsoid in the units of
the inputs that equals it: long tails may be drawn in, inputs are clipped smoothly, and may be
mixed. What can be said is where it is highest, as far as data were there, and how fast it falls
off nearby.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from drumlin._typing import FloatArray
from drumlin.basis import InputMap, Nodes
from drumlin.network import Network
from drumlin.sample import Rows

Range = tuple[FloatArray, FloatArray]
"""Least and largest value (n_features,) of every input."""

FLAT = 10.0
"""Widths in ranges of the data from which on an input is ignored: a node falls by 0.5 % over it."""


def data_range(rows: Rows) -> Range:
    """Range of the inputs over all rows."""
    low = -rows.largest(lambda part: -part.X.min(axis=0))
    return low, rows.largest(lambda part: part.X.max(axis=0))


def described_nodes(network: Network, within: Range) -> Range:
    """Centers and widths (n_nodes, n_features) in the units of the inputs.

    Parameters
    ----------
    network : Network
        With an input map.
    within : tuple of ndarray
        What centers are not put beyond.

    Returns
    -------
    centers : ndarray of shape (n_nodes, n_features)
        The points of the range that are nearest, input by input, to what is mapped to the centers.
    widths : ndarray of shape (n_nodes, n_features)
        Distance along one input, at the center, at which a node falls by exp(-1/2) if the map went
        on as it is there, at most ``FLAT`` ranges. Infinite where the whole range is mapped to less
        than ``1 / FLAT`` of a node's width.
    """
    inputs, (low, high) = network.inputs, within
    assert inputs is not None
    centers = np.clip(inputs.inverse(network.nodes.centers), low, high)
    first, last = replace(inputs, matrix=None)(np.stack(within))
    steepness = np.sqrt(_sharpness(network.nodes, inputs))
    with np.errstate(divide="ignore", over="ignore"):
        widths = np.minimum(1.0 / (steepness * inputs.slope(centers)), FLAT * (high - low))
    return centers, np.where(steepness * (last - first) < 1.0 / FLAT, np.inf, widths)


def _sharpness(nodes: Nodes, inputs: InputMap) -> FloatArray:
    """Curvature of every node along every standardised input: 1 / width^2, mixed back by A."""
    inv2 = nodes.widths**-2.0
    return inv2 if inputs.matrix is None else inv2 @ (inputs.matrix**2).T
