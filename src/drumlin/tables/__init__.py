"""Tables as people have them: files, columns of all kinds, targets; and what makes numbers of them.

Knows no estimator of ours. ``TableEncoder`` is the one way from a table to numbers; ``prepare`` is
what it was before, which older model files hold.
"""

from drumlin.tables.columns import Column
from drumlin.tables.encoder import TableEncoder
from drumlin.tables.errors import TableError, TableWarning
from drumlin.tables.labelled import Labelled, read_labelled
from drumlin.tables.model import TableModel, make_table_model
from drumlin.tables.preparation import prepare, read_inputs, unknown_categories
from drumlin.tables.reading import read_chunks, read_table
from drumlin.tables.schema import Schema
from drumlin.tables.surprises import Surprises
from drumlin.tables.targets import CLASSIFICATION, REGRESSION, TASKS, Several, Target, is_missing

__all__ = [
    "CLASSIFICATION",
    "REGRESSION",
    "TASKS",
    "Column",
    "Labelled",
    "Schema",
    "Several",
    "Surprises",
    "TableEncoder",
    "TableError",
    "TableModel",
    "TableWarning",
    "Target",
    "is_missing",
    "make_table_model",
    "prepare",
    "read_chunks",
    "read_inputs",
    "read_labelled",
    "read_table",
    "unknown_categories",
]
