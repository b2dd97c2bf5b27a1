"""The hidden map of the XOR problem (table 5.1 of Haykin) and what Cover's theorem says of it.

    python examples/xor.py

No straight line separates the four corners. Two Gaussian nodes map them to a plane in which one
does; a network with these two nodes then solves the problem.
"""

from __future__ import annotations

import numpy as np

from drumlin import RBFNetworkClassifier, cover
from drumlin.datasets import make_xor


def hidden_map() -> tuple[np.ndarray, np.ndarray, RBFNetworkClassifier]:
    """Corners, labels, and the network with nodes on (1, 1) and (0, 0)."""
    X, y = make_xor()
    # exp(-r^2) of the book is exp(-r^2 / (2 width^2)) with width 1 / sqrt(2).
    network = RBFNetworkClassifier(
        centers=[[1.0, 1.0], [0.0, 0.0]], width=np.sqrt(0.5), solver="ridge", alpha=1e-9
    )
    return X, y, network.fit(X, y)


def main() -> None:
    """Print the table and the verdicts."""
    X, y, network = hidden_map()
    Phi = network.network_.activations(X).T
    print("input    phi1    phi2   class  network")
    for x, phi, label, score in zip(X, Phi, y, network.decision_function(X), strict=True):
        print(f"({x[0]:.0f}, {x[1]:.0f})  {phi[0]:.4f}  {phi[1]:.4f}  {label:5d}  {score:+7.3f}")
    constant = np.ones((4, 1))
    for name, columns in (("inputs", X), ("hidden map", Phi)):
        answer = "yes" if cover.is_separable(np.hstack([columns, constant]), y) else "no"
        print(f"separable by a line in the {name}: {answer}")
    print(
        "chance that random labels of 4 random points are separable with 3 degrees of freedom: "
        f"{cover.separability(4, 3):.3f}"
    )


if __name__ == "__main__":
    main()
