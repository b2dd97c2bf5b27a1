"""Who is told how many rows a fit has passed over: with many of them every pass takes its time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class Audience(Protocol):
    """Somebody who waits."""

    def on_stage(self, stage: str, n_passes: int, n_rows: int | None) -> None:
        """Begin some passes over rows; None where their number is not known yet, 0 in memory."""

    def on_rows(self, n_rows: int | None) -> None:
        """Count rows that were passed over; None are all."""


_audience: ContextVar[Audience | None] = ContextVar("drumlin_audience", default=None)


@contextmanager
def told_to(audience: Audience | None) -> Iterator[None]:
    """Return a context in which somebody is told; None is nobody."""
    before = _audience.set(audience)
    try:
        yield
    finally:
        _audience.reset(before)


def tell_stage(stage: str, n_passes: int, n_rows: int | None) -> None:
    """Tell that some passes over so many rows begin."""
    audience = _audience.get()
    if audience is not None:
        audience.on_stage(stage, n_passes, n_rows)


def tell_rows(n_rows: int | None) -> None:
    """Tell that so many rows were passed over, or all."""
    audience = _audience.get()
    if audience is not None:
        audience.on_rows(n_rows)
