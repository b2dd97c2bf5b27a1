"""A small builder of ONNX graphs: every operation returns the name of its result."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from drumlin._optional import need
from drumlin._typing import FloatArray
from drumlin.export.computation import NotExportable

_TINY = float(np.finfo(np.float32).tiny)


def onnx_module() -> ModuleType:
    """Return the package ``onnx``, or say how to get it."""
    onnx = need("onnx")
    for part in ("checker", "helper", "numpy_helper"):
        import_module(f"onnx.{part}")
    return onnx


class Graph:
    """Nodes and constants under names of their own.

    Parameters
    ----------
    taken : set of str
        Names that inputs and outputs have.
    """

    def __init__(self, taken: set[str]) -> None:
        self.onnx = onnx_module()
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._tiny: dict[str, float] = {}
        self._stem = "n"
        while any(name.startswith(self._stem) for name in taken):
            self._stem += "_"

    def constant(self, value: Any, dtype: Any = np.float64) -> str:
        """Store an array; texts as UTF-8."""
        name = f"{self._stem}{len(self.constants)}c"
        array = np.asarray(value, dtype=dtype)
        self.constants.append(self.onnx.numpy_helper.from_array(array, name))
        if array.size == 1 and array.dtype == np.float64 and 0.0 < abs(array.item()) < _TINY:
            self._tiny[name] = array.item()
        return name

    def __call__(self, kind: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        """Add an operation."""
        lost = self._tiny.keys() & set(inputs)
        if lost and kind in ("Add", "Sub"):
            raise NotExportable(
                "onnxruntime takes a lone constant below 1e-38 for zero. Got "
                f"{self._tiny[lost.pop()]:g} among what is added: other units are needed."
            )
        name = out or f"{self._stem}{len(self.nodes)}"
        # Where a domain is missing, it is ONNX's own.
        node = self.onnx.helper.make_node(kind, list(inputs), [name], **attributes)
        self.nodes.append(node)
        return name

    def cast(self, value: str, kind: str) -> str:
        """Change the type, such as "DOUBLE"."""
        return self("Cast", value, to=getattr(self.onnx.TensorProto, kind))

    def sum_over(self, value: str, axis: int) -> str:
        """Sum over an axis, which stays with length 1."""
        return self("ReduceSum", value, self.constant([axis], np.int64), keepdims=1)

    def least_over(self, value: str, axis: int) -> str:
        """Least over an axis, which stays with length 1."""
        return self("ReduceMin", value, self.constant([axis], np.int64), keepdims=1)

    def limited(self, value: str, low: float | None, high: float | None) -> str:
        """Clip between two numbers."""
        ends = ["" if end is None else self.constant(end) for end in (low, high)]
        return self("Clip", value, *(ends if ends[1] else ends[:1]))

    def squared_distances(self, z: str, centers: FloatArray, inv_widths: FloatArray) -> str:
        """(n_rows, n_nodes) from (n_rows, n_mapped)."""
        rows = self("Unsqueeze", z, self.constant([1], np.int64))
        scaled = self("Mul", self("Sub", rows, self.constant(centers)), self.constant(inv_widths))
        total = self.sum_over(self("Mul", scaled, scaled), 2)
        return self("Squeeze", total, self.constant([2], np.int64))
