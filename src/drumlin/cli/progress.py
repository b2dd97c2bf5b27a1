"""The progress display of long work: one bar per stage, with the time left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich import progress as bars

from drumlin.cli.console import console
from drumlin.experiments.protocol import FAILED, Record, Task

T = TypeVar("T")

A_LONG_TIME = 1e9
"""Seconds over which speed is averaged: the whole run, for single runs differ a hundredfold."""


class Progress:
    """Bars on standard error; nothing where that is no terminal.

    Parameters
    ----------
    tasks : iterable of Task
        What is to be done.
    """

    def __init__(self, tasks: Iterable[Task]):
        screen = console(stderr=True)
        self._bars = bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TimeElapsedColumn(),
            bars.TextColumn("left"),
            bars.TimeRemainingColumn(),
            bars.TextColumn("{task.fields[last]}"),
            console=screen,
            disable=not screen.is_terminal,
            speed_estimate_period=A_LONG_TIME,
        )
        counts = Counter(task.stage for task in tasks)
        self._stages = {
            stage: self._bars.add_task(stage, total=n, start=False, last="")
            for stage, n in counts.items()
        }
        self._failed: Counter[str] = Counter()

    def __enter__(self) -> Progress:
        self._bars.start()
        for stage in list(self._stages)[:1]:
            self._bars.start_task(self._stages[stage])
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the display down."""
        self._bars.stop()

    def advance(self, record: Record) -> None:
        """Count a record."""
        stage = self._stages.get(record.stage)
        if stage is None:  # another process forgot or added work
            return
        self._failed[record.stage] += record.status == FAILED
        failed = self._failed[record.stage]
        self._bars.start_task(stage)
        self._bars.update(
            stage,
            advance=1,
            description=f"{record.stage} ({failed} failed)" if failed else record.stage,
            last=f"{record.method} {record.dataset} {record.realisation}",
        )


class FitBar:
    """A callback that shows how far a fit is, on standard error; nothing where that is no terminal.

    The display is there from the beginning of the fit to its end, or to that of the block.
    """

    def __init__(self) -> None:
        screen = console(stderr=True)
        self._bars = bars.Progress(
            bars.TextColumn("{task.description}", markup=False),
            bars.BarColumn(),
            bars.TimeElapsedColumn(),
            bars.TextColumn("{task.fields[last]}", markup=False),
            console=screen,
            disable=not screen.is_terminal,
            transient=True,
        )
        self._bar = self._bars.add_task("fitting", total=None, last="")
        self._done: Counter[str] = Counter()

    def __enter__(self) -> FitBar:
        return self

    def __exit__(self, *exception: object) -> None:
        self._bars.stop()

    def setup(self, estimator, context) -> None:
        """Show the display."""
        self._bars.start()

    def on_fit_task_begin(self, estimator, context) -> None:
        """Learn how many parts there are, where the estimator knows."""
        if context.parent is None and context.max_subtasks:
            self._bars.update(self._bar, total=context.max_subtasks)

    def on_fit_task_end(self, estimator, context) -> bool:
        """Count; never wants to stop."""
        self._done[context.task_name] += 1
        is_part = context.parent is not None and context.parent.parent is None
        said = ", ".join(f"{name} {n}" for name, n in self._done.items() if name != "step")
        self._bars.update(self._bar, advance=int(is_part), last=said)
        return False

    def teardown(self, estimator, context) -> None:
        """Take the display down."""
        self._bars.stop()


def steps(items: Iterable[T], total: int) -> Iterator[T]:
    """Pass items on and count them on a bar."""
    screen = console(stderr=True)
    yield from bars.track(
        items, "comparing", total, console=screen, disable=not screen.is_terminal, transient=True
    )
