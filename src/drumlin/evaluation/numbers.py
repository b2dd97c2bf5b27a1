"""Measures of predicted numbers: of several outputs, and of targets learned as something else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from drumlin._errors import TableError
from drumlin._typing import FloatArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation.measures import number_measures

RMSE = "root mean squared error"
"""Of several outputs the mean of theirs."""

FACTOR = "typical factor"
"""What a root mean squared error of natural logarithms is for the numbers themselves."""

_OF_LOGARITHMS = " (log)"
_MOST_LOG = 700.0
"""Beyond it, a factor is no number any more."""


def measures_by_output(
    answers: FloatArray, targets: FloatArray, outputs: Sequence[str]
) -> dict[str, float]:
    """Measures of predicted numbers; of several outputs their means, then those of each.

    Parameters
    ----------
    answers, targets : ndarray of shape (n_samples,) or (n_samples, n_outputs)
    outputs : sequence of str
        Their names, which follow those of the measures.
    """
    measures = number_measures(answers, targets)
    if targets.ndim == 1:
        return measures
    for name, ours, theirs in zip(outputs, answers.T, targets.T, strict=True):
        one = number_measures(ours, theirs)
        measures |= {f"{measure} of {name}": one[measure] for measure in list(one)[:2]}
    return measures


def measures_of_numbers(fitted: FittedNetwork, answers: Any, targets: Any) -> dict[str, float]:
    """Measures of predicted numbers, in their units and as the network has learned them.

    A number that has no logarithm is judged in its own units alone.
    """
    measures = measures_by_output(answers, targets, fitted.outputs)
    learned = _both_learned(fitted, answers, targets)
    if learned is None:
        return measures
    return measures | as_learned(fitted, measures_by_output(*learned, fitted.outputs))


def measures_of_constant(fitted: FittedNetwork, targets: Any) -> dict[str, float]:
    """Measures of the means of numbers, and of the means of what the network learned of them."""
    measures = _of_mean(targets, fitted.outputs)
    learned = _both_learned(fitted, targets, targets)
    if learned is None:
        return measures
    return measures | as_learned(fitted, _of_mean(learned[1], fitted.outputs))


def as_learned(fitted: FittedNetwork, measures: dict[str, float]) -> dict[str, float]:
    """Name measures of what the network has learned; of logarithms also the factors they mean."""
    suffix = fitted.learned_suffix
    named = {
        name + suffix: value
        for name, value in measures.items()
        if not name.endswith("absolute error")
    }
    if suffix != _OF_LOGARITHMS:
        return named
    factors = {
        name.replace(RMSE, FACTOR): float(np.exp(min(value, _MOST_LOG)))
        for name, value in measures.items()
        if name.startswith(RMSE)
    }
    return named | factors


def _of_mean(values: Any, outputs: Sequence[str]) -> dict[str, float]:
    return measures_by_output(np.broadcast_to(values.mean(axis=0), values.shape), values, outputs)


def _both_learned(fitted: FittedNetwork, answers: Any, targets: Any) -> tuple[Any, Any] | None:
    """Both as the network has learned them; None where that is no other or not known."""
    if fitted.target is None:
        return None
    try:
        return fitted.learned(answers), fitted.learned(targets)
    except TableError:
        return None
