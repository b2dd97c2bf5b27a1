"""Samples left out of a fitted network, by its quadratic model: for figures, and for choices.

Figures leave out one sample, as a user would; a row that comes twice is still known by its copy.
Choices leave out a row with all its copies: else networks that know every row by heart would win.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from drumlin._typing import FloatArray
from drumlin.flagship.fit import Fit
from drumlin.flagship.own_nodes import scores_left_out
from drumlin.flagship.recipe import JudgeRule
from drumlin.laplace import LocalFit, loo_scores_of_several
from drumlin.losses import Loss, Squared, loss_of_classes
from drumlin.refinement import Refined
from drumlin.sample import Sample


class LeftOut(NamedTuple):
    """Rows, and their scores (n_rows, n_outputs) without them."""

    sample: Sample
    scores: FloatArray


def left_out(fit: Fit, rule: JudgeRule, *, whole: bool = False) -> LeftOut:
    """Return samples left out of a network that is not too large for it.

    Parameters
    ----------
    fit : Fit
    rule : JudgeRule
    whole : bool
        Whether a row is left out with all its copies.
    """
    if fit.rows.n_classes == 1 and len(fit.network.intercept) == 1:
        local = local_fit(fit, rule)
        assert fit.solution is not None
        scores = scores_left_out(fit.solution, fit.support, local, whole=whole)
        return LeftOut(local.sample, scores[:, None])
    assert isinstance(fit.solution, Refined)
    sample, loss, bent = _question(fit, rule)
    whole = whole and bool((sample.weight > sample.left_out).any())
    asked = (rule, whole)
    if asked not in fit.remembered:
        fit.remembered[asked] = loo_scores_of_several(
            fit.solution, sample, loss, bent=bent, whole=whole
        )
    return LeftOut(sample, fit.remembered[asked].copy())


def local_fit(fit: Fit, rule: JudgeRule) -> LocalFit:
    """Return the quadratic model of a regression with one output."""
    assert fit.solution is not None
    if rule not in fit.remembered:
        sample = last_sample(fit, rule).with_noise(fit.noise)
        fit.remembered[rule] = LocalFit.of(fit.solution, sample, Squared())
    known = fit.remembered[rule]
    assert isinstance(known, LocalFit)
    return known


def losses_left_out(fit: Fit, rule: JudgeRule) -> tuple[Sample, FloatArray] | None:
    """Return rows and their losses (n_rows,), each left out with all its copies.

    Log-losses, or squared errors. None where a quadratic model is too much work.
    """
    if fit.solution is None:
        sample = fit.rows.draw(rule.truncation_rows)
        scores = np.tile(fit.network.intercept, (sample.n_rows, 1))
    elif is_affordable(fit, rule):
        sample, scores = left_out(fit, rule, whole=True)
    else:
        return None
    if sample.n_classes > 1:
        return sample, loss_of_classes(sample.n_classes).values(sample.targets, scores)
    return sample, ((scores - sample.codes) ** 2).sum(axis=1)


def is_affordable(fit: Fit, rule: JudgeRule) -> bool:
    """Whether a network is not too large to be judged by its quadratic model."""
    if fit.solution is None:
        return False
    n_outputs = len(fit.network.intercept)
    if n_outputs == 1:
        return fit.solution.size <= rule.last_variables
    return rule.affords_several(fit.rows.n_rows, n_outputs, fit.solution.size)


def last_sample(fit: Fit, rule: JudgeRule) -> Sample:
    """Rows of the quadratic model behind the figures; in single precision where it is large."""
    size = 0 if fit.solution is None else fit.solution.size
    return fit.rows.represented_by(rule.last_rows(size)).in_single(size > rule.most_variables)


def _question(fit: Fit, rule: JudgeRule) -> tuple[Sample, Loss, bool]:
    """Rows, their loss, and whether the network's bends are known: those of a minimum."""
    n_classes, size = fit.rows.n_classes, 0 if fit.solution is None else fit.solution.size
    if n_classes == 2:
        return last_sample(fit, rule), loss_of_classes(2), size <= rule.most_variables
    sample = fit.rows.represented_by(fit.rows.n_rows)
    if n_classes > 2:
        return sample, loss_of_classes(n_classes), True
    # Bends are pulled by the slopes of the loss that was made small.
    return sample.with_noise(fit.noise), Squared(), fit.task.loss(fit.noise) == Squared()
