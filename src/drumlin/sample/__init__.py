"""Rows of a table, wherever they are: sums over all of them, draws of a bounded size."""

from drumlin.sample.batches import Streamed
from drumlin.sample.cluster import OnWorkers
from drumlin.sample.memory import Sample
from drumlin.sample.order import canonical_order, merge_rows, weighted_median
from drumlin.sample.parts import Parts, PartsInMemory
from drumlin.sample.rows import Rows
from drumlin.sample.scattered import Scattered

__all__ = [
    "OnWorkers",
    "Parts",
    "PartsInMemory",
    "Rows",
    "Sample",
    "Scattered",
    "Streamed",
    "canonical_order",
    "merge_rows",
    "weighted_median",
]
