"""Rows of a table, wherever they are: sums over all of them, draws of a bounded size."""

from drumlin.sample.memory import Sample
from drumlin.sample.order import canonical_order, merge_rows, weighted_median
from drumlin.sample.parts import Parts, PartsInMemory
from drumlin.sample.rows import Rows
from drumlin.sample.scattered import Scattered

__all__ = [
    "Parts",
    "PartsInMemory",
    "Rows",
    "Sample",
    "Scattered",
    "canonical_order",
    "merge_rows",
    "weighted_median",
]
