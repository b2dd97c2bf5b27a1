"""What a model file notes beside its model: columns, target, how it was trained."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sklearn.base import is_classifier
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

from drumlin._text import brief
from drumlin.evaluation.costs import is_positive
from drumlin.io.trial import last_step
from drumlin.tables import (
    CLASSIFICATION,
    REGRESSION,
    Column,
    Schema,
    Several,
    TableError,
    TableModel,
    Target,
)
from drumlin.tables.columns import NUMBER
from drumlin.tables.preparation import CATEGORIES, NUMBERS
from drumlin.tables.targets import NUMBER as REAL
from drumlin.tables.targets import TEXT, WHOLE

KINDS = (TEXT, WHOLE, REAL)
"""What labels or numbers of a target become."""


def _is_number(value: Any, low: float = 0.0, high: float = math.inf) -> bool:
    return isinstance(value, (int, float)) and type(value) is not bool and low <= value < high


def _is_costs(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_positive, value.values()))


_RULES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "costs": ("positive numbers by class", _is_costs),
    "farthest": ("a number that is not negative", _is_number),
    "file": ("a text", lambda value: isinstance(value, str)),
    "holdout": ("a number between 0 and 1", lambda value: _is_number(value, 0.0, 1.0)),
    "n_sampled": ("a number that is not negative", _is_number),
    "n_train": ("a number that is not negative", _is_number),
    "seconds": ("a number that is not negative", _is_number),
    "seed": (
        "a whole number below 2**32",
        lambda value: type(value) is int and _is_number(value, 0, 2**32),
    ),
    "sha256": ("a text", lambda value: isinstance(value, str)),
}
"""What the notes that are used must be, in words and as a test."""


def checked_note(notes: dict[str, Any], name: str) -> Any:
    """Return a note that is used; None where there is none.

    Raises
    ------
    ValueError
        Where it is not what ``train`` notes.
    """
    value = notes.get(name)
    rule, is_good = _RULES[name]
    if value is not None and not is_good(value):
        got = brief(repr(value), 60)
        raise ValueError(f"The note {name!r} of the model must be {rule}. Got {got}.")
    return value


_TARGET = {"name", "task", "kind"}


def _several(names: Any, model: Any) -> Several:
    n_outputs = len(last_step(model).network_.intercept)
    good = isinstance(names, list) and all(type(name) is str for name in names)
    if not good or is_classifier(model) or not 1 < len(set(names)) == len(names) == n_outputs:
        raise TableError(f"The notes of the model must name {n_outputs} different targets.")
    return Several(tuple(names))


def noted_target(notes: dict[str, Any], model: Any) -> Target | Several | None:
    """Return what is predicted; None where the notes do not say."""
    noted = notes.get("target")
    if not isinstance(noted, dict) or not _TARGET <= noted.keys() <= _TARGET | {"names"}:
        return None
    task = CLASSIFICATION if is_classifier(model) else REGRESSION
    if "names" in noted:
        return _several(noted["names"], model)
    if noted["task"] != task or noted["kind"] not in KINDS or type(noted["name"]) is not str:
        raise TableError("The notes of the model name another kind of target than it predicts.")
    return Target(**noted)


def schema_of(notes: dict[str, Any], model: Any, path: str | Path) -> Schema:
    """Return the columns of a model: those it notes, or the names of its numbers.

    Raises
    ------
    TableError
        Where nobody knows them, or the notes are those of another model.
    """
    if "columns" not in notes:
        known = model.encoder_.schema_ if isinstance(model, TableModel) else None
        return known or _schema_of_numbers(model, path)
    schema = Schema.from_notes(notes["columns"])
    if not (_fits_pipeline if isinstance(model, Pipeline) else _fits_numbers)(schema, model):
        raise TableError(f"The notes of {path} are those of a model of other columns.")
    return schema


def _fits_pipeline(schema: Schema, model: Pipeline) -> bool:
    first = model.steps[0][1]
    if isinstance(model, TableModel):
        return bool(schema == model.encoder_.schema_)
    parts = first.transformers_ if isinstance(first, ColumnTransformer) else []
    fitted = {name: (step, columns) for name, step, columns in parts if step != "drop"}
    wanted = {NUMBERS: schema.numbers, CATEGORIES: schema.categories}
    if {name: columns for name, (_, columns) in fitted.items()} != {
        name: columns for name, columns in wanted.items() if columns
    }:
        return False
    encoder = fitted.get(CATEGORIES, (None, None))[0]
    return encoder is None or (
        isinstance(encoder, OneHotEncoder)
        and list(getattr(encoder, "feature_names_in_", [])) == schema.categories
    )


def _fits_numbers(schema: Schema, model: Any) -> bool:
    names = list(getattr(model, "feature_names_in_", []))
    return not schema.categories and names in ([], schema.numbers)


def _schema_of_numbers(model: Any, path: str | Path) -> Schema:
    names = getattr(model, "feature_names_in_", None)
    if names is None or isinstance(model, Pipeline):
        raise TableError(
            f"{path} must say what its columns are, as models of 'drumlin fit' do, or be an "
            f"estimator fitted to a table of numbers with names. Got a {type(model).__name__} "
            "saved from Python: use it there."
        )
    return Schema(tuple(Column(str(name), NUMBER, 0) for name in names))
