"""What a file may cost: memory and work in proportion to its bytes, whatever it asks for.

Loading a file of n bytes takes at most 50 MB + 20 n of memory, and 2 s + 1 s per MB; the tests hold
it to that. JSON is priced before it is parsed, since 3 characters can become 100 bytes.
"""

from __future__ import annotations

from drumlin.io.errors import require

MEMORY, MEMORY_PER_BYTE = 30 << 20, 10
"""Bytes for JSON and arrays of text; arrays of numbers and the trial have the rest."""

REFERENCES, REFERENCES_PER_BYTE = 16 << 20, 16
"""Bytes of arrays that may be referred to: one array may be named often, and is looked at often."""

MOST_OBJECTS = 500
"""Estimators, parts and random states; each may have parameters to validate."""

MOST_ATTRIBUTES = 200
"""Parameters and learned attributes of one estimator; each is looked up in its class."""

MOST_FEATURES = 1_000_000
"""Features of a step that stores nothing for each; others are bounded by their arrays."""

MOST_CATEGORICAL = 3000
"""Columns that an encoder turns into categories: each takes it some time for every row."""

_PER_CHARACTER, _PER_VALUE, _PER_KEY, _PER_CONTAINER = 5, 64, 150, 300


class Budget:
    """What is left to spend for one file.

    Parameters
    ----------
    n_bytes : int
        Size of the file.
    """

    def __init__(self, n_bytes: int) -> None:
        self._memory = MEMORY + MEMORY_PER_BYTE * n_bytes
        self._references = REFERENCES + REFERENCES_PER_BYTE * n_bytes
        self._objects = MOST_OBJECTS

    def spend_memory(self, n_bytes: int, what: str) -> None:
        """Refuse what would take more memory than is left."""
        self._memory -= n_bytes
        require(self._memory >= 0, f"{what} would take too much memory for a file of its size.")

    def spend_json(self, text: bytes, name: str) -> None:
        """Refuse JSON that would be too large when it is parsed and decoded."""
        containers = text.count(b"[") + text.count(b"{")
        values = containers + text.count(b",")
        price = _PER_CHARACTER * len(text) + _PER_VALUE * values + _PER_CONTAINER * containers
        price += _PER_KEY * text.count(b":")
        self.spend_memory(price, f"the JSON of {name}")

    def spend_reference(self, n_bytes: int) -> None:
        """Refuse a file whose arrays are named over and over."""
        self._references -= n_bytes
        require(self._references >= 0, "it refers to its arrays too often.")

    def spend_object(self) -> None:
        """Refuse a file with more objects than a model can need."""
        self._objects -= 1
        require(self._objects >= 0, f"it holds more than {MOST_OBJECTS} objects.")
