"""The flagship: which view of the inputs, and the fit behind it.

Where inputs are skewed there are two views: as they are, and drawn in (``skew.py``). No statistic
of the inputs says which one the answer is smooth in, so networks are fitted behind both, and the
losses of samples left out decide. On tables of many rows a draw is enough for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from drumlin.basis import InputMap
from drumlin.criteria.paired import is_clear
from drumlin.flagship.budget import Budget
from drumlin.flagship.fit import Fit, Tell, fit_behind
from drumlin.flagship.left_out import losses_left_out
from drumlin.flagship.recipe import JudgeRule, Recipe
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
        return _better(views, partial(fit, rows=rows), recipe.judge, tell)
    trial = partial(fit, rows=rows.draw(recipe.view.judged_rows), recipe=recipe.in_short())
    better = _better(views, trial, recipe.judge, Tell())
    if better.interrupted:  # a network of some rows is better than none
        return better
    return fit(powered if better.has_powers else plain, rows, tell)


def _better(
    views: tuple[InputMap, InputMap], fit: Callable[..., Fit], rule: JudgeRule, tell: Tell
) -> Fit:
    """Return the better of two fits; the first where losses left out are not known.

    Parameters
    ----------
    views : tuple of InputMap
    fit : callable
        From a view, and what to tell, to a fit.
    rule : JudgeRule
    tell : Tell
        Who answers that it is enough gets no second fit.
    """
    told = _ToldOnce(tell)
    first = fit(views[0], tell=told.tell())
    if first.interrupted or told.stopped:
        return first
    try:
        if losses_left_out(first, rule) is None:
            return first
        second = fit(views[1], tell=told.tell())
        if second.interrupted:
            return replace(first, interrupted=True)
        return second if _is_better(second, first, rule) else first
    except KeyboardInterrupt:  # the first network is not lost
        return replace(first, interrupted=True)


def _is_better(second: Fit, first: Fit, rule: JudgeRule) -> bool:
    """Whether losses left out are lower; clearly so, where the first saw no signal.

    A constant is the answer to noise, and a second look at noise sees twice as much in it.
    """
    one, other = losses_left_out(first, rule), losses_left_out(second, rule)
    if one is None or other is None:
        return False
    (sample, losses), margin = one, 0.0 if first.solution is not None else rule.signal
    return is_clear(losses - other[1], sample.weight, sample.unit, margin)


class _ToldOnce:
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
