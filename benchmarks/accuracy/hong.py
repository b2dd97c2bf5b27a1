"""hong2008 and hong2014 on the nine benchmark sets.

    python -m benchmarks.accuracy.hong [n [set [width]]]

Published settings; widths by leave-one-out squared error on the training part. Prints a Markdown
table of test error and size over the first n realisations (default 100) beside what the papers
print and what our independent prototype reached with the best width (see docs/hong.md). One set,
and a width of one's own, can be asked for.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from drumlin import presets
from drumlin.datasets import load_benchmark
from drumlin.experiments.published import PUBLISHED

# Error % and size by the prototype with the width that was best on test data.
PROTOTYPE = {
    "hong2008": {"heart": (17.4, 4.4), "breast": (27.0, 4.8), "diabetes": (23.2, 4.6)},
    "hong2014": {
        "heart": (17.4, 3.6), "breast": (27.1, 3.6), "titanic": (22.8, 3.1),
        "diabetes": (22.6, 4.0), "german": (24.5, 4.9), "banana": (11.0, 40),
        "waveform": (10.4, 50), "thyroid": (4.5, 100), "flare": (37.5, None),
    },
}  # fmt: skip
SETS = (
    "breast",
    "diabetes",
    "german",
    "heart",
    "flare",
    "titanic",
    "banana",
    "waveform",
    "thyroid",
)


def results(
    citation: str, dataset: str, n_realisations: int, width: float | None = None
) -> Iterator[tuple[float, int]]:
    """Test error (%) and size on every realisation."""
    for realisation in range(1, n_realisations + 1):
        data = load_benchmark(dataset, realisation=realisation)
        model = presets(citation, dataset=dataset)
        if width is not None:
            model.set_params(width=width)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(data.X[data.train], data.y[data.train])
        error = 1.0 - model.score(data.X[data.test], data.y[data.test])
        yield 100.0 * error, model.n_nodes_


def row(citation: str, dataset: str, n_realisations: int, width: float | None) -> str:
    """One line of the table."""
    errors, sizes = np.array(list(results(citation, dataset, n_realisations, width))).T
    spread = errors.std(ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else np.nan
    known = [table[citation].get(dataset) for table in (PUBLISHED, PROTOTYPE)]
    cells = [
        "-" if entry is None else ", ".join("?" if v is None else f"{v:g}" for v in entry[:2])
        for entry in known
    ]
    ours = f"{errors.mean():.2f} ± {spread:.2f}, {sizes.mean():.1f}"
    return f"| {citation} {dataset} | {cells[0]} | {cells[1]} | {ours} |"


def main(
    n_realisations: int = 100, datasets: tuple[str, ...] = SETS, width: float | None = None
) -> None:
    """Print the table."""
    print("| | published | prototype, best width | drumlin |")
    print("|---|---|---|---|")
    for citation in PROTOTYPE:
        for dataset in datasets:
            print(row(citation, dataset, n_realisations, width), flush=True)


if __name__ == "__main__":
    n, dataset, width = (*sys.argv[1:], None, None, None)[:3]
    main(int(n or 100), (dataset,) if dataset else SETS, float(width) if width else None)
