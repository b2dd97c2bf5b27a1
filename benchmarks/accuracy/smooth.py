"""What smooth networks are worth in regression: none, with few nodes, and as the recipe has them.

``python -m benchmarks.accuracy.smooth [draws]`` prints root mean squares of test rows in units of
their targets' spread. Generators are judged without the noise of their targets: what is told is the
distance to the truth. Seeds are those of no other page. Real tables need ``DRUMLIN_DATA``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3

from drumlin import DrumlinRegressor
from drumlin.datasets import load_uci
from drumlin.experiments.formats import markdown_rows
from drumlin.flagship import Recipe
from drumlin.flagship.recipe import SmoothKind

FIRST_SEED = 7300
TEST_ROWS = 3000
Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Training rows and targets, test rows and targets."""


def variant(*kinds: SmoothKind) -> type[DrumlinRegressor]:
    """Return the estimator with other smooth networks."""
    recipe = Recipe()
    other = replace(recipe, smooth=replace(recipe.smooth, tried=kinds))
    return type("DrumlinRegressor", (DrumlinRegressor,), {"_recipe": other})


VARIANTS = {
    "none": variant(),
    "few nodes": variant(  # near to what the recipe had before there were many
        SmoothKind(size=1.0, nugget=1e-8, margin=1.0)
    ),
    "recipe": DrumlinRegressor,
}


def wave(X: np.ndarray) -> np.ndarray:
    """A wave and a product: three inputs matter."""
    return np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 2]


def slope(X: np.ndarray) -> np.ndarray:
    """A plane: three inputs matter."""
    return X[:, 0] + X[:, 1] + 0.5 * X[:, 2]


def corner(X: np.ndarray) -> np.ndarray:
    """Steps."""
    return (X[:, 0] > 0.0) + 2.0 * (X[:, 1] > 0.5) * (X[:, 2] > 0.0)


def ridges(X: np.ndarray) -> np.ndarray:
    """A wave along a direction that no input is."""
    return np.sin(X @ np.resize([1.0, 0.5, 1.0, -0.5], X.shape[1]))


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_normal(n)


def heavy(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_t(2.0, n)


def wild(rng: np.random.Generator, n: int) -> np.ndarray:
    return rng.standard_normal(n) + 20.0 * (rng.random(n) < 0.03) * rng.standard_normal(n)


def surface(
    f: Callable, d: int, noise: float, errors: Callable, copies: int, n: int, seed: int
) -> Split:
    """Normal inputs; noise in units of the surface's spread; every row so many times."""
    rng = np.random.default_rng([seed, n, d])
    X = rng.standard_normal((n + TEST_ROWS, d))
    truth = f(X) / f(X).std()
    y = truth[:n] + noise * errors(rng, n)
    distinct = np.arange(n) // copies
    return X[distinct], y[distinct], X[n:], truth[n:]


def friedman(make: Callable, noise: float, n: int, seed: int) -> Split:
    """Targets of the training rows are noisy, those of the test rows are not."""
    X, truth = make(n + TEST_ROWS, noise=0.0, random_state=seed)
    y = truth + noise * np.random.default_rng([seed, n]).standard_normal(len(truth))
    return X[:n], y[:n], X[n:], truth[n:]


def of_table(X: np.ndarray, y: np.ndarray, n: int, seed: int) -> Split:
    order = np.random.default_rng([seed]).permutation(len(y))
    train, test = order[:n], order[n : n + 5000]
    return X[train], y[train], X[test], y[test]


def uci(name: str, n: int, seed: int) -> Split:
    data = load_uci(name)
    return of_table(data.X, data.y, n, seed)


def diabetes(n: int, seed: int) -> Split:
    return of_table(*load_diabetes(return_X_y=True), n, seed)


def plain(
    f: Callable, d: int, noise: float, errors: Callable = normal, copies: int = 1
) -> Callable:
    return partial(surface, f, d, noise, errors, copies)


PROBLEMS: list[tuple[str, Callable, tuple[int, ...]]] = [
    ("friedman1", partial(friedman, make_friedman1, 1.0), (100, 250, 500, 1000, 2000)),
    ("friedman2", partial(friedman, make_friedman2, 125.0), (250, 1000)),
    ("friedman3", partial(friedman, make_friedman3, 0.1), (250, 1000)),
    ("wave, 3 of 5 inputs", plain(wave, 5, 0.5), (60, 150, 500)),
    ("wave, 3 of 60 inputs", plain(wave, 60, 0.5), (300, 1000)),
    ("plane, 3 of 5 inputs", plain(slope, 5, 1.0), (30, 60, 150, 500)),
    ("plane, 3 of 30 inputs", plain(slope, 30, 1.0), (60, 300)),
    ("plane, weak", plain(slope, 10, 4.0), (150, 600)),
    ("steps", plain(corner, 6, 0.3), (150, 600)),
    ("ridges", plain(ridges, 8, 0.5), (250, 1000)),
    ("wave, noise of heavy tails", plain(wave, 6, 0.5, heavy), (150, 600)),
    ("wave, 3 % outliers", plain(wave, 6, 0.3, wild), (150, 600)),
    ("wave, rows five times", plain(wave, 6, 0.7, normal, 5), (500, 1500)),
    ("wave, no noise", plain(wave, 5, 0.0), (60, 500)),
    ("scikit-learn's diabetes", diabetes, (310,)),
    *[(name, partial(uci, name), (500,)) for name in ("energy", "kin8nm", "naval")],
    ("wine-red", partial(uci, "wine-red"), (1000,)),
]
"""Name, how it is split, training rows."""


def judged(model: DrumlinRegressor, split: Split) -> tuple[float, int, float]:
    """Root mean square in units of the spread of the test targets, nodes, seconds of CPU."""
    X, y, new, truth = split
    begin = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - begin
    error = float(np.sqrt(np.mean((model.predict(new) - truth) ** 2)))
    return max(error / truth.std(), 1e-6), model.n_nodes_, seconds


def lines(draws: int) -> Iterator[tuple[list[str], np.ndarray]]:
    """Cells of every problem, and logarithms of what errors are against those without."""
    for name, split, sizes in PROBLEMS:
        for n in sizes:
            try:
                splits = [split(n, FIRST_SEED + draw) for draw in range(draws)]
            except FileNotFoundError:
                break
            found = np.array([[judged(m(), s) for m in VARIANTS.values()] for s in splits])
            change = np.log(found[:, 1:, 0] / found[:, :1, 0])
            doubt = 100.0 * change.std(axis=0) / np.sqrt(max(draws - 1, 1))
            error, nodes, seconds = found.mean(axis=0).T
            shown = zip(100.0 * change.mean(axis=0), doubt, strict=True)
            cells = [f"{name}, {n} rows", f"{error[0]:.4f}"]
            cells += [f"{mean:+.1f} ± {se:.1f}" for mean, se in shown]
            cells += [f"{nodes[0]:.1f}", f"{nodes[-1]:.1f}", f"{seconds[-1] / seconds[0]:.1f}"]
            yield cells, change.mean(axis=0)


HEAD = ["problem", "without", "few nodes, %", "recipe, %", "nodes without", "recipe", "time, ratio"]


def main() -> None:
    """Print the table."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    DrumlinRegressor().fit(*friedman(make_friedman1, 1.0, 200, 0)[:2])  # kernels are loaded
    cells, changes = zip(*lines(draws), strict=True)
    few, recipe = 100.0 * np.mean(changes, axis=0)
    last = ["**mean**", "", f"{few:+.1f}", f"{recipe:+.1f}", "", "", ""]
    print(markdown_rows(HEAD, [*cells, last]))


if __name__ == "__main__":
    main()
