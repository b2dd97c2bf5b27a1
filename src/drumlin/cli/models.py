"""A model file in use: the model, what its columns are, and what is far from all its nodes."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier
from sklearn.pipeline import Pipeline

from drumlin import io
from drumlin._typing import FloatArray
from drumlin.cli.notes import check_schema, checked_note, noted_schema, noted_target
from drumlin.estimators.fitted import FittedNetwork
from drumlin.tables import Column, Schema, Surprises, TableError, Target, read_inputs
from drumlin.tables.columns import NUMBER

ROWS_AT_ONCE = 50_000


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
            check_schema(schema, model, path)
        else:
            schema = _schema_of_numbers(model, path)
        return cls(FittedNetwork.of(model), schema, noted_target(notes, model), notes)

    def note(self, name: str) -> Any:
        """Return a note that the commands use; None where there is none.

        Raises
        ------
        ValueError
            Where it is not what ``drumlin fit`` writes.
        """
        return checked_note(self.notes, name)

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


def _schema_of_numbers(model: Any, path: str | Path) -> Schema:
    names = getattr(model, "feature_names_in_", None)
    if names is None or isinstance(model, Pipeline):
        raise TableError(
            f"{path} must say what its columns are, as models of 'drumlin fit' do, or be an "
            f"estimator fitted to a table of numbers with names. Got a {type(model).__name__} "
            "saved from Python: use it there."
        )
    return Schema(tuple(Column(str(name), NUMBER, 0) for name in names))
