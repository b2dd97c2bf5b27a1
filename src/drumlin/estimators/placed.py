"""What Haykin's networks share: place the nodes first, then learn the weights (section 5.7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from operator import add
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions

from drumlin._kernels import NodeParameters
from drumlin._kernels.blas import one_blas_thread
from drumlin._typing import FloatArray, IntArray
from drumlin.basis import RADIALS, Gaussian, Radial, Standardizer
from drumlin.estimators.checks import part
from drumlin.estimators.fitting import BaseNetwork
from drumlin.estimators.interpolation import exact_weights
from drumlin.estimators.placed_answers import PlacedAnswers
from drumlin.estimators.placing import place
from drumlin.estimators.progress import Progress, warn_interrupted
from drumlin.estimators.solvers import (
    ACTIVATIONS,
    MAX_ITER,
    STREAMING,
    check_forgetting,
    check_parts,
    check_same,
    check_steps,
    check_sums,
    least_squares_of,
    new_learner,
    warn_of_first_batch,
)
from drumlin.estimators.surface import LOO
from drumlin.estimators.table_training import TableTraining
from drumlin.estimators.training import Training
from drumlin.linear.least_squares import Interpolation, LeastSquares
from drumlin.linear.streaming import (
    CURVE_ROWS,
    Learner,
    PosteriorWeights,
    RecursiveLeastSquares,
    learning_curve,
)
from drumlin.network import Network
from drumlin.refinement.joint import JointDescent
from drumlin.sample import Sample
from drumlin.selection.placing import Placed
from drumlin.trust import Calibration, SeenInputs

LOO_ROWS = 2000
"""Most samples that are left out for the leave-one-out figures and for probabilities."""


def _n_copies(piece: Sample) -> float:
    """Samples that rows stand for, without class weights."""
    return float(piece.copies.sum())


class BaseRBFNetwork(PlacedAnswers, BaseNetwork):
    """Base of ``RBFNetworkClassifier`` and ``RBFNetworkRegressor``."""

    _parameter_constraints: dict = {
        "n_nodes": [Interval(Integral, 1, None, closed="left")],
        "max_nodes": [Interval(Integral, 1, None, closed="left"), None],
        "centers": [StrOptions({"kmeans", "sample", "all"}), "array-like"],
        "width": [
            StrOptions({"auto", "cluster", "spread"}),
            Interval(Real, 0, None, closed="neither"),
            "array-like",
        ],
        "radial": [StrOptions(set(RADIALS)), Radial],
        "normalized": ["boolean"],
        "solver": [StrOptions({*STREAMING, "exact", "gradient"})],
        "alpha": [Interval(Real, 0, None, closed="neither")],
        "forgetting": [Interval(Real, 0, 1, closed="right")],
        "learning_rate": [Interval(Real, 0, 1, closed="right"), tuple, list],
        "annealing": [Interval(Integral, 1, None, closed="left"), None],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "common_width": ["boolean"],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "fit_intercept": ["boolean"],
        "standardize": ["boolean"],
        "random_state": ["random_state"],
    }

    _takes_tables = True

    _learner: Learner | Interpolation

    def _keep_predictions(self, labels: IntArray, predictions: FloatArray, weight: FloatArray):
        """Keep predictions that did not know their samples, for whom they are of use."""

    # ------------------------------------------------------------------ fitting
    def _fit_training(self, training: Training, told: dict) -> None:
        """Place the nodes, learn the weights, set the fitted attributes."""
        rng = check_random_state(self.random_state)
        progress = Progress.of_fit(self, told, self._n_tasks())

        def on_step(attributes: Callable[[], dict]) -> bool:
            return progress.begin("step").end(attributes)

        training = self._begin(training, rng)
        if self.solver == "exact":
            Phi = self._empty_network.activations(training.X).T
            self._learner = exact_weights(self, training, Phi, self._placed.widths)
            self.n_samples_seen_, interrupted = len(training.X), False
            self._set_weights()
        elif self.solver == "gradient":
            interrupted = self._descend(training, on_step)
        else:
            interrupted = self._run_epochs(training, rng, on_step)
        self._judge(training)
        self._remember_training(training)
        self._weight_seen = float(training.copies.sum())
        progress.end({})
        if interrupted:
            warn_interrupted(self, "the network so far")

    def _fit_table(self, training: TableTraining, told: dict) -> None:
        """Place the nodes on a draw of rows that are not in memory; weights are sums over all."""
        check_sums(self)
        progress = Progress.of_fit(self, told, 1)
        drawn = self._begin(training.draw(), check_random_state(self.random_state))
        copies = self._n_tasks()
        of_piece = partial(
            least_squares_of,
            network=self._empty_network,
            copies=copies,
            fit_intercept=self.fit_intercept,
        )
        sums = training.rows.fold(of_piece, LeastSquares.joined)
        posterior = self._learner.posterior
        assert posterior is not None and isinstance(self._learner, PosteriorWeights)
        self._learner = replace(self._learner, posterior=posterior.joined(sums))
        self.n_samples_seen_, self.n_iter_ = copies * training.rows.n_rows, copies
        self._set_weights()
        self._judge(drawn)
        self._remember_rows(training.rows, training.target_scale)
        self._weight_seen = float(training.rows.fold(_n_copies, add))
        progress.end({})

    def _begin(self, training: Training, rng: np.random.RandomState) -> Training:
        """Place the nodes and start learning from nothing; return the samples in their units."""
        if not isinstance(self.centers, str):
            # In the units of X: nothing then depends on which samples come first in a stream.
            training = replace(training, scaler=Standardizer.identity(training.X.shape[1]))
        self._units = training.units
        self._squared_errors: list[float] = []
        self.n_samples_seen_, self.n_iter_ = 0, 1
        placed = place(self, training, rng)
        if self.solver == "gradient":
            placed = replace(placed, support=None)  # nodes are going to move
        for name in ("support_", "_distance_quantiles", "_seen"):
            self.__dict__.pop(name, None)  # of an earlier fit
        self._forget_figures()
        self._set_nodes(placed)
        check_forgetting(self, len(placed.centers))
        self._learner = self._new_learner(training)
        return training

    def _set_nodes(self, placed: Placed) -> None:
        self._placed = placed
        nodes = placed.nodes(part(self.radial, RADIALS))
        n_outputs = len(self._units.target_shift)
        self._empty_network = Network(
            nodes,
            np.zeros((len(nodes), n_outputs)),
            np.zeros(n_outputs),
            shares=np.ones(len(nodes)) if self.normalized else None,
        )

    def _new_learner(self, training: Training) -> Learner:
        """Weights before the first sample."""
        annealing = self.annealing or self._max_iter() * len(training.X)
        n_nodes, n_outputs = self._empty_network.coef.shape
        return new_learner(self, n_nodes, n_outputs, annealing)

    def _learn(self, training: Training, order: IntArray) -> None:
        """Learn samples in an order; an interrupt keeps those learned so far."""
        for rows in self._batches(order):
            targets, weight = training.codes[rows], training.weight[rows]
            Phi = self._empty_network.activations(training.X[rows]).T
            assert not isinstance(self._learner, Interpolation)
            self._learner, errors = self._learner.learn(Phi, targets, weight)
            check_steps(self, self._learner)
            self.n_samples_seen_ += len(rows)
            self._keep_predictions(training.labels[rows], targets - errors, weight)
            if self.solver != "ridge":
                curve = learning_curve(errors * training.target_scale, weight)
                self._squared_errors += curve
        self._set_weights()

    def _batches(self, order: IntArray) -> Iterator[IntArray]:
        """Parts of an order whose activations fit in little memory."""
        points = max(1, ACTIVATIONS // (CURVE_ROWS * len(self._empty_network.nodes)))
        for start in range(0, len(order), CURVE_ROWS * points):
            yield order[start : start + CURVE_ROWS * points]

    def _run_epochs(self, training: Training, rng: np.random.RandomState, on_step) -> bool:
        """Present all samples, once or several times, in random order unless it means time."""
        order = np.arange(len(training.X))
        try:
            for epoch in range(self._n_tasks()):
                if self.forgetting == 1.0:
                    order = rng.permutation(len(training.X))
                self._learn(training, order)
                self.n_iter_ = epoch + 1
                if on_step(lambda: {}):
                    break
        except KeyboardInterrupt:
            if not self.n_samples_seen_:
                raise
            self._set_weights()
            return True
        return False

    def _descend(self, training: Training, on_step) -> bool:
        """Move the nodes by joint descent (Problem 5.8), then learn the weights that suit them."""
        order = np.arange(len(training.X))
        self._learn(training, order)
        placed, path = self._placed, [self._mean_squared_error(training, self.network_)]

        def on_iteration(best: NodeParameters) -> bool:
            network = replace(self._empty_network, nodes=placed.moved(best).nodes(Gaussian()))
            attributes = self._network_attributes(network, best.coef, best.intercept)
            path.append(self._mean_squared_error(training, attributes["network_"]))
            return on_step(lambda: attributes)

        descent = JointDescent(
            self.alpha, self._max_iter(), self.fit_intercept, common_width=self.common_width
        )
        start = placed.parameters(self._learner.coef, self._learner.intercept)
        rows = training.sample(1).through(training.scaler.transform)
        nodes, interrupted = descent(start, rows, on_iteration)
        self._set_nodes(placed.moved(nodes))
        self._learner, self.n_samples_seen_ = self._new_learner(training), 0
        self._learn(training, order)
        self._squared_errors, self.n_iter_ = path, max(len(path) - 1, 1)
        return interrupted

    def _mean_squared_error(self, training: Training, network: Network) -> float:
        targets = training.codes * training.target_scale + training.target_shift
        squares = ((targets - network(training.X)) ** 2).mean(axis=1)
        return float(training.weight @ squares / training.weight.sum())

    def _is_first_batch(self) -> bool:
        return not hasattr(self, "network_")

    def _learn_batch(self, X, y, sample_weight, **known: Any) -> None:
        """Learn one batch, with what else is known of its targets, in the units of the first."""
        units = None if self._is_first_batch() else self._units
        training, _ = self._prepare(X, y, sample_weight, units=units, **known)
        with one_blas_thread():
            self._learn_prepared(training, first=units is None)

    def _learn_prepared(self, training: Training, *, first: bool) -> None:
        """Learn one batch; the first places the nodes."""
        self._check_parts()
        if first:
            training = self._begin(training, check_random_state(self.random_state))
            constant = np.flatnonzero(np.isinf(self._placed.scaler.scale)).tolist()
            warn_of_first_batch(self, len(self._placed.centers), self._wished_nodes(), constant)
        else:
            check_same(self, self._learner)
        if isinstance(self._learner, RecursiveLeastSquares):
            check_forgetting(self, len(self._placed.centers))
            self._learner = replace(self._learner, forgetting=self.forgetting)
        self._squared_errors = [*self._squared_errors]  # the old model keeps its own
        # Files of older versions know the number of samples only.
        before = 0.0 if first else vars(self).get("_weight_seen", float(self.n_samples_seen_))
        self._forget_figures()
        self._learn(training, np.arange(len(training.X)))
        self._remember_batch(training, before)
        self._weight_seen = before + float(training.copies.sum())

    def _forget_figures(self) -> None:
        """Leave-one-out figures are those of a whole ``fit``, not of a stream."""
        for name in (*LOO, "_calibration"):
            self.__dict__.pop(name, None)

    def _judge(self, training: Training) -> None:
        """Set leave-one-out figures, where they are known: of the weights, the nodes fixed."""
        some = training.drawn(self._n_classes, LOO_ROWS)
        predictions = self._loo_predictions(training, some)
        if predictions is not None:
            for name, value in self._loo_figures(training.take(some), predictions).items():
                setattr(self, name, value)
            self._calibration: Calibration | None = self._loo_calibration(
                training.take(some), predictions
            )

    def _loo_predictions(self, training: Training, rows: IntArray) -> FloatArray | None:
        learner, targets = self._learner, training.codes[rows]
        if isinstance(learner, Interpolation):
            return targets - learner.loo_errors[rows]
        if learner.posterior is None or self.forgetting < 1.0:
            return None
        Phi = self._empty_network.activations(training.X[rows]).T
        left_out = training.left_out[rows]
        return learner.posterior.loo_predictions(Phi, targets, left_out, self._copies())

    def _copies(self) -> int:
        """How many times ``fit`` has entered every sample."""
        return self.n_iter_ if self.solver == "rls" else 1

    def _loo_calibration(self, training: Training, predictions: FloatArray) -> Calibration:
        """Scores of some samples left out."""
        return self._calibrated(training, predictions)

    def _remember_batch(self, training: Training, before: float) -> None:
        """Add the distances of a batch to those remembered; slopes are those at its samples."""
        if not len(training.X):
            return
        known = self._novelty if "_distance_quantiles" in vars(self) else None
        seen: SeenInputs | None = vars(self).get("_seen")
        self._remember_training(training)
        if known is not None:
            more = known.followed_by(training.X, training.copies, before)
            self._distance_quantiles, self._places = more.quantiles, known.network.nodes
        if seen is not None:
            total = float(training.copies.sum())
            later: SeenInputs = vars(self)["_seen"]
            self._seen = seen.followed_by(later, total / (before + total))

    # ------------------------------------------------------------------ parameters
    def _wished_nodes(self) -> int:
        """Nodes to be placed where their number is free."""
        return self.n_nodes if self.max_nodes is None else min(self.n_nodes, self.max_nodes)

    def _max_iter(self) -> int:
        return MAX_ITER.get(self.solver, 1) if self.max_iter is None else self.max_iter

    def _check_parts(self) -> None:
        check_parts(self)

    def _n_tasks(self) -> int:
        return self._max_iter() if self.solver in MAX_ITER else 1
