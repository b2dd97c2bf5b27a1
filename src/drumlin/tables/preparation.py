"""From a mixed table to numbers, with scikit-learn's own parts, which a model file can hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder

from drumlin._optional import pandas as pd
from drumlin.tables.columns import MOST_CATEGORIES
from drumlin.tables.schema import Schema
from drumlin.tables.surprises import Surprises

RARE = 5
"""Categories with fewer training rows share one column."""

NUMBERS, CATEGORIES = "numbers", "categories"


def prepare(schema: Schema) -> ColumnTransformer:
    """Return what makes numbers of ``schema.inputs(...)``; it is not fitted.

    Missing numbers become the median, and a column says where; categories become one column each,
    those that are rare or beyond twenty one together, with which unknown ones go. Nothing is
    standardised here: our estimators do that.

    See Also
    --------
    Schema
    TableEncoder

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin.tables import Schema, prepare
    >>> frame = pd.DataFrame({"size": [1.5, 2.5, 3.5, 2.0], "color": ["red", "blue"] * 2})
    >>> schema = Schema.understand(frame)
    >>> prepare(schema).fit_transform(schema.inputs(frame)).shape[0]
    4
    """
    parts: list[tuple[str, Any, list[str]]] = []
    if schema.numbers:
        parts.append(
            (NUMBERS, SimpleImputer(strategy="median", add_indicator=True), schema.numbers)
        )
    if schema.categories:
        encoder = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            min_frequency=RARE,
            max_categories=MOST_CATEGORIES,
            sparse_output=False,
        )
        parts.append((CATEGORIES, encoder, schema.categories))
    return ColumnTransformer(parts, verbose_feature_names_out=_may_clash(schema))


def _may_clash(schema: Schema) -> bool:
    """Whether a made name, such as sex_male, may be that of another column: then all get longer."""
    made = (*(f"{name}_" for name in schema.categories), "missingindicator_")
    return any(column.name.startswith(made) for column in schema.used)


def read_inputs(model: Any, schema: Schema, frame: pd.DataFrame) -> tuple[pd.DataFrame, Surprises]:
    """Read a table for a fitted model, and all that training did not have.

    Parameters
    ----------
    model : estimator
        A pipeline with ``prepare(schema)`` as its first step, or one that takes mere numbers.
    schema : Schema
    frame : DataFrame

    See Also
    --------
    Schema
    unknown_categories

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin import DrumlinRegressor
    >>> from drumlin.tables import Schema, prepare, read_inputs
    >>> from sklearn.pipeline import make_pipeline
    >>> frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "color": ["red", "blue"] * 2})
    >>> schema = Schema.understand(frame)
    >>> model = make_pipeline(prepare(schema), DrumlinRegressor())
    >>> model = model.fit(schema.inputs(frame), frame["size"])
    >>> inputs, surprises = read_inputs(model, schema, frame.assign(color="green"))
    >>> surprises.unknown["color"]["green"]
    4
    """
    inputs, surprises = schema.read(frame)
    unknown = unknown_categories(model, inputs) if isinstance(model, Pipeline) else {}
    return inputs, replace(surprises, unknown=unknown)


def unknown_categories(model: Pipeline, inputs: pd.DataFrame) -> dict[str, Counter[str]]:
    """Count texts that training has not seen.

    Parameters
    ----------
    model : Pipeline
        Fitted, with ``prepare(...)`` as its first step.
    inputs : DataFrame
        As ``Schema.inputs`` gives them.

    Returns
    -------
    dict
        Rows by text by column; a missing value that training never had is the text "".

    See Also
    --------
    read_inputs

    Examples
    --------
    >>> import pandas as pd
    >>> from drumlin import DrumlinRegressor
    >>> from drumlin.tables import Schema, prepare, unknown_categories
    >>> from sklearn.pipeline import make_pipeline
    >>> frame = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "color": ["red", "blue"] * 2})
    >>> schema = Schema.understand(frame)
    >>> model = make_pipeline(prepare(schema), DrumlinRegressor())
    >>> model = model.fit(schema.inputs(frame), frame["size"])
    >>> unknown_categories(model, schema.inputs(frame.assign(color="green")))
    {'color': Counter({'green': 4})}
    """
    encoder = model[0].named_transformers_.get(CATEGORIES)
    if encoder is None:
        return {}
    found = {}
    for name, known in zip(encoder.feature_names_in_, encoder.categories_, strict=True):
        column = inputs[name]
        new = column[~column.isin(known)].fillna("")
        if len(new):
            found[str(name)] = Counter(map(str, new))
    return found
