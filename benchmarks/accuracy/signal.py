"""Is there a signal? Pure noise, and few rows of many inputs of which few matter.

``python -m benchmarks.accuracy.signal [DRAWS]`` prints how often a network keeps nodes, and its
mean test loss beside that of the best constant: log-loss of classes, half the squared error of
numbers of variance 1. Seeds are those of no other page.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from benchmarks.accuracy.generators import Table, smooth_probabilities
from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.evaluation.measures import log_loss
from drumlin.experiments.formats import markdown_rows

FIRST_SEED = 9000
TEST_ROWS = 4000
SIZES = ((60, 3), (100, 10), (250, 2), (250, 20), (500, 50), (1000, 20))


def noise_of(n_classes: int) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    return lambda X, rng: rng.integers(0, n_classes, len(X))


def normal(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal(len(X))


def smooth(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Labels by the first six inputs; where there are fewer, the others are zero."""
    inputs = np.zeros((len(X), max(6, X.shape[1])))
    inputs[:, : X.shape[1]] = X
    return (rng.random(len(X)) < smooth_probabilities(inputs)).astype(int)


def plane(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Labels by a weak slope along three inputs (two where there are no more)."""
    odds = 0.5 * X[:, :3].sum(axis=1)
    return (rng.random(len(X)) < 1.0 / (1.0 + np.exp(-odds))).astype(int)


def wave(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return numbers: a wave along one input, as large as the noise."""
    return np.sqrt(2.0) * np.sin(2.0 * X[:, 0]) + rng.standard_normal(len(X))


TARGETS = {
    "noise, 2 classes": noise_of(2),
    "noise, 3 classes": noise_of(3),
    "noise, numbers": normal,
    "smooth": smooth,
    "plane": plane,
    "wave, numbers": wave,
}


def drawn(target: Callable, n: int, d: int, seed: int) -> tuple[Table, Table]:
    """Return a table and test rows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n + TEST_ROWS, d))
    y = target(X, rng)
    if y.dtype.kind == "f":
        y = (y - y[:n].mean()) / y[:n].std()
    return (X[:n], y[:n]), (X[n:], y[n:])


def losses(table: Table, test: Table) -> tuple[int, float, float]:
    """Nodes, test loss, test loss of the constant."""
    (X, y), (new, truth) = table, test
    if y.dtype.kind == "f":
        model = DrumlinRegressor().fit(X, y)
        errors = model.predict(new) - truth
        return model.n_nodes_, 0.5 * float(np.mean(errors**2)), 0.5 * float(np.mean(truth**2))
    classifier = DrumlinClassifier().fit(X, y)
    classes, counts = np.unique(y, return_counts=True)
    found = [
        log_loss(probabilities, classes, truth)
        for probabilities in (classifier.predict_proba(new), counts[None] / len(y))
    ]
    return classifier.n_nodes_, *found


def row(name: str, n: int, d: int, n_draws: int) -> list[str]:
    """One line of the table."""
    seeds = range(FIRST_SEED, FIRST_SEED + n_draws)
    found = np.array([losses(*drawn(TARGETS[name], n, d, seed)) for seed in seeds])
    nodes, ours, constant = found.T
    return [name, f"{n} x {d}", f"{int((nodes > 0).sum())} of {n_draws}", f"{ours.mean():.4f}",
            f"{constant.mean():.4f}"]  # fmt: skip


def main() -> None:
    n_draws = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rows = [row(name, n, d, n_draws) for name in TARGETS for n, d in SIZES]
    print(markdown_rows(["targets", "rows x inputs", "with nodes", "loss", "constant's"], rows))


if __name__ == "__main__":
    main()
