"""Where the next node comes from: a pool of candidates searched exhaustively."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from drumlin._typing import FloatArray
from drumlin.basis import Nodes
from drumlin.criteria import LOOSquaredError
from drumlin.orthogonal import OrthogonalRegression
from drumlin.selection.candidates import CandidateColumns
from drumlin.selection.scoring import Scoring
from drumlin.selection.ties import tied


@dataclass(frozen=True)
class Proposal:
    """A node that asks to join the model.

    Parameters
    ----------
    node : Nodes
        Exactly one.
    column : ndarray of shape (n_samples,)
        Its weighted activations.
    index : int
        Its place in the pool; -1 where nodes do not come from a pool.
    """

    node: Nodes
    column: FloatArray
    index: int = -1


class Proposals(ABC):
    """A source of nodes."""

    @abstractmethod
    def best(
        self, scoring: Scoring, regression: OrthogonalRegression, alpha: float
    ) -> Proposal | None:
        """Return the node that lowers the cost most, or None where no admissible one is left."""


class SamplePool(Proposals):
    """Exhaustive search over a pool of candidate nodes.

    Parameters
    ----------
    candidates : CandidateColumns
    ties : {"squared_error", "first"}
        Among candidates of equal cost take the one with the least leave-one-out squared error
        (then the lowest index), or simply the lowest index as the papers do.
    """

    def __init__(self, candidates: CandidateColumns, *, ties: str = "squared_error") -> None:
        self.candidates = candidates
        self.ties = ties

    def best(
        self, scoring: Scoring, regression: OrthogonalRegression, alpha: float
    ) -> Proposal | None:
        """Return the best candidate under the criterion and the tie rule."""
        self.candidates.follow(regression)
        winners = tied(self.candidates.costs(scoring, regression, alpha))
        if not len(winners):
            return None
        if self.ties == "squared_error" and len(winners) > 1:
            criterion = LOOSquaredError()
            errors = self.candidates.costs_of(winners, criterion, scoring, regression, alpha)
            finer = tied(errors)
            winners = winners[finer] if len(finer) else winners
        index = int(winners[0])
        self.candidates.taken[index] = True
        node = self.candidates.nodes.take(slice(index, index + 1))
        return Proposal(node, self.candidates.column(index), index)
