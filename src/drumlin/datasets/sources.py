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
        number of rows can be smaller).
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

SOURCES = BENCHMARKS | SPLIT_SETS | TABLES
