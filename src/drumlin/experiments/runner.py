"""Long work: all runs of a plan, in parallel, stored as they come.

Only this process writes to the store, so workers may sit on other machines. A task that has a
record is not run again; the order is random, so that the time left can be told early and several
processes that share a store seldom meet at the same task.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed, parallel_config

from drumlin._optional import need
from drumlin._signals import remembered_interrupt
from drumlin.evaluation.methods import Method
from drumlin.experiments.problems import ProblemSet
from drumlin.experiments.protocol import FIT, TUNE, TUNING_REALISATIONS, Record, Task, execute
from drumlin.experiments.store import Store

BACKENDS = ("loky", "dask")
IDLE_SECONDS = 30
"""After so long without work a worker process ends."""


@dataclass(frozen=True)
class Plan:
    """What shall be known in the end: every method on every realisation of every set."""

    methods: Mapping[str, Method]
    sets: Mapping[str, ProblemSet]
    realisations: range

    def tunings(self) -> list[Task]:
        """Searches, which come first."""
        tuned = [name for name, method in self.methods.items() if method.search is not None]
        return self._tasks(TUNE, tuned, TUNING_REALISATIONS)

    def fits(self) -> list[Task]:
        """Runs that make the tables."""
        return self._tasks(FIT, self.methods, self.realisations)

    def tasks(self) -> list[Task]:
        """All of them."""
        return self.tunings() + self.fits()

    def _tasks(self, stage: str, methods: Iterable[str], wanted: range) -> list[Task]:
        return [
            Task(stage, method, dataset, realisation)
            for method in methods
            for dataset, problems in self.sets.items()
            for realisation in problems.numbers(wanted)
        ]


@dataclass(frozen=True)
class Workers:
    """Who does the work.

    Parameters
    ----------
    jobs : int, default=1
        Processes on this machine (-1: one per processor).
    backend : {"loky", "dask"}, default="loky"
    scheduler : str or None, default=None
        Address of the Dask scheduler; its workers should have one thread each.
    """

    jobs: int = 1
    backend: str = "loky"
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise ValueError(
                f"The 'backend' parameter must be one of {list(BACKENDS)}. Got {self.backend!r}."
            )
        if (self.backend == "dask") != (self.scheduler is not None):
            raise ValueError(
                "The 'scheduler' parameter must be the address of a Dask scheduler with the "
                f"backend 'dask', and None otherwise. Got {self.scheduler!r} with {self.backend!r}."
            )
        if self.jobs == 0:
            raise ValueError("The 'jobs' parameter must not be 0. Got 0.")

    @contextmanager
    def parallel(self) -> Iterator[Parallel]:
        """Something that maps calls to results, in the order in which they come."""
        options: dict[str, Any] = {"return_as": "generator_unordered", "batch_size": 1}
        with ExitStack() as stack:
            if self.backend == "dask":
                client = need("distributed").Client
                stack.enter_context(client(self.scheduler, set_as_default=True))
                stack.enter_context(parallel_config("dask"))
                yield Parallel(n_jobs=-1, **options)
            else:
                # Workers whose parent was killed shall not wait for it long.
                yield Parallel(n_jobs=self.jobs, idle_worker_timeout=IDLE_SECONDS, **options)


def pending(plan: Plan, store: Store) -> list[Task]:
    """Tasks of the plan without a record."""
    known = store.tasks()
    return [task for task in plan.tasks() if task not in known]


def run(
    plan: Plan,
    store: Store,
    workers: Workers | None = None,
    on_record: Callable[[Record], None] = lambda record: None,
) -> None:
    """Run what the store lacks of the plan.

    Parameters
    ----------
    plan : Plan
    store : Store
    workers : Workers, default=None
        One process if None.
    on_record : callable
        Told every record when it is stored.

    Raises
    ------
    KeyboardInterrupt
        On Ctrl-C; everything finished is stored, everything else is run next time.
    """
    store.check_writable()
    with (workers or Workers()).parallel() as parallel, remembered_interrupt() as interrupted:
        for stage in (plan.tunings(), plan.fits()):
            known = store.tasks()
            tasks = [task for task in stage if task not in known]
            random.shuffle(tasks)
            results = parallel(_calls(tasks, plan, store))
            try:
                for record in results:
                    if interrupted.is_set():  # our estimators survive Ctrl-C, unfinished
                        raise KeyboardInterrupt
                    store.add(record)
                    on_record(record)
            finally:
                results.close()


def _calls(tasks: Iterable[Task], plan: Plan, store: Store) -> Iterator[Any]:
    """Calls to make, asked for one at a time: another process may have been faster."""
    for task in tasks:
        if task in store:
            continue
        method = plan.methods[task.method]
        tuned = task.stage == FIT and method.search is not None
        chosen = store.chosen(task.method, task.dataset) if tuned else []
        yield delayed(execute)(task, method, plan.sets[task.dataset], chosen)
