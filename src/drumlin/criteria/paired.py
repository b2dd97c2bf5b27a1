"""Which of two models left-out samples prefer, and how clearly."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray


def is_clear(gain: FloatArray, weight: FloatArray, unit: FloatArray, margin: float) -> bool:
    r"""Whether a mean gain is above zero by more than so many of its standard errors.

    .. math:: \bar g = \frac{\sum_i w_i g_i}{\sum_i w_i}, \qquad
        \mathrm{se}^2 = \frac{\sum_i w_i u_i (g_i - \bar g)^2}{(\sum_i w_i)^2}

    A row is w / u samples, each of weight u: a class that weighs more has no more samples.

    Parameters
    ----------
    gain : ndarray of shape (n_rows,)
        Losses of the other model minus those of this one, row by row.
    weight : ndarray of shape (n_rows,)
    unit : ndarray of shape (n_rows,) or (1,)
        Weight of one sample.
    margin : float
    """
    mean = np.average(gain, weights=weight)
    variance = np.average(unit * (gain - mean) ** 2, weights=weight) / weight.sum()
    return bool(mean > margin * np.sqrt(variance))
