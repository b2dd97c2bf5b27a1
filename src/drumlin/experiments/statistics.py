"""From single runs to comparisons: means, paired differences, ranks.

Realisations of a set share rows, so standard errors over them are somewhat too small and p-values
too optimistic; sets are independent. The critical difference is Nemenyi's (Demšar, JMLR 7, 2006).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import rankdata, studentized_range, wilcoxon

from drumlin.evaluation.measures import paired
from drumlin.experiments.protocol import DONE

if TYPE_CHECKING:
    import pandas


def finished(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Runs that did not fail."""
    return frame[frame["status"] == DONE]


def means(frame: pandas.DataFrame, column: str) -> pandas.DataFrame:
    """Means over realisations: one row per method, one column per set."""
    return finished(frame).pivot_table(index="method", columns="dataset", values=column)


class Difference(NamedTuple):
    """Paired difference of two methods on a set: mean, standard error, p of Wilcoxon's test."""

    mean: float
    error: float
    p: float
    n: int


def difference(
    frame: pandas.DataFrame, dataset: str, method: str, baseline: str, column: str = "error"
) -> Difference | None:
    """Difference of a method to another over the realisations that both have.

    Returns
    -------
    Difference or None
        None where they have no realisation in common.
    """
    runs = finished(frame)
    pivot = runs[runs["dataset"] == dataset].pivot_table(
        index="realisation", columns="method", values=column
    )
    if not {method, baseline} <= set(pivot.columns):
        return None
    both = pivot[[method, baseline]].dropna()
    if both.empty:
        return None
    ours, theirs = both[method].to_numpy(), both[baseline].to_numpy()
    mean, error = paired(ours, theirs)
    return Difference(mean, error, _wilcoxon(ours - theirs), len(both))


def _wilcoxon(differences: np.ndarray) -> float:
    """p-value of the signed-rank test; 1 where nothing differs."""
    if not np.any(differences):
        return 1.0
    return float(wilcoxon(differences, zero_method="pratt").pvalue)


class Ranks(NamedTuple):
    """Average ranks over sets (1 is best), and the difference that would be significant.

    ``methods`` maps those that have a result on every set to their average rank.
    """

    methods: dict[str, float]
    n_sets: int
    critical_difference: float


def average_ranks(errors: pandas.DataFrame, alpha: float = 0.05) -> Ranks:
    """Rank methods on every set and average.

    Parameters
    ----------
    errors : DataFrame
        Mean errors, one row per method, one column per set.
    alpha : float, default=0.05
        Level of the critical difference.

    Returns
    -------
    Ranks
        Ties share their ranks.
    """
    complete = errors.dropna()
    if complete.empty:
        return Ranks({}, errors.shape[1], float("nan"))
    # Means of the same few integers differ in the last bits: equal errors shall tie.
    ranks = rankdata(np.round(complete.to_numpy(), 9), axis=0).mean(axis=1)
    by_method = dict(zip(complete.index, ranks.tolist(), strict=True))
    cd = critical_difference(len(complete), complete.shape[1], alpha)
    return Ranks(by_method, complete.shape[1], cd)


def critical_difference(n_methods: int, n_sets: int, alpha: float = 0.05) -> float:
    r"""Nemenyi's critical difference of average ranks.

    .. math:: CD = q_\alpha \sqrt{k (k + 1) / (6 N)}

    with :math:`q_\alpha` the studentised range over :math:`\sqrt 2` of k methods and N sets.
    """
    if n_methods < 2:
        return float("nan")
    q = studentized_range.ppf(1.0 - alpha, n_methods, np.inf) / np.sqrt(2.0)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6.0 * n_sets)))
