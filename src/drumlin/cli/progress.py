"""The progress display of long work: one bar per stage, with the time left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich import progress as bars
from rich.text import Text

from drumlin.cli.console import console, tell
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


class TimeLeft(bars.TimeRemainingColumn):
    """Time that a bar still takes; nothing where it has no end."""

    def render(self, task: bars.Task) -> Text:
        """Return the text."""
        return Text("") if task.total is None else Text("left ") + super().render(task)


class FitBar:
    """A callback that shows how far a fit is, on standard error; nothing where that is no terminal.

    The display is there from the beginning of the fit to its end, or to that of the block. Of
    tables that are read piece by piece it shows rows, and the time that their passes still take.
    """

    def __init__(self) -> None:
        screen = console(stderr=True)
        self._bars = bars.Progress(
            bars.TextColumn("{task.description}", markup=False),
            bars.BarColumn(),
            bars.TimeElapsedColumn(),
            TimeLeft(),
            bars.TextColumn("{task.fields[last]}", markup=False),
            console=screen,
            disable=not screen.is_terminal,
            transient=True,
        )
        self._bar = self._bars.add_task("fitting", total=None, last="")
        self._done: Counter[str] = Counter()
        self._n_rows: int | None = None
        self._n_passes, self._n_seen = 0, 0

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
        elif context.parent is not None and self._n_passes:
            self._renew("fitting", None)  # what was drawn of many rows
            self._n_passes = 0

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

    # ------------------------------------------------------------------ rows out of memory
    def on_stage(self, stage: str, n_passes: int, n_rows: int | None) -> None:
        """Begin passes over rows; after the first one it is known how many there are."""
        if self._n_rows == 0:  # they are in memory
            return
        self._n_rows = (self._n_rows or self._n_seen or None) if n_rows is None else n_rows
        self._n_passes, self._n_seen = n_passes, 0
        self._bars.start()
        self._renew(stage, (self._n_rows or 0) * n_passes or None)

    def on_rows(self, n_rows: int | None) -> None:
        """Count rows; None are all of them."""
        if not self._n_passes:
            return
        self._n_seen += (self._n_rows or 0) if n_rows is None else n_rows
        self._bars.update(self._bar, completed=self._n_seen, last=self._rows_seen())

    def _rows_seen(self) -> str:
        if not self._n_rows:
            return f"{self._n_seen:,} rows"
        if self._n_passes == 1:
            return f"{self._n_seen:,} of {self._n_rows:,} rows"
        current = min(self._n_seen // self._n_rows + 1, self._n_passes)
        return f"{self._n_rows:,} rows, pass {current} of {self._n_passes}"

    def _renew(self, stage: str, total: int | None) -> None:
        """Begin another bar: one that had an end cannot lose it."""
        self._bars.remove_task(self._bar)
        self._bar = self._bars.add_task(stage, total=total, last="")


class Steps:
    """A bar on standard error that counts items, and lines that stay above it."""

    def __init__(self) -> None:
        self._screen = console(stderr=True)

    def __call__(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Pass items on and count them."""
        yield from bars.track(
            items,
            "comparing",
            total,
            console=self._screen,
            disable=not self._screen.is_terminal,
            transient=True,
        )

    def tell(self, line: str) -> None:
        """Say something: the console of the bar moves it out of the way."""
        tell(line, self._screen)
