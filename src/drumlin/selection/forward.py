"""Forward selection: one node at a time, stopped by a leave-one-out criterion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from drumlin.basis import Nodes
from drumlin.linear import LocalRegularizer, OrthogonalRegression
from drumlin.selection.proposals import Proposal, Proposals
from drumlin.selection.scoring import Scoring
from drumlin.selection.ties import tie_limit


@dataclass(frozen=True)
class Stopping:
    """When to stop adding nodes.

    Parameters
    ----------
    min_nodes : int
        Never stop, nor keep a prefix, below this size.
    max_nodes : int
    patience : int
        Stop after this many stages without a lower cost; 1 is the papers' literal rule.
    optimism : float
        Where positive, sizes are judged not by the criterion but by the leave-one-out squared
        error times ``exp(optimism * size)``: a correction for what was tuned in every node on the
        same samples, which leave-one-out does not see (2 p / n by Akaike's criterion).
    """

    min_nodes: int
    max_nodes: int
    patience: int
    optimism: float = 0.0


@dataclass
class Selection:
    """Everything forward selection did.

    Attributes
    ----------
    regression : OrthogonalRegression
        All columns that joined, those after the best prefix included.
    proposals : list of Proposal
    costs, squared_errors : list of float
        Criterion and leave-one-out squared error of every prefix, starting with one node.
    size : int
        Nodes in the best prefix.
    interrupted : bool
        Whether the user broke off; the best prefix so far stands.
    """

    regression: OrthogonalRegression
    proposals: list[Proposal] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    squared_errors: list[float] = field(default_factory=list)
    size: int = 0
    interrupted: bool = False

    def best_regression(self) -> OrthogonalRegression:
        """Return the model of the best prefix."""
        return self.regression.prefix(self.size)

    def nodes(self) -> Nodes:
        """Nodes of the best prefix."""
        chosen = [proposal.node for proposal in self.proposals[: self.size]]
        centers = np.vstack([node.centers for node in chosen])
        widths = np.vstack([node.widths for node in chosen])
        return Nodes(centers, widths, chosen[0].radial)


def select_forward(
    proposals: Proposals,
    scoring: Scoring,
    regression: OrthogonalRegression,
    regularizer: LocalRegularizer,
    stopping: Stopping,
    on_stage: Callable[[Selection], bool] | None = None,
) -> Selection:
    """Add the best node until the criterion stops falling; keep the best prefix.

    Parameters
    ----------
    proposals : Proposals
    scoring : Scoring
    regression : OrthogonalRegression
        Grown in place.
    regularizer : LocalRegularizer
    stopping : Stopping
    on_stage : callable or None
        Called after every stage with the selection so far; a true answer stops it.

    Returns
    -------
    Selection
    """
    selection = Selection(regression)
    try:
        while len(selection.costs) < stopping.max_nodes:
            if not _grow(selection, proposals, scoring, regularizer):
                break
            selection.size = _best_prefix(_judged(selection, stopping), stopping.min_nodes)
            selection.interrupted = selection.proposals[-1].interrupted
            stopped = on_stage is not None and on_stage(selection)
            if stopped or selection.interrupted or _exhausted(selection, stopping):
                break
    except KeyboardInterrupt:
        if not selection.size:
            raise
        selection.interrupted = True
    return selection


def _grow(
    selection: Selection,
    proposals: Proposals,
    scoring: Scoring,
    regularizer: LocalRegularizer,
) -> bool:
    """Add one node; False where no admissible one is left."""
    regression = selection.regression
    stage_scoring = scoring.of_stage(len(selection.costs))
    penalty = partial(regularizer.on_select, n_samples=float(scoring.weight.sum()))
    while True:
        proposal = proposals.best(stage_scoring, regression, regularizer.alpha)
        if proposal is None:
            return False
        # Norms of candidates are kept by subtraction; the winner's is checked afresh.
        if regression.join(proposal.column, penalty):
            break
    selection.proposals.append(proposal)
    selection.squared_errors.append(regression.loo_squared_error())
    selection.costs.append(scoring.cost(regression))
    return True


def _judged(selection: Selection, stopping: Stopping) -> list[float]:
    """Costs by which sizes are compared."""
    if not stopping.optimism:
        return selection.costs
    # Factors relative to that of the last stage cannot overflow, however small the total weight.
    earlier = np.arange(len(selection.squared_errors))[::-1]
    return list(np.array(selection.squared_errors) * np.exp(-stopping.optimism * earlier))


def _best_prefix(costs: list[float], min_nodes: int) -> int:
    """Size of the smallest prefix with the lowest cost, not below the minimum if it is reached."""
    allowed = costs[min_nodes - 1 :]
    if not allowed:
        return len(costs)
    limit = tie_limit(min(allowed))
    return min_nodes + next(i for i, cost in enumerate(allowed) if cost <= limit)


def _exhausted(selection: Selection, stopping: Stopping) -> bool:
    """Whether enough stages have passed without improvement."""
    n_stages = len(selection.costs)
    return n_stages >= stopping.min_nodes and n_stages - selection.size >= stopping.patience
