"""A fitted network as plots, reports and commands see it: alone, or at the end of a pipeline."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import OneToOneFeatureMixin, is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.validation import check_array, check_is_fitted

from drumlin._typing import FloatArray
from drumlin.estimators.drumlin import DrumlinRegressor
from drumlin.estimators.selected import BaseSelectedNetwork
from drumlin.estimators.solvers import WITHOUT_POSTERIOR
from drumlin.network import Network
from drumlin.tables.transformed import (
    InTargetUnits,
    is_transformed,
    learner_of,
    name_of_target,
    transformed,
)


@dataclass(frozen=True)
class FittedNetwork:
    """A fitted network with what stands before it.

    Parameters
    ----------
    whole : estimator
        Predicts from rows as the user has them.
    model : estimator
        The network; ``whole`` itself, or its last step.
    before : Pipeline or None
        The steps before the network.
    names : tuple of str
        Inputs of the network, as they leave the steps before it.
    target : TransformedTargetRegressor or None
        What changes the units of the target, around the network or around all.
    output_names : tuple of str
        Names of several numbers that are predicted, where somebody knows them.
    """

    whole: Any
    model: Any
    before: Any
    names: tuple[str, ...]
    target: Any = None
    output_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, estimator: Any) -> FittedNetwork:
        """Take a fitted estimator apart.

        Parameters
        ----------
        estimator : estimator
            One of this package, a pipeline that ends with one, or a search over either; a
            TransformedTargetRegressor may be around it or around the pipeline. A fitted network
            is returned as it is.
        """
        if isinstance(estimator, cls):
            return estimator
        check_is_fitted(estimator)
        whole = getattr(estimator, "best_estimator_", estimator)
        model, before, target = learner_of(whole), None, whole
        if isinstance(model, Pipeline):
            before = model[:-1] if len(model) > 1 else None
            last = model[-1]
            model, target = learner_of(last), whole if is_transformed(whole) else last
        if not isinstance(getattr(model, "network_", None), Network):
            raise TypeError(
                "The 'estimator' parameter must be a fitted model of drumlin, or a pipeline that "
                f"ends with one. Got {type(estimator).__name__}"
                + ("." if model is estimator else f", which ends with {type(model).__name__}.")
            )
        return cls(
            whole, model, before, _names(model, before), target if is_transformed(target) else None
        )

    def named_outputs(self, target: Any) -> FittedNetwork:
        """Return the same network that calls its outputs by the names of several targets."""
        names = () if target is None or len(target.names) == 1 else target.names
        return replace(self, output_names=names)

    @property
    def inner(self) -> Any:
        """``whole``, or what is behind the transformed target that is around it."""
        return learner_of(self.whole)

    @property
    def asked(self) -> Any:
        """What answers questions about ``model_rows`` in units of the target."""
        return self.model if self.target is None else InTargetUnits(self._around_model)

    @property
    def _around_model(self) -> Any:
        """The transformation around the network alone."""
        if self.target is not self.whole or self.before is None:
            return self.target
        around = copy.copy(self.target)
        around.regressor_ = self.model
        return around

    @property
    def learned_suffix(self) -> str:
        """What is put behind names of leave-one-out figures that are not in the target's units."""
        return "" if self.target is None else f" ({name_of_target(self.target)})"

    def learned(self, y: Any) -> Any:
        """Targets as the network has learned them."""
        return y if self.target is None else transformed(self.target, y)

    @property
    def network(self) -> Network:
        """The function itself."""
        return self.model.network_

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the scores: the class that a score speaks for, or the number of an output."""
        n_outputs = len(self.network.intercept)
        if self.output_names:
            return self.output_names
        if not is_classifier(self.model):
            return ("y",) if n_outputs == 1 else tuple(f"y{k}" for k in range(n_outputs))
        classes = tuple(str(label) for label in self.model.classes_)
        return classes[-1:] if n_outputs == 1 else classes

    @property
    def relevance_by_column(self) -> dict[str, float] | None:
        """Shares of the table's columns, or of the inputs where no encoder tells their columns."""
        shares = getattr(self.model, "relevance_", None)
        if shares is None:
            return None
        names: Any = self.names
        encoder = getattr(self.inner, "encoder_", None)  # of a TableModel
        if encoder is not None:
            names, shares = encoder.columns_, encoder.by_column(shares)
        return dict(zip(names, np.asarray(shares).tolist(), strict=True))

    def inputs_by_column(self) -> dict[str, Any]:
        """Places of the inputs that were made of a column, by the names of the columns."""
        encoder = getattr(self.inner, "encoder_", None)
        if encoder is None:
            return {name: np.array([i]) for i, name in enumerate(self.names)}
        origins = encoder.origins_
        return {name: np.flatnonzero(origins == i) for i, name in enumerate(encoder.columns_)}

    @property
    def has_std(self) -> bool:
        """Whether predictions come with standard deviations."""
        return self.target is None and knows_std(self.model)

    def inputs(self, X: Any) -> FloatArray:
        """Rows (n_samples, n_inputs) as the network sees them."""
        X = X if self.before is None else self.before.transform(X)
        if hasattr(X, "toarray"):
            X = X.toarray()
        Z = check_array(X, dtype=np.float64, input_name="X")
        if Z.shape[1] != len(self.names):
            raise ValueError(
                f"The 'X' parameter must have {len(self.names)} columns, as in fit. "
                f"Got {Z.shape[1]}."
            )
        return Z

    def model_rows(self, X: Any) -> Any:
        """Rows as ``model`` wants them: with names, if it was fitted to names."""
        return self.named(self.inputs(X))

    def named(self, Z: FloatArray) -> Any:
        """Rows (n_samples, n_inputs) as the network sees them, with names if it wants them."""
        if not hasattr(self.model, "feature_names_in_"):
            return Z
        from drumlin._optional import pandas as pd

        return pd.DataFrame(Z, columns=list(self.names))

    def codes(self, y: Any, n_samples: int) -> Any:
        """Targets as numbers: classes by their index in ``classes_``.

        Parameters
        ----------
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        n_samples : int
            How many there must be.
        """
        y = np.asarray(y)
        if not y.ndim or len(y) != n_samples:
            raise ValueError(
                f"The 'y' parameter must have one entry per row of X, {n_samples}. "
                f"Got shape {y.shape}."
            )
        if not is_classifier(self.model):
            return check_array(y, dtype=np.float64, ensure_2d=False, input_name="y")
        classes = self.model.classes_
        unknown = [label for label in np.unique(y).tolist() if label not in classes.tolist()]
        if unknown:
            raise ValueError(
                f"The 'y' parameter must hold classes of the model, {classes.tolist()}. "
                f"Got {unknown}."
            )
        return np.searchsorted(classes, y)

    def node_ranges(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Centers, and where they lie one width lower and higher, in original units.

        Units are original as far back as the steps before the network change units one column at
        a time (scalers); one-hot columns and principal components have no other units.

        Returns
        -------
        centers, low, high : ndarray of shape (n_nodes, n_inputs)
        """
        centers, widths = self.model.centers_, self.model.widths_

        def back(Z: FloatArray) -> FloatArray:
            finite = np.where(np.isfinite(Z), Z, centers)
            return np.where(np.isfinite(Z), _original_units(self.before, finite), Z)

        return back(centers), back(centers - widths), back(centers + widths)


def knows_std(model: Any) -> bool:
    """Whether a model answers ``predict(return_std=True)``."""
    has_std = "return_std" in inspect.signature(model.predict).parameters
    left_out = isinstance(model, DrumlinRegressor) and not hasattr(model, "_uncertainty")
    unknown = isinstance(model, BaseSelectedNetwork) and not hasattr(model, "_noise_path")
    without = getattr(model, "solver", None) in WITHOUT_POSTERIOR
    return has_std and not (left_out or unknown or without)


def _names(model: Any, before: Any) -> tuple[str, ...]:
    """Names of the network's inputs; x0, x1, ... where nobody knows better."""
    numbered = tuple(f"x{i}" for i in range(model.n_features_in_))
    if hasattr(model, "feature_names_in_"):
        return tuple(str(name) for name in model.feature_names_in_)
    if before is None:
        return numbered
    try:
        return tuple(str(name) for name in before.get_feature_names_out())
    except (AttributeError, ValueError):  # a step that does not name what it makes
        return numbered


def _original_units(transformer: Any, Z: FloatArray) -> FloatArray:
    """Undo changes of units, from the last step back to the first that is more than that."""
    if isinstance(transformer, ColumnTransformer):
        return _by_columns(transformer, Z, _original_units)
    steps = [step for _, step in transformer.steps] if isinstance(transformer, Pipeline) else []
    if not steps and transformer is not None:
        steps = [transformer]
    for step in reversed(steps):
        if isinstance(step, (ColumnTransformer, Pipeline)):
            return _original_units(step, Z)
        if isinstance(step, OrdinalEncoder):  # codes of texts have no other units
            break
        if isinstance(step, OneToOneFeatureMixin) and hasattr(step, "inverse_transform"):
            Z = np.asarray(step.inverse_transform(Z), dtype=np.float64)
        elif not _keeps_units(step, Z.shape[1]):
            break
    return Z


def _by_columns(
    transformer: ColumnTransformer, Z: FloatArray, undo: Callable[[Any, FloatArray], FloatArray]
) -> FloatArray:
    result = Z.copy()
    for name, step, _ in transformer.transformers_:
        columns = transformer.output_indices_[name]
        if Z[:, columns].shape[1]:
            result[:, columns] = undo(step, Z[:, columns])
    return result


def _keeps_units(step: Any, n_columns: int) -> bool:
    """Whether columns come out as they went in (imputers that add no column, or nothing at all)."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return True
    return isinstance(step, SimpleImputer) and step.n_features_in_ == n_columns
