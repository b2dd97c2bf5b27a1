"""Models that leave Python: C, ONNX, JavaScript, SQL, and Python without dependencies.

``describe`` turns a fitted model into one description of its computation; every target is written
from that description alone.
"""

from drumlin.export.building import describe
from drumlin.export.c import CSource, to_c
from drumlin.export.computation import Computation, NotExportable
from drumlin.export.javascript import to_javascript
from drumlin.export.onnx import to_onnx
from drumlin.export.python import to_python
from drumlin.export.sql import to_sql

__all__ = [
    "CSource",
    "Computation",
    "NotExportable",
    "describe",
    "to_c",
    "to_javascript",
    "to_onnx",
    "to_python",
    "to_sql",
]
