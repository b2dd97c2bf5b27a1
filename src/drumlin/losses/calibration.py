r"""Probabilities from scores by one number: :math:`p_k \propto \exp(\beta f_k)`.

Least-squares scores order the classes but are not log-odds. One inverse temperature, fitted to
leave-one-out scores (which are as honest as those of new samples and cost no refit), makes
probabilities of them and cannot change which class is largest. A single score f of two classes
means :math:`p(1) = 1/(1 + \exp(-\beta f))`.
"""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray, IntArray

LARGEST = 1e4
"""Most extreme inverse temperature."""

_MAX_ITER = 50
_TOLERANCE = 1e-6


def class_probabilities(scores: FloatArray, temperature: float) -> FloatArray:
    """Probabilities (n_samples, n_classes) whose largest entry is always the largest score's.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_outputs)
        One output for two classes.
    temperature : float
        The inverse temperature beta.

    See Also
    --------
    fit_temperature
    winners

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import class_probabilities
    >>> class_probabilities(np.array([[0.0], [2.0]]), 1.0).round(3)
    array([[0.5  , 0.5  ],
           [0.119, 0.881]])
    """
    logits = _class_scores(scores)
    probabilities = _softmax(temperature * logits).T
    winner = logits.argmax(axis=0)
    # Scores that differ by less than the exponential resolves would tie here and not there.
    rows = np.flatnonzero(probabilities.argmax(axis=1) != winner)
    probabilities[rows, winner[rows]] = np.nextafter(probabilities[rows].max(axis=1), 1.0)
    return np.ascontiguousarray(probabilities)


def winners(scores: FloatArray) -> IntArray:
    """Index of the predicted class: a single score of zero means the first.

    See Also
    --------
    class_probabilities

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import winners
    >>> winners(np.array([[0.3], [-0.1], [0.0]]))
    array([1, 0, 0])
    """
    return (scores[:, 0] > 0.0).astype(np.int64) if scores.shape[1] == 1 else scores.argmax(axis=1)


def accuracy(scores: FloatArray, labels: IntArray, weight: FloatArray) -> float:
    """Weighted part of the samples whose class wins.

    See Also
    --------
    log_loss
    winners

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import accuracy
    >>> accuracy(np.array([[0.3], [-0.1]]), np.array([1, 1]), np.array([3.0, 1.0]))
    0.75
    """
    return float(np.average(winners(scores) == labels, weights=weight))


def smoothed_targets(labels: IntArray, weight: FloatArray, n_classes: int) -> FloatArray:
    """Platt's targets: (n + 1)/(n + 2) for a class of weight n, the rest shared by the others.

    They keep the temperature finite where leave-one-out scores separate the classes.

    Returns
    -------
    ndarray of shape (n_samples, n_classes)
        Rows sum to 1.

    See Also
    --------
    fit_temperature

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import smoothed_targets
    >>> smoothed_targets(np.array([0, 0, 1]), np.ones(3), 2).round(3)
    array([[0.75 , 0.25 ],
           [0.75 , 0.25 ],
           [0.333, 0.667]])
    """
    total = np.bincount(labels, weight, minlength=n_classes)[labels]
    own = (total + 1.0) / (total + 2.0)
    targets = np.repeat(((1.0 - own) / (n_classes - 1))[:, None], n_classes, axis=1)
    targets[np.arange(len(labels)), labels] = own
    return np.asarray(targets, dtype=np.float64)


def fit_temperature(
    scores: FloatArray, targets: FloatArray, weight: FloatArray, start: float = 1.0
) -> float:
    r"""Inverse temperature of least cross-entropy, by Newton's method in one variable.

    The loss :math:`\sum_i s_i (\log\sum_k e^{\beta f_{ik}} - \beta \sum_k t_{ik} f_{ik})` is convex
    in beta; its second derivative is the variance of the scores under the probabilities.

    Parameters
    ----------
    scores : ndarray of shape (n_samples, n_outputs)
    targets : ndarray of shape (n_samples, n_classes)
        Rows sum to 1.
    weight : ndarray of shape (n_samples,)
    start : float

    Returns
    -------
    float
        Not negative: a classifier that is worse than chance gets probabilities without opinion.

    See Also
    --------
    class_probabilities

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import fit_temperature
    >>> scores, targets = np.array([[1.0], [1.0]]), np.array([[0.25, 0.75], [0.25, 0.75]])
    >>> round(fit_temperature(scores, targets, np.ones(2)), 4)  # log-odds of 3
    1.0986
    """
    f = _class_scores(scores)
    wanted = float(weight @ (targets.T * f).sum(axis=0))
    low, high, beta = 0.0, LARGEST, start
    for _ in range(_MAX_ITER):
        p = _softmax(beta * f)
        mean = (p * f).sum(axis=0)
        slope = float(weight @ mean) - wanted
        curvature = float(weight @ ((p * f * f).sum(axis=0) - mean * mean))
        low, high = (beta, high) if slope < 0.0 else (low, beta)
        # Newton's step where it stays inside the bracket, else bisection.
        step = beta - slope / curvature if curvature > 0.0 else -1.0
        new = step if low < step < high else 0.5 * (low + high)
        if abs(new - beta) <= _TOLERANCE * (1.0 + beta):
            return new
        beta = new
    return beta


def log_loss(scores: FloatArray, labels: IntArray, weight: FloatArray, temperature: float) -> float:
    """Weighted mean of minus the log-probability of the true class.

    See Also
    --------
    class_probabilities

    Examples
    --------
    >>> import numpy as np
    >>> from drumlin.losses import log_loss
    >>> round(log_loss(np.zeros((2, 1)), np.array([0, 1]), np.ones(2), 1.0), 4)
    0.6931
    """
    logits = temperature * _class_scores(scores)
    logits -= logits.max(axis=0)
    own = logits[labels, np.arange(len(labels))] - np.log(np.exp(logits).sum(axis=0))
    return float(-(weight @ own) / weight.sum())


def _class_scores(scores: FloatArray) -> FloatArray:
    """One contiguous row of scores per class; a single score f is split as (0, f)."""
    if scores.shape[1] > 1:
        return np.ascontiguousarray(scores.T)
    return np.vstack([np.zeros(len(scores)), scores[:, 0]])


def _softmax(logits: FloatArray) -> FloatArray:
    """Softmax over the first axis: one class a row is several times faster than one a column."""
    exponentials = np.exp(logits - logits.max(axis=0))
    return np.asarray(exponentials / exponentials.sum(axis=0))
