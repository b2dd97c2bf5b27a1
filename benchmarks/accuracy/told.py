"""Whether log-losses told of rare, nearly separable classes are those of test rows.

``python -m benchmarks.accuracy.told [repeats] [--first SEED]`` fits every table of
``load_imbalanced`` on the training rows of five folds, as many times as told, with other folds each
time, and prints a table. A few rows decide such losses, on test rows as well: so both have the
standard error that the spread of the folds tells.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np

from benchmarks.accuracy.imbalanced import Fold, folds_of
from drumlin import DrumlinClassifier
from drumlin.datasets.sources import IMBALANCED
from drumlin.evaluation.measures import log_loss
from drumlin.flagship.figures import DECIDED


@dataclass(frozen=True)
class Row:
    """What was found on one fold."""

    told: float
    test: float
    refitted: bool
    seconds: float


def measured(fold: Fold) -> Row:
    """Fit, and compare."""
    X, y, X_new, y_new = fold
    start = time.process_time()
    model = DrumlinClassifier().fit(X, y)
    seconds = time.process_time() - start
    test = log_loss(model.predict_proba(X_new), np.arange(2), y_new)
    return Row(model.loo_log_loss_, test, model.loo_note_ == DECIDED, seconds)


def line(name: str, rows: list[Row]) -> str:
    """Means over folds, and their standard errors."""
    told, test = (np.array([getattr(row, field) for row in rows]) for field in ("told", "test"))
    doubt = [values.std(ddof=1) / np.sqrt(len(rows)) for values in (told, test, told - test)]
    typical = np.exp(np.sqrt(np.mean(np.log(told / test.mean()) ** 2)))
    cells = [
        name,
        f"{told.mean():.5f}",
        f"{doubt[0]:.5f}",
        f"{test.mean():.5f}",
        f"{doubt[1]:.5f}",
        f"{told.mean() / test.mean():.2f}",
        f"{(told - test).mean() / doubt[2]:+.1f}",
        f"{typical:.2f}",
        f"{100 * np.mean([row.refitted for row in rows]):.0f}",
        f"{np.mean([row.seconds for row in rows]):.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repeats", nargs="?", type=int, default=4)
    parser.add_argument("--first", type=int, default=5, help="seed of the first folds")
    parser.add_argument("--tables", nargs="+", default=list(IMBALANCED), choices=list(IMBALANCED))
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.repeats)
    print("| table | told | s.e. | test | s.e. | ratio | z | factor | refitted, % | s |")
    print("|---" + "|--:" * 9 + "|")
    for name in options.tables:
        rows = [measured(fold) for seed in seeds for fold in folds_of(name, seed)]
        print(line(name, rows), flush=True)


if __name__ == "__main__":
    main()
