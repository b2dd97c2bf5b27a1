"""Widths and penalties among which a subset of kernels is looked for, where none are given."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import LADDER, neighbor_distance, reference_width

AUTO_WIDTHS = LADDER[::2]
"""Automatic widths in units of ``reference_width``: 8, 4, 2, 1, 1/2."""

NEIGHBORS = 2.0
"""Least automatic width in units of the median distance between nearest neighbours."""

AUTO_PENALTIES = (1.0, 0.1, 0.01)
"""Automatic ``n alpha``: prior standard deviations of the log-odds from 1 to 10."""


def automatic_widths(
    Z: FloatArray, weight: FloatArray, rows: IntArray, rng: np.random.RandomState
) -> list[float]:
    """Widths, descending; all but the widest are wide enough for a kernel to see neighbours.

    Parameters
    ----------
    Z : ndarray of shape (n_samples, n_features)
    weight : ndarray of shape (n_samples,)
    rows : ndarray of shape (n_candidates,)
        Samples that may become centers.
    rng : RandomState
        Used above 1000 samples.
    """
    base = reference_width(Z, weight, rng)
    narrowest = NEIGHBORS * neighbor_distance(Z[rows])
    widths = [base * step for step in AUTO_WIDTHS]
    return [width for width in widths if width >= narrowest] or widths[:1]


def automatic_alphas(weight: FloatArray) -> list[float]:
    """Penalties, descending, for samples of these weights (n_samples,)."""
    return [penalty / float(weight.sum()) for penalty in AUTO_PENALTIES]
