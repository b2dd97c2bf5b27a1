"""Would a map of skewed inputs before the fit help? As is, always, and where leave-one-out says so.

``python -m benchmarks.accuracy.warps`` fits every open table twice: as it is, and with columns of
absolute skewness above 1 mapped by Yeo-Johnson's power of greatest likelihood (training rows
alone). *Judged* takes the map where the leave-one-out log-loss of the refined network is lower by
.3 %. Splits are not those that the benchmark pages report.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.stats import skew
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import PowerTransformer

from benchmarks.accuracy.flagship_models import fitted, scores
from benchmarks.accuracy.flagship_problems import benchmark, table
from drumlin import DrumlinClassifier
from drumlin.experiments.problems import NINE, Problem

REALISATIONS = (51, 52, 53, 54)
TABLES = {"phoneme": 2000, "magic": 2000, "segment": 1300, "letter": 1500, "covtype": 2000}
SPLITS = (11, 12)
SKEWED, MARGIN = 1.0, 0.003


def warped(problem: Problem) -> Problem | None:
    """The problem with skewed columns mapped; None where there are none."""
    columns = np.flatnonzero(np.abs(skew(problem.X, axis=0)) > SKEWED)
    if not len(columns):
        return None
    warp = make_column_transformer((PowerTransformer(), columns), remainder="passthrough")
    return replace(problem, X=warp.fit_transform(problem.X), X_test=warp.transform(problem.X_test))


def problems() -> Iterator[tuple[str, list[Problem]]]:
    """Splits that no page reports."""
    for name in NINE:
        yield name, [benchmark(name, number) for number in REALISATIONS]
    for name, rows in TABLES.items():
        yield f"{name}, N = {rows}", [table(name, rows, split) for split in SPLITS]


def figures(problem: Problem) -> tuple[float, float, float]:
    """Test error, test log-loss, leave-one-out log-loss."""
    model, _ = fitted(DrumlinClassifier(), problem.X, problem.y)
    found = scores(model, problem)
    return found["error"], found["log_loss"], model.loo_log_loss_


def measured(some: list[Problem]) -> np.ndarray:
    """Means of error and log-loss (3, 2): as is, always, judged; and how often it was taken."""
    found = []
    for problem in some:
        plain = figures(problem)
        other = warped(problem)
        always = plain if other is None else figures(other)
        taken = always[2] < (1.0 - MARGIN) * plain[2]
        found.append([plain[:2], always[:2], (always if taken else plain)[:2]])
    return np.mean(found, axis=0)


def main() -> None:
    """Print the table."""
    print("| table | as is: error, log-loss | always | judged |\n|---|---|---|---|", flush=True)
    every = []
    for name, some in problems():
        means = measured(some)
        every.append(means)
        cells = [f"{error:.2f}, {loss:.4f}" for error, loss in means]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    mean = np.mean(every, axis=0)
    ratios = np.exp(np.mean(np.log([m[:, 1] / m[0, 1] for m in every]), axis=0))
    cells = [f"{e:.2f}, {loss:.4f} (x {r:.3f})" for (e, loss), r in zip(mean, ratios, strict=True)]
    print(f"| **mean** | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
