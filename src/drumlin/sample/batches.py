"""Parts that are read again and again, or kept once they are prepared: in memory, then on disk."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import joblib

from drumlin.sample.audience import tell_rows
from drumlin.sample.parts import (
    Function,
    Joint,
    Parts,
    consecutive,
    fold_part,
    joined,
    mapped_block,
    tree_joined,
)

SPARE_DISK = 0.9
"""Part of the free space of the temporary folder that may be filled."""

Mapping = Callable[[Any], list[Any]]


class Streamed(Parts):
    """Blocks that are read anew for every fold.

    Parameters
    ----------
    batches : callable
        Returns an iterator over batches, the same ones every time.
    load : callable
        From the number of a batch and the batch to the items of a block.
    memory : int
        Bytes of prepared blocks that are kept in memory; the others are on disk.
    n_blocks : int or None
        How many there are; None as long as it is not known: then they are folded as one part.

    See Also
    --------
    PartsInMemory
    OnWorkers

    Examples
    --------
    >>> import operator
    >>> from drumlin.sample import Streamed
    >>> parts = Streamed(lambda: iter([1, 2, 3]), lambda number, batch: [batch], memory=1000)
    >>> parts.fold(lambda item: item**2, operator.add)
    14
    """

    def __init__(
        self,
        batches: Callable[[], Iterable[Any]],
        load: Callable[[int, Any], list[Any]],
        memory: int,
        n_blocks: int | None = None,
    ) -> None:
        self.batches, self.load, self.memory, self.n_blocks = batches, load, memory, n_blocks

    def fold(self, f: Function, join: Joint) -> Any:
        """Join ``f(item)`` of all items, see ``Parts.fold``."""
        blocks = self._blocks()
        if self.n_blocks is None:
            return fold_part(blocks, f, join)
        parts = consecutive(self.n_blocks)
        folded = [fold_part((next(blocks) for _ in part), f, join) for part in parts]
        next(blocks, None)  # there must be no more
        return tree_joined(folded, join)

    def _blocks(self) -> Iterator[list[Any]]:
        n_read = 0
        for batch in self.batches():
            self._check_number(self.n_blocks is None or n_read < self.n_blocks, "more")
            yield self.load(n_read, batch)
            n_read += 1
        self._check_number(n_read >= (self.n_blocks or 0), f"only {n_read}")

    def _check_number(self, good: bool, got: str) -> None:
        if not good:
            raise ValueError(
                "The 'batches' parameter must give the same batches whenever it is read (a "
                f"function: a new iterator). Got {self.n_blocks} at first and {got} later."
            )

    def counted(self, n_blocks: int) -> Streamed:
        """Return the same blocks, now that their number is known."""
        return Streamed(self.batches, self.load, self.memory, n_blocks)

    def mapped(self, f: Mapping) -> Parts:
        """Return the same blocks with every item replaced by several: kept if there is room."""
        blocks = (mapped_block(block, f) for block in self._blocks())
        return Kept.of(blocks, self.n_blocks, self.memory) or Anew(self, f)


class Kept(Parts):
    """Blocks in memory, and on disk what does not fit.

    Parameters
    ----------
    memory : int
        Bytes that may be held in memory.
    """

    def __init__(self, memory: int) -> None:
        self._left = memory
        self._blocks: list[list[Any] | Path] = []
        self._folder: Path | None = None

    @classmethod
    def of(cls, blocks: Iterable[list[Any]], n_blocks: int | None, memory: int) -> Kept | None:
        """Keep blocks, of which there are so many; None where the disk has no room for them."""
        kept = cls(memory)
        for number, block in enumerate(blocks):
            if not kept._add(block, max((n_blocks or 0) - number, 1)):
                return None
            tell_rows(sum(len(getattr(item, "X", ())) for item in block))
        return kept

    def fold(self, f: Function, join: Joint) -> Any:
        """Join ``f(item)`` of all items, see ``Parts.fold``."""
        parts = consecutive(len(self._blocks))
        return tree_joined([fold_part(map(self._loaded, part), f, join) for part in parts], join)

    def mapped(self, f: Mapping) -> Parts:
        """Return the same blocks with every item replaced by several: kept if there is room."""
        n_blocks = len(self._blocks)
        blocks = (mapped_block(self._loaded(i), f) for i in range(n_blocks))
        return Kept.of(blocks, n_blocks, self._left) or Anew(self, f)  # both live for a while

    def _add(self, block: list[Any], n_to_come: int) -> bool:
        """Keep a block, the first of some to come; whether there is room for them."""
        size = _n_bytes(block)
        if size <= self._left:
            self._left -= size
            self._blocks.append(block)
            return True
        try:
            return self._add_file(block, size * n_to_come)
        except OSError:  # TMPDIR is not there, cannot be written to, or others have filled it
            return False

    def _add_file(self, block: list[Any], n_bytes: int) -> bool:
        """Write a block to the disk, if that has room for so many bytes."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="drumlin-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        if n_bytes > SPARE_DISK * shutil.disk_usage(self._folder).free:
            return False
        path = self._folder / f"{len(self._blocks)}.block"
        joblib.dump(block, path)
        self._blocks.append(path)
        return True

    def _loaded(self, number: int) -> list[Any]:
        block = self._blocks[number]
        if isinstance(block, Path):
            # Private pages: kernels are compiled for arrays that can be written to.
            loaded: list[Any] = joblib.load(block, mmap_mode="c")
            return loaded
        return block


class Anew(Parts):
    """Blocks that are made of others anew for every fold: there is no room to keep them.

    Parameters
    ----------
    source : Parts
    f : callable
        From an item of the source to several.
    """

    def __init__(self, source: Parts, f: Mapping) -> None:
        self.source, self.f = source, f

    def fold(self, f: Function, join: Joint) -> Any:
        """Join ``f(item)`` of all items, see ``Parts.fold``."""
        return self.source.fold(partial(_of_made, made=self.f, f=f, join=join), join)

    def mapped(self, f: Mapping) -> Anew:
        """Return the same blocks with every item replaced by several."""
        return Anew(self, f)


def _of_made(item: Any, made: Mapping, f: Function, join: Joint) -> Any:
    return joined([f(new) for new in made(item)], join)


def _n_bytes(block: list[Any]) -> int:
    return sum(getattr(value, "nbytes", 0) for item in block for value in vars(item).values())
