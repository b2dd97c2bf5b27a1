"""The flagship: which view of the inputs, and the fit behind it.

Where inputs are skewed there are two views: as they are, and drawn in (``skew.py``). No statistic
of the inputs says which one the answer is smooth in, so networks are fitted behind both, and the
losses of samples left out decide. On tables of many rows a draw is enough for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import isnan

from drumlin.basis import InputMap
from drumlin.flagship.budget import Budget
from drumlin.flagship.figures import loss_left_out
from drumlin.flagship.fit import Fit, Tell, fit_behind
from drumlin.flagship.recipe import Recipe
from drumlin.flagship.task import Task
from drumlin.network import Network
from drumlin.sample import Rows


def fit_flagship(rows: Rows, task: Task, recipe: Recipe, budget: Budget, tell: Tell) -> Fit:
    """Find a network behind the plain view, or behind that with powers if it is better.

    Parameters
    ----------
    rows : Rows
    task : Task
    recipe : Recipe
    budget : Budget
    tell : Tell
    """

    def fit(view: InputMap, rows: Rows, tell: Tell, recipe: Recipe = recipe) -> Fit:
        return fit_behind(view, rows, task, recipe, budget, tell)

    plain = task.view(rows, recipe)  # 1 standardise and clip
    powered = task.view_with_powers(plain, rows, recipe)
    if powered is None or budget.most_nodes(powered) == 0:
        return fit(plain, rows, tell)
    views = (plain, powered)
    if rows.n_rows <= recipe.view.judged_rows:
        return _best(views, partial(fit, rows=rows), recipe, tell)
    trial = partial(fit, rows=rows.draw(recipe.view.judged_rows), recipe=recipe.in_short())
    best = _uninterrupted(_best(views, trial, recipe, Tell()))
    return fit(views[best.has_powers], rows, tell)


def _best(
    views: tuple[InputMap, InputMap], fit: Callable[..., Fit], recipe: Recipe, tell: Tell
) -> Fit:
    """Return the fit of lower losses left out; the first where they are not known.

    Parameters
    ----------
    views : tuple of InputMap
    fit : callable
        From a view, and what to tell, to a fit.
    recipe : Recipe
    tell : Tell
        Who answers that it is enough gets no second fit.
    """
    once = _Once(tell)
    first = fit(views[0], tell=once.tell())
    if first.interrupted or once.stopped:
        return first
    try:
        loss = loss_left_out(first, recipe.judge)
        if isnan(loss):
            return first
        second = _uninterrupted(fit(views[1], tell=once.tell()))
        return second if loss_left_out(second, recipe.judge) < loss else first
    except KeyboardInterrupt:  # the first network is not lost
        return replace(first, interrupted=True)


def _uninterrupted(fit: Fit) -> Fit:
    if fit.interrupted:
        raise KeyboardInterrupt
    return fit


class _Once:
    """Tells of one start and all rounds, and remembers whether it was told to stop."""

    def __init__(self, tell: Tell):
        self.stopped, self._started, self._told = False, False, tell

    def tell(self) -> Tell:
        """What one of several fits tells."""
        return Tell(self._start, self._refined)

    def _start(self) -> None:
        if not self._started:
            self._told.started()
        self._started = True

    def _refined(self, network: Callable[[], Network]) -> bool:
        self.stopped = self._told.refined(network) or self.stopped
        return self.stopped
