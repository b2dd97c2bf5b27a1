"""How a limit of memory is shared out: rows that are read, drawn and kept at once.

Peak memory follows from the limit and the width of a table, not from its length. What follows from
a limit is the same in every process, so the same command gives the same model.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from drumlin._errors import ParameterError
from drumlin.flagship.recipe import ROWS_PER_NODE
from drumlin.refinement import GrowthRule, Schedule
from drumlin.tables.errors import warn_of
from drumlin.tables.reading import CHUNK_ROWS

OWN = 400_000_000
"""Bytes that the program takes for itself: the interpreter, libraries, compiled kernels."""

LEAST = 100_000_000
"""Bytes for rows below which a fit is not tried."""

SAMPLE_ROWS = 100_000
"""Rows that tell what columns are, their categories, and what stands in for gaps."""

FRAMES = 8
"""Times that sampled rows are in memory while they are chosen and understood."""

PARSED, LOOPS = 16, 10
"""Times that a chunk is in memory while it is read, and then as numbers: several are looked at
together, with what is made of them."""

READ, DRAWN, KEPT = 0.2, 0.65, 0.15
"""Parts of the room for chunks that are read, for draws and for prepared rows that are kept."""

DRAWS = (320_000, 160_000, 80_000, 40_000, 20_000, 10_000, 5000)
"""Rows of the largest draw, as many as there is room for."""

CANDIDATE_COPIES = 3
"""Times that the columns of candidates for new nodes are in memory: freed, and their products."""

FIGURES = (20_000, 12_000.0)
"""Rows behind the figures of a fit, at most, and bytes that each of them takes."""

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def parsed_bytes(text: str | int) -> int:
    """Return a number of bytes: 2000000000, "2GB", "500 MB" or "1GiB"."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", str(text), re.IGNORECASE)
    if match is None or (match[3] and not match[2]) or float(match[1]) <= 0.0:
        raise ParameterError(
            f"The 'memory' parameter must be a number of bytes, such as '2GB'. Got {text!r}."
        )
    units = _BINARY if match[3] else _UNITS
    return int(float(match[1]) * units[match[2].lower()])


@dataclass(frozen=True)
class RowMemory:
    """Memory for the rows of a table.

    Parameters
    ----------
    n_bytes : int
        Beyond what the program takes for itself.
    """

    n_bytes: int

    @classmethod
    def within(cls, limit: str | int) -> RowMemory:
        """Return what a limit of the whole process leaves; warn where that is too little."""
        n_bytes = parsed_bytes(limit) - OWN
        if n_bytes < LEAST:
            warn_of(
                [
                    f"The 'memory' parameter must be at least {(OWN + LEAST) // 10**6} MB to be "
                    f"kept: so much is taken all the same. Got {limit!r}."
                ]
            )
        return cls(max(n_bytes, LEAST))

    @property
    def kept(self) -> int:
        """Bytes of prepared rows that are kept in memory."""
        return int(KEPT * self.n_bytes)

    def sample_rows(self, row_bytes: float) -> int:
        """Rows of a sample of the table as it was read."""
        return int(min(SAMPLE_ROWS, max(5000.0, self.n_bytes / (FRAMES * row_bytes))))

    def chunk_rows(self, row_bytes: float, n_inputs: int = 0) -> int:
        """Rows that are read at once, and become so many inputs each."""
        each = PARSED * row_bytes + LOOPS * 8.0 * n_inputs
        return int(min(CHUNK_ROWS, max(500.0, READ * self.n_bytes / each)))

    def max_draw(self, n_inputs: int) -> int:
        """Rows of the largest draw."""
        most_bytes = DRAWN * self.n_bytes
        return next((most for most in DRAWS if draw_bytes(most, n_inputs) <= most_bytes), DRAWS[-1])


def draw_bytes(most: int, n_inputs: int) -> float:
    """Bytes that a fit takes for draws of so many rows, a quarter as many kept apart included.

    Rows as they are and as they are seen, in double precision, three times; besides, while nodes
    are refined, three times more and some numbers per row, steps that L-BFGS remembers and columns
    of candidates for new nodes, and then what figures are made of.
    """
    rows, n_nodes = 1.25 * most, most / ROWS_PER_NODE
    steps = 2 * Schedule().memory * 2 * n_inputs * n_nodes
    candidates = CANDIDATE_COPIES * 2 * GrowthRule().rows * n_nodes
    fit = 8.0 * (rows * (3 * n_inputs + 120) + steps + candidates)
    return 8.0 * rows * 3 * n_inputs + max(fit, min(most, FIGURES[0]) * FIGURES[1])
