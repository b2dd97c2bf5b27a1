"""The door of this room: what kernels assume of their arrays, checked once per call.

Compiled loops do not look at bounds, so an array that is too short would be read or written beyond
its end. A *layout* such as ``"M d"`` names the sides of an array; sides of one name must agree in
all arrays of a call. ``"M+1"`` is one more, ``"d!"`` is at least one, ``"2"`` is itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, ParamSpec, TypeVar

import numpy as np

from drumlin._kernels.contract import CONFUSION, Candidates, Loo, statistic_size
from drumlin._kernels.recursive import Factor
from drumlin._kernels.refinement import LOGISTIC, SOFTMAX, NodeParameters

P = ParamSpec("P")
R = TypeVar("R")
Shape = tuple[int, ...]
_shape = attrgetter("shape")

REMEMBERED = 256
"""Sets of shapes that a kernel knows to be good: a search calls it thousands of times with one."""

LAYOUTS: dict[type, dict[str, str]] = {
    Candidates: {"norms2": "L", "dots": "L K"},
    Factor: {
        "A": "M! M",  # forgetting counts samples modulo M
        "g": "M m",
        "mean": "M",
        "target_mean": "m",
        "cost": "m",
        "penalties": "M",
        "totals": "2",
    },
    Loo: {
        "residual": "K! n",
        "eta": "n",
        "scores": "K n",
        "targets": "K n",
        "labels": "n",
        "weight": "n",
        "inv_root": "n",
        "doubt": "n",
    },
    NodeParameters: {"centers": "M d", "inv_widths": "M d", "coef": "M K", "intercept": "K!"},
}
"""Layouts of the fields of what is passed as one argument."""

_ARGUMENTS: dict[str, dict[str, str | type | None]] = {
    "squared_distances_": {"XT": "d! n", "centers": "M d", "inv_widths": "M d", "out": "M n"},
    "inner_": {"V": "L n", "q": "n", "out": "L"},
    "subtract_projections_": {"V": "L n", "A": "k L", "Q": "k n"},
    "deflate_": {"V": "L n", "q": "n", "q_targets": "K", "candidates": Candidates},
    "project_": {
        "V": "L n",
        "Q": "k n",
        "weighted_targets": "K n",
        "start_norms2": "L",
        "candidates": Candidates,
    },
    "score_": {
        "V": "L n",
        "index": "j",
        "candidates": Candidates,
        "loo": Loo,
        "alpha": None,
        "kind": None,
        "out": "j s",
    },
    "deflate_and_score_": {
        "V": "L n",
        "q": "n",
        "q_targets": "K",
        "candidates": Candidates,
        "loo": Loo,
        "alpha": None,
        "kind": None,
        "out": "L s",
    },
    "rls_": {
        "Phi": "n M",
        "targets": "n m",
        "weight": "n",
        "forgetting": None,
        "alpha": None,
        "centered": None,
        "factor": Factor,
        "errors": "n m",
    },
    "lms_": {
        "Phi": "n M",
        "targets": "n m",
        "rates": "n",
        "constant": None,
        "coef": "M m",
        "intercept": "m",
        "errors": "n m",
    },
    "value_and_gradient": {
        "columns": "d n",
        "targets": None,
        "weight": "n",
        "nodes": NodeParameters,
    },
}
"""Layouts of the arguments of every kernel, in their order."""


def guarded(kernel: Callable[P, R]) -> Callable[P, R]:
    """Let a kernel, of whichever backend, refuse arrays that do not fit each other.

    Raises
    ------
    ValueError
        From the kernel, before it touches anything.
    """
    name = kernel.__name__
    layouts, check_more = _flat_layouts(name), _MORE.get(name)
    arrays_of = _flat_getter(name)
    good: dict[tuple[type | Shape, ...], dict[str, int]] = {}

    @functools.wraps(kernel)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        arrays = arrays_of(args)
        try:
            sizes = good[*map(type, arrays), *map(_shape, arrays)]
        except (AttributeError, KeyError):  # no array, or shapes that are new
            sizes = _sizes(name, layouts, arrays)
            if len(good) == REMEMBERED:
                good.clear()
            good[*map(type, arrays), *map(_shape, arrays)] = sizes
        if check_more is not None:
            check_more(dict(sizes), *args)
        return kernel(*args, **kwargs)

    return checked


def _flat_layouts(kernel: str) -> list[tuple[str, str]]:
    """Names and layouts of the arrays of a kernel, those within arguments among them."""
    flat: list[tuple[str, str]] = []
    for argument, layout in _ARGUMENTS[kernel].items():
        if isinstance(layout, str):
            flat.append((argument, layout))
        elif layout is not None:
            flat += LAYOUTS[layout].items()
    return flat


def _flat_getter(kernel: str) -> Callable[[Sequence[Any]], list[Any]]:
    """Return what finds those arrays in the arguments of a call: arrays side by side at once."""
    runs: list[tuple[int, int, Callable[[Any], Sequence[Any]] | None]] = []
    for i, layout in enumerate(_ARGUMENTS[kernel].values()):
        if isinstance(layout, type):
            runs.append((i, i + 1, attrgetter(*LAYOUTS[layout])))
        elif layout is not None and runs and runs[-1][1:] == (i, None):
            runs[-1] = (runs[-1][0], i + 1, None)
        elif layout is not None:
            runs.append((i, i + 1, None))

    def arrays_of(args: Sequence[Any]) -> list[Any]:
        found: list[Any] = []
        for first, last, fields_of in runs:
            found += args[first:last] if fields_of is None else fields_of(args[first])
        return found

    return arrays_of


def _sizes(owner: str, layouts: list[tuple[str, str]], arrays: list[Any]) -> dict[str, int]:
    """Sides by their names, where all arrays have their layouts."""
    sizes: dict[str, int] = {}
    for (name, layout), array in zip(layouts, arrays, strict=True):
        check_layout(owner, name, array, layout, sizes)
    return sizes


def check_layout(owner: str, name: str, array: Any, layout: str, sizes: dict[str, int]) -> None:
    """Refuse an array that has not its layout.

    Parameters
    ----------
    owner, name : str
        Whose array it is, and which, for the message.
    array : ndarray
    layout : str
    sizes : dict
        Sides that are known by name; new ones are added.
    """
    sides = _parsed(layout)
    good = isinstance(array, np.ndarray) and array.ndim == len(sides)
    if good:
        for size, (side, more, least) in zip(array.shape, sides, strict=True):
            known = side if isinstance(side, int) else sizes.setdefault(side, size - more)
            if size != known + more or known < least:
                good = False
    if not good:
        known_sides = ", ".join(f"{side} = {size}" for side, size in sizes.items())
        got = array.shape if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(
            f"{owner} needs an array {name!r} of shape ({', '.join(layout.split())}), where "
            f"{known_sides}. Got {got}."
        )


@functools.cache
def _parsed(layout: str) -> list[tuple[str | int, int, int]]:
    """Name (or size), what is added to it, and the least size of every side."""
    parsed: list[tuple[str | int, int, int]] = []
    for text in layout.split():
        side = text.rstrip("!").removesuffix("+1")
        parsed.append((int(side) if side.isdigit() else side, "+1" in text, "!" in text))
    return parsed


# ---------------------------------------------------------------------- what shapes do not say
def _check_score(sizes: dict[str, int], *arguments: Any) -> None:
    _V, index, _candidates, loo, _alpha, kind, _out = arguments
    _check_numbers("score_", "index", index, sizes["L"])
    _check_statistic(sizes, loo, kind)


def _check_deflate_and_score(sizes: dict[str, int], *arguments: Any) -> None:
    *_, loo, _alpha, kind, _out = arguments
    _check_statistic(sizes, loo, kind)


def _check_statistic(sizes: dict[str, int], loo: Loo, kind: int) -> None:
    size = statistic_size(kind, sizes["K"])
    if sizes["s"] != size:
        raise ValueError(
            f"The statistic {kind} needs {size} numbers a candidate. Got {sizes['s']}."
        )
    if kind == CONFUSION:
        _check_numbers("The confusion table", "labels", loo.labels, sizes["K"])


def _check_targets(
    sizes: dict[str, int], columns: Any, targets: Any, weight: Any, nodes: Any, loss: int
) -> None:
    by_label = loss in (LOGISTIC, SOFTMAX)
    check_layout("value_and_gradient", "targets", targets, "n" if by_label else "n K", sizes)
    if by_label:
        n_classes = 2 if loss == LOGISTIC else sizes["K"]
        _check_numbers("value_and_gradient", "targets", targets, n_classes)


def _check_numbers(owner: str, name: str, numbers: Any, n: int) -> None:
    """Refuse what does not count places from 0 to n - 1."""
    if numbers.size and not _are_within(numbers, n):
        raise ValueError(
            f"{owner} needs {name!r} in the range [0, {n}). Got {numbers.min()} to {numbers.max()}."
        )


def _are_within(numbers: Any, n: int) -> bool:
    """Whether all are from 0 to n - 1."""
    if numbers.dtype == np.int64:  # without a sign, what is below 0 is beyond n: one look for both
        return bool(np.maximum.reduce(numbers.view(np.uint64), axis=None) < n)
    return bool(numbers.min() >= 0 and numbers.max() < n)


_MORE: dict[str, Callable[..., None]] = {
    "score_": _check_score,
    "deflate_and_score_": _check_deflate_and_score,
    "value_and_gradient": _check_targets,
}
