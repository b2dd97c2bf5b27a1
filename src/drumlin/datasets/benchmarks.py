"""The benchmark sets of the papers: from a local folder, else from the public archive.

Every set is one ``.npz`` file with ``X`` and ``y`` and, where a split belongs to the
data, the row indices ``train`` and ``test``. The sets of the IDA repository carry
several published splits ("realisations"); further ones are seeded here. What the local
folder lacks is fetched, where the public archive has it; no data are part of the package.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from drumlin.datasets import archive
from drumlin.datasets.sources import ALIASES, BENCHMARKS, SOURCES, SPLIT_SETS, TABLES, Source

DATA_VARIABLE = "DRUMLIN_DATA"

Folder = str | os.PathLike[str] | None

_RULE = (
    "A data file must be a NumPy archive (.npz) with the arrays X and y; delete it or replace it."
)


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

    Examples
    --------
    >>> from drumlin.datasets import load_benchmark
    >>> heart = load_benchmark("heart", realisation=3)  # doctest: +SKIP
    >>> heart.X[heart.train].shape  # doctest: +SKIP
    (170, 13)
    """
    name = _check_name(ALIASES.get(name, name), BENCHMARKS)
    realisation = _check_count("realisation", realisation)
    source = BENCHMARKS[name]
    data = _read(source, data_home)
    row = _published_row(data, realisation)
    if row is None:
        kind = "seeded"
        train, test = _seeded_split(len(data["y"]), source.n_train, realisation)
    else:
        kind = "original"
        train, test = data["train"][row], data["test"][row]
    split = {"train": train, "test": test, "realisation": realisation, "original": row is not None}
    return _bunch(name, source, data | split, f"{kind} realisation {realisation}")


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
    """
    source = TABLES[_check_name(name, TABLES)]
    if max_rows is not None:
        max_rows = _check_count("max_rows", max_rows)
    data = _read(source, data_home)
    n = len(data["y"])
    if max_rows is not None and max_rows < n:
        rows = np.random.default_rng([0]).permutation(n)[:max_rows]
        data = data | {"X": data["X"][rows], "y": data["y"][rows]}
    return _bunch(name, source, data, "none")


@dataclass(frozen=True)
class Entry:
    """A set and where it is.

    Parameters
    ----------
    name : str
        Name for the loaders.
    source : Source
        Size, origin and licence.
    path : Path or None
        Its file; None if it is not on this machine.
    """

    name: str
    source: Source
    path: Path | None


def catalogue(data_home: Folder = None) -> list[Entry]:
    """List all sets, those that are not on this machine included.

    Parameters
    ----------
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    list of Entry
    """
    return [Entry(name, source, _find(source, data_home)) for name, source in SOURCES.items()]


def available(data_home: Folder = None) -> list[str]:
    """Name the sets whose files are on this machine, in the data folder or fetched before.

    Parameters
    ----------
    data_home : path-like, default=None
        The data folder; None reads the environment variable ``DRUMLIN_DATA``.

    Returns
    -------
    list of str
        Names for the loaders, sorted.
    """
    return sorted(entry.name for entry in catalogue(data_home) if entry.path is not None)


def _load_split_set(name: str, data_home: Folder) -> Bunch:
    source = SPLIT_SETS[name]
    return _bunch(name, source, _read(source, data_home), "the published one")


def _published_row(data: dict[str, Any], realisation: int) -> int | None:
    """Row of the published realisation of this number, or None."""
    rows = np.flatnonzero(data.get("realisation", np.empty(0)) == realisation)
    return int(rows[0]) if rows.size else None


def _seeded_split(
    n: int, n_train: int, realisation: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    p = np.random.default_rng([realisation]).permutation(n)
    return p[:n_train], p[n_train:]


def _bunch(name: str, source: Source, data: dict[str, Any], split: str) -> Bunch:
    """Convert the arrays of a file, rename its labels and describe it."""
    renamed = {"columns": "feature_names", "classes": "target_names"}
    fields = {renamed.get(key, key): value for key, value in data.items()}
    fields["X"] = np.asarray(data["X"], dtype=np.float64)
    fields["y"] = np.asarray(data["y"], dtype=np.int64)
    for part in {"train", "test"} & data.keys():
        fields[part] = np.asarray(data[part], dtype=np.intp)
    return Bunch(name=name, DESCR=_describe(name, source, fields, split), **fields)


def _describe(name: str, source: Source, fields: dict[str, Any], split: str) -> str:
    n, n_features = fields["X"].shape
    n_classes = np.unique(fields["y"]).size
    sizes = f" ({fields['train'].size} / {fields['test'].size})" if "train" in fields else ""
    return (
        f"{name}: {source.origin}.\n"
        f"{n} rows, {n_features} features, {n_classes} classes.\n"
        f"Split into training and test rows: {split}{sizes}.\n"
        f"Licence: {source.licence}.\n"
        f"Read from {source.file}."
    )


def _folder(data_home: Folder) -> Path | None:
    folder = data_home if data_home is not None else os.environ.get(DATA_VARIABLE)
    return Path(folder).expanduser() if folder else None


def _find(source: Source, data_home: Folder) -> Path | None:
    """File of a set: in the data folder, else among those fetched before."""
    folders = [_folder(data_home), archive.cache_folder() if source.in_archive else None]
    paths = (folder / source.file for folder in folders if folder is not None)
    return next((path for path in paths if path.is_file()), None)


def _read(source: Source, data_home: Folder) -> dict[str, Any]:
    """Arrays of a set, fetched if need be."""
    path = _find(source, data_home)
    if path is None and source.in_archive is not None:
        cache = archive.cache_folder()
        try:
            path = archive.fetch_archived(source.file, cache)
        except OSError as error:
            raise FileNotFoundError(
                f"{_missing(source, data_home)} Or put the file {archive.URL} (SHA256 "
                f"{archive.SHA256}) into {str(cache)!r}: fetching it failed ({error})."
            ) from error
    if path is None or not path.is_file():
        raise FileNotFoundError(_missing(source, data_home))
    return _arrays(path)


def _arrays(path: Path) -> dict[str, Any]:
    """Arrays of a file, at least ``X`` and ``y``."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            arrays = dict(found)
    except (ValueError, EOFError, TypeError, AttributeError, BadZipFile, zlib.error) as error:
        raise ValueError(f"{_RULE} Got {str(path)!r}, which is damaged: {error}") from error
    if not {"X", "y"} <= arrays.keys():
        raise ValueError(f"{_RULE} Got {str(path)!r} with {sorted(arrays)}.")
    return arrays


def _missing(source: Source, data_home: Folder) -> str:
    """Which file is missing, and where it belongs."""
    folder = _folder(data_home)
    if folder is None:
        return (
            f"The 'data_home' parameter or the environment variable {DATA_VARIABLE} must name "
            f"the folder that holds {source.file!r}. Got data_home=None, and {DATA_VARIABLE} is "
            "not set."
        )
    path = folder / source.file
    return (
        f"The data folder must hold {source.file!r}. Got {str(folder)!r} without it: "
        f"put {path.name!r} into {str(path.parent)!r}."
    )


def _check_name(name: str, known: Iterable[str]) -> str:
    if name not in known:
        raise ValueError(f"The 'name' parameter must be one of {sorted(known)}. Got {name!r}.")
    return name


def _check_count(parameter: str, value: int) -> int:
    message = f"The {parameter!r} parameter must be an integer >= 1. Got {value!r}."
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(message)
    if value < 1:
        raise ValueError(message)
    return int(value)
