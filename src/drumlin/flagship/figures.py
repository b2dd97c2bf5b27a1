"""What a fitted network is worth: leave-one-out figures and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.flagship.fit import Fit
from drumlin.flagship.recipe import JudgeRule
from drumlin.flagship.start import Start
from drumlin.laplace import LocalFit, MeanVariance, Uncertainty, loo_scores_of_several
from drumlin.losses import (
    Logistic,
    Softmax,
    Squared,
    fit_temperature,
    log_loss,
    smoothed_targets,
    winners,
)
from drumlin.refinement import Refined
from drumlin.sample import Sample

REFINED = "of the refined network, by one Newton step per sample"
APART = "of rows kept apart until the last refinement"
START = "of the least-squares start: the refined network is usually better, at times by half"
CONSTANT = "of the best constant"
TRUNCATED = "of the whole network, plus what its quadratic model says of the nodes left out"
UNKNOWN = "of the refined network or of its start: an older file does not say which"
NOTES = (REFINED, APART, START, CONSTANT, TRUNCATED, UNKNOWN)
"""What leave-one-out figures are of."""


@dataclass(frozen=True)
class ClassFigures:
    """Leave-one-out error and log-loss of a classifier, and what they are of."""

    loo_error: float
    loo_log_loss: float
    note: str

    @classmethod
    def of(cls, fit: Fit, rule: JudgeRule) -> ClassFigures:
        """Judge a network by its quadratic model, by rows kept apart, or else by its start."""
        start, judged = fit.start, fit.judged
        if fit.solution is None or start is None:
            sample = fit.rows.draw(rule.truncation_rows)
            constant = np.tile(fit.network.intercept, (sample.n_rows, 1))
            return cls._judged(sample, constant, CONSTANT)
        if fit.rows.n_classes == 2 and fit.solution.size <= _most_variables(fit, rule):
            local = LocalFit.of(fit.solution, _last_sample(fit, rule), Logistic())
            return cls._judged(local.sample, local.loo_scores()[:, None], REFINED)
        if judged is not None:
            return cls._judged(judged.apart, judged.scores, APART)
        return cls._of_several(fit) if _is_affordable(fit, rule) else cls._of_start(start)

    @classmethod
    def _judged(
        cls, sample: Sample, scores: FloatArray, note: str, temperature: float = 1.0
    ) -> ClassFigures:
        right = winners(scores) == sample.labels
        error = 1.0 - float(sample.weight @ right / sample.weight.sum())
        return cls(error, log_loss(scores, sample.labels, sample.weight, temperature), note)

    @classmethod
    def _of_start(cls, start: Start) -> ClassFigures:
        sample, scores = start.sample, start.loo_predictions
        targets = smoothed_targets(sample.labels, sample.weight, sample.n_classes)
        temperature = fit_temperature(scores, targets, sample.weight)
        return cls._judged(sample, scores, START, temperature)

    @classmethod
    def _of_several(cls, fit: Fit) -> ClassFigures:
        assert isinstance(fit.solution, Refined)
        sample = fit.rows.represented_by(fit.rows.n_rows).in_single(True)
        loss = Softmax(fit.rows.n_classes)
        return cls._judged(sample, loo_scores_of_several(fit.solution, sample, loss), REFINED)


def _is_affordable(fit: Fit, rule: JudgeRule) -> bool:
    """Whether there is time for the quadratic model of several scores, of all rows."""
    n_rows, n_classes = fit.rows.n_rows, fit.rows.n_classes
    return (
        isinstance(fit.solution, Refined)
        and n_classes > 2
        and n_rows * n_classes * fit.solution.size**2 <= rule.several_work
    )


def _most_variables(fit: Fit, rule: JudgeRule) -> int:
    """Most variables for which a quadratic model is preferred to rows kept apart, if there are."""
    return rule.last_variables if fit.judged is None else rule.most_variables


def _last_sample(fit: Fit, rule: JudgeRule) -> Sample:
    """Rows of the quadratic model behind the figures; in single precision where it is large."""
    size = 0 if fit.solution is None else fit.solution.size
    return fit.rows.represented_by(rule.last_rows(size)).in_single(size > rule.most_variables)


@dataclass(frozen=True)
class NumberFigures:
    """Noise and leave-one-out error of a regression, in units of the codes.

    Parameters
    ----------
    noise : float
        Variance of the noise.
    loo_error : float
        Root mean square of the errors left out.
    uncertainty : Uncertainty, MeanVariance or None
        Of the network; None where it is not known.
    """

    noise: float
    loo_error: float
    uncertainty: Uncertainty | MeanVariance | None = None

    @classmethod
    def of(cls, fit: Fit, rule: JudgeRule) -> NumberFigures:
        """Judge a network by its quadratic model, and by rows kept apart where there are any."""
        solution, start, noise = fit.solution, fit.start, fit.noise
        if solution is None or start is None:
            sample = fit.rows.draw(rule.truncation_rows)
            return cls(*_of_constant(sample.codes[:, 0] - fit.network.intercept[0], sample))
        apart = None if fit.judged is None else _error(fit.judged.apart, fit.judged.scores)
        if solution.size > rule.last_variables:
            if apart is None:
                return cls(noise, float(np.sqrt(start.squared_error)))
            return cls(noise, apart, MeanVariance(max(apart**2 - noise, 0.0)))
        local = LocalFit.of(solution, _last_sample(fit, rule).with_noise(noise), Squared())
        error = _error(local.sample, local.loo_scores()[:, None])
        if solution.size <= rule.most_variables:
            return cls(noise, error, Uncertainty.of(solution, fit.network.nodes, local))
        mean = float(np.average(local.variance, weights=local.sample.weight))
        return cls(noise, apart or error, MeanVariance(mean))


def _error(sample: Sample, scores: FloatArray) -> float:
    """Root mean square of errors."""
    squares = (scores[:, 0] - sample.codes[:, 0]) ** 2
    return float(np.sqrt(np.average(squares, weights=sample.weight)))


def several_number_figures(fit: Fit, rule: JudgeRule) -> tuple[float, FloatArray]:
    """Noise of all outputs, and the leave-one-out error (n_outputs,) of each, of the start."""
    start = fit.start
    if fit.solution is None or start is None:
        sample = fit.rows.draw(rule.truncation_rows)
        errors = sample.codes - fit.network.intercept
        columns = [_of_constant(column, sample) for column in errors.T]
        noise, errors = np.array(columns).T
        return float(noise.mean()), errors
    squares = (start.loo_predictions - start.sample.codes) ** 2
    return fit.noise, np.sqrt(np.average(squares, axis=0, weights=start.sample.weight))


def _of_constant(errors: FloatArray, sample: Sample) -> tuple[float, float]:
    """Noise and leave-one-out error of the mean (and, nearly, of the median)."""
    squares, left = errors**2, sample.left_out / sample.total
    loo = squares / np.maximum(1.0 - left, left) ** 2
    noise = float(sample.weight @ squares / sample.total)
    return noise, float(np.sqrt(np.average(loo, weights=sample.weight)))
