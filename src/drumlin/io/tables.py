"""What a ``TableEncoder`` has learned as plain data, and back; nothing in the data is believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from drumlin.io.budget import MOST_CATEGORICAL, MOST_FEATURES
from drumlin.io.errors import require
from drumlin.io.numbers import finite
from drumlin.tables import Schema, TableEncoder, TableError, TableModel
from drumlin.tables.codes import Code, DateCode, NumberCode, TextCode
from drumlin.tables.columns import CATEGORY, DATE, ORDERED
from drumlin.tables.dates import FORMS, MICROSECONDS, PARTS

State = dict[str, Any]

MOST_COLUMNS = 2 * MOST_CATEGORICAL
"""Columns of a table that a file may hold: each takes some time for every row."""

FARTHEST_DAY = float((2**63 - 1) // MICROSECONDS)
"""Days since 1970 that dates are within: those that datetime64[us] can hold."""


def plain_state(state: State) -> State:
    """Return the attributes of an encoder with nothing but plain data and arrays."""
    if "schema_" not in state:
        return state
    plain = {name: value for name, value in state.items() if name not in ("schema_", "codes_")}
    return plain | {
        "schema_": state["schema_"].as_notes(),
        "codes_": [_plain(code) for code in state["codes_"]],
    }


def _plain(code: Code) -> State:
    if isinstance(code, NumberCode):
        return {"fill": code.fill, "marks": code.marks}
    if isinstance(code, DateCode):
        return {
            "parts": list(code.parts),
            "origin": code.origin,
            "fill": code.fill,
            "marks": code.marks,
        }
    return {"texts": list(code.texts), "table": code.table, "labels": list(code.labels)}


def restored(state: State) -> State:
    """Return the attributes of an encoder as it has them; what ``plain_state`` has made."""
    if "schema_" not in state and "codes_" not in state:
        return state
    schema, codes = _schema(state.get("schema_")), state.get("codes_")
    good = isinstance(codes, list) and len(codes) == len(schema.used)
    require(good, "a TableEncoder must have one code for every column that is used.")
    made = []
    for column, code in zip(schema.used, codes or [], strict=True):
        kind = column.kind if column.kind in _BUILDERS else "number"
        fields, build = _BUILDERS[kind]
        good = isinstance(code, dict) and set(code) == fields
        require(good, f"the code of a {kind} must have {sorted(fields)}.")
        made.append(build(code))
    outputs = sum(len(code.labels) for code in made)
    require(outputs <= MOST_FEATURES, f"a TableEncoder has more than {MOST_FEATURES} outputs.")
    return state | {"schema_": schema, "codes_": made}


def _schema(notes: Any) -> Schema:
    good = isinstance(notes, list) and len(notes) <= MOST_COLUMNS
    require(good, f"a TableEncoder must have up to {MOST_COLUMNS} columns.")
    try:
        schema = Schema.from_notes(notes)
    except TableError as error:
        require(False, str(error))
        raise
    require(bool(schema.used), "a TableEncoder must use a column.")
    forms = all(c.form in FORMS for c in schema.used if c.kind == DATE)
    require(forms, f"dates must be one of {list(FORMS)}.")
    return schema


def _number(code: State) -> NumberCode:
    _require_number(code["fill"], np.finfo(np.float64).max)
    _require_marks(code["marks"])
    return NumberCode(code["fill"], code["marks"])


def _date(code: State) -> DateCode:
    parts = code["parts"]
    good = isinstance(parts, list) and parts == [part for part in PARTS if part in parts]
    require(good and parts[:1] == ["days"], f"parts of dates must be some of {list(PARTS)}.")
    for name in ("origin", "fill"):
        _require_number(code[name], FARTHEST_DAY)
    _require_marks(code["marks"])
    return DateCode(tuple(parts), code["origin"], code["fill"], code["marks"])


def _text(code: State) -> TextCode:
    texts, table, labels = code["texts"], code["table"], code["labels"]
    for name, values in (("texts", texts), ("labels", labels)):
        good = isinstance(values, list) and all(type(value) is str for value in values)
        require(good and bool(values), f"the {name} of a category must be a list of texts.")
        require(len(set(values)) == len(values), f"the {name} of a category must differ.")
    shape = (len(texts) + 2, len(labels))
    good = isinstance(table, np.ndarray) and table.dtype == np.float64 and table.shape == shape
    require(good, f"the table of a category must have the shape {shape}.")
    require(finite(table), "the table of a category is not finite.")
    return TextCode(tuple(texts), table, tuple(labels))


_TEXT: tuple[set[str], Callable[[State], Code]] = ({"texts", "table", "labels"}, _text)
_BUILDERS: dict[str, tuple[set[str], Callable[[State], Code]]] = {
    "number": ({"fill", "marks"}, _number),
    DATE: ({"parts", "origin", "fill", "marks"}, _date),
    CATEGORY: _TEXT,
    ORDERED: _TEXT,
}
"""By kind of column: fields of its code, and how it is built."""


def _require_number(value: Any, most: float) -> None:
    good = type(value) is float and abs(value) <= most
    require(good, "what fills gaps must be a finite number.")


def _require_marks(value: Any) -> None:
    require(type(value) is bool, "whether gaps are marked must be true or false.")


def check_encoder(encoder: TableEncoder) -> None:
    """Refuse an encoder whose columns are not those that it says it was fitted to."""
    learned = vars(encoder)
    if "schema_" not in learned:
        return
    names = [column.name for column in learned["schema_"].columns]
    require(learned.get("n_features_in_") == len(names), "a TableEncoder miscounts its columns.")
    known = learned.get("feature_names_in_", np.array([f"x{i}" for i in range(len(names))]))
    require(list(known) == names, "the columns of a TableEncoder have other names.")


def check_model(model: TableModel) -> None:
    """Refuse a table's model that does not begin with an encoder."""
    steps = vars(model).get("steps")
    first = steps[0] if isinstance(steps, list) and len(steps) >= 2 else None
    good = isinstance(first, tuple) and len(first) == 2 and type(first[1]) is TableEncoder
    require(good, "a TableModel must begin with a TableEncoder.")
