"""Large tables: draws and networks grow together, and rows kept apart judge every step.

Few rows cannot say how many nodes many rows could place, and no formula can; but of many rows some
can be kept apart. A draw counts as what it is: its loss is not scaled up to the whole table, so
penalties and prices are those that its own rows justify. L-BFGS learns the rows of a draw by heart
sooner than the steps of small batches do, but goes further where there is much to learn: both are
tried. At last all rows, those kept apart too, refine what has been found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from drumlin.refinement.growth import grown
from drumlin.refinement.objective import penalized_loss
from drumlin.refinement.rounds import Move, Round, descent, one_round, stir, with_weights
from drumlin.refinement.schedule import GrowthRule, Schedule, StirRule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.unseen import Judging, Unseen
from drumlin.refinement.variables import Variables
from drumlin.sample import Rows, Sample
from drumlin.sample.audience import tell_stage

STIRRING = StirRule()


class LargeRefinement(Judging):
    """Refine on growing draws.

    Parameters
    ----------
    rows : Rows
    objective : Objective
    schedule : Schedule
    rule : GrowthRule
    cap : int
        Most nodes, to save time.
    on_round : callable
        Called with every network that is taken; a true answer stops.
    stirring : StirRule

    Attributes
    ----------
    apart : Sample
        Rows kept apart: the last network in ``judged`` had not seen them, the last ``state`` has.
    single : bool
        Whether single precision is enough as yet.
    stirs : bool
        Whether descents after the steps of small batches do harm: then these are all that is done.
    last_done : int
        Descents over all rows that were not kept apart: as good as those over all of them.
    """

    def __init__(
        self,
        rows: Rows,
        objective: Objective,
        schedule: Schedule,
        rule: GrowthRule,
        cap: int,
        on_round: Callable[[Refined], bool] = lambda state: False,
        stirring: StirRule = STIRRING,
    ):
        super().__init__(on_round)
        self.rows, self.objective, self.schedule, self.rule = rows, objective, schedule, rule
        self.cap, self.single, self.stirring = cap, True, stirring
        self.stirs, self.last_done = False, 0
        self.apart = rows.apart(rule.n_apart(rows.n_rows))

    def run(self, variables: Variables, *others: Variables) -> Refined:
        """Refine and grow from starting nodes; an interrupt keeps the best network so far.

        Parameters
        ----------
        variables : Variables
        *others : Variables
            Other starting nodes, too many perhaps: those refined best on the first draw go on.
        """
        first = self._drawn(self.rule.first)
        self.take(self._judged(with_weights(variables, first, self.objective)))
        return self.best_after(partial(self._steps, first, others))

    def _drawn(self, most: int) -> Sample:
        """Return a draw without the rows kept apart."""
        return self.rows.draw(min(most, self.rule.most, self._n_left))

    @property
    def _n_left(self) -> int:
        return self.rows.n_rows - self.apart.n_rows

    def _steps(self, first: Sample, others: tuple[Variables, ...]) -> None:
        for iterations in self.rule.first_rounds:
            self.tell(self._after_round(self.state, first, iterations))
        for other in others:
            self._rival(other, first)
        for size in self.rule.draws(self.rows.n_rows):
            part = self.rows.draw(size)
            self._improve(part)
            self._grow(part)
            saved = self._improve(part)
        self._persist(part, saved)
        gaining = self._stir(self._drawn(self.stirring.most)) or saved > 0.0
        if self.stirs and self.rows.n_rows <= self.rule.most:
            self._finish_stirring()
        else:
            self._finish(gaining=gaining)

    def _rival(self, variables: Variables, first: Sample) -> None:
        """Refine other nodes on the first draw, and take them if the rows kept apart gain."""
        state = with_weights(variables, first, self.objective)
        for iterations in self.rule.first_rounds:
            judged = self._after_round(state, first, iterations)
            state = judged.state
        if judged.loss < self.judged.loss:
            self.tell(judged)

    def _improve(self, part: Sample, iterations: int | None = None) -> float:
        """Refine for a round on a draw, if the rows kept apart gain; the part of the loss saved."""
        before = self.judged.loss
        after = self._after_round(self.state, part, iterations or self.rule.iterations)
        if not after.loss < before:
            return 0.0
        self.tell(after)
        return 1.0 - after.loss / before

    def _persist(self, part: Sample, saved: float) -> None:
        """Refine for longer rounds while each saves much: with little noise there is no end yet."""
        for iterations in self.schedule.further:
            if saved < self.rule.persistence:
                return
            saved = self._improve(part, iterations)

    def _stir(self, part: Sample) -> bool:
        """Stir and descend, again and again, while the rows kept apart gain much.

        Returns whether they gained much at all.
        """
        gained, harm = False, 0.0
        grows = part.n_rows > self.rule.draws(self.rows.n_rows)[-1]
        while self.single and self.rows.n_rows > self.stirring.least:
            before = self.judged.loss
            stirred = self._judged(self._stirred(self.state, part))
            descended = self._after_round(stirred.state, part, self.rule.iterations)
            self.last_done += part.n_rows == self._n_left
            harm += descended.loss - stirred.loss
            best = min(stirred, descended, key=lambda judged: judged.loss)
            if not best.loss < before:
                break
            self.stirs = harm > 0.0
            self.tell(best)
            if grows and self.stirs:  # more rows say whether there are to be more nodes
                self._grow(part)
            if best.loss > (1.0 - self.stirring.worth) * before:
                break
            gained = True
        return gained

    def _grow(self, part: Sample) -> None:
        """Add nodes, and again, while the rows kept apart clearly gain."""
        gaining, looked = True, 0
        while gaining:
            looked += 1
            before, trial = self.judged, self._trial(part, looked)
            if trial is None or not trial.is_clearly_better(before, self.rule.margin):
                return
            self.tell(trial)
            gaining = before.loss - trial.loss > self.rule.worth * trial.loss

    def _trial(self, part: Sample, looked: int) -> Unseen | None:
        """Return the network with more nodes, refined; None where there is no room or no use."""
        n_nodes, limit = self.state.n_nodes, self.objective.max_nodes
        most = min(n_nodes, (self.cap if limit is None else min(limit, self.cap)) - n_nodes)
        if most < max(1.0, self.rule.least * n_nodes):
            return None
        # Other rows every time: the first ones are those that the start has seen.
        some = np.arange(min(self.rule.rows, part.n_rows)) + looked * self.rule.rows
        rows = some % part.n_rows
        part = part.with_noise(self.state.noise)
        larger = grown(self.state, part, rows, self.objective, most, self.rule)
        if larger is None:
            return None
        if self.stirs:
            return self._judged(self._stirred(larger, part))
        return self._after_round(larger, part, self.rule.iterations)

    def _finish_stirring(self) -> None:
        """Give the rows kept apart back, where a descent on all rows would do harm."""
        self.state = self._stirred(self.state, self.rows, pruned=False)
        self.on_round(self.state)

    def _finish(self, *, gaining: bool) -> None:
        """Give the rows kept apart back: all rows refine what has been found.

        Where they are many more than the last draw had, again and again while that saves much of
        their own loss: so many new rows are not learned by heart.
        """
        n_rows, n_outputs = self.rows.n_rows, self.state.variables.n_outputs
        iterations = self.rule.last_iterations(n_rows, n_outputs, gaining=gaining)
        rounds = max(1, self.rule.n_last_rounds(n_rows) - self.last_done)
        for more in reversed(range(rounds)):
            before = self.state
            self.state = state = self._round(before, self.rows, iterations, pruned=False)
            if state.interrupted:
                raise KeyboardInterrupt
            stopped = self.on_round(state)
            if stopped or not more or self._saved(before, state) < self.rule.last_worth:
                return

    def _saved(self, before: Refined, after: Refined) -> float:
        """Part of the penalised loss of all rows that a round has saved, at one noise."""
        rows, loss = self.rows.with_noise(before.noise), self.objective.loss(before.noise)
        values = [
            penalized_loss(
                rows.in_single(self.single), loss, state.variables, state.vector, state.precision()
            )[0]
            for state in (before, after)
        ]
        return 1.0 - values[1] / values[0]

    def _round(
        self, state: Refined, rows: Rows, iterations: int, *, pruned: bool = True
    ) -> Refined:
        """Refine for a round, in single precision while that is enough.

        Where it ends early there is no way down, or rounding hides it: double precision tells.
        """
        single = self.single
        self._announce("refining on all rows", rows, iterations)
        done = self._round_in(single, state, rows, iterations, pruned=pruned)
        if not single or not done.ended or done.state.interrupted:
            return done.state
        self._announce("refining on all rows in double precision", rows, iterations)
        again = self._round_in(False, done.state, rows, iterations, pruned=pruned)
        self.single = again.ended
        return again.state

    def _round_in(
        self, single: bool, state: Refined, rows: Rows, iterations: int, *, pruned: bool
    ) -> Round:
        return self._moved(
            descent(self.schedule, iterations), state, rows.in_single(single), pruned=pruned
        )

    def _stirred(self, state: Refined, rows: Rows, *, pruned: bool = True) -> Refined:
        """Refine by the steps of small batches: single precision is enough for these."""
        return self._moved(stir(self.stirring), state, rows.in_single(True), pruned=pruned).state

    def _moved(self, move: Move, state: Refined, rows: Rows, *, pruned: bool) -> Round:
        return one_round(state, rows, self.objective, self.schedule, move, pruned=pruned)

    def _announce(self, stage: str, rows: Rows, iterations: int) -> None:
        """Tell that passes begin, unless they are over a draw: that is in memory."""
        if rows is self.rows:
            tell_stage(stage, 1 + iterations, rows.n_rows)

    # ------------------------------------------------------------------ judged networks
    def _judged(self, state: Refined) -> Unseen:
        yardstick = self.objective.loss(self.apart.noise)  # one for all networks
        return Unseen.apart(yardstick, state, self.apart)

    def _after_round(self, state: Refined, part: Sample, iterations: int) -> Unseen:
        state = self._round(state, part, iterations)
        if state.interrupted:
            raise KeyboardInterrupt
        return self._judged(state)
