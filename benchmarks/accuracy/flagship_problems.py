"""The problems of the flagship benchmark: seeded splits, nothing chosen on test rows."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3

from drumlin.datasets import load_table
from drumlin.experiments.problems import SETS, Problem, divided

# Noise as in Friedman (1991): a third of the signal's standard deviation for the second and third.
FRIEDMAN = {1: (make_friedman1, 1.0), 2: (make_friedman2, 125.0), 3: (make_friedman3, 0.1)}


def benchmark(name: str, realisation: int) -> Problem:
    """One realisation of one of the nine sets."""
    return SETS[name].problem(realisation)


def table(
    name: str, n_train: int, split: int, max_test: int = 10_000, n_classes: int | None = None
) -> Problem:
    """A seeded split of a table, if wanted of its largest classes only."""
    data = load_table(name)
    X, y = data.X, data.y
    if n_classes is not None:
        labels, counts = np.unique(y, return_counts=True)
        kept = np.isin(y, labels[np.argsort(-counts, kind="stable")[:n_classes]])
        X, y, name = X[kept], y[kept], f"{name}-{n_classes}"
    order = np.random.default_rng([split]).permutation(len(y))
    return divided(name, split, X, y, order[:n_train], order[n_train : n_train + max_test])


def vowel() -> Problem:
    """The vowels, split by speaker."""
    return SETS["vowel"].problem(1)


def noise(draw: int, n: int = 200, n_features: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Inputs, and labels that do not depend on them."""
    rng = np.random.default_rng([draw])
    return rng.standard_normal((n, n_features)), rng.integers(0, 2, n)


def diabetes_progression(split: int) -> Problem:
    """scikit-learn's diabetes table, 70 % for training."""
    X, y = load_diabetes(return_X_y=True)
    order = np.random.default_rng([split]).permutation(len(y))
    n_train = round(0.7 * len(y))
    return divided("sklearn-diabetes", split, X, y, order[:n_train], order[n_train:])


def friedman(kind: int, draw: int, n_train: int = 500, n_test: int = 2000) -> Problem:
    """A draw of one of Friedman's functions, training and test rows alike with noise."""
    make, deviation = FRIEDMAN[kind]
    X, y = make(n_train + n_test, noise=deviation, random_state=draw)
    rows = np.arange(len(y))
    return divided(f"friedman{kind}", draw, X, y, rows[:n_train], rows[n_train:])


GENERATED = {
    "plane": lambda X: X @ [1.0, 0.5, -0.5, 0.2],
    "products": lambda X: X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3],
    "sines": lambda X: np.sin(4.0 * X[:, 0]) + np.sin(3.0 * X[:, 1]) + np.sin(5.0 * X[:, 2]),
    "steps": lambda X: (X[:, 0] > 0.0) + 1.0 * (X[:, 1] > 0.3) * (X[:, 0] < 0.5),
}


def generated(name: str, draw: int, outliers: float = 0.0, n_train: int = 500) -> Problem:
    """One of four surfaces over a cube, with a part of the inputs replaced by outliers."""
    rng = np.random.default_rng([draw, len(name)])
    X = rng.uniform(-1.0, 1.0, (n_train + 2000, 4))
    signal = GENERATED[name](X)
    y = signal + 0.3 * signal.std() * rng.standard_normal(len(X))
    wrong = rng.random(X.shape) < outliers
    X[wrong] = rng.normal(0.0, 20.0, wrong.sum())
    rows = np.arange(len(X))
    full_name = f"{name}, outliers" if outliers else name
    return divided(full_name, draw, X, y, rows[:n_train], rows[n_train:])


def heavy_tails(draw: int, n_train: int = 500) -> Problem:
    """Inputs with infinite variance, of which the target sees bounded functions."""
    rng = np.random.default_rng([draw])
    X = rng.standard_t(2.0, (n_train + 2000, 4))
    signal = np.tanh(X[:, 0]) + np.tanh(X[:, 1]) * np.tanh(X[:, 2])
    y = signal + 0.3 * signal.std() * rng.standard_normal(len(X))
    rows = np.arange(len(X))
    return divided("heavy tails", draw, X, y, rows[:n_train], rows[n_train:])
