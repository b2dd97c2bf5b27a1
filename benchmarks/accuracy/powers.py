"""What powers of skewed inputs are worth, judged by samples left out: with that step and without.

``python -m benchmarks.accuracy.powers [problem ...]`` fits every problem with the recipe and with
one that never looks for powers, on the same rows. Splits are those of no other page. Real tables
need ``DRUMLIN_DATA``. Generators are labels by the logistic function of a smooth score, of the
inputs named: it is the recipe that has to find out whether they are better drawn in.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from scipy.special import expit

from benchmarks.accuracy.flagship_problems import benchmark, table
from drumlin import DrumlinClassifier
from drumlin.evaluation.measures import log_loss
from drumlin.experiments.problems import NINE, Problem, divided
from drumlin.flagship import Recipe

REALISATIONS = range(81, 101)
TABLES = {"phoneme": 2000, "magic": 4000, "segment": 1000, "letter": 1500, "covtype": 2000}
SPLITS = range(700, 706)
TRAINED, TESTED = 500, 4000

NEVER = replace(Recipe(), view=replace(Recipe().view, skewed=np.inf))


class Plain(DrumlinClassifier):
    """The flagship without the step."""

    _recipe = NEVER


def of_logarithms(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Log-normal inputs, a score of their logarithms."""
    L = rng.standard_normal((n, 5))
    return np.exp(1.2 * L), np.sin(1.5 * L[:, 0]) + L[:, 1] * L[:, 2] + 0.5 * L[:, 3]


def of_inputs(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Log-normal inputs, a score of these themselves."""
    X = np.exp(0.8 * rng.standard_normal((n, 5)))
    T = X / X.std(axis=0)
    return X, 1.2 * T[:, 0] - T[:, 1] + np.sin(1.5 * T[:, 2]) - 0.2 * T[:, 3] ** 2


def of_counts(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Counts: by logarithm, root, whether there are any, and as they are."""
    X = rng.poisson(rng.exponential(6.0, (n, 6))).astype(float)
    score = np.log1p(X[:, 0]) - np.sqrt(X[:, 1]) / 1.5 + 1.5 * (X[:, 2] == 0) + 0.05 * X[:, 3]
    return X, score


def of_pixels(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sixteen gray values, mostly dark, of four hidden numbers."""
    mixing, H = np.random.default_rng(0).standard_normal((4, 16)), rng.standard_normal((n, 4))
    X = np.round(15.0 * expit(2.0 * (H @ mixing) + 0.5 * rng.standard_normal((n, 16)) - 2.0))
    return X, H[:, 0] * H[:, 1] + np.sin(2.0 * H[:, 2])


GENERATORS = {
    "of logarithms": of_logarithms,
    "of inputs": of_inputs,
    "of counts": of_counts,
    "of pixels": of_pixels,
}


def generated(name: str, make: Callable, seed: int) -> Problem:
    """Labels by the logistic function of three times the standardised score."""
    rng, n = np.random.default_rng(seed), TRAINED + TESTED
    X, score = make(rng, n)
    y = (rng.random(n) < expit(3.0 * (score - score.mean()) / score.std())).astype(int)
    return divided(name, seed, X, y, np.arange(TRAINED), np.arange(TRAINED, n))


def problems(wanted: list[str]) -> Iterator[tuple[str, list[Problem]]]:
    """Splits that no page reports."""
    kinds: dict[str, Callable[[], list[Problem]]] = {
        **{s: lambda s=s: [benchmark(s, k) for k in REALISATIONS] for s in NINE},
        **{s: lambda s=s: [table(s, TABLES[s], k) for k in SPLITS] for s in TABLES},
        **{s: lambda s=s: [generated(s, GENERATORS[s], k) for k in SPLITS] for s in GENERATORS},
    }
    for name, make in kinds.items():
        if not wanted or name in wanted:
            yield name, make()


def figures(model: DrumlinClassifier, problem: Problem) -> tuple[float, float, bool, float]:
    """Test error in percent, log-loss, whether there are powers, seconds of CPU."""
    start = time.process_time()
    model.fit(problem.X, problem.y)
    seconds = time.process_time() - start
    wrong = 100.0 * (1.0 - model.score(problem.X_test, problem.y_test))
    loss = log_loss(model.predict_proba(problem.X_test), model.classes_, problem.y_test)
    return wrong, loss, model.network_.inputs.powers is not None, seconds


def main() -> None:
    """Print the table."""
    print("| problem | without: error | log-loss | with: error | log-loss | taken | time |")
    print("|---|---|---|---|---|---|---|")
    every = []
    for name, some in problems(sys.argv[1:]):
        found = np.array([[figures(m(), p) for m in (Plain, DrumlinClassifier)] for p in some])
        (error, loss, _, s), (new, lower, taken, longer) = found.mean(axis=0)
        change = (found[:, 1, 1] - found[:, 0, 1]) / loss
        doubt = change.std(ddof=1) / np.sqrt(len(some))
        every.append((new - error, np.log(lower / loss)))
        print(
            f"| {name} | {error:.2f} | {loss:.4f} | {new - error:+.2f} | "
            f"x {lower / loss:.3f} ± {doubt:.3f} | {taken:.2f} | x {longer / s:.1f} |",
            flush=True,
        )
    error, logs = np.mean(every, axis=0)
    print(f"| **mean** | | | {error:+.2f} | x {np.exp(logs):.4f} | | |")


if __name__ == "__main__":
    main()
