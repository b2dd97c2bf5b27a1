"""The weights of a subset that was found, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from drumlin._typing import FloatArray, IntArray
from drumlin.laplace import Elimination
from drumlin.laplace.contrasts import contrast_elimination, loo_contrasts
from drumlin.linear.logistic import LogisticFits
from drumlin.linear.whitening import Whitened
from drumlin.selection.subset import SubsetRun
from drumlin.selection.subset_cost import SubsetBIC


@dataclass(frozen=True)
class SubsetFit:
    """A subset with its weights.

    Parameters
    ----------
    cost : SubsetBIC
    whitened : Whitened
    fits : LogisticFits
        A batch of one.
    bic : float
    """

    cost: SubsetBIC
    whitened: Whitened
    fits: LogisticFits
    bic: float

    @classmethod
    def of(cls, run: SubsetRun) -> SubsetFit:
        """Fit the best subset of a search."""
        whitened, fits, bic = run.cost.fit([run.members])
        return cls(run.cost, whitened, fits, float(bic[0]))

    @cached_property
    def elimination(self) -> Elimination:
        """What every node is worth."""
        problem, penalties = self.cost.problem, self.cost.penalties
        return contrast_elimination(self.whitened, self.fits, problem, penalties)

    @property
    def weights(self) -> FloatArray:
        """Weights (n_nodes + 1, n_outputs) of all outputs, the intercept last."""
        return self.cost.problem.contrasts.of_all(self.elimination.weights)

    def loo_scores(self, rows: IntArray, left_out: FloatArray) -> FloatArray:
        """Scores (n_rows, n_outputs) without a part of each row's weight, the kernels fixed."""
        problem, penalties = self.cost.problem, self.cost.penalties
        columns, scores = self.whitened.columns[0], self.fits.scores[0]
        contrasts = loo_contrasts(columns, problem, penalties, scores, rows, left_out)
        return problem.contrasts.of_all(contrasts)
