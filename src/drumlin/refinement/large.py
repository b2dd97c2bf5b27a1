"""Large tables: draws and networks grow together, and rows kept apart judge every step.

Few rows cannot say how many nodes many rows could place, and no formula can; but of many rows some
can be kept apart. A draw counts as what it is: its loss is not scaled up to the whole table, so
penalties and prices are those that its own rows justify. L-BFGS learns the rows of a draw by heart
sooner than the steps of small batches do, which stir a network, but goes further where there is
much to learn: both are tried. At last all rows, those kept apart too, refine what has been found.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from drumlin._typing import IntArray
from drumlin.refinement.growth import grown
from drumlin.refinement.moves import Moving
from drumlin.refinement.rounds import with_weights
from drumlin.refinement.schedule import Stir
from drumlin.refinement.state import Refined
from drumlin.refinement.unseen import Unseen
from drumlin.refinement.variables import Variables
from drumlin.sample import Sample


class LargeRefinement(Moving):
    """Refine on growing draws; parameters are those of ``Moving``.

    Attributes
    ----------
    apart : Sample
        Rows kept apart: the last network in ``judged`` had not seen them, the last ``state`` has.
    stir : Stir or None
        How the last network taken was stirred; None where it descended.
    n_looked : int
        How often nodes were looked for.
    """

    stir: Stir | None = None
    n_looked = 0

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
        self.single = True  # what few rows say of rounding says nothing of more
        second, third = self.drawn(self.rule.n_second(self.rows.n_rows)), self.drawn(self.rule.most)
        self._find_nodes(second, third)
        if self.single:  # else there is too little noise for noisy steps
            self._temper(third, grows=third.n_rows > second.n_rows)
        self._finish(third)

    def _find_nodes(self, second: Sample, third: Sample) -> None:
        """Grow by descents, or by stirring where that has more rows: it needs no more time."""
        descended = self.after_descent(self.state, second, self.rule.iterations)
        if self.single and third.n_rows > second.n_rows:
            first = self.stirring.first(third.n_rows)
            stirred = self.after_stirring(self.state, third, first)
            gained = self._gain(stirred) > 0.0
            if gained and not descended.is_clearly_better(stirred, self.rule.margin):
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
        gain = self._gain(after)
        if gain > 0.0:
            self._take(after, stir)
        return gain

    def _gain(self, after: Unseen) -> float:
        """Part of the loss of the rows kept apart that a network saves; 0 where it saves none."""
        before = self.judged.loss
        return 1.0 - after.loss / before if after.loss < before else 0.0

    def _take(self, after: Unseen, stir: Stir | None) -> None:
        self.stir = stir
        self.tell(after)

    # ------------------------------------------------------------------ stirring
    def _temper(self, part: Sample, *, grows: bool) -> None:
        """Stir as hot as rows kept apart like best; longer while much is saved, else colder.

        Parameters
        ----------
        part : Sample
        grows : bool
            Whether nodes are added before stirring takes longer.
        """
        stir, saved = self._as_hot_as_useful(part)
        if grows:
            stir, saved = self._colder(part, stir, saved)
            if not self._grow(part, stir) and saved <= self.stirring.worth:
                return  # longer ones would be of little use
        while (after := self.stirring.after(stir, saved=saved)) is not None:
            saved = self._improve(self.after_stirring(self.state, part, after), after)
            if not saved > 0.0 and after.rate < stir.rate:
                return
            if grows and saved > 0.0:  # nodes must save what twice as many steps must
                self._grow(part, after, self.stirring.worth)
            stir = after

    def _as_hot_as_useful(self, part: Sample) -> tuple[Stir, float]:
        """Stir at the first rate than which the next higher one is not better.

        Returns it, and the part of the loss that it saves; the lowest one where none saves any.
        """
        stir = first = self.stirring.first(part.n_rows)
        found = self.after_stirring(self.state, part, stir)
        while (hotter := self.stirring.hotter(stir)) is not None:
            trial = self.after_stirring(self.state, part, hotter)
            if not trial.loss < found.loss:
                break
            found, stir = trial, hotter
        saved = self._improve(found, stir)
        return (stir if saved > 0.0 else first), saved

    def _colder(self, part: Sample, stir: Stir, saved: float) -> tuple[Stir, float]:
        """Stir at lower rates while that is of use; the last one that was, and what it saved."""
        while (colder := self.stirring.colder(stir)) is not None:
            gain = self._improve(self.after_stirring(self.state, part, colder), colder)
            if not gain > 0.0:
                break
            stir, saved = colder, gain
        return stir, saved

    # ------------------------------------------------------------------ growth
    def _grow(self, part: Sample, stir: Stir | None = None, worth: float | None = None) -> bool:
        """Add nodes, and again, while the rows kept apart clearly gain; tell whether they did.

        Parameters
        ----------
        part : Sample
        stir : Stir or None
            How networks with new nodes are stirred; None where they descend.
        worth : float or None
            Part of the loss that they must save for more to be looked for; None for the usual one.
        """
        worth = self.rule.worth if worth is None else worth
        gaining, grew = True, False
        while gaining:
            before, larger = self.judged, self._larger(part)
            if larger is None:
                break
            trial = (
                self.after_descent(larger, part, self.rule.iterations)
                if stir is None
                else self.after_stirring(larger, part, stir)
            )
            if not trial.is_clearly_better(before, self.rule.margin):
                break
            self._take(trial, stir)
            grew, gaining = True, before.loss - trial.loss > worth * trial.loss
        return grew

    def _larger(self, part: Sample) -> Refined | None:
        """Return the network with more nodes; None where there is no room or no use."""
        n_nodes, limit = self.state.n_nodes, self.objective.max_nodes
        room = min(np.inf if limit is None else limit, self.rule.most_nodes) - n_nodes
        most = int(min(max(n_nodes, self.rule.least_new), room))
        if most < max(1.0, self.rule.least * n_nodes):
            return None
        part = part.with_noise(self.state.noise)
        seen, giving = part.take(self._others(part)), part.draw(min(self.rule.second, part.n_rows))
        return grown(self.state, seen, giving, self.objective, most, self.rule)

    def _others(self, part: Sample) -> IntArray:
        """Return other rows of a draw every time: the first ones are those the start has seen."""
        self.n_looked += 1
        n_rows = min(self.rule.rows, part.n_rows)
        first = n_rows if n_rows < part.n_rows else part.n_rows // 2
        return (np.arange(n_rows) + self.n_looked * first) % part.n_rows

    # ------------------------------------------------------------------ all rows
    def _finish(self, part: Sample) -> None:
        """Give the rows kept apart back: all rows refine what has been found.

        Half of the last descent tells whether that is of use. Where it clearly harms a network that
        was stirred, this is stirred once more, and stays as it is if even rows that it sees now
        lose by that; else half of it is enough where nothing was gained.
        """
        best, stir = self.judged, self.stir
        iterations = self.rule.last_iterations(self.rows.n_rows, self.state.variables.n_outputs)
        half = self.after_descent(self.state, part, iterations // 2)
        gaining = self._improve(half) > 0.0
        harmed = best.is_clearly_better(half, self.stirring.harm)
        if harmed and stir is not None and self.rows.n_rows <= self.rule.most:
            again = self.judge(self.stirred(self.state, self.rows, stir, pruned=False))
            if again.loss < best.loss:
                self.state = again.state
                self.on_round(self.state)
        else:
            self._descend_on_all_rows(iterations if gaining else iterations // 2)

    def _descend_on_all_rows(self, iterations: int) -> None:
        """Descend, again and again while that saves much of all rows' own loss.

        Only where they are many more than the second draw has: so many are not learned by heart.
        """
        for more in reversed(range(self.rule.n_last_rounds(self.rows.n_rows))):
            done = self.descended(self.state, self.rows, iterations, pruned=False)
            self.state = done.state
            if done.state.interrupted:
                raise KeyboardInterrupt
            if self.on_round(done.state) or not more or done.saved < self.rule.last_worth:
                return
