"""Packages that not everyone needs: asked for through here, they come, or one sentence says how.

``need("matplotlib")`` imports, or raises an ``ImportError`` with the command that installs it.
``from drumlin._optional import pandas as pd`` is ``import pandas as pd`` that waits for its first
use: rooms that know tables can be imported where there is no pandas.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

EXTRAS = {
    "dask": ("dask", "A cluster"),
    "distributed": ("dask", "A cluster"),
    "jinja2": ("plot", "A report"),
    "matplotlib": ("plot", "Drawing"),
    "onnx": ("onnx", "Export to ONNX"),
    "pandas": ("tables", "Reading tables"),
    "pyarrow": ("tables", "Parquet"),
    "rich": ("cli", "The command drumlin"),
    "typer": ("cli", "The command drumlin"),
}
"""By package: the extra of drumlin that brings it, and what needs it."""


class MissingExtra(ImportError):
    """A package is not installed that a part of drumlin needs."""


class _Lazy(ModuleType):
    """A package that is imported when something of it is first asked for."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(need(self.__name__), name)
        setattr(self, name, value)
        return value


def need(name: str) -> ModuleType:
    """Import an optional package, or say how to get it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # it is there, and something that it needs is not
            raise
    extra, what = EXTRAS[name]
    raise MissingExtra(f"{what} needs {name}: pip install 'drumlin[{extra}]'.", name=name)


if TYPE_CHECKING:
    import pandas as pandas
else:
    pandas = _Lazy("pandas")
