"""The progress display of long work: one bar per stage, with the time left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rich import progress as bars

from drumlin.cli.console import console
from drumlin.experiments.protocol import FAILED, Record, Task

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
