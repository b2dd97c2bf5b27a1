"""Which of two regressions to take: the one whose errors left out are clearly lower."""

from __future__ import annotations

import numpy as np

from drumlin.criteria.paired import is_clear
from drumlin.flagship.recipe import JudgeRule
from drumlin.flagship.smooth import Smooth
from drumlin.laplace import LocalFit
from drumlin.losses import Squared
from drumlin.refinement import Refined
from drumlin.sample import Rows


def is_beaten(refined: Refined, rival: Smooth, rows: Rows, rule: JudgeRule) -> bool:
    """Whether the rival's squared errors left out are lower by more than one standard error.

    Parameters
    ----------
    refined : Refined
    rival : Smooth
    rows : Rows
        Targets are numbers.
    rule : JudgeRule
    """
    if refined.size > rule.most_variables:
        return False
    sample = rows.represented_by(rule.rows)
    squares = []
    for solution in (refined, rival):
        local = LocalFit.of(solution, sample.with_noise(solution.noise), Squared())
        squares.append((local.loo_scores() - sample.codes[:, 0]) ** 2)
    gain = np.subtract(*squares)
    return is_clear(gain, sample.weight, sample.total, rule.margin)
