"""What tables up to 7500 rows gain where rows not seen judge longer rounds and new nodes.

Samples left out do; where they cannot (many variables, or several classes above 2500 rows), a tenth
of the rows kept apart. ``python -m benchmarks.accuracy.growth [DRAWS]`` prints test figures of the
flagship with and without that step, all else alike: log-loss of classes, root mean square of
numbers in units of their spread. Seeds are those of no other page. Real tables need
``DRUMLIN_DATA`` and are left out without it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from scipy.special import expit

from benchmarks.accuracy.flagship_problems import benchmark, friedman, table
from benchmarks.accuracy.generators import shifted, smooth
from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.evaluation.measures import log_loss
from drumlin.experiments.formats import markdown_rows
from drumlin.experiments.problems import NINE
from drumlin.flagship import Recipe

FIRST_SEED = 9500
TEST_ROWS = 10_000
Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Training rows and targets, test rows and targets."""


def plain(base: type) -> type:
    """Return an estimator without the step."""
    recipe = Recipe()
    off = replace(
        recipe,
        judge=replace(recipe.judge, class_variables=0, several_variables=0),
        growth=replace(recipe.growth, variables=0),
        schedule=replace(recipe.schedule, middling=recipe.schedule.large),
    )
    return type(base.__name__, (base,), {"_recipe": off})


def waves(X: np.ndarray) -> np.ndarray:
    """A wave, an edge, a square and a slope, added: four of twelve inputs matter."""
    return np.sin(2.0 * X[:, 0]) + np.abs(X[:, 1]) + X[:, 2] ** 2 - 2.3 + 0.7 * X[:, 3]


def turned(X: np.ndarray) -> np.ndarray:
    """A wave and a product along directions that no input is."""
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((X.shape[1], X.shape[1])))[0]
    Z = X @ Q
    return 4.0 / 3.0 * (np.sin(2.0 * Z[:, 0]) + Z[:, 1] * Z[:, 2])


def labelled(score: Callable, d: int) -> Callable[[int, int], tuple[np.ndarray, np.ndarray]]:
    """Return a generator of labels by the logistic function of three times a score."""

    def make(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((n, d))
        return X, (rng.random(n) < expit(3.0 * score(X))).astype(int)

    return make


def of_three(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three classes by two smooth scores; seven of twenty inputs matter."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 20))
    waves = np.sin(2.0 * X[:, 0]) + X[:, 1] * X[:, 2] + 2.0 * np.exp(-(X[:, 3] ** 2)) - 1.2
    waves += 0.5 * np.cos(3.0 * X[:, 4]) * X[:, 5]
    others = np.cos(2.0 * X[:, 5]) + X[:, 6] * X[:, 0] + X[:, 2] ** 2 - 1.0
    scores = 2.0 * np.column_stack([waves, others, np.zeros(n)])
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def drawn(make: Callable, n: int, seed: int) -> Split:
    return *make(n, 2 * seed), *make(TEST_ROWS, 2 * seed + 1)


def of_table(name: str, n: int, seed: int) -> Split:
    problem = table(name, n, seed)
    return problem.X, problem.y, problem.X_test, problem.y_test


def of_covtype(n_classes: int, n: int, seed: int) -> Split:
    problem = table("covtype", n, seed, n_classes=n_classes)
    return problem.X, problem.y, problem.X_test, problem.y_test


def of_set(name: str, n: int, seed: int) -> Split:
    problem = benchmark(name, seed)
    return problem.X, problem.y, problem.X_test, problem.y_test


def of_friedman(kind: int, n: int, seed: int) -> Split:
    problem = friedman(kind, seed, n, TEST_ROWS)
    return problem.X, problem.y, problem.X_test, problem.y_test


PROBLEMS: list[tuple[str, Callable, object, int]] = [
    *[("smooth, 6 of 20 inputs", drawn, smooth, n) for n in (300, 600, 1000, 2500)],
    *[("linear", drawn, shifted, n) for n in (500, 5000)],
    *[("three classes, 7 of 20 inputs", drawn, of_three, n) for n in (300, 500, 1000, 2000)],
    *[("segment", of_table, "segment", n) for n in (300, 1000)],
    ("waves, 4 of 12 inputs", drawn, labelled(waves, 12), 600),
    *[("turned wave and product", drawn, labelled(turned, 15), n) for n in (1000, 4000)],
    *[(name, of_table, name, n) for name in ("phoneme", "magic") for n in (1000, 4000)],
    *[(f"covtype, {k} classes", of_covtype, k, n) for k in (2, 7) for n in (4000, 7000)],
    *[(name, of_set, name, 0) for name in NINE],
    *[(f"friedman{kind}", of_friedman, kind, n) for kind, n in ((1, 200), (1, 1000), (3, 300))],
]
"""Name, how it is split, of what, training rows (0: as the set has them)."""


def judged(base: type, split: Split) -> tuple[float, int, float]:
    """Test figure, nodes, seconds of CPU."""
    X, y, new, truth = split
    begin = time.process_time()
    model = base().fit(X, y)
    seconds = time.process_time() - begin
    if issubclass(base, DrumlinClassifier):
        return log_loss(model.predict_proba(new), model.classes_, truth), model.n_nodes_, seconds
    errors = model.predict(new) - truth
    return float(np.sqrt(np.mean(errors**2)) / np.std(y)), model.n_nodes_, seconds


def judged_on_draws(
    problem: tuple[str, Callable, object, int], models: list[type], draws: int, first_seed: int
) -> tuple[np.ndarray, int] | None:
    """Figures (draws, models, 3) and training rows; None without the data."""
    _, split, what, n = problem
    found = []
    for draw in range(draws):
        try:
            parts = split(what, n, first_seed + draw)
        except FileNotFoundError:
            return None
        found.append([judged(model, parts) for model in models])
    return np.array(found), n or len(parts[1])


def changes(figures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Change of the logarithm of the other models' figures, in percent, and standard errors."""
    change = 100.0 * np.log(figures[:, 1:] / figures[:, :1])
    return change.mean(axis=0), change.std(axis=0) / np.sqrt(max(len(change) - 1, 1))


def rows(draws: int) -> Iterator[list]:
    """One line for every problem: without, with, difference in percent and its standard error."""
    for problem in PROBLEMS:
        base = DrumlinRegressor if problem[1] is of_friedman else DrumlinClassifier
        found = judged_on_draws(problem, [plain(base), base], draws, FIRST_SEED)
        if found is None:
            continue
        figures, size = found
        (without, few, brief), (grown, many, long) = figures.mean(axis=0)
        (change,), (error,) = changes(figures[:, :, 0])
        yield [
            f"{problem[0]}, {size} rows",
            f"{without:.4f}",
            f"{grown:.4f}",
            f"{change:+.1f} ± {error:.1f}",
            f"{few:.1f}",
            f"{many:.1f}",
            f"{long / brief:.1f}",
        ]


HEAD = ["problem", "without", "with", "change, %", "nodes without", "with", "time, ratio"]


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    DrumlinClassifier().fit(*shifted(300, 0))  # kernels are loaded
    print(markdown_rows(HEAD, list(rows(draws))))


if __name__ == "__main__":
    main()
