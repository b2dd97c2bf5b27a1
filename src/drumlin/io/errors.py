"""The one error of a bad model file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


class ModelFileError(ValueError):
    """A file is not a model that this version can load; the text names the file and the reason."""


def require(condition: object, reason: str) -> None:
    """Refuse the file, for a reason, unless a condition holds."""
    if not condition:
        raise ModelFileError(reason)


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Name the file in the errors about its content."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(
            f"{os.fspath(path)} is not a model file that can be loaded: {error}"
        ) from error
