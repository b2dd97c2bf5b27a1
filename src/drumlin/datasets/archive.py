"""The public archive of the IDA benchmark sets: fetched once, converted once.

``benchmarks.mat`` holds one structure per set with the fields ``x`` (inputs), ``t`` (labels -1
and +1) and the one-based row numbers ``train`` and ``test``, one row per realisation. It is kept
in scikit-learn's data folder beside the ``.npz`` files made from it, which have the layout of a
local data folder.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import fetch_file

from drumlin.datasets.sources import BENCHMARKS

URL = (
    "https://raw.githubusercontent.com/tdiethe/gunnar_raetsch_benchmark_datasets/"
    "master/benchmarks.mat"
)
SHA256 = "47c19e4bc4716edc4077cfa5ea61edf4d02af4ec51a0ecfe035626ae8b561c75"


def cache_folder() -> Path:
    """Folder of what was fetched: ``drumlin`` inside scikit-learn's data folder."""
    home = os.environ.get("SCIKIT_LEARN_DATA") or "~/scikit_learn_data"
    return Path(home).expanduser() / "drumlin"


def fetch_archived(file: str, folder: Path) -> Path:
    """Fetch the archive into the folder if need be and convert its sets.

    Parameters
    ----------
    file : str
        The set wanted, as ``ida/<name>.npz``.
    folder : Path
        The cache.

    Returns
    -------
    Path
        The converted file.

    Raises
    ------
    OSError
        If the archive cannot be fetched, written, or has another checksum.
    """
    path = folder / file
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        # One attempt: a machine without a network shall hear so at once.
        convert(fetch_file(URL, folder=folder, sha256=SHA256, n_retries=0), folder)
    return path


def convert(archive: Path, folder: Path) -> None:
    """Write every set of the archive as ``ida/<name>.npz`` into the folder."""
    from scipy.io import loadmat

    structures = loadmat(archive)
    for source in BENCHMARKS.values():
        name = source.in_archive
        if name is not None and name in structures:
            _save(folder / source.file, _arrays(name, structures[name]))


def _arrays(name: str, structure: Any) -> dict[str, Any]:
    """Arrays of one set, rows counted from zero."""
    X, y, train, test = (structure[field][0, 0] for field in ("x", "t", "train", "test"))
    y = y.ravel()
    rows = np.concatenate([train.ravel(), test.ravel()])
    known_rows = len(X) == len(y) and rows.min() >= 1 and rows.max() <= len(y)
    if not known_rows or not np.isin(y, (-1, 1)).all():
        raise OSError(f"The set {name!r} of the archive has labels or rows of an unknown kind.")
    return {
        "X": np.asarray(X, dtype=np.float64),
        "y": y.astype(np.int8),
        "train": train.astype(np.int32) - 1,
        "test": test.astype(np.int32) - 1,
        "realisation": np.arange(1, len(train) + 1),
    }


def _save(path: Path, arrays: dict[str, Any]) -> None:
    """Write a file that is whole or not there, also when several processes do so at once."""
    path.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".part-") as folder:
        part = Path(folder) / path.name
        np.savez_compressed(part, **arrays)
        os.replace(part, path)
