"""How much every column matters, in the columns that the user knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from drumlin.estimators.fitted import FittedNetwork
from drumlin.evaluation import Judged
from drumlin.export import Computation, NotExportable, describe
from drumlin.tables import TableModel


@dataclass(frozen=True)
class Input:
    """A column of the data: its name, its place among them, and its share of the relevance."""

    name: str
    place: int
    relevance: float


def ranked_inputs(judged: Judged) -> list[Input]:
    """Columns of the data, the most relevant first; none where the model does not know.

    What preprocessing makes of one column is added up, if it can be followed that far.
    """
    fitted = judged.fitted
    relevance = getattr(fitted.model, "relevance_", None)
    if relevance is None:
        return []
    names = column_names(judged.X)
    if isinstance(fitted.whole, TableModel):
        known = fitted.relevance_by_column or {}
        shares = np.array([known.get(name, 0.0) for name in names])
    elif fitted.before is None:
        shares = np.asarray(relevance)
    else:
        computation = _followed(fitted)
        if computation is None:
            return []
        shares = np.zeros(len(names))
        places = column_places(computation, names)
        np.add.at(shares, [places[feature.column] for feature in computation.features], relevance)
    order = np.argsort(-shares, kind="stable")
    return [Input(names[i], int(i), float(shares[i])) for i in order]


def column_names(X: Any) -> list[str]:
    """Names of the columns; x0, x1, ... where they have none."""
    return [str(name) for name in getattr(X, "columns", [f"x{i}" for i in range(X.shape[1])])]


def column_places(computation: Computation, names: list[str]) -> list[int]:
    """Where the columns of a computation stand among those of the data: there by name, if named."""
    wanted = [column.name for column in computation.columns]
    if len(wanted) == len(names) and not set(wanted) <= set(names):
        return list(range(len(names)))  # an array, of a model that knows names
    return [names.index(name) for name in wanted]


def is_numeric(X: Any, place: int) -> bool:
    """Whether a column holds numbers; words may look like numbers, but are none."""
    dtype = X.dtypes.iloc[place] if hasattr(X, "iloc") else X.dtype
    return dtype.kind in "iuf"


def _followed(fitted: FittedNetwork) -> Computation | None:
    try:
        return describe(fitted.whole)
    except NotExportable:  # a step that mixes columns, or that nobody knows
        return None
