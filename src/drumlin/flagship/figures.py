"""What a fitted network is worth: leave-one-out figures and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from drumlin._typing import FloatArray
from drumlin.flagship.fit import Fit
from drumlin.flagship.recipe import JudgeRule
from drumlin.laplace import LocalFit, Uncertainty
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
        """Judge a network: by the quadratic model for two classes, else by its start."""
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
    if fit.rows.n_classes == 2 and solution.size <= rule.most_variables:
        local = LocalFit.of(solution, fit.rows.represented_by(rule.rows), Logistic())
        return local.sample, local.loo_scores()[:, None], 1.0
    sample, scores = start.sample, start.loo_predictions
    targets = smoothed_targets(sample.labels, sample.weight, sample.n_classes)
    return sample, scores, fit_temperature(scores, targets, sample.weight)


@dataclass(frozen=True)
class NumberFigures:
    """Noise and leave-one-out error of a regression, in units of the codes.

    Parameters
    ----------
    noise : float
        Variance of the noise.
    loo_error : float
        Root mean square of the errors left out.
    uncertainty : Uncertainty or None
        Of the network; None where it is not known.
    """

    noise: float
    loo_error: float
    uncertainty: Uncertainty | None = None

    @classmethod
    def of(cls, fit: Fit, rule: JudgeRule) -> NumberFigures:
        """Judge a network: by the quadratic model, or by its start where that is too large."""
        solution, start = fit.solution, fit.start
        if solution is None or start is None:
            return cls(*_of_constant(fit.rows.draw(rule.truncation_rows)))
        if solution.size > rule.most_variables:
            return cls(start.squared_error, float(np.sqrt(start.squared_error)))
        sample = fit.rows.represented_by(rule.rows).with_noise(fit.noise)
        local = LocalFit.of(solution, sample, Squared())
        squares = (local.loo_scores() - sample.codes[:, 0]) ** 2
        error = float(np.sqrt(np.average(squares, weights=sample.weight)))
        uncertainty = Uncertainty.of(solution, fit.network.nodes, local)
        return cls(fit.noise, error, uncertainty)


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
