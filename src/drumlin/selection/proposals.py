"""Where the next node comes from; the simplest source is a pool searched exhaustively."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from drumlin._typing import FloatArray
from drumlin.basis import Nodes
from drumlin.criteria import LOOSquaredError
from drumlin.linear import OrthogonalRegression
from drumlin.search import SearchResult
from drumlin.selection.candidates import Pool
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
    search : SearchResult or None
        How it was found, where that took a search.
    """

    node: Nodes
    column: FloatArray
    index: int = -1
    search: SearchResult | None = None

    @property
    def interrupted(self) -> bool:
        """Whether the user broke off the search for it: the best so far, and the last."""
        return self.search is not None and self.search.interrupted


class Proposals(ABC):
    """A source of nodes.

    Attributes
    ----------
    n_steps : int
        Most steps in which a node is found, 0 where it is found at once.
    on_step : callable or None
        Called after every step with what was found so far; a true answer ends the search for
        this node.
    """

    n_steps: int = 0
    on_step: Callable[[SearchResult], bool] | None = None

    @abstractmethod
    def best(
        self, scoring: Scoring, regression: OrthogonalRegression, alpha: float
    ) -> Proposal | None:
        """Return the node that lowers the cost most, or None where no admissible one is left."""


class SamplePool(Proposals):
    """Exhaustive search over a pool of candidate nodes.

    Parameters
    ----------
    candidates : Pool
    ties : {"squared_error", "first"}
        Among candidates of equal cost take the one with the least leave-one-out squared error
        (then the lowest index), or simply the lowest index as the papers do.
    """

    def __init__(self, candidates: Pool, *, ties: str = "squared_error") -> None:
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
