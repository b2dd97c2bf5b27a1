"""How long to refine, on how many rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from drumlin._constants import budget


class Stage(NamedTuple):
    """Rows of a draw (None: all rows), and the most iterations of every round on it."""

    size: int | None
    rounds: tuple[int, ...]


@dataclass(frozen=True)
class Schedule:
    """Rounds of L-BFGS, on growing draws where the table is large.

    Parameters
    ----------
    rounds : tuple of int
        Most iterations of each round on the first (or only) draw.
    large : int
        Tables of more rows are refined on draws first, in single precision.
    first : int
        Rows of the first draw; every further one has four times as many.
    second : tuple of int
        Rounds on the second draw.
    later : tuple of int
        Rounds on every further draw.
    last : tuple of (int, int)
        Iterations on all rows of a large table, by the most rows for which they are affordable.
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
    large: int = budget(7500)
    first: int = budget(5000)
    second: tuple[int, ...] = budget((40,) * 8)
    later: tuple[int, ...] = budget((40,))
    last: tuple[tuple[float, int], ...] = budget(((30_000, 80), (120_000, 40), (float("inf"), 20)))
    price_rows: int = budget(5000)
    curvature_rows: int = budget(2000)
    memory: int = budget(60)
    tolerance: float = budget(1e-6)

    def options(self, iterations: int) -> dict[str, float]:
        """Options of a run of L-BFGS."""
        return {"maxcor": self.memory, "maxiter": iterations, "ftol": self.tolerance}

    def stages(self, n_rows: int) -> list[Stage]:
        """Draws of growing size, then all rows."""
        if n_rows <= self.large:
            return [Stage(None, self.rounds)]
        stages, size = [Stage(self.first, self.rounds)], 4 * self.first
        while 2 * size < n_rows:
            stages.append(Stage(size, self.second if len(stages) == 1 else self.later))
            size *= 4
        iterations = next(count for most, count in self.last if n_rows <= most)
        return [*stages, Stage(None, (iterations,))]
