"""hong2008 and hong2014 on the nine benchmark sets.

    python -m benchmarks.accuracy.hong [n [set [width]]]
    python -m benchmarks.accuracy.hong variants [n [set]]

Published settings; widths by leave-one-out squared error on the training part. Prints a Markdown
table of test error and size over the first n realisations (default 100) beside what the papers
print and what our independent prototype reached with the best width (see docs/hong.md). One set,
and a width of one's own, can be asked for. ``variants`` prints the table of what else can choose
the first node and the width (default: 20 realisations).
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from drumlin import ForwardRBFClassifier, presets
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


VARIANTS: dict[str, dict[str, dict]] = {
    "hong2008": {
        "preset: first node by the criterion": {},
        "first node by squared error": {"first": "squared_error"},
    },
    "hong2014": {
        "preset: width by squared error": {},
        "width by LOOMI": {"width_by": "criterion"},
        "width by LOOMI of realisation 1": {"width_by": "criterion", "width": "first"},
    },
    "ForwardRBFClassifier()": {
        "default: first node by squared error": {},
        "first node by the criterion": {"first": "criterion"},
    },
}
"""Settings beside the preset's; the last are hong2014's footnote and its section 6.2."""


def fitted(citation: str, dataset: str, realisation: int, settings: dict):
    """Return the model of one realisation, and its data."""
    data = load_benchmark(dataset, realisation=realisation)
    known = citation in PROTOTYPE
    model = presets(citation, dataset=dataset) if known else ForwardRBFClassifier()
    model.set_params(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(data.X[data.train], data.y[data.train]), data


def results(
    citation: str, dataset: str, n_realisations: int, **settings: object
) -> Iterator[tuple[float, int]]:
    """Test error (%) and size on every realisation; width="first" is that of realisation 1."""
    if settings.get("width") == "first":
        auto = {name: value for name, value in settings.items() if name != "width"}
        settings["width"] = fitted(citation, dataset, 1, auto)[0].width_
    for realisation in range(1, n_realisations + 1):
        model, data = fitted(citation, dataset, realisation, settings)
        error = 1.0 - model.score(data.X[data.test], data.y[data.test])
        yield 100.0 * error, model.n_nodes_


def summary(found: Iterator[tuple[float, int]]) -> str:
    """Mean error with its standard error, and mean size."""
    errors, sizes = np.array(list(found)).T
    spread = errors.std(ddof=1) / np.sqrt(len(errors)) if len(errors) > 1 else np.nan
    return f"{errors.mean():.2f} ± {spread:.2f}, {sizes.mean():.1f}"


def variants(n_realisations: int = 20, datasets: tuple[str, ...] = SETS) -> None:
    """Print what else chooses the first node (hong2008) and the width (hong2014)."""
    for citation, settings in VARIANTS.items():
        print(f"| {citation} | {' | '.join(settings)} |\n|---{'|---' * len(settings)}|")
        for dataset in datasets:
            cells = [summary(results(citation, dataset, n_realisations, **s))
                     for s in settings.values()]  # fmt: skip
            print(f"| {dataset} | {' | '.join(cells)} |", flush=True)
        print()


def row(citation: str, dataset: str, n_realisations: int, width: float | None) -> str:
    """One line of the table."""
    settings = {} if width is None else {"width": width}
    ours = summary(results(citation, dataset, n_realisations, **settings))
    known = [table[citation].get(dataset) for table in (PUBLISHED, PROTOTYPE)]
    cells = [
        "-" if entry is None else ", ".join("?" if v is None else f"{v:g}" for v in entry[:2])
        for entry in known
    ]
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
    if sys.argv[1:2] == ["variants"]:
        n, *named = (*sys.argv[2:], "20")[: max(1, len(sys.argv) - 2)]
        variants(int(n), tuple(named) or SETS)
    else:
        n, dataset, width = (*sys.argv[1:], None, None, None)[:3]
        main(int(n or 100), (dataset,) if dataset else SETS, float(width) if width else None)
