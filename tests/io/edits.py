"""A model file taken apart, so that tests can write one that ``save`` never would."""

from __future__ import annotations

import json

import numpy as np

from tests.io.models import archive_of, members


class Draft:
    """The JSON and the arrays of a file.

    Attributes
    ----------
    manifest, tree : dict
    arrays : list of ndarray
    """

    def __init__(self, content):
        parts = members(content)
        self.manifest = json.loads(parts["manifest.json"])
        document = json.loads(parts["model.json"])
        self.tree = document["model"]
        self.arrays, start = [], 0
        for kind, shape, order in document["arrays"]:
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            flat = np.frombuffer(parts["arrays.bin"][start : start + size], dtype=f"<{kind}")
            self.arrays.append(flat.reshape(shape, order=order).copy(order))
            start += size

    def content(self):
        """Return the bytes of the file."""
        index, blobs = [], []
        for array in self.arrays:
            is_fortran = array.flags.f_contiguous and not array.flags.c_contiguous
            order = "F" if is_fortran else "C"
            index.append([array.dtype.str[1:], list(array.shape), order])
            blobs.append(array.tobytes(order))
        document = {"model": self.tree, "arrays": index}
        return archive_of(
            {
                "manifest.json": json.dumps(self.manifest).encode(),
                "model.json": json.dumps(document).encode(),
                "arrays.bin": b"".join(blobs),
            }
        )

    def new(self, array):
        """Add an array and return what refers to it."""
        self.arrays.append(np.asarray(array))
        return {"array": len(self.arrays) - 1}

    def place(self, path):
        """Return the container and the key that a dotted name leads to; None where it ends."""
        container, key = {"root": self.tree}, "root"
        for name in path.split("."):
            node = container[key]
            if not isinstance(node, dict):
                return None
            inside = node.get("state") or node.get("dict") or node.get("tuple")
            key = int(name) if name.isdigit() else name
            if inside is None or (isinstance(inside, dict) and key not in inside):
                return None
            container = inside
        return container, key

    def array(self, path):
        """Return the array that a dotted name leads to; None where there is none."""
        found = self.place(path)
        node = None if found is None else found[0][found[1]]
        return self.arrays[node["array"]] if isinstance(node, dict) and "array" in node else None

    def set(self, path, value):
        """Put a JSON value, or an array, where a dotted name leads to."""
        container, key = self.place(path)
        container[key] = self.new(value) if isinstance(value, np.ndarray) else value
        return self
