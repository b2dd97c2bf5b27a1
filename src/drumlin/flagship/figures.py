"""What a fitted network is worth: leave-one-out figures and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.flagship.fit import Fit
from drumlin.flagship.recipe import JudgeRule
from drumlin.laplace import LocalFit, MeanVariance, Uncertainty
from drumlin.losses import (
    Logistic,
    Squared,
    fit_temperature,
    log_loss,
    smoothed_targets,
    winners,
)
from drumlin.sample import Sample


@dataclass(frozen=True)
class ClassFigures:
    """Leave-one-out error and log-loss of a classifier."""

    loo_error: float
    loo_log_loss: float

    @classmethod
    def of(cls, fit: Fit, rule: JudgeRule) -> ClassFigures:
        """Judge a network by rows kept apart, by its quadratic model, or else by its start."""
        sample, scores, temperature = _loo_scores(fit, rule)
        right = winners(scores) == sample.labels
        error = 1.0 - float(sample.weight @ right / sample.weight.sum())
        return cls(error, log_loss(scores, sample.labels, sample.weight, temperature))


def _loo_scores(fit: Fit, rule: JudgeRule) -> tuple[Sample, FloatArray, float]:
    """Rows, their leave-one-out scores, and the factor that makes log-odds of them."""
    solution, start = fit.solution, fit.start
    if solution is None or start is None:
        sample = fit.rows.draw(rule.truncation_rows)
        return sample, np.tile(fit.network.intercept, (sample.n_rows, 1)), 1.0
    most = rule.last_variables if fit.judged is None else rule.most_variables
    if fit.rows.n_classes == 2 and solution.size <= most:
        local = LocalFit.of(solution, _last_sample(fit, rule), Logistic())
        return local.sample, local.loo_scores()[:, None], 1.0
    if fit.judged is not None:
        return fit.judged.apart, fit.judged.scores, 1.0
    sample, scores = start.sample, start.loo_predictions
    targets = smoothed_targets(sample.labels, sample.weight, sample.n_classes)
    return sample, scores, fit_temperature(scores, targets, sample.weight)


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
            return cls(*_of_constant(fit.rows.draw(rule.truncation_rows)))
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
        columns = [_of_constant(sample.with_codes(codes[:, None])) for codes in sample.codes.T]
        noise, errors = np.array(columns).T
        return float(noise.mean()), errors
    squares = (start.loo_predictions - start.sample.codes) ** 2
    return fit.noise, np.sqrt(np.average(squares, axis=0, weights=start.sample.weight))


def _of_constant(sample: Sample) -> tuple[float, float]:
    """Noise and leave-one-out error of the mean."""
    squares, left = sample.codes[:, 0] ** 2, sample.left_out / sample.total
    loo = squares / np.maximum(1.0 - left, left) ** 2
    noise = float(sample.weight @ squares / sample.total)
    return noise, float(np.sqrt(np.average(loo, weights=sample.weight)))
