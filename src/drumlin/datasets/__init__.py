"""Data sets for tests and benchmarks: an island that imports no other room.

Nothing is shipped with the package: the loaders read ``.npz`` files from a folder
given as ``data_home`` or by the environment variable ``DRUMLIN_DATA``.
"""

from drumlin.datasets.benchmarks import (
    available,
    load_benchmark,
    load_pima,
    load_ripley,
    load_table,
    load_vowel,
)
from drumlin.datasets.synthetic import make_waveform

__all__ = [
    "available",
    "load_benchmark",
    "load_pima",
    "load_ripley",
    "load_table",
    "load_vowel",
    "make_waveform",
]
