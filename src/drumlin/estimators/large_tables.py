"""Tables that are not in memory: Dask collections and batches, as parts of blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.validation import _check_feature_names, _check_n_features

from drumlin.estimators.blocks import Block, Facts, Reader, facts_of
from drumlin.estimators.checks import check_weights
from drumlin.estimators.lazy import current_client, is_dask, is_dask_frame
from drumlin.sample import OnWorkers, Parts, Streamed
from drumlin.sample.audience import tell_stage
from drumlin.sample.copies import Extremes

MEMORY = 2 * 1024**3
"""Bytes of prepared rows that are held in memory, where nothing else is said."""


class Table:
    """Blocks of a table, and what is known of them.

    Parameters
    ----------
    parts : Parts
        Of ``Block``.
    numbers : bool
        Whether targets are numbers.
    names : tuple of str or None
        Of the inputs.
    """

    def __init__(self, parts: Parts, numbers: bool, names: tuple[str, ...] | None) -> None:
        self.names = names
        tell_stage("reading", 1, None)
        self.facts: dict[int, Facts] = parts.fold(partial(facts_of, numbers=numbers), dict.__or__)
        if isinstance(parts, Streamed):
            parts = parts.counted(len(self.facts or ()))
        self.parts = parts
        self._refuse_problems()

    @property
    def n_rows(self) -> int:
        """Number of rows, whatever their weight."""
        return sum(facts.n_rows for facts in self.facts.values())

    def in_memory(self) -> tuple[Any, np.ndarray, np.ndarray]:
        """All inputs, targets and weights."""
        blocks: list[Block] = self.parts.fold(lambda block: [block], list.__add__)
        there = [block for block in blocks if len(block.X)]
        X: Any = np.concatenate([block.X for block in there])
        if self.names is not None:
            from pandas import DataFrame

            X = DataFrame(X, columns=list(self.names))
        y = np.concatenate([block.y for block in there])
        return X, y, np.concatenate([block.weight for block in there])

    def _refuse_problems(self) -> None:
        known = self.facts or {}
        for number in sorted(known):
            if known[number].problem:
                raise ValueError(known[number].problem)
        if not sum(facts.n_rows for facts in known.values()):
            raise ValueError("The table must have at least one row. Got none.")
        outputs = {facts.n_outputs for facts in known.values() if facts.n_rows}
        if len(outputs) > 1:
            raise ValueError(f"All blocks of 'y' must have as many columns. Got {sorted(outputs)}.")


def table_extremes(estimator: Any, table: Table) -> Extremes:
    """Validate the weights of a table."""
    least, largest = zip(*[facts.weights for facts in table.facts.values()], strict=True)
    check_weights(estimator, min(least), max(largest))
    return Extremes.of(max(largest))


def dask_table(estimator: Any, X: Any, y: Any, sample_weight: Any, **rules: Any) -> Table:
    """Return the partitions of Dask collections as blocks, on their cluster if there is one."""
    _check_kinds(estimator, X, y, sample_weight)
    example = X._meta if is_dask_frame(X) else np.empty((1, X.shape[1]))
    reader = _reader(estimator, "Partition", example, **rules)
    return _on_dask(_batches(estimator, X, y, sample_weight), reader, MEMORY)


def _on_dask(batches: list[Any], reader: Reader, memory: int) -> Table:
    client = current_client()
    if client is None:
        from dask.base import compute

        def computed() -> Iterator[Any]:
            return (compute(batch)[0] for batch in batches)

        parts: Parts = Streamed(computed, reader, memory, len(batches))
    else:
        parts = OnWorkers.of(client, batches, reader)
    return Table(parts, reader.numbers, reader.names)


def batch_table(estimator: Any, batches: Any, memory: int, **rules: Any) -> Table:
    """Return batches as blocks; delayed ones of Dask on the cluster."""
    if isinstance(batches, list) and batches and all(map(is_dask, batches)):
        from dask.delayed import delayed

        example = delayed(_first_rows)(batches[0]).compute()
        return _on_dask(batches, _reader(estimator, "Batch", example, **rules), memory)
    read = batches if callable(batches) else partial(iter, _checked_again(estimator, batches))
    first = next(iter(_tuples(estimator, read)), None)
    if first is None:
        raise ValueError(f"{type(estimator).__name__}.fit_batches needs at least one batch.")
    reader = _reader(estimator, "Batch", first[0], **rules)
    parts = Streamed(partial(_tuples, estimator, read), reader, memory)
    return Table(parts, reader.numbers, reader.names)


def _first_rows(batch: tuple[Any, ...]) -> Any:
    """Return at most one row of inputs: it tells names and types."""
    return batch[0][:1]


def _checked_again(estimator: Any, batches: Any) -> Iterable[Any]:
    if isinstance(batches, Iterator) or not isinstance(batches, Iterable):
        raise TypeError(
            f"The 'batches' parameter of {type(estimator).__name__}.fit_batches must be read "
            "several times: a list of (X, y) or (X, y, sample_weight), or a function that returns "
            f"an iterator over them. Got {type(batches).__name__}."
        )
    return batches


def _tuples(estimator: Any, read: Callable[[], Iterable[Any]]) -> Iterator[tuple[Any, ...]]:
    for batch in read():
        if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
            raise TypeError(
                f"A batch of {type(estimator).__name__}.fit_batches must be (X, y) or "
                f"(X, y, sample_weight). Got {type(batch).__name__}."
            )
        yield tuple(batch)


def _reader(estimator: Any, noun: str, example: Any, **rules: Any) -> Reader:
    """Learn the names and the number of inputs from an example."""
    others = _not_numbers(example)
    if others:
        raise ValueError(
            f"The 'X' of {type(estimator).__name__}.fit must hold numbers. Got columns of other "
            f"types: {', '.join(others)}. Encode them as numbers first, or use 'drumlin fit'."
        )
    _check_feature_names(estimator, example, reset=True)
    _check_n_features(estimator, example, reset=True)
    names = getattr(estimator, "feature_names_in_", None)
    return Reader(
        type(estimator).__name__,
        noun,
        None if names is None else tuple(names),
        estimator.n_features_in_,
        **rules,
    )


def _not_numbers(example: Any) -> list[str]:
    """Columns of a pandas frame that hold no numbers, with their types."""
    if not hasattr(example, "select_dtypes"):
        return []
    numeric = example.select_dtypes(include=["number", "bool"]).columns
    return [f"{name!r} ({kind})" for name, kind in example.dtypes.items() if name not in numeric]


# ------------------------------------------------------------------ Dask
def _check_kinds(estimator: Any, X: Any, y: Any, sample_weight: Any) -> None:
    given = {"X": X, "y": y} | ({} if sample_weight is None else {"sample_weight": sample_weight})
    for name, value in given.items():
        if not is_dask(value):
            raise TypeError(
                f"The 'X', 'y' and 'sample_weight' of {type(estimator).__name__}.fit must all be "
                f"Dask collections, or none of them. Got {name!r} as {type(value).__name__}."
            )
        n_dims = getattr(value, "ndim", None) if hasattr(type(value), "ndim") else None
        if n_dims not in ((2,) if name == "X" else (1, 2)):
            raise ValueError(
                f"The {name!r} of {type(estimator).__name__}.fit must be a Dask array, data frame "
                f"or series of {'2' if name == 'X' else '1 or 2'} dimensions. "
                f"Got {type(value).__name__} with {'no' if n_dims is None else n_dims}."
            )


def _batches(estimator: Any, X: Any, y: Any, sample_weight: Any) -> list[Any]:
    """One delayed tuple of inputs, targets and perhaps weights for every partition."""
    from dask.delayed import delayed

    given = [X, y] if sample_weight is None else [X, y, sample_weight]
    if all(map(is_dask_frame, given)):
        _check_divisions(estimator, given)
        frame, widths = _one_frame(given)
        return [delayed(_cut)(part, widths) for part in frame.to_delayed()]
    _check_lengths(estimator, given)
    columns = {"X": _delayed(X), "y": _delayed(_aligned(y, X))}
    if sample_weight is not None:
        columns["sample_weight"] = _delayed(_aligned(sample_weight, X))
    sizes = {name: len(blocks) for name, blocks in columns.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(
            f"The 'X', 'y' and 'sample_weight' of {type(estimator).__name__}.fit must have the "
            f"same partitions. Got {sizes} partitions. Take them from one collection, or compute "
            "the chunk sizes of arrays (compute_chunk_sizes) so that they can be aligned."
        )
    return [delayed(tuple)(list(blocks)) for blocks in zip(*columns.values(), strict=True)]


def _check_lengths(estimator: Any, given: list[Any]) -> None:
    """Refuse arrays of other lengths than the first, where they are known."""
    known = [len(a) for a in given if not is_dask_frame(a) and not np.isnan(a.shape[0])]
    if len(set(known)) > 1:
        raise ValueError(
            f"The 'X', 'y' and 'sample_weight' of {type(estimator).__name__}.fit must have as many "
            f"rows. Got {', '.join(map(str, known))}."
        )


def _check_divisions(estimator: Any, given: list[Any]) -> None:
    """Refuse frames whose rows Dask cannot align: it would fail in the middle of a task."""
    known = [column.known_divisions for column in given]
    if all(known) or (not any(known) and len({column.npartitions for column in given}) == 1):
        return
    told = [
        f"{column.npartitions} of {'known' if is_known else 'unknown'} divisions"
        for column, is_known in zip(given, known, strict=True)
    ]
    raise ValueError(
        f"The 'X', 'y' and 'sample_weight' of {type(estimator).__name__}.fit must be columns of "
        "one data frame, or have known divisions (set_index), so that their rows can be aligned. "
        f"Got partitions: {', '.join(told)}."
    )


def _one_frame(given: list[Any]) -> tuple[Any, list[int]]:
    """Join frames and series to one, so that they are read together and cut alike.

    Dask may cut columns of one file differently, by how many of them are read.
    """
    frame, widths = given[0], [len(given[0].columns)]
    for number, column in enumerate(given[1:]):
        names = list(column.columns) if column.ndim > 1 else [None]
        parts = [column if name is None else column[name] for name in names]
        frame = frame.assign(**{f"drumlin {number} {i}": part for i, part in enumerate(parts)})
        widths.append(len(names) if column.ndim > 1 else 0)
    return frame, widths


def _cut(frame: Any, widths: list[int]) -> tuple[Any, ...]:
    """Cut a joined frame again; a width of 0 is one series."""
    cut, start = [], 0
    for width in widths:
        columns = frame.iloc[:, start : start + max(width, 1)]
        cut.append(columns if width else columns.iloc[:, 0])
        start += max(width, 1)
    return tuple(cut)


def _aligned(column: Any, X: Any) -> Any:
    """Cut an array into the chunks of another, where both are known."""
    if (
        is_dask_frame(column)
        or is_dask_frame(X)
        or np.isnan([*X.chunks[0], *column.chunks[0]]).any()
    ):
        return column
    return column if column.chunks[0] == X.chunks[0] else column.rechunk({0: X.chunks[0]})


def _delayed(column: Any) -> list[Any]:
    """Partitions, or blocks of rows."""
    if is_dask_frame(column):
        return list(column.to_delayed())
    if column.ndim > 1:
        column = column.rechunk({1: -1})
    return list(column.to_delayed().ravel())
