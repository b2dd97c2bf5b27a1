"""Data sets for tests and benchmarks: an island that imports no other room.

``make_...`` functions draw seeded problems. Real data are not shipped with the package: the loaders
read files from a folder given as ``data_home`` or by the environment variable
``DRUMLIN_DATA``, and fetch what the public archive of the IDA benchmark sets has.
"""

from drumlin.datasets.benchmarks import (
    load_benchmark,
    load_pima,
    load_ripley,
    load_table,
    load_vowel,
)
from drumlin.datasets.frames import load_imbalanced, load_mixed
from drumlin.datasets.reading import Entry, available, catalogue
from drumlin.datasets.regressions import load_uci
from drumlin.datasets.synthetic import (
    make_checkerboard,
    make_double_moon,
    make_ripley_mixture,
    make_spirals,
    make_waveform,
    make_xor,
)

__all__ = [
    "Entry",
    "available",
    "catalogue",
    "load_benchmark",
    "load_imbalanced",
    "load_mixed",
    "load_pima",
    "load_ripley",
    "load_table",
    "load_uci",
    "load_vowel",
    "make_checkerboard",
    "make_double_moon",
    "make_ripley_mixture",
    "make_spirals",
    "make_waveform",
    "make_xor",
]
