"""How kernels are compiled: kept on disk where there is a place for them, and never silently.

Numba keeps compiled kernels in ``NUMBA_CACHE_DIR``, beside the package or in the user's home. Where
none of them can be written to, kernels run all the same, compiled anew in every process.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

import numba
from numba.core import event

from drumlin._warnings import warn

_logger = logging.getLogger("drumlin")


def kept(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles without the GIL and keeps the result on disk if it can.

    Parameters
    ----------
    **options
        Of ``numba.njit``.
    """
    return functools.partial(_compiled, options)


def _compiled(options: dict[str, Any], function: Callable[..., Any]) -> Any:
    try:
        kernel = numba.njit(function, nogil=True, cache=True, **options)
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        _warn_not_kept()
        return numba.njit(function, nogil=True, **options)
    _survive_lost_places(getattr(kernel, "_cache", None))  # None where compiling is off
    return kernel


def _survive_lost_places(cache: Any) -> None:
    """Let a cache fail, not the fit: its place may be full, or gone since Numba has tried it."""
    for name in ("load_overload", "save_overload") if cache is not None else ():
        setattr(cache, name, _attempted(getattr(cache, name)))


def _attempted(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def attempt(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except OSError:
            return _warn_not_kept()

    return attempt


@functools.cache  # once per process
def _warn_not_kept() -> None:
    warn(
        "Compiled kernels cannot be kept, so every process compiles them anew: neither the package "
        "nor the home folder can be written to. Set the environment variable NUMBA_CACHE_DIR to a "
        "folder that can.",
        RuntimeWarning,
    )


@functools.cache  # once per process
def _say_compiling() -> None:
    _logger.info("Compiling kernels: a first fit takes some seconds longer.")


class _CompilerWatch(event.Listener):
    """Hears of kernels that are really compiled, not of those that were kept."""

    def on_start(self, event: Any) -> None:
        """Tell, if it is a kernel of ours."""
        if event.data["dispatcher"].py_func.__module__.startswith("drumlin."):
            _say_compiling()

    def on_end(self, event: Any) -> None:
        """Nothing to say."""


_watch: Any = event.register  # untyped
_watch("numba:compile", _CompilerWatch())
