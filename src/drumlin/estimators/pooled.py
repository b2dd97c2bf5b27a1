"""What networks share whose nodes are chosen from a pool of candidate centers."""

from __future__ import annotations

from numbers import Integral, Real

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_array, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import LADDER, RADIALS, Radial, reference_width
from drumlin.estimators.checks import part, positive_numbers
from drumlin.estimators.plans import Grown, PoolPlan
from drumlin.estimators.selected import BaseSelectedNetwork
from drumlin.estimators.training import Training, candidate_rows


class BaseForwardRBF(BaseSelectedNetwork):
    """Networks whose nodes are chosen from a pool of candidate centers."""

    _parameter_constraints: dict = {
        **BaseSelectedNetwork._parameter_constraints,
        "width": [StrOptions({"auto"}), Interval(Real, 0, None, closed="neither"), "array-like"],
        "width_by": [StrOptions({"squared_error", "criterion"})],
        "radial": [StrOptions(set(RADIALS)), Radial],
        "candidates": [Interval(Integral, 1, None, closed="left"), "array-like", None],
        "ties": [StrOptions({"squared_error", "first"})],
        "memory_budget": [Interval(Real, 0, None, closed="neither")],
    }

    _takes_tables = True

    def _plan(self, training: Training) -> PoolPlan:
        rng, drawn = check_random_state(self.random_state), training.for_candidates(self)
        centers, support = self._candidate_centers(drawn, rng)
        widths = self._widths(drawn, rng)
        ladder = training.ladder(
            training.scaler.transform(centers),
            part(self.radial, RADIALS),
            memory=self.memory_budget,
            n_threads=effective_n_jobs(self.n_jobs),
            several=len(widths) > 1,
        )
        return PoolPlan(
            training=training,
            centers=centers,
            support=support,
            widths=widths,
            ladder=ladder,
            ties=self.ties,
            fit_intercept=self.fit_intercept,
        )

    def _candidate_centers(
        self, training: Training, rng: np.random.RandomState
    ) -> tuple[FloatArray, IntArray]:
        """Candidate centers in original units and where they come from.

        Equal samples are one candidate: their columns are equal, so only the first could win.
        """
        n_features = training.X.shape[1]
        if self.candidates is None or isinstance(self.candidates, Integral):
            index = candidate_rows(self, training, rng)
            return training.X[index], training.rows[index]
        centers = check_array(self.candidates, dtype=np.float64, input_name="candidates", copy=True)
        if centers.shape[1] != n_features:
            raise ValueError(
                f"The 'candidates' parameter of {type(self).__name__} must have one column per "
                f"feature of X, {n_features}. Got {centers.shape[1]}."
            )
        return centers, np.arange(len(centers))

    def _run_attributes(self, best: Grown, finished: list[Grown]) -> dict:
        """Return the width chosen, and how every width that was tried ended."""
        path = {
            "width": np.array([grown.run.width for grown in finished]),
            "loo_squared_error": np.array([grown.squared_error for grown in finished]),
            "cost": np.array([grown.cost for grown in finished]),
            "n_nodes": np.array([grown.selection.size for grown in finished]),
        }
        return {"width_": best.run.width, "width_path_": path}

    def _rank(self, grown: Grown) -> tuple[float, ...]:
        by_cost = self.width_by == "criterion"
        return (grown.cost, grown.squared_error) if by_cost else (grown.squared_error,)

    def _widths(self, training: Training, rng: np.random.RandomState) -> list[float]:
        """Widths to try, widest first."""
        if isinstance(self.width, str):
            base = reference_width(training.standardized(), training.weight, rng)
            return [base * step for step in LADDER]
        return positive_numbers(self, "width")
