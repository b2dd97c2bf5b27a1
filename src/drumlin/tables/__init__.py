"""Tables as people have them: files, columns of all kinds, targets; and what makes numbers of them.

Knows no estimator of ours: it ends with scikit-learn's ``ColumnTransformer``.
"""

from drumlin._optional import pandas as _needed  # noqa: F401
from drumlin.tables.columns import Column
from drumlin.tables.errors import TableError, TableWarning
from drumlin.tables.labelled import Labelled, read_labelled
from drumlin.tables.preparation import prepare, read_inputs, unknown_categories
from drumlin.tables.reading import read_chunks, read_table
from drumlin.tables.schema import Schema
from drumlin.tables.surprises import Surprises
from drumlin.tables.targets import CLASSIFICATION, REGRESSION, TASKS, Target, is_missing

__all__ = [
    "CLASSIFICATION",
    "REGRESSION",
    "TASKS",
    "Column",
    "Labelled",
    "Schema",
    "Surprises",
    "TableError",
    "TableWarning",
    "Target",
    "is_missing",
    "prepare",
    "read_chunks",
    "read_inputs",
    "read_labelled",
    "read_table",
    "unknown_categories",
]
