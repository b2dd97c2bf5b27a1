"""Did a change of the code change any model? Record fits before it, compare after it.

    python -m benchmarks.goldens record /tmp/before.npz
    python -m benchmarks.goldens compare /tmp/before.npz      # exit code 1 where anything differs

Some thirty fits over all estimators, each with both backends: nodes, weights, scores, leave-one-out
figures, a truncated copy. Records belong to one machine (products of matrices round differently on
another), so none is committed; a refactoring is expected to leave every bit.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from sklearn.base import is_classifier
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    make_friedman1,
    make_moons,
)

import drumlin
from drumlin.search import GeneticSearch

Data = tuple[np.ndarray, np.ndarray]
FIGURES = ("loo_error_", "loo_log_loss_", "loo_score_", "noise_std_", "bic_", "temperature_")
ARRAYS = ("centers_", "widths_", "relevance_", "support_")


def moons(n: int, noise: float = 0.3) -> Data:
    return make_moons(n, noise=noise, random_state=0)


def smooth(n: int, d: int = 8) -> Data:
    """Two classes: a smooth function of six inputs, others of noise."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(n, d))
    f = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 2 * np.exp(-(X[:, 3] ** 2)) - 1.2
    return X, (rng.random(n) < 1 / (1 + np.exp(-3 * f))).astype(int)


def wide(n_classes: int) -> Data:
    rng = np.random.default_rng(2)
    y = rng.integers(n_classes, size=80)
    X = rng.normal(size=(80, 300))
    X[:, :50] += 0.8 * rng.normal(size=(n_classes, 50))[y]
    return X, y


def friedman(n: int) -> Data:
    return make_friedman1(n, noise=1.0, random_state=3)


def blocks() -> Data:
    """Nine classes on a grid."""
    rng = np.random.default_rng(4)
    X = rng.uniform(0, 3, size=(900, 2))
    return X, (X[:, 0].astype(int) * 3 + X[:, 1].astype(int)) % 9


def weighted(data: Data) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    return (*data, rng.choice([0.0, 0.5, 1.0, 3.0], size=len(data[0])))


C, R = drumlin.DrumlinClassifier, drumlin.DrumlinRegressor
FITS: dict[str, tuple[Callable, Callable]] = {
    "moons": (C, lambda: moons(400)),
    "moons weighted": (C, lambda: weighted(moons(400))),
    "moons balanced": (lambda: C(class_weight="balanced"), lambda: moons(300)),
    "moons few nodes": (lambda: C(max_nodes=4), lambda: moons(500)),
    "cancer": (C, lambda: load_breast_cancer(return_X_y=True)),
    "cancer bytes": (lambda: C(max_bytes=4000), lambda: load_breast_cancer(return_X_y=True)),
    "iris": (C, lambda: load_iris(return_X_y=True)),
    "blocks": (C, blocks),
    "wide 2": (C, lambda: wide(2)),
    "wide 4": (C, lambda: wide(4)),
    "smooth 3000": (C, lambda: smooth(3000)),
    "smooth 12000": (C, lambda: smooth(12_000)),
    "noise": (C, lambda: (smooth(200)[0], np.arange(200) % 2)),
    "diabetes": (R, lambda: load_diabetes(return_X_y=True)),
    "friedman 300": (R, lambda: friedman(300)),
    "friedman weighted": (R, lambda: weighted(friedman(250))),
    "friedman 9000": (R, lambda: friedman(9000)),
    "friedman huber": (lambda: R(loss="huber"), lambda: friedman(400)),
    "forward": (drumlin.ForwardRBFClassifier, lambda: moons(300)),
    "forward iris": (drumlin.ForwardRBFClassifier, lambda: load_iris(return_X_y=True)),
    "forward numbers": (drumlin.ForwardRBFRegressor, lambda: friedman(200)),
    "hong2008": (lambda: drumlin.presets("hong2008"), lambda: moons(200)),
    "hong2014": (lambda: drumlin.presets("hong2014"), lambda: moons(200)),
    "chen2010": (
        lambda: drumlin.presets("chen2010").set_params(random_state=0, max_nodes=4),
        lambda: moons(150),
    ),
    "tunable": (
        lambda: drumlin.TunableRBFRegressor(random_state=0, max_nodes=5),
        lambda: friedman(150),
    ),
    "sparse logistic": (drumlin.SparseKernelLogisticRegression, lambda: moons(120)),
    "sparse iris": (drumlin.SparseKernelLogisticRegression, lambda: load_iris(return_X_y=True)),
    "genetic": (
        lambda: drumlin.SparseKernelLogisticRegression(
            width=1.0, alpha=0.1, search=GeneticSearch(12, 6), random_state=0
        ),
        lambda: moons(100),
    ),
    "rbf rls": (lambda: drumlin.RBFNetworkClassifier(random_state=0), lambda: moons(300)),
    "rbf ridge": (
        lambda: drumlin.RBFNetworkRegressor(solver="ridge", random_state=0),
        lambda: friedman(300),
    ),
    "rbf gradient": (
        lambda: drumlin.RBFNetworkClassifier(8, solver="gradient", random_state=0),
        lambda: moons(300),
    ),
    "kernel regression": (drumlin.NadarayaWatsonRegressor, lambda: friedman(200)),
    "kernel classes": (drumlin.NadarayaWatsonClassifier, lambda: load_iris(return_X_y=True)),
}


def facts(model, X: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Everything of a fitted model that a user can see in numbers."""
    far = X[:50] + 3.0 * X.std(axis=0)
    rows = np.vstack([X[:200], far])
    for name in (*FIGURES, *ARRAYS):
        if hasattr(model, name):
            yield name, np.asarray(getattr(model, name), dtype=float)
    yield "coef", model.network_.coef
    yield "intercept", model.network_.intercept
    yield "scores", model.network_(rows)
    if is_classifier(model):
        yield "probabilities", model.predict_proba(rows)
    for name in ("novelty", "gradient", "contributions"):
        if hasattr(model, name):
            yield name, getattr(model, name)(rows[::5])
    if isinstance(model, R):
        yield "std", model.predict(rows, return_std=True)[1]
    if hasattr(model, "truncate") and model.n_nodes_ > 1:
        yield "truncated", model.truncate(model.n_nodes_ // 2).network_(rows)


def records() -> dict[str, np.ndarray]:
    """All facts of all fits on both backends."""
    found = {}
    for backend in ("numba", "numpy"):
        os.environ["DRUMLIN_BACKEND"] = backend
        for name, (make, data) in FITS.items():
            X, y, *weight = data()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = make().fit(X, y, *weight)
                for fact, value in facts(model, X):
                    found[f"{backend} | {name} | {fact}"] = value
    return found


def compare(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> int:
    """Print what differs and by how much; return how much does."""
    different = 0
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old is None or new is None or old.shape != new.shape:
            shapes = [None if value is None else value.shape for value in (old, new)]
            print(f"{name}: shape {shapes[0]} -> {shapes[1]}")
        elif not np.array_equal(old, new, equal_nan=True):
            with np.errstate(invalid="ignore"):
                gap = np.nanmax(np.abs(old - new) / (1.0 + np.abs(old)))
            print(f"{name}: {gap:.1e}")
        else:
            continue
        different += 1
    print(f"{different} of {len(before)} facts differ.")
    return different


def main() -> int:
    verb, path = sys.argv[1:]
    found = records()
    if verb == "record":
        np.savez(path, **found)
        print(f"{len(found)} facts in {path}")
        return 0
    with np.load(path) as file:
        return int(compare(dict(file), found) > 0)


if __name__ == "__main__":
    sys.exit(main())
