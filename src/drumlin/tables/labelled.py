"""Rows with a target, for fitting, judging and comparing; and their seeded split."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from drumlin._errors import ParameterError
from drumlin._optional import pandas as pd
from drumlin._text import counted
from drumlin._typing import IntArray
from drumlin.tables.errors import TableError, left_out, listed, warn_of
from drumlin.tables.reading import read_table
from drumlin.tables.schema import Schema, check_columns, check_names
from drumlin.tables.surprises import Surprises
from drumlin.tables.targets import CLASSIFICATION, TASKS, Several, Target, is_missing, understood

LEAST_OF_CLASS = 20
"""Rows of a class that a sample of a table has at least, if there are: five folds can judge it."""


@dataclass(frozen=True)
class Labelled:
    """Rows with a target; made by ``read_labelled``.

    Parameters
    ----------
    frame : DataFrame
        All columns but the target.
    y : ndarray of shape (n_rows,) or (n_rows, n_targets)
    target : Target or Several
    n_dropped : int
        Rows that had no target.
    surprises : Surprises
        What can be misread in the target.

    See Also
    --------
    read_labelled

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin.tables import read_labelled
    >>> rows = read_labelled(pd.DataFrame({"a": [1.5, 2.5, 3.5], "y": ["no", "yes", "no"]}), "y")
    >>> rows.take([0, 1]).y.tolist()
    ['no', 'yes']
    """

    frame: pd.DataFrame
    y: Any
    target: Target | Several
    n_dropped: int
    surprises: Surprises = field(default_factory=Surprises)

    def __len__(self) -> int:
        return len(self.y)

    @property
    def classes(self) -> Any:
        """Classes (n_classes,) that occur, in order; None for numbers."""
        return np.unique(self.y) if self.target.task == CLASSIFICATION else None

    def take(self, rows: Any) -> Labelled:
        """Return some of the rows."""
        return replace(self, frame=self.frame.iloc[rows], y=self.y[rows])

    def inputs(
        self, *, keep: Collection[str] = (), ignore: Collection[str] = ()
    ) -> tuple[Schema, pd.DataFrame, Surprises]:
        """Understand the columns by these rows; return them as the model wants them, too.

        Returns
        -------
        schema : Schema
        inputs : DataFrame
        surprises : Surprises
            What can be misread in the inputs or in the target.
        """
        schema = Schema.understand(self.frame, keep=keep, ignore=ignore)
        inputs, surprises = schema.read(self.frame)
        return schema, inputs, (self.surprises + surprises).of_training()

    def sample(self, most: int, seed: int) -> Labelled:
        """Return at most so many rows, chosen at random, in their order.

        Every class has its share of them, and ``LEAST_OF_CLASS`` rows (or all that it has) where
        its share is less, as far as there is room.
        """
        if len(self) <= most:
            return self
        order = np.random.RandomState(seed).permutation(len(self))
        if self.target.task == CLASSIFICATION:
            classes, counts = np.unique(self.y, return_counts=True)
            shares = dict(zip(classes.tolist(), shares_of(counts, most).tolist(), strict=True))
            labels = self.y[order]
            order = np.concatenate([order[labels == k][:n] for k, n in shares.items()])
        return self.take(np.sort(order[:most]))

    def split(self, holdout: float, seed: int) -> tuple[Labelled, Labelled]:
        """Split rows at random into training and hold-out; every class has its share in both.

        The same rows, fraction and seed give the same split.

        Parameters
        ----------
        holdout : float
            Fraction of the rows to hold out.
        seed : int
        """
        if not 0.0 < holdout < 1.0:
            raise ParameterError(
                f"The 'holdout' parameter must be a fraction between 0 and 1. Got {holdout:g}."
            )
        n = len(self)
        n_test = int(np.ceil(holdout * n))
        if n_test >= n:
            raise TableError(f"The table must have rows left for training. Got {n} with a target.")
        train, test = train_test_split(
            np.arange(n), test_size=n_test, random_state=seed, stratify=self._strata(n_test)
        )
        return self.take(np.sort(train)), self.take(np.sort(test))

    def _strata(self, n_test: int) -> Any:
        """Classes, where all have enough rows for both parts."""
        if self.target.task != CLASSIFICATION:
            return None
        counts = np.unique(self.y, return_counts=True)[1]
        enough = counts.min() >= 2 and min(n_test, len(self) - n_test) >= len(counts)
        return self.y if enough else None

    def of_classes(self, classes: Any) -> Labelled:
        """Leave out rows of classes that a model does not know, with a warning.

        Parameters
        ----------
        classes : ndarray of shape (n_classes,)
        """
        known = np.isin(self.y, classes)
        if known.all():
            return self
        new = sorted(set(self.y[~known].tolist()))
        if not known.any():
            raise TableError(
                f"The target {self.target.name!r} must hold classes of the model, "
                f"{classes.tolist()}. Got {new[:8]}."
            )
        what = " of classes that training has not seen"
        warn_of([f"{left_out(int((~known).sum()), what)}: {new}."])
        return self.take(np.flatnonzero(known))


def shares_of(counts: IntArray, most: int) -> IntArray:
    """Divide a number of rows among classes: by their counts, but not too few of any.

    Parameters
    ----------
    counts : ndarray of int of shape (n_classes,)
    most : int
        Rows to be divided, fewer than there are.
    """
    least = np.minimum(counts, min(LEAST_OF_CLASS, most // len(counts)))
    exact = most * counts / counts.sum()
    rare = exact < least
    while True:  # what rare classes get more is taken from the others by their counts
        rest = most - least[rare].sum()
        exact = np.where(rare, least, rest * counts / max(counts[~rare].sum(), 1))
        if not (more := ~rare & (exact < least)).any():
            break
        rare |= more
    shares = np.floor(exact).astype(np.int64)
    left = np.argsort(shares - exact, kind="stable")[: most - shares.sum()]
    shares[left] += 1
    return shares


def read_labelled(
    table: str | Path | pd.DataFrame,
    target: str | Sequence[str],
    *,
    task: str | None = None,
    known: Target | Several | None = None,
    schema: Schema | None = None,
) -> Labelled:
    """Take a table and set apart its target.

    Parameters
    ----------
    table : path-like or DataFrame
        CSV, TSV or Parquet; "-" reads CSV from standard input.
    target : str or sequence of str
        The column to be predicted, or several columns of numbers; rows that lack one are left out.
    task : {"classification", "regression"} or None
        None decides by the values.
    known : Target, Several or None
        What the target is, where a model knows already.
    schema : Schema or None
        What the inputs are, where a model knows already.

    Returns
    -------
    Labelled

    See Also
    --------
    read_table
    Labelled

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin.tables import read_labelled
    >>> rows = read_labelled(pd.DataFrame({"a": [1.5, 2.5, 3.5], "y": ["no", "yes", None]}), "y")
    >>> rows.y, rows.target.task, rows.n_dropped
    (array(['no', 'yes'], dtype='<U3'), 'classification', 1)
    """
    if task not in (None, *TASKS):
        raise ParameterError(f"The 'task' parameter must be one of {list(TASKS)}. Got {task!r}.")
    names = names_of(target)
    if isinstance(table, pd.DataFrame):
        check_names(table)
        frame = table.copy(deep=False)
    else:
        if not isinstance(table, str | Path):
            raise ParameterError(
                "The 'table' parameter must be a pandas DataFrame or the path of a file. "
                f"Got {type(table).__name__}."
            )
        frame = read_table(table, [*names, *(() if schema is None else schema.categories)])
    check_columns(names, frame, "that is the target" if len(names) == 1 else "to be predicted")
    missing = np.any([is_missing(frame[name]) for name in names], axis=0)
    if missing.all():
        which = listed(names)
        n_rows = counted(len(frame), "row")
        raise TableError(f"The target {which} must have values. Got none in {n_rows}.")
    if missing.any():
        frame = frame[~missing]
    if known is None:
        known = understood(names, frame, task)
    y, surprises = known.of(frame)
    return Labelled(frame.drop(columns=list(names)), y, known, int(missing.sum()), surprises)


def names_of(target: Any) -> tuple[str, ...]:
    """Return the names of the columns to be predicted."""
    names = (target,) if isinstance(target, str) else target
    good = isinstance(names, (list, tuple)) and names
    if not good or not all(isinstance(name, str) for name in names):
        raise ParameterError(
            "The 'target' parameter must be the name of a column, or a list of names. "
            f"Got {target!r}."
        )
    return tuple(names)
