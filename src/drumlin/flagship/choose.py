"""Which of two regressions to take: the one whose errors left out are clearly lower."""

from __future__ import annotations

import numpy as np

from drumlin._typing import FloatArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.recipe import JudgeRule
from drumlin.flagship.smooth import Smooth
from drumlin.laplace import LocalFit, network_scores
from drumlin.losses import Squared
from drumlin.refinement import Refined, Unseen
from drumlin.sample import Rows, Sample


def is_beaten(
    refined: Refined, rival: Smooth, rows: Rows, rule: JudgeRule, judged: Unseen | None = None
) -> bool:
    """Whether the rival's errors left out are lower by more than ``rule.margin`` standard errors.

    Parameters
    ----------
    refined : Refined
    rival : Smooth
    rows : Rows
        Targets are numbers.
    rule : JudgeRule
    judged : Unseen or None
        Large tables: the refined network on rows that neither has seen. Else both are judged by
        their quadratic models, if the refined network has not too many variables for one.
    """
    if judged is not None:
        sample, scores = judged.sample, [judged.scores, network_scores(rival, judged.sample.X)]
    elif refined.size > rule.most_variables:
        return False
    else:
        sample = rows.represented_by(rule.rows)
        scores = [_left_out(solution, sample) for solution in (refined, rival)]
    gain = np.subtract(*[((f - sample.codes) ** 2)[:, 0] for f in scores])
    return is_clear(gain, sample.weight, sample.unit, rule.margin)


def _left_out(solution: Refined | Smooth, sample: Sample) -> FloatArray:
    """Scores (n_rows, 1) of rows left out, by the quadratic model of a network."""
    local = LocalFit.of(solution, sample.with_noise(solution.noise), Squared())
    return local.loo_scores()[:, None]
