"""Which class the others are compared with, in SparseKernelLogisticRegression (docs/ando.md).

DRUMLIN_DATA=... python -m benchmarks.accuracy.ando_reference     # two CPU minutes
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.metrics import log_loss

from drumlin import SparseKernelLogisticRegression
from drumlin.datasets import load_vowel, make_waveform
from drumlin.evaluation.measures import timed

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
CHOICES: tuple[Any, ...] = (0, -1, "bic")


def half(X: np.ndarray, y: np.ndarray, n_train: int, seed: int) -> Split:
    """Seeded training and test rows."""
    rows = np.random.default_rng([seed]).permutation(len(X))
    train, test = rows[:n_train], rows[n_train:]
    return X[train], y[train], X[test], y[test]


def problems() -> Iterator[tuple[str, bool, list[Split]]]:
    """Name, whether inputs are standardised, and splits."""
    draws = [make_waveform(800, random_state=seed) for seed in range(1, 9)]
    yield "breiman-waveform", True, [(X[:300], y[:300], X[300:], y[300:]) for X, y in draws]
    yield "iris", True, [half(*load_iris(return_X_y=True), 75, seed) for seed in range(1, 5)]
    yield "wine", True, [half(*load_wine(return_X_y=True), 89, seed) for seed in range(1, 5)]
    X, y = load_digits(return_X_y=True)
    yield "digits 0-5", True, [half(X[y < 6], y[y < 6], 300, 1)]
    vowel = load_vowel()
    parts = [array[rows] for rows in (vowel.train, vowel.test) for array in (vowel.X, vowel.y)]
    yield "vowel, raw", False, [tuple(parts)]
    yield "vowel, standardised", True, [tuple(parts)]


def measured(splits: list[Split], standardize: bool, reference: Any) -> str:
    """Means over splits: BIC, error, log-loss, kernels, CPU seconds."""
    found = []
    for X, y, X_test, y_test in splits:
        model = SparseKernelLogisticRegression(reference=reference, standardize=standardize)
        model, seconds = timed(lambda model=model, X=X, y=y: model.fit(X, y))
        error = 100.0 * float((model.predict(X_test) != y_test).mean())
        loss = log_loss(y_test, model.predict_proba(X_test))
        found.append((model.bic_, error, loss, model.n_nodes_, seconds))
    bic, error, loss, kernels, seconds = np.mean(found, axis=0)
    return f"{bic:.1f}, {error:.1f}, {loss:.3f}, {kernels:.0f}, {seconds:.1f}"


if __name__ == "__main__":
    print("| set (splits) | " + " | ".join(f"`reference={choice!r}`" for choice in CHOICES) + " |")
    print("|---|---|---|---|")
    for name, standardize, splits in problems():
        cells = [measured(splits, standardize, choice) for choice in CHOICES]
        print(f"| {name} ({len(splits)}) | {' | '.join(cells)} |", flush=True)
