"""What all networks grown node by node share: fitting, the path, resizing, predicting.

An estimator built on this base offers a *plan*: one or more runs, each with a source of nodes. The
base grows a network in every run, keeps the best (by leave-one-out squared error unless the
estimator says otherwise), and turns it into fitted attributes. Nothing here knows where nodes come
from or what targets mean.
"""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral, Real

import numpy as np
from sklearn.base import is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, StrOptions

from drumlin._typing import FloatArray, IntArray
from drumlin._warnings import warn
from drumlin.criteria import CRITERIA, Criterion
from drumlin.estimators.checks import part
from drumlin.estimators.fitting import BaseNetwork
from drumlin.estimators.plans import Grown, Plan, Run
from drumlin.estimators.progress import Growth, Progress, warn_interrupted
from drumlin.estimators.surface import Remembered
from drumlin.estimators.training import Training
from drumlin.estimators.truncation import TruncatedNetwork
from drumlin.linear import (
    REGULARIZERS,
    LocalRegularizer,
    OrthogonalRegression,
    orthogonal_variances,
    solve_coefficients,
)
from drumlin.network import Network
from drumlin.selection import Selection, Stopping, select_forward
from drumlin.trust import Calibration

CRITERION_OF_NUMBERS: dict = {"criterion": [StrOptions({"squared_error"}), Criterion]}
"""What the parameter ``criterion`` may be where there are no classes."""


class BaseSelectedNetwork(TruncatedNetwork, BaseNetwork):
    """Base of the estimators that grow a network one node at a time."""

    _precision = Remembered()
    _noise_path = Remembered()

    _parameter_constraints: dict = {
        "criterion": [StrOptions(set(CRITERIA)), Criterion],
        "first": [StrOptions({"squared_error", "criterion"})],
        "regularizer": [StrOptions(set(REGULARIZERS)), LocalRegularizer],
        "alpha": [Interval(Real, 0, None, closed="left")],
        "min_nodes": [Interval(Integral, 1, None, closed="left")],
        "max_nodes": [Interval(Integral, 1, None, closed="left"), None],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "standardize": ["boolean"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    @abstractmethod
    def _plan(self, training: Training) -> Plan:
        """Where this estimator's nodes come from."""

    @abstractmethod
    def _loo_score(self, training: Training, predictions: FloatArray) -> float:
        """Score (accuracy or R2) of leave-one-out predictions."""

    @abstractmethod
    def _prefix_attributes(self, training: Training, regression: OrthogonalRegression) -> list:
        """Return what depends on the size of the network, a dict for 0, 1, 2, ... nodes each."""

    @abstractmethod
    def _calibration_of(
        self, training: Training, regression: OrthogonalRegression, figures: dict
    ) -> Calibration:
        """Scores of samples left out, for a regression with given figures."""

    @abstractmethod
    def _uncertainty_attributes(self, training: Training, regression: OrthogonalRegression) -> dict:
        """What standard deviations are made of, where there are any."""

    # ------------------------------------------------------------------ fitting
    def _fit_training(self, training: Training, told: dict) -> None:
        """Grow a network in every run, keep the best, set the fitted attributes."""
        plan = self._plan(training)
        stopping = self._stopping(plan)
        progress = Progress.of_fit(self, told, plan.n_runs)
        finished: list[Grown] = []
        interrupted = False
        try:
            for run in plan.runs():
                finished.append(self._grow(run, plan, training, stopping, progress))
                interrupted = finished[-1].selection.interrupted
                if interrupted or finished[-1].last:
                    break
        except KeyboardInterrupt:
            if not finished:
                raise
            interrupted = True
        attributes = self._attributes(plan, training, finished)
        self._check_weights(attributes["network_"], training)
        for name, value in attributes.items():
            setattr(self, name, value)
        self._remember_training(training)
        self._warn(interrupted=interrupted)
        progress.end(attributes)

    def _check_weights(self, network: Network, training: Training) -> None:
        """Refuse targets so large that nearly equal nodes would need weights beyond any number."""
        if not np.isfinite(network.coef).all() or not np.isfinite(network.intercept).all():
            raise ValueError(
                f"The 'y' parameter of {type(self).__name__}.fit must not be so large that weights "
                f"overflow: divide it by its size. Got a standard deviation of "
                f"{float(training.target_scale.max()):g}."
            )

    def _stopping(self, plan: Plan) -> Stopping:
        largest = plan.largest if self.max_nodes is None else min(plan.largest, self.max_nodes)
        if self.min_nodes > largest:
            raise ValueError(
                f"The 'min_nodes' parameter of {type(self).__name__} must not exceed {largest}, "
                "the smaller of 'max_nodes' and the number of candidates (different samples). "
                f"Got {self.min_nodes}."
            )
        return Stopping(self.min_nodes, largest, self.patience, plan.optimism)

    def _grow(
        self,
        run: Run,
        plan: Plan,
        training: Training,
        stopping: Stopping,
        progress: Progress,
    ) -> Grown:
        """Grow one network, telling the callbacks of every node."""
        scoring = training.scoring(self._criterion(), self.first)
        regularizer = self._regularizer()
        task = progress.begin("grow", stopping.max_nodes)

        def attributes(selection: Selection) -> dict:
            grown = Grown(run, selection, selection.best_regression())
            return self._attributes(plan, training, [grown])

        growth = Growth(task, attributes, run.proposals.n_steps)
        run.proposals.on_step = growth.on_step
        selection = select_forward(
            run.proposals, scoring, run.regression, regularizer, stopping, growth.on_stage
        )
        regression = selection.best_regression()
        regression = regression.with_alphas(regularizer.on_finish(regression))
        return Grown(run, selection, regression, last=task.end())

    def _criterion(self) -> Criterion:
        return part(self.criterion, CRITERIA)

    def _check_parts(self) -> None:
        """Refuse criteria of classes where targets are numbers."""
        if self._criterion().needs_classes and not is_classifier(self):
            raise ValueError(
                f"The 'criterion' parameter of {type(self).__name__} must be 'squared_error' or a "
                f"Criterion that needs no classes. Got {self.criterion!r}."
            )

    def _regularizer(self) -> LocalRegularizer:
        return part(self.regularizer, REGULARIZERS, alpha=self.alpha)

    def _warn(self, *, interrupted: bool) -> None:
        name = type(self).__name__
        if 0 < self.n_nodes_ < self.min_nodes and not interrupted:
            warn(
                f"{name} stopped at {self.n_nodes_} nodes, below 'min_nodes' ({self.min_nodes}): a "
                "callback wanted it, or all other candidates depend linearly on these (then "
                "smaller widths help).",
                ConvergenceWarning,
            )
        if interrupted:
            warn_interrupted(self, f"the best network so far ({self.n_nodes_} nodes)")
        if not self.n_nodes_:
            warn(
                f"{name} found no node to add: no candidate has activations that vary over the "
                "training samples (are all inputs constant?) and finite leave-one-out errors (are "
                "there too few samples?). The model predicts a constant.",
                ConvergenceWarning,
            )

    # ------------------------------------------------------------------ what was learned
    def _attributes(self, plan: Plan, training: Training, finished: list[Grown]) -> dict:
        """Everything ``fit`` learns, by name."""
        best = min(finished, key=lambda grown: (self._is_too_small(grown), *self._rank(grown)))
        shown = self._run_attributes(best, finished)
        training, best = training.at_hand(best)
        nodes, support = plan.original_nodes(best.selection)
        sizes = self._prefix_attributes(training, best.regression)
        figures = sizes[best.selection.size]
        everything = {
            **shown,
            "path_": self._path(training, best.selection, support),
            "_all_nodes": nodes,
            "_all_support": support,
            "_triangle": best.regression.basis.A,
            "_orthogonal_coef": training.in_target_units(best.regression),
            "_by_size": _by_name(sizes),
            "_calibration": self._calibration_of(training, best.regression, figures),
            **self._uncertainty_attributes(training, best.regression),
        }
        return everything | self._sized_attributes(everything, best.selection.size)

    def _run_attributes(self, best: Grown, finished: list[Grown]) -> dict:
        """Return what the runs have shown, beyond the best one's network."""
        return {}

    def _rank(self, grown: Grown) -> tuple[float, ...]:
        """Return what the best run has least of."""
        return (grown.squared_error,)

    def _is_too_small(self, grown: Grown) -> bool:
        """Whether candidates ran out before the least size."""
        return grown.selection.size < self.min_nodes

    def _path(self, training: Training, selection: Selection, support: IntArray | None) -> dict:
        """Return the course of the selection, one entry per stage, those given up included."""
        regression = selection.regression
        first, n_stages = int(regression.fit_intercept), len(selection.costs)
        predictions = list(regression.prefix_loo_predictions())[1 : n_stages + 1]
        node = {} if support is None else {"node": support[:n_stages]}
        return node | {
            "cost": np.array(selection.costs),
            "loo_squared_error": np.array(selection.squared_errors),
            "loo_score": np.array([self._loo_score(training, p) for p in predictions]),
            "alpha": regression.alphas[first : first + n_stages].copy(),
            **{name: v[:n_stages] for name, v in self._regularizer().path(regression).items()},
        }

    def _sized_attributes(self, everything: dict, n_nodes: int) -> dict:
        """Attributes that follow from the size: slices of what was learned for all sizes."""
        nodes = everything["_all_nodes"].take(slice(n_nodes))
        k = n_nodes + int(self.fit_intercept)
        coef, intercept = solve_coefficients(
            everything["_triangle"][:k, :k],
            everything["_orthogonal_coef"][:k],
            fit_intercept=self.fit_intercept,
        )
        return {
            "network_": Network(nodes, coef, intercept),
            "n_nodes_": n_nodes,
            "centers_": nodes.centers,
            "widths_": nodes.widths,
            **self._support_attributes(everything["_all_support"], n_nodes),
            **{name: values[n_nodes] for name, values in everything["_by_size"].items()},
        }

    def _support_attributes(self, support: IntArray | None, n_nodes: int) -> dict:
        """Training rows the nodes stand on, where they do."""
        return {} if support is None else {"support_": support[:n_nodes]}

    # ------------------------------------------------------------------ the fitted model
    def _std(self, X: FloatArray) -> FloatArray:
        """Standard deviations (n_samples, n_outputs) of new targets, noise included."""
        k, variance = self.n_nodes_ + int(self.fit_intercept), np.empty(len(X))
        A, precision = self._triangle[:k, :k], self._precision[:k]

        def fill(rows: slice) -> None:
            Phi = self.network_.activations(X[rows]).T
            variance[rows] = orthogonal_variances(
                A, precision, Phi, fit_intercept=self.fit_intercept
            )

        self.network_.over_rows(fill, len(X))
        return np.outer(np.sqrt(1.0 + variance), self._noise_path[self.n_nodes_])

    def _truncated(self, n_nodes: int):
        """Return the first nodes: weights of orthogonal columns do not depend on later ones."""
        smaller = self._copy_for_fewer_nodes()
        for name, value in self._sized_attributes(dict(vars(self)), n_nodes).items():
            setattr(smaller, name, value)
        return smaller


def _by_name(sizes: list[dict]) -> dict:
    """One list per name, of one dict per size."""
    return {name: [size[name] for size in sizes] for name in sizes[0]}
