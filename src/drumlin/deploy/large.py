"""Tables larger than memory: one file or several, read piece by piece or on a Dask cluster.

What the columns are is learned from a sample of the rows; the network is fitted to all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from drumlin._errors import ParameterError, TableError
from drumlin._optional import pandas as pd
from drumlin._text import shown_name
from drumlin._typing import FloatArray
from drumlin.tables import (
    Labelled,
    Several,
    TableEncoder,
    Target,
    is_missing,
    read_chunks,
    read_labelled,
)
from drumlin.tables.reading import PARQUET
from drumlin.tables.schema import Schema, check_columns

SAMPLE_ROWS = 100_000
"""Rows that tell what columns are, their categories, and what stands in for gaps."""

PATIENCE = 10.0
"""Seconds to wait for a scheduler."""

KEPT = 0.25
"""Part of the limit of memory for prepared rows; the rest is for reading and fitting."""

MEMORY = 2_000_000_000
"""Bytes, where only several files say that a table is large."""

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BINARY = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def parsed_bytes(text: str | int) -> int:
    """Return a number of bytes: 2000000000, "2GB", "500 MB" or "1GiB"."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", str(text), re.IGNORECASE)
    if match is None or (match[3] and not match[2]) or float(match[1]) <= 0.0:
        raise ParameterError(
            f"The 'memory' parameter must be a number of bytes, such as '2GB'. Got {text!r}."
        )
    units = _BINARY if match[3] else _UNITS
    return int(float(match[1]) * units[match[2].lower()])


@dataclass(frozen=True)
class Files:
    """Files of one table.

    Parameters
    ----------
    paths : tuple of str
    target : str
        The column to predict.
    """

    paths: tuple[str, ...]
    target: str

    def __post_init__(self) -> None:
        if "-" in self.paths:
            raise ParameterError(
                "A table larger than memory is read several times: it must be a file. Got '-'."
            )

    def chunks(self, path: str, texts: tuple[str, ...] = ()) -> Iterator[tuple[pd.DataFrame, int]]:
        """Rows of a file that have a target, piece by piece, and the number of the others."""
        for frame in read_chunks(path, (self.target, *texts)):
            check_columns([self.target], frame, "that is the target")
            missing = is_missing(frame[self.target])
            yield frame[~missing], int(missing.sum())

    def sample(self, task: str | None, seed: int) -> tuple[Labelled, int]:
        """Return some rows of all files, chosen at random, and the number of all."""
        sample = self._sampled(seed, ())
        texts = Schema.understand(sample[0].drop(columns=self.target)).categories
        if texts and not all(path.endswith(PARQUET) for path in self.paths):
            sample = self._sampled(seed, tuple(texts))  # numbers among texts are texts
        rows, n_rows, n_dropped = sample
        return replace(read_labelled(rows, self.target, task=task), n_dropped=n_dropped), n_rows

    def _sampled(self, seed: int, texts: tuple[str, ...]) -> tuple[pd.DataFrame, int, int]:
        rng, kept, keys, n_rows, n_dropped = np.random.default_rng(seed), [], np.empty(0), 0, 0
        for frame, n_missing in chain(*(self.chunks(path, texts) for path in self.paths)):
            n_rows, n_dropped = n_rows + len(frame), n_dropped + n_missing
            keys = np.concatenate([keys, rng.random(len(frame))])
            kept.append(frame)
            if len(keys) > 2 * SAMPLE_ROWS:
                kept, keys = _lowest(kept, keys)
        if not n_rows:
            raise TableError(f"The target {self.target!r} must have values. Got none in all rows.")
        return _lowest(kept, keys)[0][0], n_rows, n_dropped

    def batches(
        self, encoder: TableEncoder, target: Target | Several
    ) -> Iterator[tuple[FloatArray, Any]]:
        """Encoded rows and targets of all files, piece by piece."""
        for path in self.paths:
            yield from self._encoded(path, encoder, target)

    def on_cluster(self, encoder: TableEncoder, target: Target | Several) -> list[Any]:
        """Encoded rows and targets, one file for a task of Dask."""
        from dask.delayed import delayed

        return [delayed(self.whole, pure=False)(path, encoder, target) for path in self.paths]

    def whole(
        self, path: str, encoder: TableEncoder, target: Target | Several
    ) -> tuple[FloatArray, Any]:
        """Encoded rows and targets of a file."""
        pieces = list(self._encoded(path, encoder, target))
        return np.concatenate([X for X, _ in pieces]), np.concatenate([y for _, y in pieces])

    def _encoded(
        self, path: str, encoder: TableEncoder, target: Target | Several
    ) -> Iterator[tuple[FloatArray, Any]]:
        for frame, _ in self.chunks(path, tuple(encoder.schema_.categories)):
            if len(frame):
                yield encoder.transform(frame), target.of(frame)[0]


def _lowest(frames: list[pd.DataFrame], keys: FloatArray) -> tuple[list[pd.DataFrame], FloatArray]:
    """Rows of lowest keys, in their order."""
    rows = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    chosen = np.sort(np.argsort(keys)[:SAMPLE_ROWS])
    return [rows.iloc[chosen]], keys[chosen]


def files_of(table: Any, target: Any, wanted: Any) -> Files | None:
    """Return the files of a large table; None where a table is to be read as a whole."""
    many = isinstance(table, list | tuple)
    if not many and wanted.memory is None and wanted.scheduler is None:
        return None
    if isinstance(table, pd.DataFrame) or (many and not table):
        raise ParameterError(
            "The 'table' parameter must name files where 'memory' or 'scheduler' is given. "
            f"Got {type(table).__name__}."
        )
    for name, good in (
        ("method", wanted.method == "drumlin"),
        ("preset", wanted.preset is None),
        ("holdout", wanted.holdout is None),
        ("log_target", not wanted.log_target),
    ):
        if not good:
            got = getattr(wanted, name)
            raise ParameterError(
                f"The {name!r} parameter must be left out for several files and with 'memory' or "
                f"'scheduler'; 'test' names a table to judge the model on. Got {got!r}."
            )
    if not isinstance(target, str):
        raise ParameterError(
            "The 'target' parameter must name one column for several files and with 'memory' or "
            f"'scheduler'. Got {target!r}."
        )
    return Files(tuple(map(str, table if many else [table])), target)


def fitting(files: Files, rows: Labelled, model: Any, wanted: Any) -> Callable[[], None]:
    """Return what fits a model to all rows of files, once its encoder has learned from a sample."""
    encoder, estimator = model.steps[0][1], model.steps[-1][1]

    def fit() -> None:
        encoder.fit(rows.frame, rows.y)
        if wanted.scheduler is None:
            memory = int(KEPT * parsed_bytes(wanted.memory or MEMORY))
            read = partial(files.batches, encoder, rows.target)
            estimator.fit_batches(read, memory=memory)
            return
        with _client(wanted.scheduler):
            estimator.fit_batches(files.on_cluster(encoder, rows.target))

    return fit


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise ParameterError(
            "The 'scheduler' parameter needs Dask: pip install 'drumlin[dask]'."
        ) from error
    connect: Any = Client
    try:
        return connect(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ParameterError(
            "The 'scheduler' parameter must be the address of a Dask scheduler that runs, such as "
            f"tcp://10.0.0.1:8786. Got {address!r}: {type(error).__name__}."
        ) from error


def source(files: Files, n_rows: int) -> dict[str, str | int | None]:
    """Notes on the files."""
    names = [Path(path).name for path in files.paths]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return {"file": shown_name(names[0]) + more, "sha256": None, "n_train": n_rows}
