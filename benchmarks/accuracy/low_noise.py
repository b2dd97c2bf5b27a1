"""Large regressions with hardly any noise: what longer rounds and double precision bring.

``python -m benchmarks.accuracy.low_noise`` prints the error on fresh rows over the spread of the
targets, with and without them, and seconds of CPU. The figures of docs/flagship-ablations.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from sklearn.datasets import make_friedman1

from drumlin import DrumlinRegressor
from drumlin.experiments.formats import markdown_rows
from drumlin.refinement import LargeRefinement

TEST_ROWS, TEST_SEED = 5000, 99
Draw = Callable[[int, int], tuple[np.ndarray, np.ndarray, np.ndarray]]


def friedman(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Friedman's first function, no noise: inputs, targets and what they would be without it."""
    X, y = make_friedman1(n, noise=0.0, random_state=seed)
    return X, y, y


def product(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x0 x1 over a cube of four inputs, noise 1e-4."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (n, 4))
    truth = X[:, 0] * X[:, 1]
    return X, truth + 1e-4 * rng.standard_normal(n), truth


CASES: tuple[tuple[str, Draw, int, int | None], ...] = (
    ("friedman1, 9000 rows", friedman, 9000, None),
    ("friedman1, 30000 rows", friedman, 30_000, None),
    ("friedman1, 9000 rows, 3 nodes", friedman, 9000, 3),
    ("x0 x1, 30000 rows", product, 30_000, None),
)


def measured(draw: Draw, n: int, max_nodes: int | None) -> tuple[str, str]:
    """Relative error on fresh rows and seconds."""
    X, y, _ = draw(n, 0)
    X_new, _, truth = draw(TEST_ROWS, TEST_SEED)
    begin = time.process_time()
    model = DrumlinRegressor(max_nodes=max_nodes).fit(X, y)
    seconds = time.process_time() - begin
    error = np.sqrt(np.mean((model.predict(X_new) - truth) ** 2)) / y.std()
    return f"{error:.5f}", f"{seconds:.1f}"


def main() -> None:
    """Print the table."""
    rows = []
    for name, draw, n, max_nodes in CASES:
        with patch.object(LargeRefinement, "_persist", lambda *_: None):
            before = measured(draw, n, max_nodes)
        rows.append([name, *before, *measured(draw, n, max_nodes)])
    head = ["table", "error without", "s", "error with", "s"]
    print(markdown_rows(head, rows))


if __name__ == "__main__":
    main()
