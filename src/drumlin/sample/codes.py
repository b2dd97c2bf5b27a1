"""Targets as columns of numbers: classes coded as a simplex, regression outputs standardised."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.basis.scaling import CONSTANT, stable_moments


def encode_classes(labels: IntArray, n_classes: int) -> FloatArray:
    """Codes of shape (n_samples, n_outputs).

    Two classes: one column of -1 and +1, as in the papers. K > 2: one column per class, 1 for the
    own class and -1/(K-1) for the others. The codes of a sample sum to zero, and for K = 2 the
    second column would be the two-class code and the first its negative.
    """
    if n_classes == 2:
        return np.where(labels == 1, 1.0, -1.0)[:, None]
    codes = np.full((len(labels), n_classes), -1.0 / (n_classes - 1))
    codes[np.arange(len(labels)), labels] = 1.0
    return codes


def output_units(y: FloatArray, weight: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of every output, so that neither units nor offsets matter.

    A constant output has itself as mean and its size (or 1) as scale.
    """
    return units_of_moments(*stable_moments(y, weight), y[0])


def units_of_moments(
    mean: FloatArray, spread: FloatArray, largest: FloatArray, first: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the same from moments in units of the largest targets, and the first targets."""
    varies = spread > CONSTANT
    shift, scale = np.where(varies, mean, first / largest), np.where(varies, spread, 1.0)
    return shift * largest, scale * largest
