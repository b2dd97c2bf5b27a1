"""What the two flagship estimators share: from a prepared table to a refined network."""

from __future__ import annotations

import copy
import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import NoReturn

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval

from drumlin._typing import FloatArray, IntArray
from drumlin.basis import Gaussian, InputMap, Nodes
from drumlin.estimators._blas import one_blas_thread
from drumlin.estimators._local import is_beaten
from drumlin.estimators._training import Training, check_n_nodes, counted_rows, new_inputs
from drumlin.network import Network
from drumlin.readout.activations import activations
from drumlin.readout.pruning import Elimination, elimination
from drumlin.readout.refine import Refined, RefineProblem, description_length, refine
from drumlin.readout.smooth import Smooth
from drumlin.readout.variables import Penalties, Variables
from drumlin.selection.projection import find_projection
from drumlin.selection.start import Metric, Start, StartProblem, find_start

PRICE = 0.1
"""A node must save PRICE log(N) / sqrt(K - 1) of the summed loss to survive pruning."""

INTERCEPT, SCALE, METRIC = 1e-6, 3.0, 30.0
"""Penalties of the intercept, of a node's own scale, and of the metric that all nodes share."""

NOVELTY_GRID = np.linspace(0.0, 1.0, 201)
"""Quantiles of the training distances that ``novelty`` remembers."""

REMEMBERED_ROWS = 20_000
"""Most training rows whose curvature ``truncate`` remembers."""

RELEVANCE_ROWS = 500
"""Most training rows whose slopes ``relevance_`` averages."""


@dataclass(frozen=True)
class Fitted:
    """A network and how it came about."""

    network: Network
    start: Start | None
    solution: Refined | Smooth | None
    rows: IntArray
    problem: RefineProblem | None
    interrupted: bool = False


class BaseRefinedNetwork(CallbackSupportMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of ``DrumlinClassifier`` and ``DrumlinRegressor``."""

    standardize = True
    fit_intercept = True

    _parameter_constraints: dict = {
        "max_nodes": [Interval(Integral, 1, None, closed="left"), None],
        "max_bytes": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    @abstractmethod
    def _refine_problem(self, training: Training, Z: FloatArray, start: Start) -> RefineProblem:
        """Return what is minimised."""

    @abstractmethod
    def _input_map(self, training: Training) -> InputMap:
        """Return the map of the inputs, not whitened yet."""

    @abstractmethod
    def _rival(
        self, table: StartProblem, start: Start, price: float, limit: int | None
    ) -> tuple[Smooth, IntArray] | None:
        """Return another network for the table and the rows of its nodes, if one is tried."""

    @abstractmethod
    def _start_targets(self, training: Training) -> FloatArray:
        """Return what the least squares of the start are fitted to."""

    @abstractmethod
    def _penalties(self, training: Training, start: Start, n_nodes: int) -> Penalties:
        """Penalties for a number of nodes."""

    @abstractmethod
    def _finish(self, training: Training, fitted: Fitted) -> None:
        """Set the attributes that depend on the kind of target."""

    @abstractmethod
    def _add_loss(self, loss: float) -> None:
        """Correct leave-one-out attributes for a larger mean loss (of a truncated model)."""

    @abstractmethod
    def _null_intercept(self, training: Training) -> FloatArray:
        """Scores of the model without nodes."""

    _reweight: Callable | None = None  # how weights change between rounds, if they do

    # ------------------------------------------------------------------ fitting
    def _arrange(self, X, y, weight, rows):
        """Equal rows as one, in an order of their own."""
        return counted_rows(X, y, weight, rows)

    def _fit_table(self, training: Training, told: dict) -> None:
        """Find a start, refine it, and set the fitted attributes."""
        with one_blas_thread():  # results must not depend on threads
            context = self._init_callback_context(max_subtasks=None)
            context.call_on_fit_task_begin(estimator=self, **told)
            self._n_samples = float(training.weight.sum())
            fitted = self._network(training, context, told)
            self._set_network(fitted.network)
            self._remember(training, fitted)
            self._finish(training, fitted)
            context.call_on_fit_task_end(estimator=self, **told, reconstruction_attributes={})
        if fitted.interrupted:
            warnings.warn(
                f"{type(self).__name__}.fit was interrupted; the best network so far "
                f"({len(fitted.network.nodes)} nodes) is kept and ready to use.",
                ConvergenceWarning,
                stacklevel=5,  # the caller of ``fit``, over its two decorators
            )

    def _network(self, training: Training, context, told: dict) -> Fitted:
        inputs = self._input_map(training)
        n_classes = max(len(getattr(self, "classes_", [0])), 1)
        targets = self._start_targets(training)
        table = StartProblem(
            inputs(training.X), targets, training.labels, training.weight, n_classes
        )
        price = PRICE * np.log(training.weight.sum()) / table.contrasts

        def limit(metric: Metric) -> int | None:
            return self._most_nodes(training, inputs.followed_by(metric.matrix))

        task = context.subcontext(task_name="start")
        task.call_on_fit_task_begin(estimator=self, **told)
        start, plain = find_start(table, limit), inputs
        projection = find_projection(table, start)
        if projection is not None and limit(Metric(projection.matrix)) != 0:
            inputs, table = inputs.followed_by(projection.matrix), table.seen_as(projection.scores)
            start = find_start(table, limit)
        if limit(Metric(None)) == 0:  # not even with a projection, whose nodes are smaller
            self._refuse_max_bytes(training, inputs)
        rival = None
        if start is not None and len(start.centers):
            rival = self._rival(table, start, price, limit(start.metric))
        task.call_on_fit_task_end(estimator=self, **told)
        if start is None or not len(start.centers):
            network = self._null_network(training, plain)
            return Fitted(network, start, None, np.empty(0, np.int64), None)
        most_nodes = limit(start.metric)
        inputs = inputs.followed_by(start.metric.matrix)
        problem = self._refine_problem(training, start.metric(table.Z), start)
        penalties = partial(self._penalties, training, start)
        on_round = self._on_round(training, inputs, context, told)
        refined = self._refine(problem, start, penalties, price, most_nodes, on_round)
        problem = replace(problem, weight=refined.factor * problem.weight)
        solution: Refined | Smooth = refined
        rows = np.append(start.rows, start.spare)[refined.kept]
        if rival is not None and is_beaten(refined, problem, rival[0], self._n_samples):
            solution, rows = rival
            problem = replace(problem, weight=training.weight / solution.noise)
        network = _as_network(solution, inputs, training)
        return Fitted(network, start, solution, training.rows[rows], problem, refined.interrupted)

    def _refine(
        self,
        problem: RefineProblem,
        start: Start,
        penalties: Callable[[int], Penalties],
        price: float,
        limit: int | None,
        on_round: Callable[[Refined], bool],
    ) -> Refined:
        """Refine the start within the limit and, from its spare nodes too, another: the better."""
        stopped = False

        def told_to_stop(state: Refined) -> bool:
            nonlocal stopped
            stopped = stopped or on_round(state)
            return stopped

        def refined(centers: FloatArray) -> Refined:
            variables = Variables(centers, start.width, start.loo_predictions.shape[1])
            return refine(problem, variables, penalties, price, told_to_stop, self._reweight, limit)

        first = refined(start.centers)
        if not len(start.spare) or stopped or first.interrupted:
            return first
        second = refined(np.vstack([start.centers, problem.Z[start.spare]]))
        if stopped or second.interrupted:
            return replace(first, interrupted=second.interrupted)
        return min(
            (first, second),
            key=lambda state: description_length(problem, state, price, self._n_samples),
        )

    def _on_round(self, training: Training, inputs: InputMap, context, told: dict):
        """Return what tells the callbacks of every round."""

        def on_round(state: Refined) -> bool:
            def attributes() -> dict:
                return self._network_attributes(_as_network(state, inputs, training))

            task = context.subcontext(task_name="refine")
            task.call_on_fit_task_begin(estimator=self, **told)
            return task.call_on_fit_task_end(
                estimator=self, **told, reconstruction_attributes=attributes
            )

        return on_round

    def _null_network(self, training: Training, inputs: InputMap) -> Network:
        empty = np.empty((0, training.X.shape[1]))
        coef = np.empty((0, training.codes.shape[1]))
        return Network(
            Nodes(empty, empty, Gaussian()), coef, self._null_intercept(training), inputs
        )

    # ------------------------------------------------------------------ size
    def _most_nodes(self, training: Training, inputs: InputMap) -> int | None:
        """Most nodes that ``max_nodes`` and ``max_bytes`` allow with a map of the inputs."""
        limits = [] if self.max_nodes is None else [self.max_nodes]
        if self.max_bytes is not None:
            fixed, node = self._sizes(training, inputs)
            limits.append(max(0, (self.max_bytes // 8 - fixed) // node))
        return min(limits) if limits else None

    def _sizes(self, training: Training, inputs: InputMap) -> tuple[int, int]:
        """Numbers that a network stores without nodes, and per node."""
        n_outputs = training.codes.shape[1]
        return n_outputs + inputs.size, 2 * inputs.n_mapped + n_outputs

    def _refuse_max_bytes(self, training: Training, inputs: InputMap) -> NoReturn:
        raise ValueError(
            f"The 'max_bytes' parameter of {type(self).__name__} must be at least "
            f"{8 * sum(self._sizes(training, inputs))}, the size of a network with one node for "
            f"{training.X.shape[1]} features. Got {self.max_bytes}."
        )

    # ------------------------------------------------------------------ what was learned
    def _set_network(self, network: Network) -> None:
        for name, value in self._network_attributes(network).items():
            setattr(self, name, value)

    def _network_attributes(self, network: Network) -> dict:
        """Attributes that describe a network, in the units of X where they have units."""
        inputs, nodes = network.inputs, network.nodes
        assert inputs is not None
        arrays = (nodes.centers, nodes.widths, network.coef, network.intercept)
        centers = inputs.inverse(nodes.centers)
        with np.errstate(divide="ignore", over="ignore"):  # too wide for a number: ignored
            widths = 1.0 / (np.sqrt(_sharpness(nodes, inputs)) * inputs.slope(centers))
        return {
            "network_": network,
            "n_nodes_": len(nodes),
            "n_bytes_": 8 * (sum(array.size for array in arrays) + inputs.size),
            "centers_": centers,
            "widths_": widths,
        }

    def _remember(self, training: Training, fitted: Fitted) -> None:
        """Keep what later questions need: distances for ``novelty``, curvature for ``truncate``."""
        self.support_ = fitted.rows
        path = np.empty(0) if fitted.start is None else fitted.start.squared_errors
        self.relevance_ = _relevance(fitted.network, training)
        self._places = fitted.network.nodes  # a truncated model still knows where data were
        self.path_ = {"n_nodes": np.arange(len(path)), "loo_squared_error": path}
        distances = self._distances(training.X)
        self._distance_quantiles = np.quantile(
            distances, NOVELTY_GRID, weights=training.weight, method="inverted_cdf"
        )
        self._units = (training.target_shift, training.target_scale)
        self._elimination: Elimination | None = None
        if fitted.problem is not None and fitted.solution is not None:
            problem, nodes = fitted.problem.at_most(REMEMBERED_ROWS), fitted.solution.nodes()
            self._elimination = elimination(
                activations(problem.Z, nodes.centers, nodes.inv_widths),
                nodes.coef,
                nodes.intercept,
                problem.weight,
                problem.loss,
                fitted.solution.weight_penalties(),
                shared=True,
            )

    # ------------------------------------------------------------------ the fitted model
    def _validated(self, X) -> FloatArray:
        return new_inputs(self, X)

    def _distances(self, X: FloatArray) -> FloatArray:
        """Distance to the nearest node in its widths, with inputs not clipped."""
        network = replace(self.network_, nodes=self._places)
        assert network.inputs is not None
        unclipped = replace(network.inputs, clip=np.inf)
        distances = np.zeros(len(X))

        def measure(rows: slice) -> None:
            distances[rows] = self._places.squared_distances(unclipped(X[rows])).min(axis=0)

        network.over_rows(measure, len(X))
        return np.sqrt(distances)

    def novelty(self, X):
        """How far a sample is from all nodes, compared with the training samples.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Part of the training samples that are nearer to a node than the sample: 0 at a node, 1
            farther away than everything seen. Samples like the training ones are spread evenly
            over [0, 1].
        """
        distances = self._distances(self._validated(X))
        known = self._distance_quantiles
        novelty = np.interp(distances, known, NOVELTY_GRID, left=0.0, right=1.0)
        first = np.minimum(np.searchsorted(known, distances), len(known) - 1)
        return np.where(known[first] == distances, NOVELTY_GRID[first], novelty)  # ties are nearer

    def _is_beyond(self, X) -> np.ndarray:
        """Whether a sample is farther from all nodes than every training sample was."""
        return self._distances(self._validated(X)) > self._distance_quantiles[-1] * (1.0 + 1e-9)

    def contributions(self, X):
        """What every node adds to every score.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_nodes_ + 1, n_outputs)
            The last entry of the second axis is the intercept; the sum over it is the score.
        """
        X = self._validated(X)
        return self.network_.contributions(X)

    def gradient(self, X):
        """Exact derivatives of the scores with respect to the inputs, in the units of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_features) or (n_samples, n_outputs, n_features)
        """
        X = self._validated(X)
        gradient = self.network_.gradient(X)
        return gradient[:, 0] if gradient.shape[1] == 1 else gradient

    def truncate(self, n_nodes):
        """Return a smaller fitted model: the nodes that matter most, their weights readjusted.

        Nodes go one by one, the one whose loss costs least first; the other weights move to the
        minimum without it, by the quadratic model of the training loss that ``fit`` kept. No data
        are needed and nothing is searched for. Leave-one-out attributes rise by that model's loss;
        ``novelty`` and ``relevance_`` stay those of the whole model.

        Parameters
        ----------
        n_nodes : int
            Between 1 and ``n_nodes_``.

        Returns
        -------
        estimator
            A fitted copy; this one is unchanged.
        """
        check_n_nodes(self, n_nodes)
        smaller = copy.copy(self)
        assert self._elimination is not None
        kept, smaller._elimination, cost = self._elimination.reduced(n_nodes)
        weights = smaller._elimination.weights
        shift, scale = self._units
        smaller._set_network(
            replace(
                self.network_,
                nodes=self.network_.nodes.take(kept),
                coef=weights[:-1] * scale,
                intercept=weights[-1] * scale + shift,
            )
        )
        smaller.support_ = self.support_[kept]
        smaller._add_loss(cost / self._n_samples)
        return smaller


def _as_network(solution: Refined | Smooth, inputs: InputMap, training: Training) -> Network:
    """Return the network in the units of the targets."""
    nodes = solution.nodes()
    basis = Nodes(np.ascontiguousarray(nodes.centers), 1.0 / nodes.inv_widths, Gaussian())
    coef = nodes.coef * training.target_scale
    intercept = nodes.intercept * training.target_scale + training.target_shift
    return Network(basis, coef, intercept, inputs)


def _relevance(network: Network, training: Training) -> FloatArray:
    """Mean slope of the scores along every clipped input, times its spread; sums to 1."""
    inputs = network.inputs
    assert inputs is not None
    rows = slice(None, None, -(-len(training.X) // RELEVANCE_ROWS))
    X, share = training.X[rows], training.weight[rows] / training.weight[rows].sum()
    slope = replace(network, inputs=None).gradient(inputs(X))
    if inputs.matrix is not None:
        slope = slope @ inputs.matrix.T
    if slope.shape[1] > 1:
        slope = slope - slope.mean(axis=1, keepdims=True)  # a shift of all scores means nothing
    U = replace(inputs, matrix=None)(X)
    spread = np.sqrt(share @ (U - share @ U) ** 2)
    power = share @ np.abs(slope).sum(axis=1) * spread
    total = power.sum()
    return power / total if total > 0.0 else np.zeros_like(power)


def _sharpness(nodes: Nodes, inputs: InputMap) -> FloatArray:
    """Curvature of every node along every standardised input: 1 / width^2, mixed back by A."""
    inv2 = nodes.widths**-2.0
    return inv2 if inputs.matrix is None else inv2 @ (inputs.matrix**2).T
