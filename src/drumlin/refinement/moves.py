"""Rounds on large tables, each judged by rows kept apart."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from drumlin.refinement.rounds import Move, Moved, Round, descent, one_round, stirring
from drumlin.refinement.schedule import GrowthRule, Schedule, Stir, StirRule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.unseen import Judging, Unseen
from drumlin.sample import Rows, Sample
from drumlin.sample.audience import tell_stage


class Moving(Judging):
    """Descents and stirrings, and rows kept apart that judge what they make of a network.

    Parameters
    ----------
    rows : Rows
    objective : Objective
    schedule : Schedule
    rule : GrowthRule
    on_round : callable
        Called with every network that is taken; a true answer stops.
    stirring : StirRule or None

    Attributes
    ----------
    apart : Sample
        Rows kept apart.
    single : bool
        Whether single precision is enough as yet.
    """

    def __init__(
        self,
        rows: Rows,
        objective: Objective,
        schedule: Schedule,
        rule: GrowthRule,
        on_round: Callable[[Refined], bool] = lambda state: False,
        stirring: StirRule | None = None,
    ):
        super().__init__(on_round)
        self.rows, self.objective, self.schedule, self.rule = rows, objective, schedule, rule
        self.stirring, self.single = stirring or StirRule(), True
        self.apart = rows.apart(rule.n_apart(rows.n_rows))

    def drawn(self, most: int) -> Sample:
        """Return a draw without the rows kept apart."""
        return self.rows.draw(min(most, self.rule.most, self.rule.n_left(self.rows.n_rows)))

    def judge(self, state: Refined) -> Unseen:
        """Judge a network by the rows kept apart."""
        yardstick = self.objective.loss(self.apart.noise)  # one for all networks
        return Unseen.apart(yardstick, state, self.apart)

    def after_descent(self, state: Refined, part: Sample, iterations: int) -> Unseen:
        """Descend on a draw, and judge."""
        state = self.descended(state, part, iterations).state
        if state.interrupted:
            raise KeyboardInterrupt
        return self.judge(state)

    def after_stirring(self, state: Refined, part: Sample, stir: Stir) -> Unseen:
        """Stir on a draw, and judge."""
        return self.judge(self.stirred(state, part, stir))

    def descended(
        self, state: Refined, rows: Rows, iterations: int, *, pruned: bool = True
    ) -> Moved:
        """Descend for a round, in single precision while that is enough.

        Where it ends early there is no way down, or rounding hides it: double precision tells. If
        that takes all its iterations, so many are of use, and it is used from there on.
        """
        single = self.single
        self._announce("refining on all rows", rows, iterations)
        done = self._descended_in(single, state, rows, iterations, pruned=pruned)
        if not single or not done.ended or done.state.interrupted:
            return Moved(done.state, done.ended, done.saved)
        self._announce("refining on all rows in double precision", rows, iterations)
        again = self._descended_in(False, done.state, rows, iterations, pruned=pruned)
        self.single = again.ended
        return Moved(again.state, again.ended, 1.0 - (1.0 - done.saved) * (1.0 - again.saved))

    def stirred(self, state: Refined, rows: Rows, stir: Stir, *, pruned: bool = True) -> Refined:
        """Move by the steps of small batches: single precision is enough for these."""
        move = stirring(self.stirring, stir)
        return self._moved(move, state, rows.in_single(True), pruned=pruned).state

    def _descended_in(
        self, single: bool, state: Refined, rows: Rows, iterations: int, *, pruned: bool
    ) -> Round:
        move = descent(self.schedule, iterations)
        return self._moved(move, state, self._in_precision(single, rows), pruned=pruned)

    def _in_precision(self, single: bool, rows: Rows) -> Rows:
        return self._all_in_single if single and rows is self.rows else rows.in_single(single)

    @cached_property
    def _all_in_single(self) -> Rows:
        """All rows in single precision: where they are not in memory, that is another pass."""
        return self.rows.in_single(True)

    def _moved(self, move: Move, state: Refined, rows: Rows, *, pruned: bool) -> Round:
        return one_round(state, rows, self.objective, self.schedule, move, pruned=pruned)

    def _announce(self, stage: str, rows: Rows, iterations: int) -> None:
        """Tell that passes begin, unless they are over a draw: that is in memory."""
        if rows is self.rows:
            tell_stage(stage, 1 + iterations, rows.n_rows)
