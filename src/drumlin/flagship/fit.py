"""From rows behind a view to a network, step by step (the sections of docs/flagship.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from drumlin._typing import IntArray
from drumlin.basis import Gaussian, InputMap, Nodes
from drumlin.flagship.budget import Budget
from drumlin.flagship.choose import Rival, best_rival
from drumlin.flagship.metric import Metric
from drumlin.flagship.objective import objective_of
from drumlin.flagship.projection import Projection, find_projection, is_wide
from drumlin.flagship.recipe import JudgeRule, Recipe
from drumlin.flagship.signal import hidden_signal
from drumlin.flagship.smooth import Smooth
from drumlin.flagship.spreading import Spreading
from drumlin.flagship.start import Start, find_start, node_caps
from drumlin.flagship.task import Numbers, Task
from drumlin.network import Network
from drumlin.refinement import (
    LargeRefinement,
    Objective,
    Refined,
    Unseen,
    description_length,
    refine,
)
from drumlin.sample import Rows


@dataclass(frozen=True)
class Fit:
    """A network and how it came about.

    Parameters
    ----------
    network : Network
        In units of the codes of the targets.
    rows : Rows
        The rows as the nodes see them; a draw of them is behind every figure.
    start : Start or None
        None where inputs do not vary, or no node is allowed.
    solution : Refined, Smooth or None
        None where there is no node.
    support : ndarray of shape (n_nodes,)
        Rows given to ``fit`` that the nodes started on.
    interrupted : bool
    judged : Unseen or None
        Where rows were kept apart: the network before it saw them, and what it did on them.
    task : Task
    remembered : dict
        What was found out of samples left out (``left_out.py``): more than one may ask.
    """

    network: Network
    rows: Rows
    start: Start | None
    solution: Refined | Smooth | None = None
    support: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    interrupted: bool = False
    judged: Unseen | None = None
    task: Task = field(default_factory=Numbers)
    remembered: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def has_powers(self) -> bool:
        """Whether skewed inputs are drawn in."""
        inputs = self.network.inputs
        return inputs is not None and inputs.powers is not None

    @property
    def noise(self) -> float:
        """Variance of the noise, in units of the codes."""
        return 1.0 if self.solution is None else self.solution.noise


@dataclass(frozen=True)
class Tell:
    """What an audience is told on the way.

    Parameters
    ----------
    started : callable
        Called when the start has been found.
    refined : callable
        Called after every round with a function that makes the network; a true answer stops.
    """

    started: Callable[[], None] = lambda: None
    refined: Callable[[Callable[[], Network]], bool] = lambda network: False


def fit_behind(
    first: InputMap, rows: Rows, task: Task, recipe: Recipe, budget: Budget, tell: Tell
) -> Fit:
    """Find nodes, refine them, and choose.

    Parameters
    ----------
    first : InputMap
        1 The first view of the inputs (``choose_view.py``).
    rows : Rows
    task : Task
    recipe : Recipe
    budget : Budget
    tell : Tell
    """
    view, seen = first, rows.through(first)
    start = _start(seen, view, task, recipe, budget)  # 2 metric, width, path, size
    projection = _projection(seen, start, task, recipe)  # 3 wide tables
    if projection is not None and budget.most_nodes(view.followed_by(projection.matrix)) != 0:
        view, seen = view.followed_by(projection.matrix), projection.of(seen)
        start = _start(seen, view, task, recipe, budget)
    tell.started()
    budget.check(view)
    if start is not None and not start.n_nodes:  # 4 no signal?
        start = hidden_signal(start, task, recipe, budget.most_nodes(view)) or start
    if start is None or not start.n_nodes:
        return Fit(_constant(rows, first, task, recipe), seen, start, task=task)
    view, seen = view.followed_by(start.metric.matrix), seen.through(start.metric)
    objective = objective_of(start, task, recipe, budget.most_nodes(view))
    noisy = seen.with_noise(task.first_noise(start))
    audience = _Audience(tell, view)
    refined, judged = _refined(start, noisy, objective, recipe, audience)  # 6, 7
    has_rivals = task.smooth and not audience.stopped and _can_be_judged(judged, seen, recipe)
    rivals = _rivals(seen, objective, recipe, judged) if has_rivals else None  # 5 smooth networks
    chosen = _chosen((refined, judged), rivals, seen, task, recipe.judge)  # 8 choose
    if isinstance(chosen[0], Smooth):
        judged = None  # of the network that was not taken
    return Fit(as_network(chosen[0], view), seen, start, *chosen, judged, task)


class _Audience:
    """Hears of every round, and may want no more: then nothing else is looked for."""

    def __init__(self, tell: Tell, view: InputMap):
        self._tell, self._view, self.stopped = tell, view, False

    def __call__(self, state: Refined) -> bool:
        wants_no_more = self._tell.refined(lambda: as_network(state, self._view))
        self.stopped = self.stopped or wants_no_more
        return self.stopped


def _start(seen: Rows, view: InputMap, task: Task, recipe: Recipe, budget: Budget) -> Start | None:
    sample = task.for_start(seen.draw(_rows_of_start(seen, recipe)), recipe)

    def limit(metric: Metric) -> int | None:
        return budget.most_nodes(view.followed_by(metric.matrix))

    return find_start(sample, recipe.start, limit)


def _rows_of_start(seen: Rows, recipe: Recipe) -> int:
    """Rows that the start may see: not those that will be kept apart to judge several classes.

    Of others it is known too late, and all of them make a better start.
    """
    n_rows, rule = seen.n_rows, recipe.schedule
    apart = seen.n_classes > 2 and n_rows > rule.most_at_once(left_out=False)
    return min(recipe.start.final_rows, n_rows - (recipe.growth.n_apart(n_rows) if apart else 0))


def _projection(seen: Rows, start: Start | None, task: Task, recipe: Recipe) -> Projection | None:
    if not is_wide(seen, recipe.projection):
        return None
    sample = task.for_start(seen.draw(recipe.projection.rows[1]), recipe)
    return find_projection(sample, start, recipe.projection)


def _can_be_judged(judged: Unseen | None, rows: Rows, recipe: Recipe) -> bool:
    """Whether rows kept apart, if any, tell what the refined network is.

    Not those of middling tables: it has many variables then, and is far from finished before all
    rows have refined it.
    """
    return judged is None or rows.n_rows > recipe.schedule.large


def _rivals(
    seen: Rows, objective: Objective, recipe: Recipe, judged: Unseen | None
) -> Iterator[Rival]:
    """Find smooth networks when asked: a refined one overfits what a few wide nodes could say."""
    apart = 0 if judged is None else judged.sample.n_rows
    price, limit = objective.price(seen.total), objective.max_nodes
    return Spreading(seen, recipe, price, limit, apart).rivals()


def _refined(
    start: Start,
    rows: Rows,
    objective: Objective,
    recipe: Recipe,
    audience: _Audience,
) -> tuple[Refined, Unseen | None]:
    """Refine the start: on all rows, or where they are many on growing draws."""
    variables = start.variables()
    # Samples left out judge several outputs too, but where there are rows to spare they do better.
    can_judge = variables.n_outputs == 1 and variables.size <= objective.most_variables
    if rows.n_rows <= recipe.schedule.most_at_once(left_out=can_judge):
        return _refined_at_once(start, rows, objective, recipe, audience), None
    growth = recipe.growth
    scan, final = node_caps(rows.total, rows.n_rows, start.sample.n_targets, recipe.start)
    growth = replace(growth, most_nodes=min(max(growth.cap * scan, final), growth.most_nodes))
    rules = recipe.schedule, growth, audience, recipe.stirring
    large = LargeRefinement(rows, objective, *rules)
    if not large.apart.n_rows:  # every row is a class of its own
        return _refined_at_once(start, rows, objective, recipe, audience), None
    others = [start.variables(spare=True)] if start.n_spare else []
    return large.run(start.variables(), *others), large.judged


def _chosen(
    found: tuple[Refined, Unseen | None],
    rivals: Iterator[Rival] | None,
    rows: Rows,
    task: Task,
    rule: JudgeRule,
) -> tuple[Refined | Smooth, IntArray, bool]:
    """Return the refined network, or a clearly better smooth one; its support; if interrupted."""
    refined, judged = found
    support, interrupted = refined.variables.support, refined.interrupted
    try:
        if rivals is not None and not interrupted:
            rival = best_rival(refined, rivals, rows, rule, judged)
            if rival is not None:
                return rival.smooth, rival.support, False
        return _with_last_noise(refined, rows, task, rule), support, interrupted
    except KeyboardInterrupt:  # what has been refined is not lost
        return refined, support, True


def _with_last_noise(refined: Refined, rows: Rows, task: Task, rule: JudgeRule) -> Refined:
    """Know the noise better where that was too much work after every round."""
    if refined.size <= rule.most_variables:
        return refined
    noise = task.noise(refined, rows.with_noise(refined.noise), rule, last=True)
    return replace(refined, noise=noise)


def _refined_at_once(
    start: Start,
    rows: Rows,
    objective: Objective,
    recipe: Recipe,
    audience: _Audience,
) -> Refined:
    """Refine the start within the limit and, from its spare nodes too, another: the better."""
    rest = (rows, objective, recipe.schedule, audience, recipe.growth)
    first = refine(start.variables(), *rest)
    if not start.n_spare or audience.stopped or first.interrupted:
        return first
    try:
        second = refine(start.variables(spare=True), *rest)
        within = objective.max_nodes is None or second.n_nodes <= objective.max_nodes
        # An interrupt may come before the first pruning.
        found = (first, second) if within else (first,)
        best = min(found, key=lambda state: description_length(state, rows, objective))
    except KeyboardInterrupt:
        return replace(first, interrupted=True)
    return replace(best, interrupted=second.interrupted)


def _constant(rows: Rows, view: InputMap, task: Task, recipe: Recipe) -> Network:
    """Return the network without nodes."""
    intercept = task.constant(rows, recipe)
    empty = np.empty((0, rows.n_features))
    nodes = Nodes(empty, empty, Gaussian())
    unpowered = replace(view, powers=None)  # nothing stands behind them
    return Network(nodes, np.empty((0, len(intercept))), intercept, unpowered)


def as_network(solution: Refined | Smooth, view: InputMap) -> Network:
    """Return the network behind a view of the inputs, in units of the codes."""
    nodes = solution.nodes()
    basis = Nodes(np.ascontiguousarray(nodes.centers), 1.0 / nodes.inv_widths, Gaussian())
    return Network(basis, nodes.coef, nodes.intercept, view)
