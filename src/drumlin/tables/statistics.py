r"""Many-valued categories by what their rows have as a target, shrunk and out of fold.

The mean target :math:`\mu + b_i` of category :math:`i` is that of a random effect with variance
:math:`\tau^2` beside a noise of variance :math:`\sigma^2` (both by analysis of variance, as in
Searle, Casella and McCulloch, Variance Components, 1992, ch. 3.6), so its best prediction from
:math:`n_i` rows with mean :math:`\bar t_i` is

.. math:: \mu + \frac{n_i}{n_i + \sigma^2/\tau^2}(\bar t_i - \mu).

Where categories differ no more than noise lets them, :math:`\tau^2 = 0` and all have the mean.
A training row has the figure of the folds that it is not in: its own target is not in its inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import type_of_target

from drumlin._typing import FloatArray, IntArray

FOLDS = 5
"""Parts of the training rows; each has the statistics of the others."""

SEED = 0
"""Of the folds: the same table always gives the same model."""


@dataclass(frozen=True)
class Targets:
    """Targets as numbers, one column per class (one of two), or per output.

    Parameters
    ----------
    values : ndarray of shape (n_rows, n_outputs)
    labels : tuple of str
        What their means are called.
    strata : ndarray of shape (n_rows,)
        Classes by their index, of several outputs those that occur together; zeros where targets
        are numbers.
    """

    values: FloatArray
    labels: tuple[str, ...]
    strata: IntArray

    @classmethod
    def of(cls, y: Any, kind: str) -> Targets:
        """Understand targets.

        Parameters
        ----------
        y : array-like of shape (n_rows,) or (n_rows, n_outputs)
        kind : {"auto", "classes", "numbers"}
            "auto" takes texts, truth values and whole numbers for classes, as scikit-learn does.
        """
        y = np.asarray(y)
        if kind == "auto":
            kind = "numbers" if type_of_target(y).startswith("continuous") else "classes"
        if kind == "numbers":
            values = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
            numbers = [""] if values.shape[1] == 1 else [f" {k}" for k in range(values.shape[1])]
            labels = tuple(f" (mean target{number})" for number in numbers)
            return cls(values, labels, np.zeros(len(y), dtype=np.int64))
        outputs = y.reshape(len(y), -1).T
        if len(outputs) == 1:
            return cls._of_classes(outputs[0], "")
        parts = [cls._of_classes(output, f" in {k}") for k, output in enumerate(outputs)]
        _, strata = np.unique(np.stack([p.strata for p in parts]), axis=1, return_inverse=True)
        labels = tuple(label for part in parts for label in part.labels)
        return cls(np.hstack([part.values for part in parts]), labels, strata.ravel())

    @classmethod
    def _of_classes(cls, y: Any, where: str) -> Targets:
        """Shares of classes in one output, (n_rows,)."""
        classes, codes = np.unique(y, return_inverse=True)
        shown = classes[1:] if len(classes) == 2 else classes
        first = len(classes) - len(shown)
        values = (codes[:, None] == np.arange(first, len(classes))).astype(np.float64)
        return cls(values, tuple(f" (share of {label}{where})" for label in shown), codes)

    def folds(self) -> IntArray:
        """Fold of every row (n_rows,), every class spread over all."""
        order = np.random.RandomState(SEED).permutation(len(self.strata))
        order = order[np.argsort(self.strata[order], kind="stable")]
        folds = np.empty(len(order), dtype=np.int64)
        folds[order] = np.arange(len(order)) % FOLDS
        return folds


def shrunk_means(groups: IntArray, values: FloatArray, n_groups: int) -> FloatArray:
    """Best predictions of the groups' means, and the mean of all in the last row.

    Parameters
    ----------
    groups : ndarray of shape (n_rows,)
        Group of every row, below ``n_groups``.
    values : ndarray of shape (n_rows, n_outputs)

    Returns
    -------
    ndarray of shape (n_groups + 1, n_outputs)
        A group without rows has the mean of all.
    """
    n_i = np.bincount(groups, minlength=n_groups).astype(np.float64)
    n, k = n_i.sum(), float((n_i > 0).sum())
    mean = values.mean(axis=0)
    centered = values - mean
    sums = np.stack([np.bincount(groups, c, n_groups) for c in centered.T], axis=1)
    between = (sums**2 / np.maximum(n_i, 1.0)[:, None]).sum(axis=0)
    within = np.maximum((centered**2).sum(axis=0) - between, 0.0)
    if k < 2 or n <= k:
        return np.tile(mean, (n_groups + 1, 1))
    noise = within / (n - k)
    size = (n - (n_i**2).sum() / n) / (k - 1.0)
    effect = np.maximum((between / (k - 1.0) - noise) / size, 0.0)
    # n_i/(n_i + noise/effect), and 0 where there is no effect: written so that both may be zero.
    weight = n_i[:, None] * effect + noise
    shrunk = np.divide(sums * effect, weight, out=np.zeros_like(sums), where=weight > 0.0)
    return np.vstack([mean + shrunk, mean])


def out_of_fold(groups: IntArray, targets: Targets, n_groups: int) -> FloatArray:
    """Return the statistics of every training row from the folds that it is not in."""
    made = np.empty_like(targets.values)
    folds = targets.folds()
    for fold in np.unique(folds):
        inside = folds == fold
        means = shrunk_means(groups[~inside], targets.values[~inside], n_groups)
        made[inside] = means[groups[inside]]
    return made
