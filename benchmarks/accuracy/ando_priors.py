"""The prior over subsets in BIC: which one generalises (docs/ando.md).

    DRUMLIN_DATA=... python -m benchmarks.accuracy.ando_priors [n_realisations [set ...]]

``SparseKernelLogisticRegression()`` with each ``model_prior`` and nothing else set, on standardised
inputs, on the first realisations (default 4) of the papers' sets, on fresh draws of synth's mixture
and of noise, and, for many classes, on tables. Test error in %, log-loss, kernels, CPU seconds; and
how much the log-loss is above that of the best prior of the set. Nothing is chosen on test rows but
which prior is the default.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.accuracy.flagship_models import scores
from benchmarks.accuracy.flagship_problems import table
from drumlin import SparseKernelLogisticRegression
from drumlin.criteria.bic import MODEL_PRIORS
from drumlin.datasets import make_ripley_mixture
from drumlin.evaluation.measures import timed
from drumlin.experiments.problems import SETS, USUAL, Problem, drawn

TABLES = {"segment": 500, "letter": 800}
"""Training rows; 7 and 26 classes."""

MEASURES = {"error": 1, "log_loss": 3, "nodes": 1, "seconds": 1}
"""Columns, with their digits."""


def make_noise(n_samples: int, *, random_state: int) -> tuple[np.ndarray, np.ndarray]:
    """Two inputs, and labels that do not depend on them."""
    rng = np.random.default_rng([random_state])
    return rng.normal(size=(n_samples, 2)), rng.integers(0, 2, n_samples)


DRAWS = {
    "ripley-mixture": drawn("ripley-mixture", make_ripley_mixture, 250, 2000),
    "noise": drawn("noise", make_noise, 100, 1000),
}
"""Fresh draws: of synth's distribution, and of nothing to learn. Eight of each."""


def problems(n_realisations: int, names: list[str]) -> Iterator[tuple[str, list[Problem]]]:
    """All realisations of every set."""
    for name in names:
        if name in TABLES:
            yield name, [table(name, TABLES[name], 1)]
        elif name in DRAWS:
            yield name, [DRAWS[name].problem(number) for number in range(1, 9)]
        else:
            numbers = SETS[name].numbers(range(1, n_realisations + 1))
            yield name, [SETS[name].problem(number) for number in numbers]


def measured(prior: str, problem: Problem) -> list[float]:
    """The columns for one fit."""
    model = SparseKernelLogisticRegression(model_prior=prior)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        _, seconds = timed(lambda: model.fit(problem.X, problem.y))
    result = scores(model, problem) | {"nodes": model.n_nodes_, "seconds": seconds}
    return [result[key] for key in MEASURES]


def main(n_realisations: int, names: list[str]) -> None:
    """Print the table, a row as soon as it is known."""
    head = " | ".join(f"{prior}: error, log-loss, kernels, s" for prior in MODEL_PRIORS)
    print(f"| set (realisations) | {head} |")
    print("|---" * (1 + len(MODEL_PRIORS)) + "|")
    excess = []
    for name, some in problems(n_realisations, names):
        means = [
            np.mean([measured(prior, problem) for problem in some], axis=0)
            for prior in MODEL_PRIORS
        ]
        losses = np.array([mean[1] for mean in means])
        excess.append(losses - losses.min())
        cells = [
            ", ".join(f"{v:.{d}f}" for v, d in zip(mean, MEASURES.values(), strict=True))
            for mean in means
        ]
        print(f"| {name} ({len(some)}) | {' | '.join(cells)} |", flush=True)
    above = [f"{mean:.3f}" for mean in np.mean(excess, axis=0)]
    print(f"| log-loss above the best | {' | '.join(above)} |")


if __name__ == "__main__":
    SparseKernelLogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])  # compiles
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4, sys.argv[2:] or [*USUAL, *DRAWS, *TABLES])
