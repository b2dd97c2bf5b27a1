"""An estimator behind a ``TableEncoder``: rows as people have them go in, answers come out."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from drumlin._errors import ParameterError
from drumlin._typing import BoolArray, FloatArray
from drumlin.tables.encoder import TableEncoder
from drumlin.tables.transformed import asked, truncated
from drumlin.tables.whatif import WhatIf

PREPARE, NETWORK = "prepare", "network"
"""Names of the steps."""

_INPUTS = ("gradient", "feature_importances_", "partial_dependence")
"""What speaks of the network's inputs, not of columns of the table."""

_OWN = ("fit", "partial_fit", "set_", "get_", "inverse_transform", "transform")
"""Beginnings of names that are not handed on: what changes a model, or is the pipeline's own."""


class TableModel(Pipeline):
    """A pipeline of an encoder and an estimator that answers what the estimator answers.

    Made by ``make_table_model``. Every method of the estimator that takes rows ``X`` first, such as
    ``novelty``, ``contributions`` or ``predict_set``, takes rows of the table here; what is fitted
    (``classes_``, ``n_nodes_``, ``network_``, ...) is the estimator's. ``relevance_`` is that of
    the table's columns, ``truncate`` returns a model of the table with fewer nodes. Behind a
    ``TransformedTargetRegressor`` answers and intervals are in units of the target.

    Parameters
    ----------
    steps : list of (str, estimator)
        The encoder first, the estimator last.
    transform_input, memory, verbose
        As of ``sklearn.pipeline.Pipeline``.

    See Also
    --------
    make_table_model

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin import DrumlinRegressor, make_table_model
    >>> frame = pd.DataFrame({"size": [1.5, 2.5, 3.5, 2.0] * 5, "color": ["red", "blue"] * 10})
    >>> model = make_table_model(DrumlinRegressor()).fit(frame, 2.0 * frame["size"])
    >>> type(model).__name__, model.predict(frame[:2]).round().tolist()
    ('TableModel', [3.0, 5.0])
    """

    if TYPE_CHECKING:  # what scikit-learn's Pipeline and the estimator answer
        fit: Callable[..., Self]
        predict_proba: Callable[..., FloatArray]
        predict_set: Callable[..., BoolArray]
        predict_interval: Callable[..., FloatArray]
        novelty: Callable[..., FloatArray]

    @property
    def encoder_(self) -> TableEncoder:
        """The fitted encoder."""
        return self.steps[0][1]

    @property
    def relevance_(self) -> FloatArray:
        """Shares of the table's columns (n_features_in_,) in what moves the answers; they sum to 1.

        Columns that are left out have zero.
        """
        encoder = self.encoder_
        check_is_fitted(encoder)
        shares = np.zeros(encoder.n_features_in_)
        shares[self._places()] = encoder.by_column(self._asked.relevance_)
        return shares

    @property
    def feature_importances_(self) -> FloatArray:
        """Another name of ``relevance_``, the one that scikit-learn's tools look for."""
        return self.relevance_

    def explain(self, X: Any, background: Any = None) -> Any:
        """Say what every column of the table, and then every node, adds to the scores.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        background : table or None, default=None
            Rows to compare with; None means the mean of the training rows.

        Returns
        -------
        Explanation
            As of the estimator's ``explain``, with ``inputs`` (n_rows, n_features_in_, n_outputs)
            of the table's columns: what was made of a column is added up.
        """
        before, estimator = self[:-1], self._asked
        rows = None if background is None else before.transform(background)
        explanation = estimator.explain(before.transform(X), rows)
        added = self.encoder_.by_column(np.moveaxis(explanation.inputs, 1, -1))
        inputs = np.zeros((*added.shape[:-1], self.encoder_.n_features_in_))
        inputs[..., self._places()] = added
        return replace(explanation, inputs=np.moveaxis(inputs, -1, 1))

    def counterfactual(
        self, x: Any, target: Any, *, vary: Any = None, max_changed: Any = None, ranges: Any = None
    ) -> Any:
        """Find the nearest row with another answer; see the estimator's ``counterfactual``.

        A column is one change, however many inputs stand for it. Texts turn into others that
        training has seen, whole numbers stay whole; dates and gaps stay as they are.

        Parameters
        ----------
        x : DataFrame of one row, or array-like of shape (n_columns,) or (1, n_columns)
        target : label, or pair of float
            The class wanted; for numbers, least and largest (None where there is no limit).
        vary : list of str or None, default=None
            Columns that may change; None means all that can.
        max_changed : int or None, default=None
            Most columns that may change.
        ranges : dict or None, default=None
            Narrower limits of numbers, a pair each, by column.

        Returns
        -------
        Counterfactual
            With ``x``, a data frame of one row as the model reads it (``predict`` takes it), and
            ``changed``, places of its columns; ``distance`` is that of the network's inputs.
        """
        rows = [x] if not hasattr(x, "shape") or len(x.shape) == 1 else x
        inputs, _ = self.encoder_.read(rows)
        if len(inputs) != 1:
            raise ParameterError(f"The 'x' parameter must be one row. Got {len(inputs)} rows.")
        question = WhatIf(self.encoder_, inputs)
        told = self._asked.counterfactual(
            self.encoder_.encode(inputs)[0],
            target,
            max_changed=max_changed,
            **question.asked(vary, ranges),
        )
        row, changed = question.told(told.x)
        places = np.array([row.columns.get_loc(name) for name in changed], dtype=np.int64)
        return replace(told, x=row, changed=places)

    @property
    def _asked(self) -> Any:
        """What answers questions about rows of numbers, in units of the target."""
        return asked(self.steps[-1][1])

    def predict(self, X: Any, **params: Any) -> NDArray[Any]:
        """Predict rows of the table.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        **params
            Of the estimator's ``predict``, such as ``return_std``.
        """
        if params.get("return_std"):
            return self._asked.predict(self[:-1].transform(X), **params)
        return super().predict(X, **params)

    def _places(self) -> list[int]:
        """Which columns of the table are used."""
        return [i for i, c in enumerate(self.encoder_.schema_.columns) if c.is_used]

    def truncate(self, *args: Any, **kwargs: Any) -> TableModel:
        """Return a model with fewer nodes; see the estimator's ``truncate``."""
        smaller = copy.copy(self)
        name, estimator = self.steps[-1]
        smaller.steps = [*self.steps[:-1], (name, truncated(estimator, *args, **kwargs))]
        return smaller

    def __getattr__(self, name: str) -> Any:
        """Hand on what only the estimator knows."""
        if name.startswith(("_", *_OWN, *_INPUTS)) or "steps" not in vars(self):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = getattr(self._asked, name)
        if not inspect.ismethod(value):
            return value
        if next(iter(inspect.signature(value).parameters), None) != "X":
            raise AttributeError(f"{type(self).__name__!r} does not hand on {name!r}")

        def asked(X: Any, *args: Any, **kwargs: Any) -> Any:
            return value(self[:-1].transform(X), *args, **kwargs)

        asked.__name__, asked.__doc__ = name, value.__doc__
        return asked


def make_table_model(estimator: Any, **encoder: Any) -> TableModel:
    """Put an estimator behind a ``TableEncoder``: a model of a table as it is.

    Parameters
    ----------
    estimator : estimator
        Of drumlin, or any other.
    **encoder
        Parameters of ``TableEncoder``, such as ``keep``, ``ignore`` or ``kinds``.

    Returns
    -------
    TableModel
        A pipeline; it can be saved and exported where the estimator is one of drumlin.

    See Also
    --------
    TableEncoder

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin import DrumlinClassifier, make_table_model
    >>> table = pd.DataFrame({"minutes": [1.0, 9.0, None, 2.0, 8.5, 7.0] * 5,
    ...                       "page": ["home", "shop", "shop", "home", "home", "shop"] * 5})
    >>> model = make_table_model(DrumlinClassifier()).fit(table, ["no", "yes", "yes"] * 10)
    >>> list(model[:-1].get_feature_names_out())
    ['minutes', 'minutes is missing', 'page = home', 'page = shop']
    >>> model.novelty(table[:2]).shape, model.relevance_.shape
    ((2,), (2,))
    """
    if is_regressor(estimator):
        encoder = {"target": "numbers"} | encoder
    return TableModel([(PREPARE, TableEncoder(**encoder)), (NETWORK, estimator)])
