"""Labelled rows for fitting, judging and comparing: rows with a target, and their seeded split."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from drumlin.cli.console import UsageError, tell
from drumlin.tables import (
    CLASSIFICATION,
    TASKS,
    Schema,
    Surprises,
    TableError,
    Target,
    is_missing,
    read_table,
)
from drumlin.tables.reading import STDIN
from drumlin.tables.schema import check_columns


@dataclass(frozen=True)
class Labelled:
    """Rows with a target.

    Parameters
    ----------
    frame : DataFrame
        All columns but the target.
    y : ndarray of shape (n_rows,)
    target : Target
    n_dropped : int
        Rows that had no target.
    surprises : Surprises
        What can be misread in the target.
    """

    frame: pd.DataFrame
    y: Any
    target: Target
    n_dropped: int
    surprises: Surprises = field(default_factory=Surprises)

    def __len__(self) -> int:
        return len(self.y)

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


def read_labelled(
    path: str | Path,
    target: str,
    *,
    task: str | None = None,
    known: Target | None = None,
    schema: Schema | None = None,
) -> Labelled:
    """Read a table and set apart its target.

    Parameters
    ----------
    path : path-like
    target : str
        The column to be predicted.
    task : {"classification", "regression"} or None
        None decides by the values.
    known : Target or None
        What the target is, where a model knows already.
    schema : Schema or None
        What the inputs are, where a model knows already.
    """
    if task not in (None, *TASKS):
        raise UsageError(f"The option '--task' must be one of {list(TASKS)}. Got {task!r}.")
    frame = read_table(path, [target, *(() if schema is None else schema.categories)])
    check_columns([target], frame, "that is the target")
    missing = is_missing(frame[target])
    if missing.all():
        raise TableError(f"The target {target!r} must have values. Got none in {len(frame)} rows.")
    if missing.any():
        frame = frame[~missing]
    column = frame.pop(target)
    if known is None:
        known = Target.understand(target, column, task)
    y, surprises = known.values(column), known.surprises(column)
    return Labelled(frame, y, known, int(missing.sum()), surprises)


def tell_surprises(surprises: Surprises, which: str = "") -> None:
    """Say what is not as a model expects it; see ``Surprises.notes``."""
    for note in surprises.notes(which):
        tell(f"Note: {note}")


def split(data: Labelled, holdout: float, seed: int) -> tuple[Labelled, Labelled]:
    """Split rows at random into training and hold-out; every class has its share in both.

    The same rows, fraction and seed give the same split.
    """
    if not 0.0 < holdout < 1.0:
        raise UsageError(
            f"The option '--holdout' must be a fraction between 0 and 1. Got {holdout:g}."
        )
    n = len(data)
    n_test = int(np.ceil(holdout * n))
    if n_test >= n:
        raise TableError(f"The table must have rows left for training. Got {n} with a target.")
    stratify = None
    if data.target.task == CLASSIFICATION:
        counts = np.unique(data.y, return_counts=True)[1]
        if counts.min() >= 2 and min(n_test, n - n_test) >= len(counts):
            stratify = data.y
    train, test = train_test_split(
        np.arange(n), test_size=n_test, random_state=seed, stratify=stratify
    )
    return data.take(np.sort(train)), data.take(np.sort(test))


def fingerprint(path: str | Path) -> str | None:
    """Hash of a file; None for standard input, which is gone."""
    if str(path) == STDIN:
        return None
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
