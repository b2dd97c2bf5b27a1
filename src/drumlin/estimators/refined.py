"""What the two flagship estimators share: from a prepared table to a refined network."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin
from sklearn.utils._param_validation import Interval

from drumlin._kernels.blas import one_blas_thread
from drumlin._typing import FloatArray
from drumlin.basis import InputMap
from drumlin.estimators.block_plan import BlockPlan
from drumlin.estimators.checks import check_max_draw, check_memory
from drumlin.estimators.large_tables import MEMORY, Table, batch_table, dask_table
from drumlin.estimators.lazy import is_dask
from drumlin.estimators.progress import Progress, told_of, warn_interrupted
from drumlin.estimators.training import Training
from drumlin.estimators.truncation import TruncatedNetwork
from drumlin.estimators.typed import fit_context
from drumlin.estimators.whole_or_not import whole_or_not
from drumlin.flagship import (
    STOPPED,
    Budget,
    Crossing,
    Fit,
    Recipe,
    Task,
    Tell,
    cross_fit,
    data_range,
    described_nodes,
    fit_flagship,
)
from drumlin.laplace import Elimination
from drumlin.network import Network
from drumlin.sample import Rows, Scattered
from drumlin.sample.audience import tell_stage
from drumlin.trust import SeenInputs


class Prepared(NamedTuple):
    """A table that is ready to be fitted.

    Parameters
    ----------
    rows : Rows
    units : tuple of ndarray of shape (n_outputs,)
        Shift and scale of the targets.
    told : dict
        What callbacks are told of it.
    """

    rows: Rows
    units: tuple[FloatArray, FloatArray]
    told: dict


class BaseRefinedNetwork(TruncatedNetwork, CallbackSupportMixin, BaseEstimator, metaclass=ABCMeta):
    """Base of ``DrumlinClassifier`` and ``DrumlinRegressor``."""

    _parameter_constraints: dict = {
        "max_nodes": [Interval(Integral, 1, None, closed="left"), None],
        "max_bytes": [Interval(Integral, 1, None, closed="left"), None],
        "random_state": ["random_state"],
    }

    _merges_rows = _counts_weights = True

    _recipe = Recipe()  # a subclass may follow another: an ablation

    _seen: SeenInputs  # of the surface
    _prepare: Callable[..., tuple[Training, dict]]  # of the face
    _reading: Callable[[], dict]
    _plan_of: Callable[[Table], BlockPlan]

    @abstractmethod
    def _task(self) -> Task:
        """Return what is to be learned."""

    @abstractmethod
    def _set_figures(self, fit: Fit, crossing: Crossing) -> None:
        """Set the leave-one-out figures."""

    @abstractmethod
    def _add_loss(self, loss: float) -> None:
        """Correct leave-one-out figures for a larger mean loss (of a truncated model)."""

    # ------------------------------------------------------------------ fitting
    @whole_or_not
    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find and refine the network.

        Parameters
        ----------
        X : array-like or Dask array or data frame of shape (n_samples, n_features)
        y : array-like or Dask collection of shape (n_samples,) or (n_samples, n_outputs)
            Classes, or numbers: those of one output or of several.
        sample_weight : array-like or Dask collection of shape (n_samples,) or None, default=None
            Rows of weight zero are ignored.

        Returns
        -------
        self : estimator
            This estimator, fitted.
        """
        self._fit_rows(self._prepared(X, y, sample_weight))
        return self

    @whole_or_not
    @fit_context(prefer_skip_nested_validation=True)
    def fit_batches(self, batches: Any, *, memory: int = MEMORY, max_draw=None):
        """Find and refine the network for a table that does not fit into memory.

        All rows are read twice and prepared once; later passes read what was prepared. Dask
        collections with the same rows in the same partitions give the same network, bit for bit.

        Parameters
        ----------
        batches : callable or iterable
            A function that returns an iterator over batches, or a list of them: tuples (X, y) or
            (X, y, sample_weight), the same ones whenever they are read.
        memory : int, default=2 GiB
            Bytes of prepared rows that are held in memory; the others are in temporary files.
        max_draw : int or None, default=None
            Most rows of a draw, for little memory: None means 320 000 (with more than
            200 inputs as many as have 64 million entries), less than 5000 means 5000.
            A fit takes some 1000 + 60 ``n_features`` bytes for each.

        Returns
        -------
        self : estimator
            This estimator, fitted.

        Examples
        --------
        >>> import numpy as np
        >>> from drumlin import DrumlinRegressor
        >>> def batches():
        ...     for seed in range(3):
        ...         X = np.random.default_rng(seed).standard_normal((50, 1))
        ...         yield X, 2.0 * X[:, 0]
        >>> DrumlinRegressor().fit_batches(batches).predict([[1.0]]).round(1)
        array([2.])
        """
        check_memory(self, memory)
        if max_draw is not None:
            check_max_draw(self, max_draw)
            self._recipe = self._recipe.within(max_draw)
        self._fit_rows(self._of_batches(batches, memory))
        return self

    def _prepared(self, X, y, sample_weight) -> Prepared:
        """Rows to be fitted, in memory or where a Dask collection is."""
        if any(map(is_dask, (X, y, sample_weight))):
            table = dask_table(self, X, y, sample_weight, **self._reading())
            return self._of_table(table, told_of(X, y, sample_weight))
        training, told = self._prepare(X, y, sample_weight)
        rows = training.sample(self._n_classes)
        return Prepared(rows, (training.target_shift, training.target_scale), told)

    def _of_batches(self, batches, memory: int) -> Prepared:
        """Rows to be fitted, of batches."""
        table = batch_table(self, batches, memory, **self._reading())
        return self._of_table(table, told_of())

    def _of_table(self, table: Table, told: dict) -> Prepared:
        """Rows in parts; all in memory where they are no more than a fit draws of them."""
        growth = self._recipe.for_inputs(self.n_features_in_).growth
        most, apart = growth.most, growth.apart[1]
        if table.n_rows <= most + apart:
            tell_stage("fitting", 0, 0)
            return self._prepared(*table.in_memory())
        plan = self._plan_of(table)
        tell_stage("preparing", 1, table.n_rows)
        rows = Scattered.of(table.parts.mapped(plan), plan.n_classes, most, apart)
        return Prepared(rows, plan.units, told)

    def _fit_rows(self, prepared: Prepared) -> None:
        """Find and refine a network, and set the fitted attributes."""
        rows, self._units, told = prepared
        budget = Budget(len(self._units[0]), self.max_nodes, self.max_bytes, type(self).__name__)
        self._recipe = recipe = self._recipe.for_inputs(rows.n_features)
        with one_blas_thread():  # results must not depend on threads
            tell_stage("measuring", 5, rows.n_rows)
            self._data_range = data_range(rows)
            progress = Progress.of_fit(self, told)
            fit = fit_flagship(rows, self._task(), recipe, budget, self._tell(progress))
            self._set_network(self._in_target_units(fit.network))
            self._remember(rows, fit)
            crossing = partial(cross_fit, rows, self._task(), recipe, budget, powers=fit.has_powers)
            self._set_figures(fit, crossing)
            progress.end({})
        self.__dict__.pop("_recipe", None)  # it is not learned
        if fit.interrupted or self.loo_note_ == STOPPED:
            warn_interrupted(self, f"the best network so far ({self.n_nodes_} nodes)")

    def _tell(self, progress: Progress) -> Tell:
        """Tell callbacks of the start and of every round."""
        start = progress.begin("start")

        def started() -> None:
            start.end()

        def refined(network) -> bool:
            def attributes() -> dict:
                return self._network_attributes(self._in_target_units(network()))

            return progress.begin("refine").end(attributes)

        return Tell(started, refined)

    # ------------------------------------------------------------------ what was learned
    def _in_target_units(self, network: Network) -> Network:
        shift, scale = self._units
        return replace(
            network, coef=network.coef * scale, intercept=network.intercept * scale + shift
        )

    def _set_network(self, network: Network) -> None:
        for name, value in self._network_attributes(network).items():
            setattr(self, name, value)

    def _network_attributes(self, network: Network) -> dict:
        """Attributes that follow from a network."""
        return {"network_": network, "n_nodes_": len(network.nodes)}

    def _remember(self, rows: Rows, fit: Fit) -> None:
        """Keep what later questions need: distances for ``novelty``, curvature for ``truncate``."""
        rule, errors = self._recipe.judge, np.empty(0)
        if fit.start is not None:
            errors = fit.start.squared_errors
        self.support_ = fit.support
        self.path_ = {"n_nodes": np.arange(len(errors)), "loo_squared_error": errors}
        self._n_samples = rows.total
        self._remember_rows(rows, self._units[1], rule.truncation_rows, rule.relevance_rows)
        self._seen = self._seen_by(self._seen, fit.network.inputs)
        self._places = self.network_.nodes  # a truncated model still knows where data were
        self._elimination: Elimination | None = None
        if fit.solution is not None:
            seen = fit.rows.represented_by(rule.truncation_rows).with_noise(fit.noise)
            loss = self._task().loss(fit.noise)
            self._elimination = Elimination.of(fit.solution, seen, loss, shared=True)

    def _seen_by(self, seen: SeenInputs, inputs: InputMap | None) -> SeenInputs:
        """Ranges over all rows, not a draw; what the view knows is one array in files."""
        low, high = self._data_range
        if inputs is not None:
            shift, scale = inputs.scaler.shift, inputs.scaler.scale
            mean = shift if np.array_equal(shift, seen.mean) else seen.mean
            spread = scale if np.array_equal(scale, seen.spread) else seen.spread
            seen = replace(seen, mean=mean, spread=spread)
        return replace(seen, low=low, high=high)

    # ------------------------------------------------------------------ the fitted model
    @property
    def centers_(self) -> FloatArray:
        """Centers (n_nodes_, n_features_in_) described in the units of X."""
        return described_nodes(self.network_, self._data_range)[0]

    @property
    def widths_(self) -> FloatArray:
        """Widths (n_nodes_, n_features_in_) described in the units of X."""
        return described_nodes(self.network_, self._data_range)[1]

    def _truncated(self, n_nodes: int):
        """Return the nodes that matter most, their weights readjusted by the quadratic model."""
        smaller = self._copy_for_fewer_nodes()
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
