"""Kernels compiled before they are needed: once on a host, for all its processes."""

from __future__ import annotations

import numpy as np

from drumlin._kernels import LOGISTIC, NodeParameters, backend


def warm_up() -> None:
    """Compile, or load, what passes over all rows run: the loss and its gradient in float32.

    Other processes of the host find the kernel where this one has kept it.
    """
    one = np.ones((1, 1))
    nodes = NodeParameters(one, one, one, np.zeros(1))
    columns, labels = np.zeros((1, 2), dtype=np.float32), np.arange(2)
    backend().value_and_gradient(columns, labels, np.ones(2), nodes, LOGISTIC)
