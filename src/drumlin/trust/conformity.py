r"""How strange a class or a number is to a model: scores, and the sets and intervals below one.

Classes are ordered by probability. With K of them, m the probability of all classes before a class
and :math:`\mathrm{logit}(m) = \log(m / (1 - m))`, its score is

.. math:: s = \mathrm{logit}(m) + \log(K - 1) \ge 0, \qquad
          s = -\mathrm{logit}(p_1) - \log(K - 1) \le 0

the second for the most probable class. So a set takes classes until their probabilities reach a
level (the adaptive sets of Romano, Sesia and Candes, without randomisation), and only a threshold
below zero, where the most probable class alone is right more often than asked for, leaves it
empty. For two classes the score is the log-odds against the class.
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import BoolArray, FloatArray, IntArray
from drumlin.trust.calibration import Calibration

_LEAST = float(np.finfo(np.float64).tiny)


def class_conformity(probabilities: FloatArray) -> FloatArray:
    """Scores (n_samples, n_classes) of all classes: the higher, the stranger.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
    """
    n, k = probabilities.shape
    order = np.argsort(-probabilities, axis=1, kind="stable")
    p = np.take_along_axis(probabilities, order, axis=1)
    before = np.cumsum(p, axis=1) - p
    rest = np.cumsum(p[:, ::-1], axis=1)[:, ::-1]  # of the class itself and those after it
    before[:, 0], rest[:, 0] = rest[:, 1], p[:, 0]  # upside down: the first is the least strange
    odds = np.log(np.maximum(before, _LEAST)) - np.log(np.maximum(rest, _LEAST))
    odds[:, 0] = np.minimum(odds[:, 0] - np.log(k - 1.0), 0.0)
    odds[:, 1:] = np.maximum(odds[:, 1:] + np.log(k - 1.0), 0.0)
    for j in range(1, k):  # classes of one probability are equally strange
        odds[:, j] = np.where(p[:, j] == p[:, j - 1], odds[:, j - 1], odds[:, j])
    scores = np.empty((n, k))
    np.put_along_axis(scores, order, odds, axis=1)
    return scores


def class_calibration(
    probabilities: FloatArray, labels: IntArray, weight: FloatArray
) -> Calibration:
    """Keep how strange their own class is to samples left out.

    Parameters
    ----------
    probabilities : ndarray of shape (n_samples, n_classes)
        By models that did not see the sample.
    labels : ndarray of shape (n_samples,)
    weight : ndarray of shape (n_samples,)
        Numbers of samples, not weighted by class.
    """
    own = class_conformity(probabilities)[np.arange(len(labels)), labels]
    return Calibration.of(own, weight, labels, probabilities.shape[1])


def number_calibration(errors: FloatArray, weight: FloatArray) -> Calibration:
    """Keep the sizes of errors (n_samples, n_outputs) left out, over their scales."""
    n, n_outputs = errors.shape
    outputs = np.repeat(np.arange(n_outputs), n)
    return Calibration.of(np.abs(errors).T.ravel(), np.tile(weight, n_outputs), outputs, n_outputs)


def sets_of(
    calibration: Calibration,
    probabilities: FloatArray,
    confidence: float,
    *,
    by_class: bool,
    empty: bool,
) -> BoolArray:
    """Classes (n_samples, n_classes) that are not too strange.

    Parameters
    ----------
    calibration : Calibration
        By classes.
    probabilities : ndarray of shape (n_samples, n_classes)
    confidence : float
    by_class : bool
        Whether every class has a threshold of its own.
    empty : bool
        Whether a set may be empty; else the most probable class is always in it.
    """
    known = calibration
    limit = known.thresholds(confidence) if by_class else known.threshold(confidence)
    inside = class_conformity(probabilities) <= limit
    if not empty:
        inside[np.arange(len(inside)), probabilities.argmax(axis=1)] = True
    return np.asarray(inside)


def interval_of(
    calibration: Calibration, mean: FloatArray, scale: FloatArray, confidence: float
) -> FloatArray:
    """Lower and upper ends (n_samples, n_outputs, 2): the mean and a multiple of a scale.

    Parameters
    ----------
    calibration : Calibration
        Of sizes of errors over their scales, by outputs.
    mean, scale : ndarray of shape (n_samples, n_outputs)
    confidence : float
    """
    if scale.shape != mean.shape:  # broadcast, every row would have the first one's scale
        raise ValueError(f"Scales must have the means' shape {mean.shape}. Got {scale.shape}.")
    limit = calibration.thresholds(confidence)
    with np.errstate(over="ignore", invalid="ignore"):
        reach = np.where(np.isinf(limit), np.inf, scale * limit)
        return np.stack([mean - reach, mean + reach], axis=2)
