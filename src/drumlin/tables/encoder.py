"""From a mixed table to numbers, as a transformer of scikit-learn that says what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import (
    _check_feature_names_in,
    check_array,
    check_consistent_length,
    check_is_fitted,
)

from drumlin._errors import ParameterError
from drumlin._optional import pandas as pd
from drumlin._typing import FloatArray, IntArray
from drumlin.tables.codes import TextCode
from drumlin.tables.columns import KINDS, NUMBER, ORDERED, as_text
from drumlin.tables.errors import warn_of
from drumlin.tables.frames import as_frame, check_targets, is_frame
from drumlin.tables.learning import Learned, Learner
from drumlin.tables.schema import Schema
from drumlin.tables.statistics import Targets
from drumlin.tables.surprises import Surprises, comma_notes

IGNORE = "ignore"


class TableEncoder(TransformerMixin, BaseEstimator):
    """Numbers of a mixed table: gaps filled and marked, texts and dates encoded.

    ``fit`` decides what every column is (``columns_`` says so): numbers, also those stored as text
    or written with a unit ("12 kg", "$1,200"); truth values; categories; dates. Ids, constants and
    free texts are left out. A number stays itself; where there is none the median stands in and a
    column of its own says so. A category becomes one column per text; rare texts share one. Many
    texts become the mean target of their rows, shrunk towards that of all;
    ``fit_transform`` gives every row that of other rows. A date becomes days since the first one,
    year, month, weekday and hour, as far as they vary. Nothing is standardised: networks do that.

    Parameters
    ----------
    keep : list or tuple of str, default=()
        Columns to be used though they look like ids or texts.
    ignore : list or tuple of str, default=()
        Columns to be left out.
    kinds : dict or None, default=None
        What columns are, where they are not what they look like: "number", "category", "date",
        "ordered" (levels as their type has them), "ignore", or a list of the levels in their order.
    max_categories : int, default=20
        More texts than these become target statistics.
    min_rows : int, default=5
        Texts of fewer rows share one column.
    mirrored : bool, default=True
        Whether a category of two texts has a column for each, as one of three has. Networks that
        standardise their inputs were no better with one (docs/mixed.md).
    statistics : bool, default=True
        Whether many texts become target statistics. If not (or without targets), those of the
        fewest rows share a column.
    target : {"auto", "classes", "numbers"}, default="auto"
        What targets are, for these statistics; "auto" takes whole numbers for classes.

    Attributes
    ----------
    schema_ : Schema
        What every column is.
    codes_ : list
        How the columns that are used become numbers.
    n_features_in_ : int
        Columns of the table, used or not.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, where the table had names.

    See Also
    --------
    make_table_model : An estimator behind an encoder.

    Notes
    -----
    ``transform`` takes any table with the columns that are used, in any order. Texts that training
    has not seen count as rare ones, or as the average; ``surprises`` tells of them.

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin import TableEncoder
    >>> table = pd.DataFrame({"weight": [12.0, 9.0, None, 11.0] * 5,
    ...                       "sex": ["f", "m", "m", "f"] * 5})
    >>> TableEncoder().set_output(transform="pandas").fit_transform(table)[:3]
       weight  weight is missing  sex = f  sex = m
    0    12.0                0.0      1.0      0.0
    1     9.0                0.0      0.0      1.0
    2    11.0                1.0      0.0      1.0
    """

    _parameter_constraints: dict[str, list[Any]] = {
        "keep": [tuple, list],
        "ignore": [tuple, list],
        "kinds": [dict, None],
        "max_categories": [Interval(Integral, 2, None, closed="left")],
        "min_rows": [Interval(Integral, 1, None, closed="left")],
        "mirrored": ["boolean"],
        "statistics": ["boolean"],
        "target": [StrOptions({"auto", "classes", "numbers"})],
    }

    def __init__(
        self,
        *,
        keep: Sequence[str] = (),
        ignore: Sequence[str] = (),
        kinds: dict[str, Any] | None = None,
        max_categories: int = 20,
        min_rows: int = 5,
        mirrored: bool = True,
        statistics: bool = True,
        target: str = "auto",
    ) -> None:
        self.keep = keep
        self.ignore = ignore
        self.kinds = kinds
        self.max_categories = max_categories
        self.min_rows = min_rows
        self.mirrored = mirrored
        self.statistics = statistics
        self.target = target

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    # ------------------------------------------------------------------ learning
    def fit(self, X: Any, y: Any = None) -> TableEncoder:
        """Learn what the columns are.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,) or (n_rows, n_outputs), default=None
            Targets; without them there are no target statistics.
        """
        self._learn(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Learn, and return training rows; their target statistics are those of other rows.

        Parameters
        ----------
        X, y
            As for ``fit``.

        Returns
        -------
        ndarray or DataFrame of shape (n_rows, n_outputs)
        """
        return np.hstack([learned.outputs for learned in self._learn(X, y)])

    def _learn(self, X: Any, y: Any) -> list[Learned]:
        """Learn everything; return codes with the outputs of training rows."""
        self._validate_params()
        frame = as_frame(X)
        if y is not None:
            check_consistent_length(frame, y)
            check_targets(y)
        kinds, levels = self._asked(frame)
        schema = Schema.understand(
            frame,
            keep=self.keep,
            ignore={*self.ignore, *(name for name in kinds if kinds[name] == IGNORE)},
            kinds=kinds,
        )
        inputs, surprises = schema.read(frame)
        warn_of(
            [
                *_unit_notes(schema),
                *comma_notes(frame, schema.columns),
                *surprises.of_training().notes(),
            ]
        )
        targets = Targets.of(y, self.target) if self.statistics and y is not None else None
        learner = Learner(self.max_categories, self.min_rows, self.mirrored, targets, levels)
        made = {c.name: learner.learn(c, inputs[c.name]) for c in schema.used}
        self.schema_ = schema.without({name for name in made if not made[name].code.labels})
        self.codes_ = [made[column.name].code for column in self.schema_.used]
        self.n_features_in_ = frame.shape[1]
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        if is_frame(X):
            self.feature_names_in_ = np.array(list(frame.columns), dtype=object)
        return [made[column.name] for column in self.schema_.used]

    def _asked(self, frame: pd.DataFrame) -> tuple[dict[str, str], dict[str, list[str]]]:
        """Kinds that were asked for, and levels by column that has an order."""
        kinds: dict[str, str] = {}
        levels = {
            str(name): [as_text(level) for level in column.cat.categories]
            for name, column in frame.items()
            if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered
        }
        for name, kind in (self.kinds or {}).items():
            if isinstance(kind, (list, tuple)):
                levels[name] = [as_text(level) for level in kind]
                kind = ORDERED
            if kind not in (*KINDS, IGNORE) or (kind == ORDERED and name not in levels):
                raise ParameterError(
                    f"The 'kinds' parameter must give {[*KINDS, IGNORE]} or a list of levels "
                    f"('ordered' only where the type has an order). Got {kind!r} for {name!r}."
                )
            kinds[name] = kind
        return kinds, levels

    # ------------------------------------------------------------------ using
    def transform(self, X: Any) -> Any:
        """Return numbers.

        Parameters
        ----------
        X : DataFrame of pandas or polars, or array-like of shape (n_rows, n_columns)

        Returns
        -------
        ndarray or DataFrame of shape (n_rows, n_outputs)

        Raises
        ------
        TableError
            Where a column is not there, or holds something else than in training.
        """
        return self.encode(self.read(X)[0])

    def read(self, X: Any) -> tuple[pd.DataFrame, Surprises]:
        """Read columns as they were understood, and tell what training did not have.

        Returns
        -------
        inputs : DataFrame
            For ``encode``; ``transform`` takes it, too.
        surprises : Surprises
            Counts that add up over parts of a table; ``surprises.notes()`` says them.
        """
        check_is_fitted(self)
        frame = as_frame(X)
        if not is_frame(X) and frame.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {frame.shape[1]} features, but TableEncoder is expecting "
                f"{self.n_features_in_} features as input."
            )
        inputs, surprises = self.schema_.read(frame)
        unknown: dict[str, Any] = {}
        for column, code in zip(self.schema_.used, self.codes_, strict=True):
            if isinstance(code, TextCode):
                counts = code.unknown(inputs[column.name], bool(column.n_missing))
                unknown |= {column.name: counts} if counts else {}
        return inputs, replace(surprises, unknown=unknown)

    def encode(self, inputs: pd.DataFrame) -> FloatArray:
        """Numbers (n_rows, n_outputs) of what ``read`` gives."""
        pairs = zip(self.schema_.used, self.codes_, strict=True)
        return np.hstack([code.encode(inputs[column.name]) for column, code in pairs])

    # ------------------------------------------------------------------ explaining
    @property
    def columns_(self) -> list[str]:
        """Names of the columns that are used."""
        check_is_fitted(self)
        return [column.name for column in self.schema_.used]

    @property
    def origins_(self) -> IntArray:
        """For every output, which of ``columns_`` it was made of."""
        return np.repeat(np.arange(len(self.columns_)), [len(c.labels) for c in self.codes_])

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the outputs: "age", "age is missing", "sex = male", "seen (month)".

        Parameters
        ----------
        input_features : array-like of str or None, default=None
            Not used but checked: names of the table's columns.

        Returns
        -------
        ndarray of str objects of shape (n_outputs,)
        """
        check_is_fitted(self)
        _check_feature_names_in(self, input_features)
        pairs = zip(self.columns_, self.codes_, strict=True)
        made = [(name, label) for name, code in pairs for label in code.labels]
        taken = set(self.columns_)
        names = []
        for name, label in made:
            full = name + label
            while label and full in taken:  # a column may be called so
                full += "'"
            taken.add(full)
            names.append(full)
        return np.array(names, dtype=object)

    def inverse_transform(self, X: Any) -> pd.DataFrame:
        """Return original columns: numbers, the nearest text, dates; gaps where they are marked.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_outputs)

        Returns
        -------
        DataFrame of shape (n_rows, n_columns_used)
        """
        check_is_fitted(self)
        Z = check_array(X, dtype=np.float64, input_name="X")
        ends = np.cumsum([len(code.labels) for code in self.codes_])
        if Z.shape[1] != ends[-1]:
            raise ValueError(f"The 'X' parameter must have {ends[-1]} columns. Got {Z.shape[1]}.")
        parts = np.split(Z, ends[:-1], axis=1)
        decoded = [code.decode(part) for code, part in zip(self.codes_, parts, strict=True)]
        return pd.DataFrame(dict(zip(self.columns_, decoded, strict=True)))

    def example(self) -> pd.DataFrame:
        """Return one row as it may come: what stands in for numbers and dates, first texts."""
        check_is_fitted(self)
        values = [code.example() for code in self.codes_]
        return pd.DataFrame([values], columns=self.columns_)

    def by_column(self, shares: Any) -> FloatArray:
        """Add up what belongs to outputs of the same column, along the last axis.

        Parameters
        ----------
        shares : array-like of shape (..., n_outputs)

        Returns
        -------
        ndarray of shape (..., n_columns_used)
        """
        starts = np.flatnonzero(np.diff(self.origins_, prepend=-1))
        return np.add.reduceat(np.asarray(shares, dtype=np.float64), starts, axis=-1)


def _unit_notes(schema: Schema) -> list[str]:
    return [
        f"{column.name!r} holds {column.detail}: they are read as numbers."
        for column in schema.used
        if column.kind == NUMBER and column.form
    ]
