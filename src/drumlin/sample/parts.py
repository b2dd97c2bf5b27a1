"""Where the parts of a table live: the one thing that rows out of memory differ in.

A table is a list of *blocks*, as they were given (batches, partitions), and a block a list of
*items*, few enough rows each to be handled at once. What is asked of all of them is a fold: a
function of every item, and a rule that joins two of its values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import pairwise
from typing import Any

from drumlin._kernels.threads import MIN_WORK, map_blocks, usable_threads
from drumlin.sample.audience import tell_rows

MOST_PARTS = 32
"""Parts of a table, at most: consecutive blocks that are folded together."""

Function = Callable[[Any], Any]
Joint = Callable[[Any, Any], Any]


class Parts(ABC):
    """Items in blocks, somewhere.

    See Also
    --------
    PartsInMemory
    Streamed
    OnWorkers

    Examples
    --------
    >>> from drumlin.sample import Parts, PartsInMemory
    >>> isinstance(PartsInMemory([[1]]), Parts)
    True
    """

    @abstractmethod
    def fold(self, f: Function, join: Joint) -> Any:
        """Join ``f(item)`` of all items, in their order.

        Blocks are folded in at most ``MOST_PARTS`` parts, which depend on the number of blocks
        alone: the result depends neither on threads or workers nor on which of them did what.

        Parameters
        ----------
        f : callable
            From an item to a value that is small.
        join : callable
            From two values to one.
        """

    @abstractmethod
    def mapped(self, f: Callable[[Any], list[Any]]) -> Parts:
        """Return the same blocks with every item replaced by several, to be folded often."""


class PartsInMemory(Parts):
    """Blocks at hand.

    Parameters
    ----------
    blocks : list of list

    See Also
    --------
    Streamed
    OnWorkers

    Examples
    --------
    >>> import operator
    >>> from drumlin.sample import PartsInMemory
    >>> parts = PartsInMemory([[1, 2], [3]])
    >>> parts.fold(lambda item: item**2, operator.add)
    14
    """

    def __init__(self, blocks: list[list[Any]]) -> None:
        self.blocks = blocks

    def fold(self, f: Function, join: Joint) -> Any:
        """Join ``f(item)`` of all items, see ``Parts.fold``."""
        parts = consecutive(len(self.blocks))
        folded = [fold_part((self.blocks[i] for i in part), f, join) for part in parts]
        return tree_joined(folded, join)

    def mapped(self, f: Callable[[Any], list[Any]]) -> PartsInMemory:
        """Return the same blocks with every item replaced by several."""
        return PartsInMemory([mapped_block(block, f) for block in self.blocks])


def mapped_block(block: list[Any], f: Callable[[Any], list[Any]]) -> list[Any]:
    """Return a block with every item replaced by several."""
    return [new for item in block for new in f(item)]


def consecutive(n_blocks: int) -> list[range]:
    """Cut blocks into at most ``MOST_PARTS`` parts of consecutive ones."""
    n_parts = min(n_blocks, MOST_PARTS)
    cuts = [n_blocks * part // max(n_parts, 1) for part in range(n_parts + 1)]
    return [range(start, stop) for start, stop in pairwise(cuts)]


def fold_part(blocks: Iterable[list[Any]], f: Function, join: Joint) -> Any:
    """Fold the blocks of a part, some items at once on threads; None where there is no item."""
    values: list[Any] = []
    for items in _windows(blocks, 2 * usable_threads()):
        values = [joined([*values, *_on_threads(f, items)], join)]
        tell_rows(sum(len(getattr(item, "X", ())) for item in items))
    return values[0] if values else None


def joined(values: list[Any], join: Joint) -> Any:
    """Join values in their order; None are those of parts without an item."""
    there = [value for value in values if value is not None]
    return reduce(join, there) if there else None


Branch = tuple[int, int]
"""Consecutive parts, from the first to before the last, that a tree of halves joins."""


def tree_joined(values: list[Any], join: Joint) -> Any:
    """Join the values of all parts, two halves at a time.

    The tree depends on the number of parts alone. Whoever has all parts of a branch can join them,
    and the result is the same: little has to be sent.
    """
    return joined_branches({(i, i + 1): value for i, value in enumerate(values)}, len(values), join)


def joined_branches(known: dict[Branch, Any], n_parts: int, join: Joint) -> Any:
    """Join branches that cover all parts; None where there is no part."""

    def value(first: int, last: int) -> Any:
        if (first, last) in known:
            return known[first, last]
        middle = (first + last) // 2
        return joined([value(first, middle), value(middle, last)], join)

    return value(0, n_parts) if n_parts else None


def branches(values: dict[int, Any], n_parts: int, join: Joint) -> dict[Branch, Any]:
    """Join the values of some parts as far as branches are complete."""

    def found(first: int, last: int) -> dict[Branch, Any]:
        if last - first == 1:
            return {(first, last): values[first]} if first in values else {}
        middle = (first + last) // 2
        halves = found(first, middle) | found(middle, last)
        if {(first, middle), (middle, last)} <= halves.keys():
            return {(first, last): joined(list(halves.values()), join)}
        return halves

    return found(0, n_parts) if n_parts else {}


def _windows(blocks: Iterable[list[Any]], size: int) -> Iterator[list[Any]]:
    """Cut the items of blocks into lists of a bounded length, without holding all blocks."""
    window: list[Any] = []
    for block in blocks:
        for item in block:
            window.append(item)
            if len(window) == size:
                yield window
                window = []
    if window:
        yield window


def _on_threads(f: Function, items: list[Any]) -> list[Any]:
    values: list[Any] = [None] * len(items)

    def work(which: slice) -> None:
        for i in range(which.start, which.stop):
            values[i] = f(items[i])

    map_blocks(work, len(items), n_threads=usable_threads(), cost=MIN_WORK, block=1)
    return values
