"""What can be moved: the columns that a model reads, and rows to start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from drumlin._typing import FloatArray
from drumlin.evaluation import Judged
from drumlin.export import Computation
from drumlin.export.computation import TEXT
from drumlin.report.inputs import Input, column_names, column_places
from drumlin.report.parts import number, shown
from drumlin.tables import TableModel

MOST_CONTROLS, MOST_OPEN = 60, 5
"""Inputs that can be moved, and those in sight at once: a phone shows the answer below them."""

MOST_ROWS, LEAST_ROWS, MOST_CELLS = 200, 10, 20_000
"""Rows to start from, which are also the points of the plane: fewer of wide tables."""

OTHER = "\x00"
"""A text that no training row had."""


@dataclass(frozen=True)
class Control:
    """An input that can be moved.

    Parameters
    ----------
    column : int
        Of the exported model.
    name : str
    low, high, step : float
        Of a slider.
    choices : tuple of (text or None, str)
        Of a text: values, and what they are called; empty for a number.
    share : str
        How much the input matters; empty where that is not known.
    """

    column: int
    name: str
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    choices: tuple[tuple[str | None, str], ...] = ()
    share: str = ""


def controls_of(judged: Judged, c: Computation, inputs: Sequence[Input]) -> list[Control]:
    """Inputs that can be moved, the most relevant first."""
    names = column_names(judged.X)
    places = column_places(c, names)
    rank = {entry.place: i for i, entry in enumerate(inputs)}
    share = {entry.place: f"{100.0 * entry.relevance:.0f} %" for entry in inputs}
    order = sorted(range(len(places)), key=lambda i: rank.get(places[i], i))
    columns = _columns(judged, c)
    made = []
    for i in order[:MOST_CONTROLS]:
        control = Control(i, shown(names[places[i]]), share=share.get(places[i], ""))
        if c.columns[i].kind == TEXT:
            made.append(replace(control, choices=_choices(c, i)))
        else:
            low, high, step = slider_of(columns[i])
            made.append(replace(control, low=low, high=high, step=step))
    return made


def _choices(c: Computation, column: int) -> tuple[tuple[str | None, str], ...]:
    """Known texts by the first coding of the column, and what else may stand there."""
    coding = next(coding for coding in c.codings if coding.column == column)
    known = tuple((text, shown(text) or "(empty)") for text in coding.texts)
    return (*known, (None, "(missing)"), (OTHER, "(any other)"))


def slider_of(values: FloatArray) -> tuple[float, float, float]:
    """Ends and step of a slider over values: round numbers, some hundred steps."""
    known = values[np.isfinite(values)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    if not low < high:
        low, high = low - 1.0, high + 1.0
    span = high / 2.0 - low / 2.0  # half of it: the whole may be too large for a number
    step = float(10.0 ** np.floor(np.log10(span / 50.0)))
    if (known == np.round(known)).all() and step < 1.0:
        step = 1.0
    with np.errstate(over="ignore"):
        ends = np.floor(low / step) * step, np.ceil(high / step) * step
    if not ends[0] < ends[1] or not np.isfinite(ends).all():  # round numbers are too far apart
        return low, high, span / 50.0
    digits = max(0, int(-np.floor(np.log10(step))))
    return float(round(ends[0], digits)), float(round(ends[1], digits)), step


def rows_of(judged: Judged, c: Computation, first: int) -> list[dict[str, Any]]:
    """Rows to start from: one that is chosen, then others spread evenly.

    Returns
    -------
    list of dict
        values by column of the exported model; truth, a class by its index or numbers; label, what
        the row is called.
    """
    columns = _columns(judged, c)
    most = min(MOST_ROWS, max(LEAST_ROWS, MOST_CELLS // max(1, len(columns))))
    spread = np.linspace(0, len(judged.X) - 1, min(most, len(judged.X))).astype(int)
    rows = list(dict.fromkeys([first, *spread.tolist()]))
    table = [_cells(column[rows]) for column in columns]
    return [
        {
            "values": [column[i] for column in table],
            "truth": judged.codes[row].tolist(),
            "label": f"row {row}, truly {_truth(judged, row)}",
        }
        for i, row in enumerate(rows)
    ]


def _truth(judged: Judged, row: int) -> str:
    if judged.is_classifier:
        return shown(judged.classes[judged.codes[row]])
    return ", ".join(number(value) for value in np.atleast_1d(judged.codes[row]))


def _columns(judged: Judged, c: Computation) -> list[Any]:
    """Values (n_rows,) of every column of the exported model, as it takes them.

    A table's model reads them first: "12 kg" is a number, and a code that is stored as 1.0 is "1".
    """
    X, whole = judged.X, judged.fitted.whole
    if isinstance(whole, TableModel):
        X = whole.encoder_.read(X)[0]
    found = [
        X.iloc[:, i] if hasattr(X, "iloc") else X[:, i] for i in column_places(c, column_names(X))
    ]
    types = [object if column.kind == TEXT else np.float64 for column in c.columns]
    return [np.asarray(values, dtype=kind) for values, kind in zip(found, types, strict=True)]


def _cells(values: Any) -> list[Any]:
    """Some values of a column for a script; None where they are missing."""
    if values.dtype != object:
        return [float(value) if np.isfinite(value) else None for value in values]
    return [str(value) if value is not None and value == value else None for value in values]
