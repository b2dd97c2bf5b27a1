"""Parts on the workers of a Dask cluster.

Blocks are futures, kept where they were made. A fold is one task per worker over the parts that are
there, without a state: what a worker that dies had is made again from the source by another one.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from drumlin._kernels.blas import one_blas_thread
from drumlin._kernels.threads import use_threads
from drumlin._kernels.warming import warm_up
from drumlin._version import __version__
from drumlin.sample.audience import tell_rows
from drumlin.sample.parts import (
    Branch,
    Function,
    Joint,
    Parts,
    branches,
    consecutive,
    fold_part,
    joined_branches,
    mapped_block,
)

Client: TypeAlias = Any  # Dask is imported where it is used
Future: TypeAlias = Any

PATIENCE = 60
"""Seconds to wait for a worker where there is none."""


ATTEMPTS = 3
"""Times that workers are asked for their versions."""


def wait_for_one(client: Client) -> None:
    """Refuse a cluster without workers, after a while."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise RuntimeError(
            f"The Dask cluster {client.scheduler.address} must have at least one worker. "
            f"Got none in {PATIENCE} s."
        ) from error
    except OSError as error:  # a closed connection is one
        raise RuntimeError(
            "The scheduler of the Dask client must be there: close the client, or connect it anew. "
            f"Got {type(error).__name__}."
        ) from error


def check_workers(client: Client) -> None:
    """Refuse a cluster without workers, or with another drumlin than ours."""
    wait_for_one(client)
    ours = _version()
    found = _answers(client)
    there = {name: got for name, got in found.items() if not isinstance(got, OSError)}  # or dying
    others = {name: got for name, got in there.items() if got != ours}
    if others:
        name, got = next(iter(others.items()))
        got = f"none ({got})" if isinstance(got, Exception) else str(got)
        raise RuntimeError(
            f"The workers of the Dask cluster must have drumlin {ours}, as this process "
            f"has. Got {got} on {name} ({len(others)} of {len(found)} workers)."
        )


def _answers(client: Client) -> dict[str, Any]:
    """Versions of all workers; asked again where one that died while it was asked never answers."""
    for _ in range(ATTEMPTS):
        found: list[dict[str, Any] | Exception] = []
        asking = threading.Thread(target=_ask, args=(client, found), daemon=True)
        asking.start()
        asking.join(PATIENCE)
        for got in found:
            if isinstance(got, Exception):
                raise RuntimeError(
                    f"The workers of the Dask cluster {client.scheduler.address} must answer. "
                    f"Got {type(got).__name__}: {got}"
                ) from got
            return got
    raise RuntimeError(
        f"The workers of the Dask cluster {client.scheduler.address} must answer. Got nothing in "
        f"{ATTEMPTS} times {PATIENCE} s."
    )


def _ask(client: Client, found: list[dict[str, Any] | Exception]) -> None:
    try:
        found.append(client.run(_version, on_error="return"))
    except Exception as error:  # raised where it was asked, not in this thread
        found.append(error)


def _version() -> str:
    """What must be the same everywhere: pickles and sums depend on it."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return f"{__version__} (Python {python}, NumPy {np.__version__})"


def warm_hosts(client: Client) -> None:
    """Compile kernels on one worker of every host; the others wait, and find them on its disk."""
    hosts = {name.rpartition(":")[0]: name for name in client.nthreads()}  # without the port
    futures = [
        client.submit(warm_up, workers=[name], allow_other_workers=True, pure=False)
        for name in hosts.values()
    ]
    gathered(client, futures)


def gathered(client: Client, futures: list[Future]) -> list[Any]:
    """Return the values of futures; an interrupt leaves no task behind."""
    try:
        return list(client.gather(futures))
    except BaseException:
        client.cancel(futures)
        raise


class OnWorkers(Parts):
    """Blocks on the workers of a cluster.

    Parameters
    ----------
    client : distributed.Client
    blocks : list of Future
        Of lists of items.

    See Also
    --------
    PartsInMemory
    Streamed

    Examples
    --------
    >>> from distributed import Client  # doctest: +SKIP
    >>> from drumlin.sample import OnWorkers
    >>> with Client("tcp://10.0.0.1:8786") as client:  # doctest: +SKIP
    ...     parts = OnWorkers(client, client.map(load_block, range(100)))
    ...     parts.fold(len, max)
    """

    def __init__(self, client: Client, blocks: list[Future]) -> None:
        self.client, self.blocks = client, blocks
        self._workers: dict[str, int] = {}  # threads of every one when homes were looked up
        self._homes: list[str] = []  # worker of every part

    @classmethod
    def of(
        cls, client: Client, batches: list[Any], load: Callable[[int, Any], list[Any]]
    ) -> OnWorkers:
        """Load batches on the workers: where they are, or else a part on one of them.

        Parameters
        ----------
        client : distributed.Client
        batches : list of dask.delayed
        load : callable
            From the number of a batch and the batch to the items of a block.
        """
        from dask.delayed import delayed

        check_workers(client)
        warm_hosts(client)
        task, blocks = delayed(load, pure=False), []
        parts = consecutive(len(batches))
        for part, home in zip(parts, _first_homes(client, batches, parts), strict=True):
            made = [task(i, batches[i]) for i in part]
            blocks += client.compute(made, workers=[home], allow_other_workers=True)
        return cls(client, blocks)

    def fold(self, f: Function, join: Joint) -> Any:
        """Join ``f(item)`` of all items, see ``Parts.fold``."""
        parts = consecutive(len(self.blocks))
        self._look_up(parts)
        tasks = {
            home: [i for i, own in enumerate(self._homes) if own == home] for home in self._workers
        }
        futures = [
            self.client.submit(
                _folded_parts,
                (own, len(parts)),
                [[self.blocks[i] for i in parts[part]] for part in own],
                f,
                join,
                workers=[home],
                allow_other_workers=True,
                pure=False,
            )
            for home, own in tasks.items()
            if own
        ]
        known: dict[Branch, Any] = {}
        for branches_there in gathered(self.client, futures):
            known |= branches_there
        tell_rows(None)
        return joined_branches(known, len(parts), join)

    def mapped(self, f: Callable[[Any], list[Any]]) -> OnWorkers:
        """Return the same blocks with every item replaced by several, kept on the workers."""
        change = partial(mapped_block, f=f)
        return OnWorkers(self.client, self.client.map(change, self.blocks, pure=False))

    def _look_up(self, parts: list[range]) -> None:
        """Look up where parts are, if workers have come or gone since."""
        workers = self.client.nthreads()
        if workers and workers == self._workers:
            return
        wait_for_one(self.client)  # all may have died
        distributed: Any = import_module("distributed")
        distributed.wait(self.blocks)
        workers = self.client.nthreads()
        where = self.client.who_has(self.blocks)
        homes = [[w for i in part for w in where.get(self.blocks[i].key, ())] for part in parts]
        self._homes = _settled(homes, workers)
        self._workers = workers


def _first_homes(client: Client, batches: list[Any], parts: list[range]) -> list[str]:
    """Worker of every part: the one that has most of it already, or as they come."""
    distributed: Any = import_module("distributed")
    futures = [[f for i in part for f in distributed.futures_of(batches[i])] for part in parts]
    where = client.who_has([f for own in futures for f in own]) if any(futures) else {}
    homes = [[w for f in own for w in where.get(f.key, ())] for own in futures]
    return _settled(homes, client.nthreads())


def _settled(homes: list[list[str]], workers: dict[str, int]) -> list[str]:
    """One worker for every part: that of most of its blocks; neighbours share one where none is."""
    by_thread = [name for name in sorted(workers) for _ in range(workers[name])]
    settled = []
    for part, names in enumerate(homes):
        known = Counter(name for name in names if name in workers)
        spread = by_thread[part * len(by_thread) // len(homes)]
        settled.append(min(known, key=lambda w: (-known[w], w)) if known else spread)
    return settled


def _folded_parts(
    which: tuple[list[int], int], parts: list[list[list[Any]]], f: Function, join: Joint
) -> dict[Branch, Any]:
    """Fold parts on a worker, with the threads that it was given: these numbers, of so many."""
    from distributed import get_worker

    with one_blas_thread(), use_threads(get_worker().state.nthreads):
        folded = [fold_part(part, f, join) for part in parts]
    numbers, n_parts = which
    return branches(dict(zip(numbers, folded, strict=True)), n_parts, join)
