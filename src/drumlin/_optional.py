"""Packages that not everyone needs: imported through here, they are there or one sentence says how.

``from drumlin._optional import pandas as pd`` is ``import pandas as pd``; where pandas is missing
it raises an ``ImportError`` with the command that installs it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

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


if TYPE_CHECKING:
    import dask as dask
    import distributed as distributed
    import jinja2 as jinja2
    import matplotlib as matplotlib
    import onnx as onnx
    import pandas as pandas
    import pyarrow as pyarrow
    import rich as rich
    import typer as typer
else:

    def __getattr__(name):
        if name not in EXTRAS:
            raise AttributeError(f"module 'drumlin._optional' has no attribute {name!r}")
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name != name:  # it is there, and something that it needs is not
                raise
            extra, what = EXTRAS[name]
            raise MissingExtra(
                f"{what} needs {name}: pip install 'drumlin[{extra}]'.", name=name
            ) from None
