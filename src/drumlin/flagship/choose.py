"""Which of several regressions to take: the one whose errors left out are clearly lower."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from drumlin._typing import FloatArray, IntArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.recipe import JudgeRule
from drumlin.flagship.smooth import Smooth
from drumlin.laplace import LocalFit, network_scores
from drumlin.losses import Squared
from drumlin.refinement import Refined, Unseen
from drumlin.sample import Rows, Sample


def best_rival(
    refined: Refined,
    rivals: Iterable[tuple[Smooth, IntArray]],
    rows: Rows,
    rule: JudgeRule,
    judged: Unseen | None = None,
) -> tuple[Smooth, IntArray] | None:
    """Return the rival that is clearly better than the refined network, and all before it; or None.

    That is, whose squared errors left out are lower by more than ``rule.margin`` standard errors.

    Parameters
    ----------
    refined : Refined
    rivals : iterable of (Smooth, ndarray)
        Networks and their support, the smallest first. None is looked for in vain.
    rows : Rows
        Targets are numbers.
    rule : JudgeRule
    judged : Unseen or None
        Large tables: the refined network on rows that no one has seen. Else all are judged by
        their quadratic models, if the refined network has not too many variables for one.
    """
    scores_of: Callable[[Refined | Smooth, Sample], FloatArray]
    if judged is not None:
        sample, scores_of = judged.sample, _scores_apart
        scores = judged.scores  # before it saw them
    elif refined.size <= rule.last_variables:
        sample, scores_of = rows.represented_by(rule.rows), partial(_scores_left_out, rule=rule)
        scores = scores_of(refined, sample)
    else:
        return None
    best, least = None, _squares(scores, sample)
    for rival in rivals:
        squares = _squares(scores_of(rival[0], sample), sample)
        if is_clear(least - squares, sample.weight, sample.unit, rule.margin):
            best, least = rival, squares
    return best


def _scores_apart(solution: Refined | Smooth, sample: Sample) -> FloatArray:
    """Scores (n_rows, 1) of rows that a network has not seen."""
    return network_scores(solution, sample.X)


def _scores_left_out(solution: Refined | Smooth, sample: Sample, rule: JudgeRule) -> FloatArray:
    """Scores (n_rows, 1) of rows left out with all their copies, by the quadratic model."""
    known = sample.with_noise(solution.noise).in_single(solution.size > rule.most_variables)
    return LocalFit.of(solution, known, Squared()).loo_scores(whole=True)[:, None]


def _squares(scores: FloatArray, sample: Sample) -> FloatArray:
    return ((scores - sample.codes) ** 2)[:, 0]
