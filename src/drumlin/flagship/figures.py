"""What a fitted network is worth: leave-one-out figures and noise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from drumlin._typing import FloatArray, IntArray
from drumlin.flagship.crossing import Crossing, no_crossing
from drumlin.flagship.fit import Fit
from drumlin.flagship.left_out import is_affordable, left_out, local_fit
from drumlin.flagship.recipe import JudgeRule
from drumlin.flagship.smooth import LEAST_NOISE
from drumlin.flagship.task import Numbers
from drumlin.laplace import (
    MeanVariance,
    Uncertainty,
    network_scores,
)
from drumlin.losses import (
    Logistic,
    accuracy,
    class_probabilities,
    log_loss,
)
from drumlin.refinement import Refined
from drumlin.sample import Sample
from drumlin.trust import Calibration, class_calibration, number_calibration

REFINED = "of the refined network, by one Newton step per sample"
DECIDED = (
    "of the refined network, by one Newton step per sample, and by networks fitted without each of "
    "the few samples that decide: with so few, new data may tell twice or half as much"
)
APART = "of rows kept apart until the last refinement"
START = "of the least-squares start: the refined network is usually better, at times by half"
CROSSED = "of networks fitted without a part of the rows each, on that part: somewhat pessimistic"
TOO_LARGE = "not known (NaN): a quadratic model of so many variables is too much work"
STOPPED = "not known (NaN): an interrupt came while they were made"
CONSTANT = "of the best constant"
TRUNCATED = "of the whole network, plus what its quadratic model says of the nodes left out"
UNKNOWN = "of the refined network or of its start: an older file does not say which"
NOTES = (REFINED, DECIDED, APART, START, CROSSED, TOO_LARGE, STOPPED, CONSTANT, TRUNCATED, UNKNOWN)
"""What leave-one-out figures are of; older files may have those of the start."""

Known = Uncertainty | MeanVariance | None
"""What is known of the variance of a network's scores."""

LEAST_STD = 1e-150
"""Least standard deviation that errors are divided by: of constant targets it is zero."""


@dataclass(frozen=True)
class ClassFigures:
    """Leave-one-out error and log-loss of a classifier, and what they are of.

    Parameters
    ----------
    loo_error, loo_log_loss : float
    note : str
        One of ``NOTES``.
    calibration : Calibration or None
        Of sets of classes; None where scores left out are not the network's own.
    """

    loo_error: float
    loo_log_loss: float
    note: str
    calibration: Calibration | None = None

    @classmethod
    def of(cls, fit: Fit, rule: JudgeRule, crossing: Crossing = no_crossing) -> ClassFigures:
        """Judge a network by its quadratic model, rows kept apart, others like it, or not at all.

        An interrupt does not lose the network: only its figures are not known then.

        Parameters
        ----------
        fit : Fit
        rule : JudgeRule
        crossing : callable
            Asked where a quadratic model is too much work.
        """
        try:
            return cls._known(fit, rule, crossing)
        except KeyboardInterrupt:
            return cls._unknown(STOPPED)

    @classmethod
    def _unknown(cls, note: str) -> ClassFigures:
        return cls(float("nan"), float("nan"), note)

    @classmethod
    def _known(cls, fit: Fit, rule: JudgeRule, crossing: Crossing) -> ClassFigures:
        judged = fit.judged
        if fit.solution is None:
            sample = fit.rows.draw(rule.truncation_rows)
            constant = np.tile(fit.network.intercept, (sample.n_rows, 1))
            return cls._judged(sample, constant, CONSTANT)
        if fit.rows.n_classes == 2 and fit.solution.size <= _most_variables(fit, rule):
            return cls._of_two(fit, rule, crossing)
        several = fit.rows.n_classes > 2
        if several and is_affordable(fit, rule) and not _has_many_apart(fit, rule):
            return cls._judged(*left_out(fit, rule), REFINED)
        if judged is not None:
            return cls._judged(judged.sample, judged.scores, APART)
        crossed = crossing()
        if crossed is None:
            return cls._unknown(TOO_LARGE)
        return cls._judged(crossed.sample, crossed.scores, CROSSED)

    @classmethod
    def _judged(cls, sample: Sample, scores: FloatArray, note: str) -> ClassFigures:
        """Judge by scores left out of rows as they came, as baselines and tests are."""
        error = 1.0 - accuracy(scores, sample.labels, sample.copies)
        loss = log_loss(scores, sample.labels, sample.copies, 1.0)
        probabilities = class_probabilities(scores, 1.0)
        known = class_calibration(probabilities, sample.labels, sample.copies)
        return cls(error, loss, note, known)

    @classmethod
    def _of_two(cls, fit: Fit, rule: JudgeRule, crossing: Crossing) -> ClassFigures:
        """Of two classes: where steps are too long for the quadratic model, by other networks."""
        assert isinstance(fit.solution, Refined)
        sample, scores = left_out(fit, rule)
        steps = np.abs(scores - network_scores(fit.solution, sample.X))[:, 0]
        losses = sample.copies * Logistic().values(sample.targets, scores)
        few = deciding_rows(losses, steps, rule)
        crossed = crossing(sample.index[few]) if len(few) else None
        if crossed is None:
            return cls._judged(sample, scores, REFINED)
        scores[few] = crossed.scores
        return cls._judged(sample, scores, DECIDED)


def deciding_rows(losses: FloatArray, steps: FloatArray, rule: JudgeRule) -> IntArray:
    """Rows whose Newton steps are too long, where they are few and decide the loss; else none.

    Parameters
    ----------
    losses : ndarray of shape (n_rows,)
        Of samples left out.
    steps : ndarray of shape (n_rows,)
        Log-odds by which leaving them out moved their scores.
    rule : JudgeRule
    """
    few = np.argsort(-steps, kind="stable")[: rule.most_refitted]
    few = few[steps[few] > rule.longest_step]
    return few if losses[few].sum() > rule.decisive * losses.sum() else few[:0]


def _most_variables(fit: Fit, rule: JudgeRule) -> int:
    """Most variables for which a quadratic model is preferred to rows kept apart, if there are."""
    return rule.most_variables if _has_many_apart(fit, rule) else rule.last_variables


def _has_many_apart(fit: Fit, rule: JudgeRule) -> bool:
    """Whether so many rows were kept apart that they tell more than a quadratic model of all."""
    return fit.judged is not None and fit.judged.sample.n_rows >= rule.least_apart


@dataclass(frozen=True)
class NumberFigures:
    """Noise and leave-one-out errors of a regression, in units of the codes.

    Parameters
    ----------
    noise : float
        Variance of the noise, the mean of all outputs.
    noises : ndarray of shape (n_outputs,)
        That of every output: the mean, shared out as errors left out tell.
    loo_errors : ndarray of shape (n_outputs,)
        Root mean squares of the errors left out.
    note : str
        What they are of, one of ``NOTES``.
    uncertainty : Uncertainty, MeanVariance or None
        Of the network; None where it is not known.
    calibration : Calibration or None
        Of intervals; None where errors left out are not the network's own.
    """

    noise: float
    noises: FloatArray
    loo_errors: FloatArray
    note: str
    uncertainty: Known = None
    calibration: Calibration | None = None

    @classmethod
    def of(cls, fit: Fit, rule: JudgeRule, crossing: Crossing = no_crossing) -> NumberFigures:
        """Judge a network as ``ClassFigures.of`` does."""
        try:
            return cls._known(fit, rule, crossing)
        except KeyboardInterrupt:
            return cls._unknown(fit, STOPPED)

    @classmethod
    def _unknown(cls, fit: Fit, note: str) -> NumberFigures:
        unknown = np.full(len(fit.network.intercept), np.nan)
        return cls(fit.noise, np.full(len(unknown), fit.noise), unknown, note)

    @classmethod
    def _known(cls, fit: Fit, rule: JudgeRule, crossing: Crossing) -> NumberFigures:
        solution = fit.solution
        if solution is None:
            return cls._of_constant(fit, fit.rows.draw(rule.truncation_rows))
        if len(fit.network.intercept) > 1:
            return cls._of_several(fit, rule, crossing)
        if solution.size > rule.last_variables:
            return cls._of_apart(fit) if fit.judged is not None else cls._crossed(fit, crossing)
        local = local_fit(fit, rule)
        if solution.size <= rule.most_variables:
            variance = local.loo_variance()
            known: Known = Uncertainty.of(solution, fit.network.nodes, local)
        else:
            mean = float(np.average(local.variance, weights=local.sample.weight))
            known, variance = MeanVariance(mean), np.full(local.sample.n_rows, mean)
            if fit.judged is not None:
                return replace(cls._of_apart(fit, mean), uncertainty=known)
        sample, scores = left_out(fit, rule)
        figures = cls._judged(sample, scores - sample.codes, fit, variance[:, None], REFINED)
        return replace(figures, uncertainty=known)

    @classmethod
    def _judged(
        cls,
        sample: Sample,
        errors: FloatArray,
        fit: Fit,
        variance: FloatArray | float,
        note: str,
    ) -> NumberFigures:
        """Judge by errors left out (n_rows, n_outputs), beside the noise of given variances."""
        noises = _shared_out(fit, errors, sample.weight)
        known = number_calibration(errors / np.sqrt(noises + variance), sample.weight)
        return cls(fit.noise, noises, _sizes(errors, sample.weight), note, None, known)

    @classmethod
    def _of_apart(cls, fit: Fit, variance: float | None = None) -> NumberFigures:
        """By the network's errors on rows kept apart; they tell its variance where nothing does."""
        assert fit.judged is not None
        apart = fit.judged.sample
        errors = fit.judged.scores - apart.codes
        if variance is None:
            squares = float(np.mean(_sizes(errors, apart.weight) ** 2))
            variance = max(squares - fit.noise, 0.0) if errors.shape[1] == 1 else 0.0
        figures = cls._judged(apart, errors, fit, variance, APART)
        return replace(figures, uncertainty=MeanVariance(variance))

    @classmethod
    def _of_several(cls, fit: Fit, rule: JudgeRule, crossing: Crossing) -> NumberFigures:
        """Of several outputs: their variances are not told apart from the noise."""
        affordable = is_affordable(fit, rule)
        if fit.judged is not None and (_has_many_apart(fit, rule) or not affordable):
            return replace(cls._of_apart(fit), uncertainty=None)
        if not affordable:
            return cls._crossed(fit, crossing)
        sample, scores = left_out(fit, rule)
        return cls._judged(sample, scores - sample.codes, fit, 0.0, REFINED)

    @classmethod
    def _crossed(cls, fit: Fit, crossing: Crossing) -> NumberFigures:
        crossed = crossing()
        if crossed is None:
            return cls._unknown(fit, TOO_LARGE)
        errors = crossed.scores - crossed.sample.codes
        return cls._judged(crossed.sample, errors, fit, 0.0, CROSSED)

    @classmethod
    def _of_constant(cls, fit: Fit, sample: Sample) -> NumberFigures:
        """Of the mean (and, nearly, of the median)."""
        errors = sample.codes - fit.network.intercept
        noises = _variances(fit, errors, sample.weight)
        left = (sample.left_out / sample.total)[:, None]
        errors = errors / np.maximum(1.0 - left, left)
        known = number_calibration(errors / np.maximum(np.sqrt(noises), LEAST_STD), sample.weight)
        sizes = _sizes(errors, sample.weight)
        return cls(float(noises.mean()), noises, sizes, CONSTANT, None, known)


def _variances(fit: Fit, errors: FloatArray, weight: FloatArray) -> FloatArray:
    """Variances (n_outputs,) of errors, as the task sees outliers."""
    assert isinstance(fit.task, Numbers)
    return fit.task.variances(errors, weight)


def _shared_out(fit: Fit, errors: FloatArray, weight: FloatArray) -> FloatArray:
    """Noise (n_outputs,) of every output: their mean is the network's, whatever it left out."""
    if errors.shape[1] == 1:
        return np.array([fit.noise])
    variances = np.maximum(_variances(fit, errors, weight), LEAST_NOISE)
    return np.asarray(fit.noise * variances / variances.mean())


def _sizes(errors: FloatArray, weight: FloatArray) -> FloatArray:
    """Root mean squares (n_outputs,) of errors (n_rows, n_outputs)."""
    return np.asarray(np.sqrt(np.average(errors**2, axis=0, weights=weight)))
