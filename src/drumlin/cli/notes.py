"""What ``drumlin fit`` has noted in a model file, read by those who do not trust the file."""

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
from drumlin.tables import Schema, TableError, Target
from drumlin.tables.preparation import CATEGORIES
from drumlin.tables.targets import CLASSIFICATION, NUMBER, REGRESSION, TEXT, WHOLE


def _is_number(value: Any, low: float = 0.0, high: float = math.inf) -> bool:
    return isinstance(value, (int, float)) and type(value) is not bool and low <= value < high


def _is_seed(value: Any) -> bool:
    return type(value) is int and _is_number(value, 0, 2**32)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_RULES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "farthest": ("a number that is not negative", _is_number),
    "file": ("a text", _is_text),
    "holdout": ("a number between 0 and 1", lambda value: _is_number(value, 0.0, 1.0)),
    "n_train": ("a number that is not negative", _is_number),
    "seconds": ("a number that is not negative", _is_number),
    "seed": ("a whole number below 2**32", _is_seed),
    "sha256": ("a text", _is_text),
}
"""What notes must be, in words and as a test."""


def checked_note(notes: dict[str, Any], name: str) -> Any:
    """Return a note; None where there is none.

    Raises
    ------
    ValueError
        Where it is not what ``drumlin fit`` writes.
    """
    value = notes.get(name)
    rule, is_good = _RULES[name]
    if value is not None and not is_good(value):
        got = brief(repr(value), 60)
        raise ValueError(f"The note {name!r} of the model must be {rule}. Got {got}.")
    return value


def noted_schema(columns: Any) -> Schema:
    """Return the columns that a model file notes.

    Raises
    ------
    TableError
        Where the note is something else.
    """
    schema = Schema.from_notes(columns)
    names = [column.name for column in schema.columns]
    plain = all(type(c.n_missing) is int and type(c.detail) is str for c in schema.columns)
    if not plain or len(set(names)) < len(names):
        raise TableError("The notes of the model do not say what its columns are.")
    return schema


def check_schema(schema: Schema, model: Any, path: str | Path) -> None:
    """Refuse notes of other columns than the model was fitted to."""
    if _encoded_columns(model) != schema.categories:
        raise TableError(f"The notes of {path} are those of a model of other columns.")


def _encoded_columns(model: Any) -> list[str] | None:
    """Columns that a model takes for categories; None where it does not prepare a table."""
    if not isinstance(model, Pipeline):
        return []
    first = model.steps[0][1]
    if not isinstance(first, ColumnTransformer):
        return None
    encoder = {name: step for name, step, _ in first.transformers_}.get(CATEGORIES)
    if encoder is None:
        return []
    known = isinstance(encoder, OneHotEncoder) and hasattr(encoder, "feature_names_in_")
    return list(encoder.feature_names_in_) if known else None


def noted_target(notes: dict[str, Any], model: Any) -> Target | None:
    """Return what is predicted; None where the notes do not say."""
    noted = notes.get("target")
    if not isinstance(noted, dict) or noted.keys() != {"name", "task", "kind"}:
        return None
    task = CLASSIFICATION if is_classifier(model) else REGRESSION
    kinds = (TEXT, WHOLE, NUMBER)
    if noted["task"] != task or noted["kind"] not in kinds or not _is_text(noted["name"]):
        raise TableError("The notes of the model name another kind of target than it predicts.")
    return Target(**noted)
