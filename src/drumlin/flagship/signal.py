"""A second look where round nodes see no signal: whether refined ones, on some inputs, see one.

Round nodes see all inputs alike: where few of many matter, few rows look like noise to them. A
refined network knows which inputs matter, so it is asked before a constant is the answer; and the
inputs that tell something alone are looked at closely, too. Its losses of samples left out must be
clearly lower than those of the constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from drumlin._typing import FloatArray
from drumlin.criteria.paired import is_clear
from drumlin.flagship.metric import Metric, screened
from drumlin.flagship.objective import objective_of
from drumlin.flagship.recipe import JudgeRule, Recipe
from drumlin.flagship.start import Start, find_start_in
from drumlin.flagship.task import Task
from drumlin.laplace import LocalFit, loo_scores_of_several
from drumlin.refinement import Refined, refine
from drumlin.sample import Sample


def hidden_signal(
    start: Start, task: Task, recipe: Recipe, max_nodes: int | None = None
) -> Start | None:
    """Return the start whose refined network clearly beats the constant, and all others; or None.

    Parameters
    ----------
    start : Start
        Without a node.
    task : Task
    recipe : Recipe
    max_nodes : int or None
    """
    best, most_saved = None, -np.inf
    for other in _starts(start.sample, recipe, max_nodes):
        sample, saved = other.sample, _losses_saved(other, task, recipe, max_nodes)
        if saved is None or not is_clear(saved, sample.weight, sample.unit, recipe.judge.signal):
            continue
        mean = float(np.average(saved, weights=sample.weight))
        if mean > most_saved:
            best, most_saved = other, mean
    return best


def _starts(sample: Sample, recipe: Recipe, max_nodes: int | None) -> Iterator[Start]:
    """Starts with nodes: in the plain metric, and in those of the inputs that tell something."""
    for metric in chain([Metric()], screened(sample, recipe.start)):
        start = find_start_in(metric, sample, recipe.start, lambda metric: max_nodes)
        if start is not None and start.n_nodes:
            yield start


def _losses_saved(
    start: Start, task: Task, recipe: Recipe, max_nodes: int | None
) -> FloatArray | None:
    """Losses (n_rows,) of the constant minus those of the refined network, samples left out.

    The constant is not left out: that favors it, by next to nothing. None where that is too much
    work.
    """
    sample, noise = start.sample, task.first_noise(start)
    objective = objective_of(start, task, recipe, max_nodes)
    state = refine(start.variables(), sample.with_noise(noise), objective, recipe.schedule)
    if state.interrupted:
        raise KeyboardInterrupt  # as during the search for a start: there is no network yet
    scores = _left_out(state, sample, task, recipe.judge)
    if scores is None:
        return None
    loss, constant = task.loss(noise), task.constant(sample, recipe)
    constants = np.tile(constant, (sample.n_rows, 1))
    return loss.values(sample.targets, constants) - loss.values(sample.targets, scores)


def _left_out(state: Refined, sample: Sample, task: Task, rule: JudgeRule) -> FloatArray | None:
    """Scores (n_rows, n_outputs) of rows left out, all copies; None where that is too much work.

    Those of several outputs by Gauss-Newton, which tells losses too high: in favor of the constant.
    """
    sample, loss = sample.with_noise(state.noise), task.quadratic_loss
    n_outputs = state.variables.n_outputs
    if n_outputs == 1 and state.size <= rule.last_variables:
        return LocalFit.of(state, sample, loss).loo_scores(whole=True)[:, None]
    if rule.affords_several(sample.n_rows, n_outputs, state.size):
        return loo_scores_of_several(state, sample, loss, bent=False, whole=True)
    return None
