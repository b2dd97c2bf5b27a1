"""Which of several regressions to take: the one whose errors left out are clearly lower."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.own_nodes import scores_left_out
from drumlin.flagship.recipe import JudgeRule
from drumlin.flagship.smooth import Smooth
from drumlin.laplace import LocalFit, network_scores
from drumlin.losses import Squared
from drumlin.refinement import Refined, Unseen
from drumlin.sample import Rows, Sample


class Rival(NamedTuple):
    """A smooth network that may be taken instead of a refined one.

    Parameters
    ----------
    smooth : Smooth
    support : ndarray of shape (n_nodes,)
        Rows given to ``fit`` that its nodes stand on.
    margin : float
        Standard errors by which its squared errors left out must be lower.
    """

    smooth: Smooth
    support: IntArray
    margin: float


def best_rival(
    refined: Refined,
    rivals: Iterable[Rival],
    rows: Rows,
    rule: JudgeRule,
    judged: Unseen | None = None,
) -> Rival | None:
    """Return the rival that is clearly better than the refined network, and all before it; or None.

    That is, whose squared errors left out are lower by so many standard errors as its kind says. Of
    large tables it is enough that they are lower than the refined network's: rows kept apart have
    chosen that one among several, and so find too few errors of it.

    Parameters
    ----------
    refined : Refined
    rivals : iterable of Rival
        Taken one by one; none where the refined network cannot be judged.
    rows : Rows
        Targets are numbers.
    rule : JudgeRule
    judged : Unseen or None
        Large tables: the refined network on rows that no one has seen. Else all are judged by
        their quadratic models, if the refined network has not too many variables for one.
    """
    if judged is not None:
        sample = judged.sample
        least = _squares(judged.scores, sample)
    elif refined.size <= rule.last_variables:
        sample = rows.represented_by(rule.rows)
        local = _local(refined, sample, rule)
        known = _knows_by_heart(local, rule)  # then it is as good as a constant, for all we know
        scores = np.zeros(sample.n_rows) if known else local.loo_scores(whole=True)
        least = _squares(scores[:, None], sample)
    else:
        return None
    best, looks = None, np.maximum(sample.weight, sample.unit)  # copies are no looks of their own
    for rival in rivals:
        if judged is not None:
            squares = _squares(network_scores(rival.smooth, sample.X), sample)
        else:
            local = _local(rival.smooth, sample, rule)
            scores = scores_left_out(rival.smooth, rival.support, local, whole=True)
            squares = _squares(scores[:, None], sample)
        margin = 0.0 if judged is not None and best is None else rival.margin
        if is_clear(least - squares, sample.weight, looks, margin):
            best, least = rival, squares
    return best


def _local(solution: Refined | Smooth, sample: Sample, rule: JudgeRule) -> LocalFit:
    """The quadratic model; in single precision where it is large."""
    known = sample.with_noise(solution.noise).in_single(solution.size > rule.most_variables)
    return LocalFit.of(solution, known, Squared())


def _knows_by_heart(local: LocalFit, rule: JudgeRule) -> bool:
    """Whether so much of the rows was learned that those left out cannot be told."""
    rows = local.sample
    leverage = rows.loss_weight / rows.stands_for * local.variance  # of a row with its copies
    return float(np.average(leverage, weights=rows.weight)) > rule.most_learned


def _squares(scores: FloatArray, sample: Sample) -> FloatArray:
    return ((scores - sample.codes) ** 2)[:, 0]
