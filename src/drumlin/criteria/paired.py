"""Which of two models left-out samples prefer, and how clearly."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray


def is_clear(gain: FloatArray, weight: FloatArray, n_samples: float, margin: float) -> bool:
    """Whether a mean gain is above zero by more than so many of its standard errors.

    Parameters
    ----------
    gain : ndarray of shape (n_rows,)
        Losses of the other model minus those of this one, row by row.
    weight : ndarray of shape (n_rows,)
    n_samples : float
        Samples that the rows stand for.
    margin : float
    """
    mean = np.average(gain, weights=weight)
    variance = np.average((gain - mean) ** 2, weights=weight) / n_samples
    return bool(mean > margin * np.sqrt(variance))
