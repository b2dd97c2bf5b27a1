"""How long to refine, on how many rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

from drumlin._constants import budget, statistical


@dataclass(frozen=True)
class Schedule:
    """Rounds of L-BFGS.

    Parameters
    ----------
    rounds : tuple of int
        Most iterations of each round; nodes are dropped after all but the last.
    further : tuple of int
        Most iterations of further rounds, as long as losses of rows not seen fall.
    worth : float
        Part of the losses of rows left out that a further round must save.
    large : int
        Tables of more rows are refined on growing draws, judged by rows kept apart.
    middling : int
        So are tables of more rows than these where samples left out cannot judge, or there are
        several outputs.
    price_rows : int
        Most rows whose curvature prices the nodes.
    curvature_rows : int
        Most rows whose curvature scales the variables.
    memory : int
        Steps that L-BFGS remembers.
    tolerance : float
        Relative progress below which a round has converged.
    """

    rounds: tuple[int, ...] = budget((20, 40, 60))
    further: tuple[int, ...] = budget((60, 100, 200, 400))
    worth: float = statistical(0.02)
    large: int = budget(7500)
    middling: int = statistical(2500)
    price_rows: int = budget(5000)
    curvature_rows: int = budget(2000)
    memory: int = budget(60)
    tolerance: float = budget(1e-6)

    def most_at_once(self, *, left_out: bool) -> int:
        """Rows that are refined at once: fewer where samples left out cannot judge."""
        return self.large if left_out else min(self.middling, self.large)

    def options(self, iterations: int) -> dict[str, float]:
        """Options of a run of L-BFGS."""
        return {"maxcor": self.memory, "maxiter": iterations, "ftol": self.tolerance}


@dataclass(frozen=True)
class GrowthRule:
    """Networks that grow, judged by rows that they have not seen; large tables: draws that grow.

    Parameters
    ----------
    signal : float
        Nodes are looked for where the best ones gain more than this times the logarithm of the
        number of candidates in log error: that much is luck.
    least_saved : float
        Summed loss of samples left out, over the noise, that new nodes of small tables must save.
    apart : tuple of (float, int)
        Rows kept apart: this part of the table, and no more than so many.
    margin : float
        Standard errors by which losses of rows not seen must fall for nodes to be added.
    worth : float
        Part of its loss that growing must save for more nodes to be looked for.
    persistence : float
        Part of its loss that a round must save for longer ones to follow.
    scales : tuple of float
        Logarithms of widths of new nodes, from the median of those there are.
    alpha : float
        Penalty of orthogonal columns in the path of new nodes.
    least : float
        Room for new nodes, as a part of those there are, below which none are looked for.
    least_new : int
        New nodes that may be added to large tables' networks in any case: else as many as there
        are.
    variables : int
        Most variables of a network that grows where samples left out judge.
    first : int
        Rows of the first draw, on which the start is refined.
    first_rounds : tuple of int
        Most iterations of the rounds on it.
    second : int
        Rows of the second draw, on which networks descend: up to twice as many are taken at once.
        So many give new nodes their weights, too.
    most : int
        Rows of the third draw, on which networks are stirred.
    entries : float
        Rows times inputs of the largest draw, where that is less: one machine has to hold it.
    cap : float
        Most nodes of large tables, in units of those that the scan for a start may have. Where the
        start itself may have more (several classes), that many.
    most_nodes : float
        Nodes that no network grows beyond.
    rows : int
        Rows among which new nodes are looked for.
    candidates : tuple of int
        Candidates for new nodes: at least the first, and the second for every one that may be new.
    iterations : int
        Most iterations of a round on a draw.
    last : tuple of (float, int)
        Most iterations on all rows, by the most rows for which they are affordable.
    last_of_one : tuple of (float, int)
        Another one before these where there is one output: several overfit by more.
    last_rounds : int
        Most rounds of so many iterations, where all rows are many more than the second draw has.
    last_worth : float
        Part of the penalised loss that such a round must save for another one to follow.
    """

    signal: float = statistical(1.0)
    least_saved: float = statistical(2.5)
    apart: tuple[float, int] = statistical((0.1, 80_000))
    margin: float = statistical(1.0)
    worth: float = statistical(0.01)
    persistence: float = statistical(0.05)
    scales: tuple[float, ...] = statistical((0.0, -0.7))
    alpha: float = statistical(0.1)
    least: float = budget(0.1)
    least_new: int = budget(10)
    variables: int = budget(1200)
    first: int = budget(5000)
    first_rounds: tuple[int, ...] = budget((20, 40))
    second: int = budget(20_000)
    most: int = budget(320_000)
    entries: float = budget(6.4e7)
    cap: float = budget(2.0)
    most_nodes: float = budget(float("inf"))
    rows: int = budget(5000)
    candidates: tuple[int, int] = budget((300, 2))
    iterations: int = budget(40)
    last_of_one: tuple[float, int] = statistical((7500, 160))
    last: tuple[tuple[float, int], ...] = budget(((30_000, 80), (400_000, 40), (float("inf"), 20)))
    last_rounds: int = budget(5)
    last_worth: float = budget(0.03)

    def within(self, most: int) -> GrowthRule:
        """Return the rule with draws of no more than so many rows."""
        share, apart = self.apart
        # a quarter of the largest draw judges it, as 80 000 rows do 320 000
        return replace(self, most=min(most, self.most), apart=(share, min(most // 4, apart)))

    def n_apart(self, n_rows: int) -> int:
        """Rows kept apart."""
        share, most = self.apart
        return min(int(share * n_rows), most)

    def n_left(self, n_rows: int) -> int:
        """Rows that are not kept apart."""
        return n_rows - self.n_apart(n_rows)

    def n_second(self, n_rows: int) -> int:
        """Rows of the second draw: at most half of what is left, or all that a draw may have."""
        left = self.n_left(n_rows)
        return min(self.second if 2 * self.second < left else left, self.most)

    def last_iterations(self, n_rows: int, n_outputs: int) -> int:
        """Most iterations on all rows, where rows kept apart still gain."""
        ladder = (self.last_of_one, *self.last) if n_outputs == 1 else self.last
        return next(count for most, count in ladder if n_rows <= most)

    def n_last_rounds(self, n_rows: int) -> int:
        """Most rounds on all rows: one where the second draw had nearly as many."""
        return self.last_rounds if self.n_second(n_rows) < self.n_left(n_rows) else 1


class Stir(NamedTuple):
    """How a network is stirred.

    Parameters
    ----------
    rate : float
        Length of the longest steps: centers move in units of the starting width.
    n_steps : int
    most_steps : int
        For how many it may be tried.
    """

    rate: float
    n_steps: int
    most_steps: int


@dataclass(frozen=True)
class StirRule:
    """Large tables: steps by the gradients of a few rows, judged by rows kept apart.

    Parameters
    ----------
    rows : int
        Rows of a batch, at least.
    rates : tuple of float
        The first rate tried is the second of these; none is below the first or above the third.
    ratio : float
        Of one rate to the next lower one.
    warm : float
        Part of the steps in which their length rises.
    memory : tuple of float
        Part of the means of gradients, and of their squares, that stays at every step.
    harm : float
        Standard errors by which a descent must harm rows kept apart for the last one to be left
        out.
    steps : int
        Least number of steps.
    passes : int
        Least number of passes over the rows.
    longest : int
        Most steps, in units of the least.
    worth : float
        Part of its loss that stirring must save to be done for twice as many steps; after that,
        what more nodes must save for still more to be looked for.
    """

    rows: int = statistical(512)
    rates: tuple[float, float, float] = statistical((0.005, 0.02, 0.2))
    ratio: float = statistical(3.0)
    warm: float = statistical(0.05)
    memory: tuple[float, float] = statistical((0.9, 0.99))
    harm: float = statistical(1.0)
    steps: int = budget(600)
    passes: int = budget(3)
    longest: int = budget(4)
    worth: float = budget(0.02)

    def first(self, n_rows: int) -> Stir:
        """Return the first that is tried on so many rows."""
        n_steps = max(self.steps, self.passes * n_rows // self.rows)
        return Stir(self.rates[1], n_steps, self.longest * n_steps)

    def hotter(self, stir: Stir) -> Stir | None:
        """Return that of the next higher rate; None where it is not tried."""
        rate = self.ratio * stir.rate
        return None if rate > self.rates[2] else stir._replace(rate=rate)

    def colder(self, stir: Stir) -> Stir | None:
        """Return that of the next lower rate; None where it is not tried."""
        rate = stir.rate / self.ratio
        return None if rate < self.rates[0] else stir._replace(rate=rate)

    def after(self, stir: Stir, *, saved: float) -> Stir | None:
        """Return what follows: twice as many steps where much was saved, or the next lower rate."""
        if saved > self.worth and 2 * stir.n_steps <= stir.most_steps:
            return stir._replace(n_steps=2 * stir.n_steps)
        return self.colder(stir)

    def length(self, stir: Stir, step: int) -> float:
        """Length of a step: it rises, and falls to zero as a cosine does."""
        done = step / stir.n_steps
        return stir.rate * min(1.0, done / self.warm) * 0.5 * (1.0 + math.cos(math.pi * done))
