"""Tables larger than memory: one file or several, read piece by piece or on a Dask cluster.

What the columns are is learned from a sample of the rows; the network is fitted to all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from drumlin._errors import ParameterError, TableError
from drumlin._optional import pandas as pd
from drumlin._text import shown_name
from drumlin._typing import FloatArray
from drumlin.deploy.memory import RowMemory
from drumlin.sample.audience import tell_rows, tell_stage
from drumlin.tables import (
    Labelled,
    Several,
    TableEncoder,
    Target,
    is_missing,
    read_chunks,
    read_labelled,
)
from drumlin.tables.reading import is_parquet
from drumlin.tables.schema import Schema, check_columns

PATIENCE = 10.0
"""Seconds to wait for a scheduler."""

FIRST_ROWS = 1000
"""Rows that tell how much memory one takes."""

MEMORY = 2_000_000_000
"""Bytes, where only several files say that a table is large."""


@dataclass(frozen=True)
class Files:
    """Files of one table.

    Parameters
    ----------
    paths : tuple of str
    target : str
        The column to predict.
    memory : RowMemory
        Memory for their rows.
    """

    paths: tuple[str, ...]
    target: str
    memory: RowMemory

    def __post_init__(self) -> None:
        if "-" in self.paths:
            raise ParameterError(
                "A table larger than memory is read several times: it must be a file. Got '-'."
            )

    def chunks(
        self, path: str, texts: tuple[str, ...] = (), n_inputs: int = 0
    ) -> Iterator[tuple[pd.DataFrame, int]]:
        """Rows of a file that have a target, piece by piece, and the number of the others."""
        rows = self.memory.chunk_rows(self.row_bytes, n_inputs)
        for frame in read_chunks(path, (self.target, *texts), rows):
            check_columns([self.target], frame, "that is the target")
            missing = is_missing(frame[self.target])
            yield frame[~missing], int(missing.sum())

    @cached_property
    def row_bytes(self) -> float:
        """Bytes of a row in memory, by the first rows of all."""
        first = next(read_chunks(self.paths[0], (self.target,), FIRST_ROWS))
        return max(1.0, float(first.memory_usage(deep=True, index=False).sum()) / len(first))

    def sample(self, task: str | None, seed: int) -> tuple[Labelled, int]:
        """Return some rows of all files, chosen at random, and the number of all."""
        sample = self._sampled(seed, ())
        texts = Schema.understand(sample[0].drop(columns=self.target)).categories
        if texts and not all(is_parquet(path) for path in self.paths):
            sample = self._sampled(seed, tuple(texts))  # numbers among texts are texts
        rows, n_rows, n_dropped = sample
        return replace(read_labelled(rows, self.target, task=task), n_dropped=n_dropped), n_rows

    def classes(self, target: Target | Several) -> Any:
        """Classes of all rows, in order: a sample may lack rare ones."""
        found = []
        tell_stage("looking at classes", 1, None)
        for frame, _ in chain(*(self.chunks(path) for path in self.paths)):
            if len(frame):
                found.append(np.unique(target.of(frame)[0]))
            tell_rows(len(frame))
        return np.unique(np.concatenate(found))

    def _sampled(self, seed: int, texts: tuple[str, ...]) -> tuple[pd.DataFrame, int, int]:
        rng, keys, limit, n_rows, n_dropped = np.random.default_rng(seed), np.empty(0), 1.0, 0, 0
        kept: list[pd.DataFrame] = []
        size = self.memory.sample_rows(self.row_bytes)
        tell_stage("looking at columns", 1, None)
        for frame, n_missing in chain(*(self.chunks(path, texts) for path in self.paths)):
            n_rows, n_dropped = n_rows + len(frame), n_dropped + n_missing
            own = rng.random(len(frame))
            lower = own < limit  # the others will not be among the lowest
            kept, keys = [*kept, frame[lower]], np.concatenate([keys, own[lower]])
            if len(keys) > 1.5 * size:
                kept, keys = _lowest(kept, keys, size)
                limit = float(keys.max())
            tell_rows(len(frame))
        if not n_rows:
            raise TableError(f"The target {self.target!r} must have values. Got none in all rows.")
        return _lowest(kept, keys, size)[0][0], n_rows, n_dropped

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
        """Encoded rows and targets of a file; none where no row has a target."""
        pieces = list(self._encoded(path, encoder, target))
        if not pieces:
            return np.empty((0, len(encoder.origins_))), np.empty(0)
        return np.concatenate([X for X, _ in pieces]), np.concatenate([y for _, y in pieces])

    def _encoded(
        self, path: str, encoder: TableEncoder, target: Target | Several
    ) -> Iterator[tuple[FloatArray, Any]]:
        categories, n_inputs = tuple(encoder.schema_.categories), len(encoder.origins_)
        for frame, _ in self.chunks(path, categories, n_inputs):
            if len(frame):
                yield encoder.transform(frame), target.of(frame)[0]


def _lowest(
    frames: list[pd.DataFrame], keys: FloatArray, size: int
) -> tuple[list[pd.DataFrame], FloatArray]:
    """So many rows of lowest keys, in their order."""
    rows = pd.concat(frames, ignore_index=True) if len(frames) > 1 else frames[0]
    chosen = np.sort(np.argsort(keys)[:size])
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
    paths = tuple(map(str, table if many else [table]))
    return Files(paths, target, RowMemory.within(wanted.memory or MEMORY))


def fitting(files: Files, rows: Labelled, model: Any, wanted: Any) -> Callable[[], None]:
    """Return what fits a model to all rows of files, once its encoder has learned from a sample."""
    encoder, estimator = model.steps[0][1], model.steps[-1][1]

    def fit() -> None:
        encoder.fit(rows.frame, rows.y)
        if wanted.scheduler is None:
            read = partial(files.batches, encoder, rows.target)
            draw = files.memory.max_draw(len(encoder.origins_))
            estimator.fit_batches(read, memory=files.memory.kept, max_draw=draw)
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


def source(files: Files, n_rows: int, n_sampled: int) -> dict[str, str | int | None]:
    """Notes on the files; gaps of columns are counted in the sampled rows."""
    names = [Path(path).name for path in files.paths]
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    counts = {"n_train": n_rows, "n_sampled": n_sampled}
    return {"file": shown_name(names[0]) + more, "sha256": None, **counts}
