"""Dask collections: known by their name, so that Dask is imported by those only who use it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from drumlin.estimators.typed import F


def is_dask(value: Any) -> bool:
    """Whether a value is a Dask array, data frame or series (or something else to be computed)."""
    room = type(value).__module__.partition(".")[0]
    return room in ("dask", "dask_expr") and hasattr(value, "__dask_graph__")


def is_dask_frame(value: Any) -> bool:
    """Whether a Dask collection has partitions of pandas frames or series."""
    return hasattr(value, "divisions")


def current_client() -> Any:
    """Return the client of a cluster that Dask would compute on; None where there is none."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        return distributed.default_client()
    except ValueError:
        return None


def refuse_dask(estimator: Any, *values: Any) -> None:
    """Refuse Dask collections where an estimator needs all rows in memory."""
    if any(map(is_dask, values)):
        stream = ", call 'partial_fit' for one partition after another"
        raise TypeError(
            f"{type(estimator).__name__} needs all rows in memory; it cannot be fitted to a Dask "
            "collection. Fit it to some of the rows, such as X.partitions[0].compute() (a Dask "
            f"array: X.blocks[0].compute()){stream if hasattr(estimator, 'partial_fit') else ''}, "
            "or fit DrumlinClassifier or DrumlinRegressor, which take Dask collections as they are "
            "(ForwardRBF* and RBFNetwork* do, too)."
        )


def blockwise(method: F) -> F:
    """Let a method that answers row by row answer for Dask collections, lazily."""

    @functools.wraps(method)
    def answer(estimator: Any, X: Any, *args: Any, **options: Any) -> Any:
        if not is_dask(X):
            return method(estimator, X, *args, **options)
        of_block = functools.partial(_answered, estimator, method, args, options)
        asked = functools.partial(_asked, of_block)
        example = method(estimator, _example(X), *args, **options)
        if isinstance(example, tuple):
            each = range(len(example))
            return tuple(_lazy(functools.partial(asked, which=i), X, example[i]) for i in each)
        return _lazy(asked, X, example)

    return cast("F", answer)


def _answered(estimator, method, args, options, X):
    return method(estimator, X, *args, **options)


def _asked(of_block, X, which=None, empty=None):
    """Answer for a block, or one of its answers; an empty block has an empty answer."""
    if not len(X):
        return empty
    answer = of_block(X)
    return answer if which is None else answer[which]


def _example(X: Any) -> Any:
    """One row of the kind of X, for the type and the shape of answers."""
    if is_dask_frame(X):
        return X._meta.reindex([0]).fillna(0.0)
    return np.zeros((1, *X.shape[1:]))


def _lazy(asked: Callable[..., Any], X: Any, example: np.ndarray) -> Any:
    """Return a Dask array of the answers for all blocks."""
    empty = example[:0]
    task = functools.partial(asked, empty=empty)
    if is_dask_frame(X):
        return X.map_partitions(task, meta=empty)
    X = X.rechunk({1: -1})
    return X.map_blocks(
        task,
        dtype=example.dtype,
        chunks=(X.chunks[0], *[(side,) for side in example.shape[1:]]),
        drop_axis=[1] if example.ndim == 1 else None,
        new_axis=list(range(2, example.ndim)) or None,
        meta=empty,
    )
