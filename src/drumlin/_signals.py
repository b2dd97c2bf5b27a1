"""Signals: what ends a command, and how a fit that survives Ctrl-C is told from a finished one.

Standard library only: the command is under its protection before anything else is imported.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDING = ("SIGINT", "SIGTERM", "SIGHUP")


class Stopped(SystemExit):
    """A signal wants the process to end: the code is 128 and its number, as shells have it.

    Not a KeyboardInterrupt: no fit shall catch it to keep its best so far.
    """

    code: int


@contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise ``Stopped`` where a signal would end the process, so that it clears up behind itself.

    Signals that are ignored (``nohup``) stay so. Whatever becomes of the exception, even where it
    is lost in a destructor or in a callback of C, the block ends with ``Stopped``. It is the last
    of a process: what comes after it, while Python takes itself down, changes neither the exit
    code nor what was said.
    """
    numbers: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        numbers.append(number)
        if len(numbers) != 2:  # a second one must not disturb the clearing up; a third insists
            raise Stopped(128 + number)

    def say(lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, Stopped):  # which the block ends with
            hook(lost)

    wanted = [getattr(signal, name) for name in _ENDING if hasattr(signal, name)]
    before = {
        number: signal.signal(number, stop)
        for number in wanted
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    hook = sys.unraisablehook
    sys.unraisablehook = say
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            done = numbers or number == signal.SIGINT
            signal.signal(number, signal.SIG_IGN if done else handler)
        if numbers:
            raise Stopped(128 + numbers[0])


@contextmanager
def remembered_interrupt() -> Iterator[threading.Event]:
    """Remember Ctrl-C, even where a fit catches the exception to keep its best so far."""
    event = threading.Event()
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield event
        return

    def remember(number: int, frame: FrameType | None) -> None:
        event.set()
        signal.default_int_handler(number, frame)

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield event
    finally:
        signal.signal(signal.SIGINT, before)
