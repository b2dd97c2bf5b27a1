"""What products of matrices could bring to predictions of many nodes.

``OMP_NUM_THREADS=1 python -m benchmarks.speed.products`` prints nanoseconds of CPU per row and
node: of the network as it is (loops over differences), of the product of (z, z^2, 1) with the
constants of the nodes alone, and of that product with the exponential and the weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from drumlin.basis import Gaussian, Nodes
from drumlin.network import Network

SHAPES = ((1000, 54, 7), (1000, 20, 1), (300, 54, 7))  # nodes, inputs, outputs
ROWS, BLOCK, TURNS = 10_240, 256, 7


def nanoseconds(work: Callable[[], object], pairs: int) -> float:
    """Least CPU time of a pair of a row and a node."""
    best = np.inf
    for _ in range(TURNS):
        begin = time.thread_time()
        work()
        best = min(best, time.thread_time() - begin)
    return 1e9 * best / pairs


def measured(m: int, d: int, k: int) -> tuple[float, float, float]:
    """Return the network as it is, the product alone, and all that a product needs."""
    rng = np.random.default_rng(0)
    widths = np.sqrt(d) * np.exp(rng.normal(0.0, 0.3, (m, d)))
    nodes = Nodes(rng.standard_normal((m, d)), widths, Gaussian())
    network = Network(nodes, rng.standard_normal((m, k)), np.zeros(k))
    X = rng.standard_normal((ROWS, d))
    p2, C = widths**-2.0, nodes.centers
    A = np.hstack([-2.0 * p2 * C, p2, (p2 * C * C).sum(axis=1, keepdims=True)])
    blocks = [X[start : start + BLOCK].T for start in range(0, ROWS, BLOCK)]
    lifted = [np.concatenate([Z, Z * Z, np.ones((1, BLOCK))]) for Z in blocks]
    r2 = np.empty((m, BLOCK))

    def product() -> None:
        for F in lifted:
            np.dot(A, F, out=r2)

    def scores() -> list[np.ndarray]:
        return [network.coef.T @ Gaussian().activate_(np.dot(A, F, out=r2)) for F in lifted]

    np.testing.assert_allclose(np.hstack(scores()).T, network(X), rtol=1e-9, atol=1e-9)
    return tuple(nanoseconds(f, ROWS * m) for f in (lambda: network(X), product, scores))


def main() -> None:
    """Print the table."""
    print("| nodes x inputs x outputs | loops | product alone | with exp and weights |")
    print("|---|---|---|---|")
    for shape in SHAPES:
        cells = " | ".join(f"{value:.1f}" for value in measured(*shape))
        print(f"| {' x '.join(map(str, shape))} | {cells} |")


if __name__ == "__main__":
    main()
