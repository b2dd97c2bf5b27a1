"""Model files: save and load fitted models as data, without pickle and without code.

The format is described in docs/model-files.md.
"""

from drumlin.io.errors import ModelFileError
from drumlin.io.files import describe, load, save
from drumlin.io.registry import trusted_types
from drumlin.io.writing import atomic_path, write_text

__all__ = [
    "ModelFileError",
    "atomic_path",
    "describe",
    "load",
    "save",
    "trusted_types",
    "write_text",
]
