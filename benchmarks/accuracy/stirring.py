"""What large tables gain where networks are stirred by the steps of small batches.

``python -m benchmarks.accuracy.stirring [DRAWS]`` prints test figures of the flagship with descents
alone, with stirring, and with twice the nodes as well, which is how it is built; all else alike.
Log-loss of classes, root mean square of numbers in units of their spread. Seeds are those of no
other page. Real tables need ``DRUMLIN_DATA`` and are left out without it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from scipy.special import expit

from benchmarks.accuracy.generators import shifted, smooth
from benchmarks.accuracy.growth import (
    Split,
    changes,
    drawn,
    judged_on_draws,
    labelled,
    of_covtype,
    of_friedman,
    of_table,
    of_three,
    turned,
    waves,
)
from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.experiments.formats import markdown_rows
from drumlin.flagship import Recipe

FIRST_SEED = 9700


def recipe(*, stirred: bool, cap: float) -> Recipe:
    """Return the recipe with or without stirring: no step at all is no use."""
    usual = Recipe()
    stirring = usual.stirring if stirred else replace(usual.stirring, steps=0, passes=0)
    return replace(usual, stirring=stirring, growth=replace(usual.growth, cap=cap))


RECIPES = (
    recipe(stirred=False, cap=1.0),
    recipe(stirred=True, cap=1.0),
    recipe(stirred=True, cap=2.0),
)


def rings(X: np.ndarray) -> np.ndarray:
    """Rings around the origin of a plane that is a little turned: three of eight inputs matter."""
    return np.cos(4.0 * np.hypot(X[:, 0], X[:, 1] + 0.3 * X[:, 2]))


def steps(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A checkerboard, a step and a slope in a cube of six inputs."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, (n, 6))
    score = 2.0 * ((X[:, 0] > 0.0) ^ (X[:, 1] > 0.3)) + (X[:, 2] > -0.2) - 1.5 + X[:, 3]
    return X, (rng.random(n) < expit(2.5 * score)).astype(int)


def of_two(kind: int, n: int, seed: int) -> Split:
    """Friedman's first function, and a wave of its first input beside a fifth of it."""
    X, y, new, truth = of_friedman(kind, n, seed)
    return X, both(X, y), new, both(new, truth)


def both(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.column_stack([y, 4.0 * np.sin(3.0 * X[:, 0]) + 0.2 * y])


PROBLEMS: list[tuple[str, Callable, object, int]] = [
    *[("smooth, 6 of 20 inputs", drawn, smooth, n) for n in (5000, 9000, 20_000, 80_000)],
    *[("linear", drawn, shifted, n) for n in (20_000, 80_000)],
    ("waves, 4 of 12 inputs", drawn, labelled(waves, 12), 20_000),
    *[("turned wave and product", drawn, labelled(turned, 15), n) for n in (9000, 40_000)],
    ("rings", drawn, labelled(rings, 8), 20_000),
    ("steps", drawn, steps, 20_000),
    *[("three classes, 7 of 20 inputs", drawn, of_three, n) for n in (4000, 20_000)],
    ("magic", of_table, "magic", 15_000),
    *[("covtype, 2 classes", of_covtype, 2, n) for n in (4000, 16_000, 64_000)],
    *[("covtype, 7 classes", of_covtype, 7, n) for n in (4000, 16_000)],
    *[("friedman1", of_friedman, 1, n) for n in (20_000, 80_000)],
    *[("friedman1 and a wave", of_two, 1, n) for n in (4000, 10_000, 20_000)],
]
"""Name, how it is split, of what, training rows."""


def rows(draws: int) -> Iterator[list]:
    """One line for every problem: figures, change of the others in percent, nodes, seconds."""
    for problem in PROBLEMS:
        base = DrumlinRegressor if problem[1] in (of_friedman, of_two) else DrumlinClassifier
        models = [type(base.__name__, (base,), {"_recipe": recipe}) for recipe in RECIPES]
        found = judged_on_draws(problem, models, draws, FIRST_SEED)
        if found is None:
            continue
        figures, nodes, seconds = found[0].mean(axis=0).T
        yield [
            f"{problem[0]}, {problem[3]} rows",
            f"{figures[0]:.4f}",
            *[f"{c:+.1f} ± {e:.1f}" for c, e in zip(*changes(found[0][:, :, 0]), strict=True)],
            " / ".join(f"{m:.0f}" for m in nodes),
            " / ".join(f"{s:.1f}" for s in seconds),
        ]


HEAD = ["problem", "descents alone", "stirred, %", "twice the nodes too, %", "nodes", "seconds"]


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    DrumlinClassifier().fit(*shifted(300, 0))  # kernels are loaded
    print(markdown_rows(HEAD, list(rows(draws))))


if __name__ == "__main__":
    main()
