"""A model file in use: the model, what its columns are, and what is far from all its nodes."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

from drumlin import io
from drumlin._text import brief
from drumlin._typing import FloatArray
from drumlin.estimators.fitted import FittedNetwork
from drumlin.tables import Column, Schema, Surprises, TableError, Target, read_inputs
from drumlin.tables.columns import NUMBER
from drumlin.tables.preparation import CATEGORIES, NUMBERS
from drumlin.tables.targets import CLASSIFICATION, REGRESSION, TEXT, WHOLE
from drumlin.tables.targets import NUMBER as REAL

ROWS_AT_ONCE = 50_000

KINDS = (TEXT, WHOLE, REAL)
"""What labels or numbers of a target become."""


@dataclass(frozen=True)
class Deployed:
    """A model with its notes.

    Parameters
    ----------
    fitted : FittedNetwork
    schema : Schema
    target : Target or None
        None where the file does not say what is predicted.
    notes : dict
        What ``drumlin fit`` has noted.
    """

    fitted: FittedNetwork
    schema: Schema
    target: Target | None
    notes: dict[str, Any]

    @classmethod
    def open(cls, path: str | Path) -> Deployed:
        """Load a model file.

        Models saved from Python can be used too, if they were fitted to named columns of numbers.
        """
        notes = io.describe(path)["notes"]
        model = io.load(path)
        if "columns" in notes:
            schema = noted_schema(notes["columns"])
            _check_schema(schema, model, path)
        else:
            schema = _schema_of_numbers(model, path)
        return cls(FittedNetwork.of(model), schema, _target(notes, model), notes)

    def note(self, name: str) -> Any:
        """Return a note that the commands use; None where there is none.

        Raises
        ------
        ValueError
            Where it is not what ``drumlin fit`` writes.
        """
        value = self.notes.get(name)
        rule, is_good = _NOTES[name]
        if value is not None and not is_good(value):
            got = brief(repr(value), 60)
            raise ValueError(f"The note {name!r} of the model must be {rule}. Got {got}.")
        return value

    def predict(self, frame: pd.DataFrame) -> tuple[pd.DataFrame, Surprises]:
        """Predict rows.

        Returns
        -------
        answers : DataFrame
            prediction; probability_* of every class, or std where the model knows; novel.
        surprises : Surprises
            What training did not have.
        """
        model = self.fitted.model
        inputs, surprises = read_inputs(self.fitted.whole, self.schema, frame)
        rows = self.fitted.model_rows(inputs)
        answers: dict[str, Any] = {}
        if is_classifier(model):
            probabilities = model.predict_proba(rows)
            answers["prediction"] = model.classes_[probabilities.argmax(axis=1)]  # as predict
            for label, column in zip(model.classes_, probabilities.T, strict=True):
                answers[f"probability_{label}"] = column
        elif "return_std" in inspect.signature(model.predict).parameters:
            answers["prediction"], answers["std"] = model.predict(rows, return_std=True)
        else:
            answers["prediction"] = model.predict(rows)
        answers["novel"] = is_novel(model, rows, self.note("farthest"))
        return pd.DataFrame(answers, index=frame.index), surprises


def is_novel(model: Any, rows: Any, farthest: float | None) -> Any:
    """Rows that are as far from all nodes as no training row, or farther, as truth values.

    Parameters
    ----------
    model : estimator
    rows : its inputs
    farthest : float or None
        Greatest distance of a training row; not needed where the model has ``novelty``.
    """
    if not model.n_nodes_:
        return np.zeros(len(rows), dtype=bool)
    if hasattr(model, "novelty"):
        return model.novelty(rows) >= 1.0
    if farthest is None:
        return np.zeros(len(rows), dtype=bool)
    return distances(model, np.asarray(rows, dtype=np.float64)) > farthest


def distances(model: Any, Z: FloatArray) -> FloatArray:
    """Distance to the nearest node, in its widths."""
    network = model.network_
    parts = [
        network.nodes.squared_distances(network.mapped(Z[start : start + ROWS_AT_ONCE])).min(axis=0)
        for start in range(0, len(Z), ROWS_AT_ONCE)
    ]
    return np.sqrt(np.concatenate(parts))


def _is_number(value: Any, low: float = 0.0, high: float = math.inf) -> bool:
    return isinstance(value, (int, float)) and type(value) is not bool and low <= value < high


_NOTES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "farthest": ("a number that is not negative", _is_number),
    "file": ("a text", lambda value: isinstance(value, str)),
    "holdout": ("a number between 0 and 1", lambda value: _is_number(value, 0.0, 1.0)),
    "n_train": ("a number that is not negative", _is_number),
    "seconds": ("a number that is not negative", _is_number),
    "seed": (
        "a whole number below 2**32",
        lambda value: type(value) is int and _is_number(value, 0, 2**32),
    ),
    "sha256": ("a text", lambda value: isinstance(value, str)),
}
"""What the notes that are used must be, in words and as a test."""


def noted_schema(notes: Any) -> Schema:
    """Return the columns that a model file notes.

    Raises
    ------
    TableError
        Where the note is something else.
    """
    schema = Schema.from_notes(notes)
    names = [column.name for column in schema.columns]
    plain = all(type(c.n_missing) is int and type(c.detail) is str for c in schema.columns)
    if not plain or len(set(names)) < len(names):
        raise TableError("The notes of the model do not say what its columns are.")
    return schema


def _check_schema(schema: Schema, model: Any, path: str | Path) -> None:
    """Refuse notes of other columns than the model was fitted to."""
    if isinstance(model, Pipeline):
        first = model.steps[0][1]
        parts = first.transformers_ if isinstance(first, ColumnTransformer) else []
        fitted = {name: (step, columns) for name, step, columns in parts if step != "drop"}
        encoder = fitted.get(CATEGORIES, (None, None))[0]
        good = {name: columns for name, (_, columns) in fitted.items()} == {
            name: columns
            for name, columns in ((NUMBERS, schema.numbers), (CATEGORIES, schema.categories))
            if columns
        } and (
            encoder is None
            or (
                isinstance(encoder, OneHotEncoder)
                and list(getattr(encoder, "feature_names_in_", [])) == schema.categories
            )
        )
    else:
        names = list(getattr(model, "feature_names_in_", []))
        good = not schema.categories and names in ([], schema.numbers)
    if not good:
        raise TableError(f"The notes of {path} are those of a model of other columns.")


def _target(notes: dict[str, Any], model: Any) -> Target | None:
    """Return what is predicted; None where the notes do not say."""
    noted = notes.get("target")
    if not isinstance(noted, dict) or noted.keys() != {"name", "task", "kind"}:
        return None
    task = CLASSIFICATION if is_classifier(model) else REGRESSION
    if noted["task"] != task or noted["kind"] not in KINDS or type(noted["name"]) is not str:
        raise TableError("The notes of the model name another kind of target than it predicts.")
    return Target(**noted)


def _schema_of_numbers(model: Any, path: str | Path) -> Schema:
    names = getattr(model, "feature_names_in_", None)
    if names is None or isinstance(model, Pipeline):
        raise TableError(
            f"{path} must say what its columns are, as models of 'drumlin fit' do, or be an "
            f"estimator fitted to a table of numbers with names. Got a {type(model).__name__} "
            "saved from Python: use it there."
        )
    return Schema(tuple(Column(str(name), NUMBER, 0) for name in names))
