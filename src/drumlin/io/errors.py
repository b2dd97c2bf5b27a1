"""The one error of a bad model file."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from drumlin._text import brief


class ModelFileError(ValueError):
    """A file is not a model that this version can load; the text names the file and the reason.

    See Also
    --------
    drumlin.load

    Examples
    --------
    >>> import tempfile, drumlin
    >>> with tempfile.NamedTemporaryFile(suffix=".drumlin") as file:
    ...     try:
    ...         drumlin.load(file.name)
    ...     except drumlin.io.ModelFileError as error:
    ...         print(type(error).__name__)
    ModelFileError
    """


def require(condition: object, reason: str) -> None:
    """Refuse the file, for a reason, unless a condition holds."""
    if not condition:
        raise ModelFileError(reason)


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Name the file in the errors about its content, which are short and fit for a terminal."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(
            f"{os.fspath(path)} is not a model file that can be loaded: {brief(str(error))}"
        ) from error


@contextmanager
def blaming(what: str) -> Iterator[None]:
    """Make any error the file's: all code is ours or scikit-learn's, so its data made the error.

    There are no warnings: nobody asked for what is computed here.

    Parameters
    ----------
    what : str
        What the file failed to be or do.
    """
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            yield
    except (ModelFileError, MemoryError):
        raise
    except Exception as error:
        first_line = brief(f"{type(error).__name__}: {error}".splitlines()[0], 200)
        raise ModelFileError(f"{what} ({first_line}).") from error
