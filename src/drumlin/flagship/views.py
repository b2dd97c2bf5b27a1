"""The flagship: which view of the inputs, and the fit behind it.

Where inputs are skewed there are two views: as they are, and drawn in (``skew.py``). No statistic
of the inputs says which one the answer is smooth in, so networks are fitted behind both, and the
losses of samples left out decide. On tables of many rows a draw is enough for that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

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

    def fit(view: InputMap, rows: Rows, tell: Tell) -> Fit:
        return fit_behind(view, rows, task, recipe, budget, tell)

    plain = task.view(rows, recipe)  # 1 standardise and clip
    other = task.view_with_powers(plain, rows, recipe)
    if other is None or budget.most_nodes(other) == 0:
        return fit(plain, rows, tell)
    if rows.n_rows <= recipe.view.judged_rows:
        return _better_of_both(lambda view, tell: fit(view, rows, tell), plain, other, recipe, tell)
    some = rows.draw(recipe.view.judged_rows)
    first, second = (_uninterrupted(fit(view, some, Tell())) for view in (plain, other))
    return fit(other if _is_better(second, first, recipe) else plain, rows, tell)


def _better_of_both(
    fit: Callable[[InputMap, Tell], Fit],
    plain: InputMap,
    other: InputMap,
    recipe: Recipe,
    tell: Tell,
) -> Fit:
    """Return the better of two fits; the first if it was told to be the last."""
    once = _Once(tell)
    first = fit(plain, once.tell())
    if first.interrupted or once.stopped:
        return first
    try:
        second = _uninterrupted(fit(other, once.tell()))
        return second if _is_better(second, first, recipe) else first
    except KeyboardInterrupt:  # the first network is not lost
        return replace(first, interrupted=True)


def _is_better(fit: Fit, other: Fit, recipe: Recipe) -> bool:
    """Whether losses left out are lower; where one is not known, inputs stay as they are."""
    return loss_left_out(fit, recipe.judge) < loss_left_out(other, recipe.judge)


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
