"""Files of the sets: where they are, how they are read, what is said where they are missing."""

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

from drumlin.datasets import archive
from drumlin.datasets.sources import SOURCES, Source

DATA_VARIABLE = "DRUMLIN_DATA"

Folder = str | os.PathLike[str] | None

_RULE = (
    "A data file must be a NumPy archive (.npz) with the arrays X and y; delete it or replace it."
)


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

    See Also
    --------
    catalogue

    Examples
    --------
    >>> from drumlin.datasets import catalogue
    >>> entry = next(entry for entry in catalogue() if entry.name == "heart")
    >>> entry.source.n_train
    170
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

    See Also
    --------
    available : Names of those on this machine.

    Examples
    --------
    >>> from drumlin.datasets import catalogue
    >>> {"heart", "vowel", "letter"} <= {entry.name for entry in catalogue()}
    True
    """
    return [Entry(name, source, find(source, data_home)) for name, source in SOURCES.items()]


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

    See Also
    --------
    catalogue : All sets, with their sizes and licences.

    Examples
    --------
    >>> from drumlin.datasets import available, catalogue
    >>> set(available()) <= {entry.name for entry in catalogue()}
    True
    """
    return sorted(entry.name for entry in catalogue(data_home) if entry.path is not None)


def _folder(data_home: Folder) -> Path | None:
    folder = data_home if data_home is not None else os.environ.get(DATA_VARIABLE)
    return Path(folder).expanduser() if folder else None


def find(source: Source, data_home: Folder) -> Path | None:
    """File of a set: in the data folder, else among those fetched before."""
    folders = [_folder(data_home), archive.cache_folder() if source.in_archive else None]
    paths = (folder / source.file for folder in folders if folder is not None)
    return next((path for path in paths if path.is_file()), None)


def read(source: Source, data_home: Folder) -> dict[str, Any]:
    """Arrays of a set, fetched if need be."""
    return _arrays(located(source, data_home))


def located(source: Source, data_home: Folder) -> Path:
    """File of a set, fetched if need be."""
    path = find(source, data_home)
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
    return path


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


def check_name(name: str, known: Iterable[str]) -> str:
    """Return the name of a known set."""
    if name not in known:
        raise ValueError(f"The 'name' parameter must be one of {sorted(known)}. Got {name!r}.")
    return name


def check_count(parameter: str, value: int) -> int:
    """Return a parameter that counts from one."""
    message = f"The {parameter!r} parameter must be an integer >= 1. Got {value!r}."
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(message)
    if value < 1:
        raise ValueError(message)
    return int(value)
