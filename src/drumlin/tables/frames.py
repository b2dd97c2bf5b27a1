"""Tables of any library as pandas has them; arrays get names."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from drumlin._optional import pandas as pd
from drumlin._text import counted
from drumlin.tables.errors import TableError
from drumlin.tables.schema import check_names

_WHOLE = [f"{sign}Int{n}" for sign in ("", "U") for n in (8, 16, 32, 64)]

NULLABLE = {name.lower(): name for name in _WHOLE} | {"bool": "boolean", "boolean": "boolean"}
"""Types of pandas that hold whole numbers and truth values beside gaps, exactly; by those of Arrow
and, in small letters, of polars."""


def is_frame(X: Any) -> bool:
    """Whether rows come with names of columns."""
    has_names = hasattr(X, "columns") and hasattr(X, "shape")
    return has_names or hasattr(X, "__dataframe__") or type(X) is dict


def as_frame(X: Any) -> pd.DataFrame:
    """Return a table as a pandas DataFrame whose columns have different texts as names.

    Parameters
    ----------
    X : DataFrame of pandas, polars or pyarrow, dict of columns, or array-like (n_rows, n_columns)
        Columns of an array are called x0, x1, ...
    """
    if isinstance(X, pd.DataFrame):
        frame = X
    elif type(X) is dict:
        frame = pd.DataFrame(X)
    elif type(X).__module__.startswith("polars"):
        if hasattr(X, "collect"):
            raise TypeError(
                "The 'X' parameter must be a table in memory, such as X.collect(). "
                f"Got a {type(X).__name__}."
            )
        frame = _of_polars(X)
    elif hasattr(X, "to_pandas"):
        frame = X.to_pandas()
    elif hasattr(X, "__dataframe__"):
        frame = pd.api.interchange.from_dataframe(X)
    else:
        array = check_array(X, dtype=None, ensure_all_finite="allow-nan", input_name="X")
        if array.dtype.kind == "c":
            raise ValueError(
                "Complex data not supported: the 'X' parameter must hold real numbers."
            )
        names = [f"x{i}" for i in range(array.shape[1])]
        frame = pd.DataFrame(array, columns=names).infer_objects()
    if all(isinstance(name, (int, np.integer)) for name in frame.columns):
        frame = frame.set_axis([f"x{i}" for i in frame.columns], axis=1)
    check_names(frame)
    if not len(frame):
        raise TableError("The table must have at least one row. Got none.")
    return frame


def check_targets(y: Any) -> None:
    """Refuse targets of which some are missing, whatever says so: None, NaN, NA."""
    values = np.asarray(y)
    missing = pd.isna(values)
    if missing.any():
        n_missing = int(missing.reshape(len(values), -1).any(axis=1).sum())
        raise ValueError(
            f"The 'y' parameter must have a value for every row; leave the others out. Got "
            f"{values[missing][0]} in {counted(n_missing, 'row')} of {len(values)}."
        )


def _of_polars(X: Any) -> pd.DataFrame:
    """Column by column: polars asks for pyarrow where pandas need not."""
    return pd.DataFrame({name: _series(X[name]) for name in X.columns})


def _series(column: Any) -> pd.Series:
    kind = str(column.dtype)
    is_number = kind.startswith(("Int", "UInt", "Float")) or kind == "Boolean"
    if is_number and not column.null_count():
        return pd.Series(column.to_numpy())
    values = pd.Series(column.to_list(), dtype=object)
    if is_number:
        return values.astype(np.float64 if kind[0] == "F" else NULLABLE[kind.lower()])
    if kind.startswith("Enum"):
        return values.astype(pd.CategoricalDtype(column.dtype.categories.to_list()))
    if kind.startswith("Duration"):
        return pd.to_timedelta(values)
    return pd.to_datetime(values) if kind.startswith("Date") else values
