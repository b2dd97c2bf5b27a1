"""How large a network may become."""

from __future__ import annotations

from dataclasses import dataclass

from drumlin.basis import InputMap
from drumlin.network import BYTES


@dataclass(frozen=True)
class Budget:
    """Limits that a user has set.

    Parameters
    ----------
    n_outputs : int
    max_nodes, max_bytes : int or None
    owner : str
        Whose parameters they are, for messages.
    """

    n_outputs: int
    max_nodes: int | None = None
    max_bytes: int | None = None
    owner: str = "the flagship"

    def most_nodes(self, view: InputMap) -> int | None:
        """Most nodes behind a view of the inputs, which takes its own part; None: no limit."""
        limits = [] if self.max_nodes is None else [self.max_nodes]
        if self.max_bytes is not None:
            free = self.max_bytes // BYTES - self._fixed(view)
            limits.append(max(0, free // self._per_node(view)))
        return min(limits) if limits else None

    def check(self, view: InputMap) -> None:
        """Refuse limits that not even a network with one node keeps."""
        if self.most_nodes(view) == 0:
            raise ValueError(
                f"The 'max_bytes' parameter of {self.owner} must be at least "
                f"{BYTES * (self._fixed(view) + self._per_node(view))}, the size of a network with "
                f"one node for {len(view.scaler.shift)} features. Got {self.max_bytes}."
            )

    def _fixed(self, view: InputMap) -> int:
        return self.n_outputs + view.size

    def _per_node(self, view: InputMap) -> int:
        return 2 * view.n_mapped + self.n_outputs
