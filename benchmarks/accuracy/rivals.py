"""The flagship beside what people use, all with their defaults, on the same splits.

``python -m benchmarks.accuracy.rivals [-o docs/rivals.md]`` writes a page: error, log-loss, size
and time of every classifier. Rivals that are not installed are left out, and the page says so
(``pip install drumlin[rivals]``). What rivals gave is kept in ``.cache``; ours is always fitted
anew.
"""

from __future__ import annotations

import argparse
import pickle
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.accuracy.flagship_models import classifier, warm_up
from benchmarks.accuracy.flagship_problems import benchmark, table
from benchmarks.accuracy.flagship_rivals import Cache
from benchmarks.accuracy.generators import GENERATORS
from benchmarks.accuracy.imbalanced import RIVALS
from drumlin.evaluation.measures import error_rate, log_loss, timed
from drumlin.experiments.problems import Problem

OURS = "drumlin"
NINE = ("heart", "breast", "thyroid", "titanic", "banana", "diabetes", "waveform")
NINE += ("flare", "german")
REALISATIONS = (1, 2)
TABLES = {"phoneme": 2000, "magic": 2000, "segment": 1300, "letter": 2000, "covtype": 2000}
MEASURES = ("error", "log_loss", "kilobytes", "seconds", "microseconds")
PACKAGES = {"CatBoost": "catboost", "LightGBM": "lightgbm", "EBM": "interpret"}
DISTRIBUTIONS = PACKAGES | {"EBM": "interpret-core"}
CURVES, CURVE_ROWS, CURVE_TEST = ("smooth", "linear", "magic", "phoneme"), (250, 1000, 4000), 5000
"""Problems and sizes of the learning curves."""

Means = dict[str, dict[str, float]]
"""Of every model, every measure."""

Found = dict[str, Means]
"""The same of every table."""


def explainable_boosting() -> Any:
    """Explainable boosting with its defaults."""
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(random_state=0, n_jobs=1)


MODELS: dict[str, Callable[[], Any]] = {
    OURS: lambda: classifier(OURS),
    "HistGB": RIVALS["HistGB"],
    "LightGBM": RIVALS["LightGBM"],
    "CatBoost": RIVALS["CatBoost"],
    "EBM": explainable_boosting,
}


def problems() -> Iterator[tuple[str, list[Problem]]]:
    """All splits of every table."""
    for name in NINE:
        yield name, [benchmark(name, number) for number in REALISATIONS]
    for name, rows in TABLES.items():
        yield f"{name}, N = {rows}", [table(name, rows, 1)]


def curve_problems() -> Iterator[tuple[tuple[str, int], Problem]]:
    """One split of every size, by name and rows."""
    for name in CURVES:
        for rows in CURVE_ROWS:
            if name in GENERATORS:
                make = GENERATORS[name][0]
                problem = Problem(name, 1, *make(rows, 1), *make(CURVE_TEST, 2))
            else:
                problem = table(name, rows, 1, CURVE_TEST)
            yield (name, rows), problem


def draw_curves(learned: dict[tuple[str, int], Means], path: Path) -> None:
    """Error against rows, a panel for every problem."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(CURVES), figsize=(11, 3.2), layout="constrained")
    for name, panel in zip(CURVES, panels, strict=True):
        for model in learned[name, CURVE_ROWS[0]]:
            errors = [learned[name, rows][model]["error"] for rows in CURVE_ROWS]
            panel.plot(CURVE_ROWS, errors, "o-", lw=2.5 if model == OURS else 1.0, label=model)
        panel.set(xscale="log", title=name, xlabel="rows")
        panel.set_xticks(CURVE_ROWS, [str(rows) for rows in CURVE_ROWS])
        panel.minorticks_off()
    panels[0].set_ylabel("error, %")
    panels[0].legend()
    figure.savefig(path, dpi=110)


def measured(problem: Problem, model: str) -> dict[str, float]:
    """Fit a classifier; what it does on test rows, its size and its time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator, seconds = timed(lambda: MODELS[model]().fit(problem.X, problem.y))
        P, told = timed(lambda: estimator.predict_proba(problem.X_test))
    classes = np.asarray(estimator.classes_)
    return {
        "error": 100.0 * error_rate(classes[P.argmax(axis=1)], problem.y_test),
        "log_loss": log_loss(P, classes, problem.y_test),
        "kilobytes": len(pickle.dumps(estimator)) / 1000.0,
        "seconds": seconds,
        "microseconds": 1e6 * told / len(problem.X_test),
    }


def results(models: list[str], some: list[Problem], cache: Cache) -> Means:
    """Mean figures of every model over the splits of a table."""
    means = {}
    for model in models:
        found = []
        for problem in some:
            compute = partial(measured, model=model)
            if model == OURS:
                found.append(compute(problem))
            else:
                found.append(cache.get(problem, f"{model} defaults, size and time", compute))
        means[model] = {m: float(np.mean([f[m] for f in found])) for m in MEASURES}
    return means


HEAD = """# Beside what people use

    DRUMLIN_DATA=... OMP_NUM_THREADS=1 python -m benchmarks.accuracy.rivals{options}

writes this page: all models with their defaults on the same splits, the first {n} realisations of
the nine sets and the first split of the other tables; nothing was chosen on them. Sizes are those
of pickles, times seconds of CPU on a shared machine. {versions}.{note}
"""


def table_of(found: Found, measure: str, digits: int) -> str:
    """One line for every table, the best in bold, then means and wins."""
    models = list(next(iter(found.values())))
    text = f"| table | {' | '.join(models)} |\n" + "|---" * (1 + len(models)) + "|\n"
    for name, means in found.items():
        values = [means[model][measure] for model in models]
        cells = [f"{v:.{digits}f}" for v in values]
        best = cells[int(np.argmin(values))]
        cells = [f"**{cell}**" if cell == best else cell for cell in cells]
        text += f"| {name} | {' | '.join(cells)} |\n"
    every = np.array([[m[model][measure] for model in models] for m in found.values()])
    text += f"| **mean** | {' | '.join(f'{v:.{digits}f}' for v in every.mean(axis=0))} |\n"
    wins = [f"{np.sum(every[:, 0] < column)} of {len(every)}" for column in every.T]
    return text + f"| drumlin is better on | {' | '.join(['', *wins[1:]])} |\n"


def costs(found: Found) -> str:
    """Medians over the tables of size and times."""
    text = "| model | kB | fit, s | predict, us a row |\n|---|---|---|---|\n"
    for model in next(iter(found.values())):
        medians = [
            float(np.median([means[model][m] for means in found.values()])) for m in MEASURES[2:]
        ]
        text += f"| {model} | {' | '.join(f'{v:.3g}' for v in medians)} |\n"
    return text


def page(found: Found, learned: dict[tuple[str, int], Means], options: str) -> str:
    """Return the text of the page."""
    models = list(next(iter(found.values())))
    names = [f"{m} {version(name)}" for m, name in DISTRIBUTIONS.items() if m in models]
    missing = [m for m in MODELS if m not in models]
    note = f" Not installed or not asked for: {', '.join(missing)}." if missing else ""
    text = HEAD.format(options=options, n=len(REALISATIONS), versions=", ".join(names), note=note)
    text += "\n## Error, %\n\n" + table_of(found, "error", 2)
    text += "\n## Log-loss\n\n" + table_of(found, "log_loss", 4)
    text += "\n## Size and time, medians over the tables\n\n" + costs(found)
    text += "\n## Learning curves\n\n![Learning curves](images/rivals.png)\n\n"
    text += "Error, %, one split.\n\n"
    named = {f"{name}, {rows} rows": means for (name, rows), means in learned.items()}
    return text + table_of(named, "error", 2)


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS))
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/rivals.md"))
    args = parser.parse_args()
    installed = [m for m in MODELS if m not in PACKAGES or find_spec(PACKAGES[m]) is not None]
    models = [m for m in installed if m == OURS or m in args.models]
    warm_up(OURS)
    found: Found = {}
    for name, some in problems():
        found[name] = results(models, some, Cache())
        print(name, {m: round(f["error"], 2) for m, f in found[name].items()}, flush=True)
    learned = {key: results(models, [problem], Cache()) for key, problem in curve_problems()}
    draw_curves(learned, args.output.parent / "images" / "rivals.png")
    options = "" if args.models == list(MODELS) else f" --models {' '.join(args.models)}"
    args.output.write_text(page(found, learned, options))


if __name__ == "__main__":
    main()
