"""Large tables: draws and networks grow together, and rows kept apart judge every step.

Few rows cannot say how many nodes many rows could place, and no formula can; but of many rows some
can be kept apart. A draw counts as what it is: its loss is not scaled up to the whole table, so
penalties and prices are those that its own rows justify. L-BFGS learns the rows of a draw by heart
sooner than the steps of small batches do, which stir a network, but goes further where there is
much to learn: both are tried. At last all rows, those kept apart too, refine what has been found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from drumlin.refinement.growth import grown
from drumlin.refinement.moves import STIRRING, Moving
from drumlin.refinement.objective import penalized_loss
from drumlin.refinement.rounds import with_weights
from drumlin.refinement.schedule import GrowthRule, Schedule, Stir, StirRule
from drumlin.refinement.state import Objective, Refined
from drumlin.refinement.unseen import Unseen
from drumlin.refinement.variables import Variables
from drumlin.sample import Rows, Sample


class LargeRefinement(Moving):
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
    stir : Stir or None
        How the last network taken was stirred; None where it descended.
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
        super().__init__(rows, objective, schedule, rule, on_round, stirring)
        self.cap = cap
        self.stir: Stir | None = None

    def run(self, variables: Variables, *others: Variables) -> Refined:
        """Refine and grow from starting nodes; an interrupt keeps the best network so far.

        Parameters
        ----------
        variables : Variables
        *others : Variables
            Other starting nodes, too many perhaps: those refined best on the first draw go on.
        """
        first = self.drawn(self.rule.first)
        self.take(self.judge(with_weights(variables, first, self.objective)))
        return self.best_after(partial(self._steps, first, others))

    def _steps(self, first: Sample, others: tuple[Variables, ...]) -> None:
        for iterations in self.rule.first_rounds:
            self.tell(self.after_descent(self.state, first, iterations))
        for other in others:
            self._rival(other, first)
        second, third = self.drawn(self.rule.n_second(self.rows.n_rows)), self.drawn(self.rule.most)
        self._find_nodes(second, third)
        if self.single:  # else there is too little noise for noisy steps
            self._temper(third, grows=third.n_rows > second.n_rows)
        self._finish(third)

    def _find_nodes(self, second: Sample, third: Sample) -> None:
        """Grow by descents, or by stirring where that has more rows: it needs no more time."""
        descended = self.after_descent(self.state, second, self.rule.iterations)
        if self.single and third.n_rows > second.n_rows:
            first = self.stirring.first
            stirred = self.after_stirring(self.state, third, first)
            if not descended.is_clearly_better(stirred, self.rule.margin):
                self._improve(stirred, first)
                self._grow(third, first)
                return
        self._improve(descended)
        self._descend_and_grow(second)

    def _rival(self, variables: Variables, first: Sample) -> None:
        """Refine other nodes on the first draw, and take them if the rows kept apart gain."""
        state = with_weights(variables, first, self.objective)
        for iterations in self.rule.first_rounds:
            judged = self.after_descent(state, first, iterations)
            state = judged.state
        if judged.loss < self.judged.loss:
            self.tell(judged)

    # ------------------------------------------------------------------ descents
    def _descend_and_grow(self, part: Sample) -> None:
        """Grow, and descend for longer while each saves much: with little noise there is no end."""
        self._grow(part)
        for iterations in (self.rule.iterations, *self.schedule.further):
            saved = self._improve(self.after_descent(self.state, part, iterations))
            if saved < self.rule.persistence:
                return

    def _improve(self, after: Unseen, stir: Stir | None = None) -> float:
        """Take a network if the rows kept apart gain; the part of the loss that it saves.

        Parameters
        ----------
        after : Unseen
        stir : Stir or None
            How it was stirred; None where it descended.
        """
        saved = 1.0 - after.loss / self.judged.loss
        if not saved > 0.0:
            return 0.0
        self.stir = stir
        self.tell(after)
        return saved

    # ------------------------------------------------------------------ stirring
    def _temper(self, part: Sample, *, grows: bool) -> None:
        """Stir as hot as rows kept apart like best; longer while much is saved, else colder.

        Parameters
        ----------
        part : Sample
        grows : bool
            Whether nodes are added before stirring takes longer.
        """
        hottest, stir = self._hottest(part)
        saved = self._improve(hottest, stir)
        if grows:
            stir = self._coldest(part, stir)
            self._grow(part, stir)
        while (after := self.stirring.after(stir, saved=saved)) is not None:
            saved = self._improve(self.after_stirring(self.state, part, after), after)
            if not saved > 0.0 and after.rate < stir.rate:
                return
            stir = after

    def _hottest(self, part: Sample) -> tuple[Unseen, Stir]:
        """Stir at the first rate than which the next higher one is not better."""
        stir = self.stirring.first
        found = self.after_stirring(self.state, part, stir)
        while (hotter := self.stirring.hotter(stir)) is not None:
            trial = self.after_stirring(self.state, part, hotter)
            if not trial.loss < found.loss:
                break
            found, stir = trial, hotter
        return found, stir

    def _coldest(self, part: Sample, stir: Stir) -> Stir:
        """Stir at lower rates while that is of use; return the last that was."""
        while (colder := self.stirring.colder(stir)) is not None:
            if not self._improve(self.after_stirring(self.state, part, colder), colder) > 0.0:
                break
            stir = colder
        return stir

    # ------------------------------------------------------------------ growth
    def _grow(self, part: Sample, stir: Stir | None = None) -> None:
        """Add nodes, and again, while the rows kept apart clearly gain.

        Parameters
        ----------
        part : Sample
        stir : Stir or None
            How networks with new nodes are stirred; None where they descend.
        """
        gaining, looked = True, 0
        while gaining:
            looked += 1
            before, larger = self.judged, self._larger(part, looked)
            if larger is None:
                return
            trial = (
                self.after_descent(larger, part, self.rule.iterations)
                if stir is None
                else self.after_stirring(larger, part, self.stirring.shortest(stir))
            )
            if not trial.is_clearly_better(before, self.rule.margin):
                return
            self.stir = stir
            self.tell(trial)
            gaining = before.loss - trial.loss > self.rule.worth * trial.loss

    def _larger(self, part: Sample, looked: int) -> Refined | None:
        """Return the network with more nodes; None where there is no room or no use."""
        n_nodes, limit = self.state.n_nodes, self.objective.max_nodes
        room = (self.cap if limit is None else min(limit, self.cap)) - n_nodes
        most = min(max(n_nodes, self.rule.least_new), room)
        if most < max(1.0, self.rule.least * n_nodes):
            return None
        # Other rows every time: the first ones are those that the start has seen.
        some = np.arange(min(self.rule.rows, part.n_rows)) + looked * self.rule.rows
        part = part.with_noise(self.state.noise)
        seen, giving = part.take(some % part.n_rows), part.draw(min(self.rule.second, part.n_rows))
        return grown(self.state, seen, giving, self.objective, most, self.rule)

    # ------------------------------------------------------------------ all rows
    def _finish(self, part: Sample) -> None:
        """Give the rows kept apart back: all rows refine what has been found.

        Half of the last descent tells whether that is of use. Where it clearly harms a network that
        was stirred, this is stirred once more; else half of it is enough where nothing was gained.
        """
        best, stir = self.judged, self.stir
        iterations = self.rule.last_iterations(self.rows.n_rows, self.state.variables.n_outputs)
        half = self.after_descent(self.state, part, iterations // 2)
        gaining = self._improve(half) > 0.0
        harmed = best.is_clearly_better(half, self.stirring.harm)
        if harmed and stir is not None and self.rows.n_rows <= self.rule.most:
            self.state = self.stirred(self.state, self.rows, stir, pruned=False)
            self.on_round(self.state)
        else:
            self._descend_on_all_rows(iterations if gaining else iterations // 2)

    def _descend_on_all_rows(self, iterations: int) -> None:
        """Descend, again and again while that saves much of all rows' own loss.

        Only where they are many more than the second draw had: so many new rows are not learned by
        heart.
        """
        for more in reversed(range(self.rule.n_last_rounds(self.rows.n_rows))):
            before = self.state
            self.state = state = self.descended(before, self.rows, iterations, pruned=False)
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
