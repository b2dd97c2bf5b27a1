"""Data sets for tests and benchmarks: an island that imports no other room.

Nothing is shipped with the package: the loaders read ``.npz`` files from a folder
given as ``data_home`` or by the environment variable ``DRUMLIN_DATA``, and fetch what
the public archive of the IDA benchmark sets has.
"""

from drumlin.datasets.benchmarks import (
    Entry,
    available,
    catalogue,
    load_benchmark,
    load_pima,
    load_ripley,
    load_table,
    load_vowel,
)

__all__ = [
    "Entry",
    "available",
    "catalogue",
    "load_benchmark",
    "load_pima",
    "load_ripley",
    "load_table",
    "load_vowel",
]
