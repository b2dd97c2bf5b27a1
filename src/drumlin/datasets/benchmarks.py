"""The benchmark sets of the papers: from a local folder, else from the public archive.

Every set is one ``.npz`` file with ``X`` and ``y`` and, where a split belongs to the
data, the row indices ``train`` and ``test``. The sets of the IDA repository carry
several published splits ("realisations"); further ones are seeded here. What the local
folder lacks is fetched, where the public archive has it; no data are part of the package.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from drumlin.datasets.describing import bunch
from drumlin.datasets.reading import Folder, check_count, check_name, read
from drumlin.datasets.sources import ALIASES, BENCHMARKS, SPLIT_SETS, TABLES


def load_benchmark(name: str, realisation: int = 1, *, data_home: Folder = None) -> Bunch:
    """Load one of the IDA benchmark sets with one of its splits.

    Parameters
    ----------
    name : {"banana", "breast", "diabetes", "flare", "german", "heart", "image", "ringnorm", \
            "splice", "thyroid", "titanic", "twonorm", "waveform"}
        The set; the repository's own names ("breast-cancer", "diabetis",
        "flare-solar") are understood too.
    realisation : int, default=1
        Number of the split, from 1. The published realisation of that number if the
        file holds it, else a split seeded by the number:
        ``p = np.random.default_rng([realisation]).permutation(n)``, whose first
        entries, as many as in the published splits, are the training rows.
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``. A set that
        is not there is fetched once and kept in scikit-learn's data folder.

    Returns
    -------
    Bunch
        ``X`` of shape (n_samples, n_features), ``y`` with labels -1 and +1, the row
        indices ``train`` and ``test``, ``name``, ``realisation``, ``original`` (whether
        the split is a published one) and ``DESCR``.

    See Also
    --------
    load_table
    load_imbalanced
    load_mixed

    Examples
    --------
    >>> from drumlin.datasets import load_benchmark
    >>> heart = load_benchmark("heart", realisation=3)  # doctest: +SKIP
    >>> heart.X[heart.train].shape  # doctest: +SKIP
    (170, 13)
    """
    name = check_name(ALIASES.get(name, name), BENCHMARKS)
    realisation = check_count("realisation", realisation)
    source = BENCHMARKS[name]
    data = read(source, data_home)
    row = _published_row(data, realisation)
    if row is None:
        kind = "seeded"
        train, test = _seeded_split(len(data["y"]), source.n_train, realisation)
    else:
        kind = "original"
        train, test = data["train"][row], data["test"][row]
    split = {"train": train, "test": test, "realisation": realisation, "original": row is not None}
    return bunch(name, source, data | split, f"{kind} realisation {realisation}")


def load_ripley(*, data_home: Folder = None) -> Bunch:
    """Load Ripley's synthetic two-class data (250 training and 1000 test rows).

    Parameters
    ----------
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        ``X`` of shape (1250, 2), ``y`` with labels 0 and 1, ``train``, ``test``,
        ``name`` and ``DESCR``.

    See Also
    --------
    make_ripley_mixture : As many samples as wanted.

    Examples
    --------
    >>> from drumlin.datasets import load_ripley
    >>> load_ripley().X.shape  # doctest: +SKIP
    (1250, 2)
    """
    return _load_split_set("ripley", data_home)


def load_pima(*, data_home: Folder = None) -> Bunch:
    """Load Ripley's version of the Pima Indians data (200 training and 332 test rows).

    Parameters
    ----------
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        ``X`` of shape (532, 7), ``y`` with labels 0 and 1, ``train``, ``test``,
        ``feature_names``, ``name`` and ``DESCR``.

    See Also
    --------
    load_ripley
    load_vowel

    Examples
    --------
    >>> from drumlin.datasets import load_pima
    >>> load_pima().X.shape  # doctest: +SKIP
    (532, 7)
    """
    return _load_split_set("pima", data_home)


def load_vowel(*, data_home: Folder = None) -> Bunch:
    """Load the vowel data, 11 classes, split by speaker (528 and 462 rows).

    Parameters
    ----------
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        ``X`` of shape (990, 10), ``y`` with labels 0 to 10, ``train``, ``test``,
        ``speaker``, ``sex``, ``name`` and ``DESCR``.

    See Also
    --------
    load_pima
    load_ripley

    Examples
    --------
    >>> from drumlin.datasets import load_vowel
    >>> load_vowel().X.shape  # doctest: +SKIP
    (990, 10)
    """
    return _load_split_set("vowel", data_home)


def load_table(name: str, max_rows: int | None = None, *, data_home: Folder = None) -> Bunch:
    """Load a larger table without an official split.

    Parameters
    ----------
    name : {"covtype", "letter", "magic", "phoneme", "segment"}
        The table.
    max_rows : int, default=None
        At most this many rows, drawn at random with a fixed seed (the files may be
        sorted by class): a smaller draw is the beginning of a larger one. All rows, in
        the order of the file, if None or if there are no more.
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    Bunch
        ``X`` of shape (n_samples, n_features), ``y``, ``feature_names`` and
        ``target_names`` where the file has them, ``name`` and ``DESCR``.

    See Also
    --------
    load_benchmark

    Examples
    --------
    >>> from drumlin.datasets import load_table
    >>> load_table("letter", max_rows=500).X.shape  # doctest: +SKIP
    (500, 16)
    """
    source = TABLES[check_name(name, TABLES)]
    if max_rows is not None:
        max_rows = check_count("max_rows", max_rows)
    data = read(source, data_home)
    n = len(data["y"])
    if max_rows is not None and max_rows < n:
        rows = np.random.default_rng([0]).permutation(n)[:max_rows]
        data = data | {"X": data["X"][rows], "y": data["y"][rows]}
    return bunch(name, source, data, "none")


def _load_split_set(name: str, data_home: Folder) -> Bunch:
    source = SPLIT_SETS[name]
    return bunch(name, source, read(source, data_home), "the published one")


def _published_row(data: dict[str, Any], realisation: int) -> int | None:
    """Row of the published realisation of this number, or None."""
    rows = np.flatnonzero(data.get("realisation", np.empty(0)) == realisation)
    return int(rows[0]) if rows.size else None


def _seeded_split(
    n: int, n_train: int, realisation: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    p = np.random.default_rng([realisation]).permutation(n)
    return p[:n_train], p[n_train:]
