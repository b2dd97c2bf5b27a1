"""Small tables: longer rounds and more nodes, as long as samples left out gain.

A fixed number of iterations is too few where there is little noise, and overfits where there is
much. And nodes that stand where round ones saw a signal may miss what a refined network can see:
it knows which inputs matter. No row can be spared, so each is left out in turn, by one step of the
quadratic model.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from drumlin.refinement.growth import grown
from drumlin.refinement.rounds import descent, one_round
from drumlin.refinement.schedule import GrowthRule, Schedule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.unseen import Judging, Unseen
from drumlin.sample import Rows

LEAST_NEW = 2
"""New nodes that may be added in any case: else as many as there are."""


class _Trial(NamedTuple):
    """A network after one more round, and whether there is nothing left to do."""

    judged: Unseen
    converged: bool


class SmallRefinement(Judging):
    """Refine for longer, and add nodes.

    Parameters
    ----------
    rows : Rows
    objective : Objective
    schedule : Schedule
    rule : GrowthRule or None
        None where no nodes are to be added.
    on_round : callable
        Called with every network that is taken; a true answer stops.
    """

    def __init__(
        self,
        rows: Rows,
        objective: Objective,
        schedule: Schedule,
        rule: GrowthRule | None = None,
        on_round: Callable[[Refined], bool] = lambda state: False,
    ):
        super().__init__(on_round)
        self.rows, self.objective, self.schedule, self.rule = rows, objective, schedule, rule

    def run(self, state: Refined, *, converged: bool = False) -> Refined:
        """Go on from a refined network; an interrupt keeps the best so far.

        Parameters
        ----------
        state : Refined
        converged : bool
            Whether longer rounds have nothing left to do.
        """
        self.state = state
        return self.best_after(partial(self._steps, converged))

    def _steps(self, converged: bool) -> None:
        persists = not converged and bool(self.schedule.further)
        if not persists and not self._may_grow():
            return  # nothing to judge
        judged = self._judged(self.state)
        if judged is None:
            return
        self.take(judged)
        if persists:
            self._persist()
        if self._grow():
            self._persist()

    def _persist(self) -> None:
        """Refine for longer rounds while each saves enough; the one that does not is undone."""
        enough = 1.0 - self.schedule.worth
        for iterations in self.schedule.further:
            trial = self._after_round(self.state, iterations, pruned=False)
            if trial is None or not trial.judged.loss < enough * self.judged.loss:
                return
            self.tell(trial.judged)
            if trial.converged:
                return

    def _may_grow(self) -> bool:
        return self.rule is not None and self.objective.may_grow and self._room(self.rule) > 0

    def _grow(self) -> bool:
        """Add nodes, and again, while it clearly pays; tell whether it did."""
        paid = False
        while self.rule is not None and self._may_grow():
            trial = self._trial(self.rule)
            if trial is None or not self._pays(trial.judged, self.rule):
                break
            self.tell(trial.judged)
            paid = True
        return paid

    def _trial(self, rule: GrowthRule) -> _Trial | None:
        """Return the network with more nodes, refined; None where there is no use."""
        most = self._room(rule)
        sample = self.rows.represented_by(self.schedule.large).with_noise(self.state.noise)
        by_content = np.argsort(sample.hashes, kind="stable")[: rule.rows]
        seen = sample.take(by_content)
        larger = grown(self.state, seen, sample, self.objective, most, rule)
        if larger is None:
            return None
        return self._after_round(larger, rule.iterations, pruned=True)

    def _room(self, rule: GrowthRule) -> int:
        """Most new nodes: as many as there are, and within the limits."""
        n_nodes, limit = self.state.n_nodes, self.objective.max_nodes
        most_variables = min(rule.variables, self.objective.most_variables)
        room = (most_variables - self.state.size) // self.state.variables.per_node
        most = min(max(n_nodes, LEAST_NEW), room)
        return most if limit is None else min(most, limit - n_nodes)

    def _after_round(self, state: Refined, iterations: int, *, pruned: bool) -> _Trial | None:
        """Refine for a round; None where samples left out cannot tell."""
        move = descent(self.schedule, iterations)
        done = one_round(state, self.rows, self.objective, self.schedule, move, pruned=pruned)
        if done.state.interrupted:
            raise KeyboardInterrupt
        judged = self._judged(done.state)
        return None if judged is None else _Trial(judged, done.converged)

    def _judged(self, state: Refined) -> Unseen | None:
        left_out = self.objective.left_out(state, self.rows)
        if left_out is None:
            return None
        yardstick = self.objective.loss(left_out[0].noise)  # one for all networks
        return Unseen.by(yardstick, state, *left_out)

    def _pays(self, trial: Unseen, rule: GrowthRule) -> bool:
        """Whether losses left out are clearly lower, and by more than a lucky choice of nodes."""
        saved = trial.sample.n_samples * (self.judged.loss - trial.loss) / self.state.noise
        return saved > rule.least_saved and trial.is_clearly_better(self.judged, rule.margin)
