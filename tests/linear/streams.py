"""A regression problem on activations, shared by the tests of the linear readouts."""

from __future__ import annotations

import numpy as np


def make_stream(seed, n=90, n_nodes=6, n_outputs=2, noise=0.3):
    """Gaussian activations, targets far from zero, and uneven weights."""
    rng = np.random.default_rng(seed)
    X, centers = rng.uniform(-2.0, 2.0, (n, 2)), rng.uniform(-2.0, 2.0, (n_nodes, 2))
    Phi = np.exp(-0.5 * ((X[:, None] - centers) ** 2).sum(axis=2))
    coef = rng.standard_normal((n_nodes, n_outputs))
    targets = 7.0 + Phi @ coef + noise * rng.standard_normal((n, n_outputs))
    return Phi, targets, rng.uniform(0.2, 3.0, n)


def cuts(n, sizes):
    """Slices of the given sizes, over and over, until n."""
    start = 0
    while start < n:
        for size in sizes:
            yield slice(start, start + size)
            start += size
            if start >= n:
                return
