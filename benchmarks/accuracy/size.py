"""Learning curves: what more rows bring.

``python -m benchmarks.accuracy.size [most rows] [-o docs/size.md]`` fits every problem at N, 4 N,
16 N ... rows, and writes a table and a picture beside it. Times are seconds of CPU. Some
lines are means of several splits. ``--keep ROWS`` keeps the page's lines of more rows than that,
where a change concerns smaller tables only; ``--only PROBLEM ...`` those of all other problems.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from benchmarks.accuracy.flagship_problems import table
from benchmarks.accuracy.generators import GENERATORS, Table, shifted
from drumlin import DrumlinClassifier, DrumlinRegressor

N_TEST = 50_000
TABLES = {"magic": None, "covtype": 2, "covtype7": 7}
SIZES = {
    "smooth": (5000, 20_000, 80_000, 320_000, 2_000_000),
    "linear": (5000, 20_000, 80_000, 320_000),
    "friedman1": (1000, 5000, 20_000, 80_000, 320_000),
    "magic": (1000, 4000, 15_000),
    "covtype": (4000, 16_000, 64_000, 250_000),
    "covtype7": (4000, 16_000, 64_000, 450_000),
}
SPLITS = {"magic": 5, "smooth": 3}
"""Splits, or draws, whose means are told; one of all other problems."""

RARE = ((3000, 0.01), (3000, 0.02), (8000, 0.004), (20_000, 0.05))
RARE_DRAWS = 12
"""Few positives are a matter of luck: of three draws alone, a mean may be off by a tenth."""


@dataclass
class Line:
    """One fit: error in percent (root mean square for numbers), log-loss (or coverage)."""

    problem: str
    rows: int
    error: float
    loss: float
    told: float
    nodes: float
    seconds: float
    boosting_error: float
    boosting_loss: float
    boosting_seconds: float


def data(name: str, n: int, split: int = 1) -> tuple[Table, Table]:
    """Training and test rows."""
    if name in GENERATORS:
        make, _ = GENERATORS[name]
        return make(n, 2 * split - 1), make(N_TEST, 2 * split)
    problem = table(name.removesuffix("7"), n, split, N_TEST, TABLES[name])
    return (problem.X, problem.y), (problem.X_test, problem.y_test)


def timed(model, X: np.ndarray, y: np.ndarray) -> float:
    """Fit; return seconds of CPU."""
    begin = time.process_time()
    model.fit(X, y)
    return time.process_time() - begin


def mean_line(name: str, n: int) -> Line:
    """Means over the splits of a table."""
    runs = [astuple(measured(name, n, split + 1))[2:] for split in range(SPLITS.get(name, 1))]
    return Line(name, n, *np.mean(runs, axis=0).tolist())


def measured(name: str, n: int, split: int) -> Line:
    """Fit the flagship and boosting with its defaults."""
    train, (X, y) = data(name, n, split)
    if name == "friedman1":
        ours, theirs = DrumlinRegressor(), HistGradientBoostingRegressor(random_state=0)
        seconds = timed(ours, *train), timed(theirs, *train)
        mean, deviation = ours.predict(X, return_std=True)
        held = 100.0 * np.mean(np.abs(y - mean) < 1.6449 * deviation)
        errors = [float(np.sqrt(np.mean((f - y) ** 2))) for f in (mean, theirs.predict(X))]
        figures = (errors[0], held, ours.noise_std_, ours.n_nodes_, seconds[0])
        return Line(name, n, *figures, errors[1], np.nan, seconds[1])
    models = DrumlinClassifier(), HistGradientBoostingClassifier(random_state=0)
    seconds = tuple(timed(model, *train) for model in models)
    P = [model.predict_proba(X) for model in models]
    errors = [100.0 * np.mean(models[0].classes_[p.argmax(axis=1)] != y) for p in P]
    losses = [log_loss(y, p, labels=models[0].classes_) for p in P]
    figures = (errors[0], losses[0], models[0].loo_log_loss_, models[0].n_nodes_, seconds[0])
    return Line(name, n, *figures, errors[1], losses[1], seconds[1])


def lines(most: int, kept: dict[tuple[str, int], Line]) -> Iterator[Line]:
    """Measure all problems up to a number of rows, but for lines that are kept."""
    timed(DrumlinClassifier(), *shifted(500, 0))  # kernels are loaded
    for name, sizes in SIZES.items():
        for n in sizes:
            if n <= most:
                line = kept[name, n] if (name, n) in kept else mean_line(name, n)
                print(line, flush=True)
                yield line


def lines_of_page(
    page: Path, above: int | None, only: list[str] | None
) -> dict[tuple[str, int], Line]:
    """Lines of a page that have more rows, or are of other problems."""
    above = -1 if above is None and only is not None else above
    if above is None:
        return {}
    found = {}
    for text in page.read_text().splitlines():
        cells = text.strip("| ").split(" | ")
        if cells[0] in SIZES and int(cells[1]) > above and cells[0] not in (only or ()):
            figures = [float(cell) for cell in cells[2:]]
            found[cells[0], int(cells[1])] = Line(cells[0], int(cells[1]), *figures)
    return found


def rare_lines() -> Iterator[str]:
    """Log-loss with few positives, beside that of the model that is right: means of draws."""
    for n, rate in RARE:
        figures = []
        for draw in range(RARE_DRAWS):
            (X, y), (X_new, y_new) = (
                shifted(n, 2 * draw, rate, 1.0),
                shifted(100_000, 2 * draw + 1, rate, 1.0),
            )
            model, linear = DrumlinClassifier().fit(X, y), LogisticRegression().fit(X, y)
            losses = [log_loss(y_new, m.predict_proba(X_new)) for m in (model, linear)]
            figures.append([*losses, model.loo_log_loss_, model.n_nodes_])
        ours, theirs, told, nodes = np.mean(figures, axis=0)
        yield (
            f"| {n} | {100 * rate:g} | {ours:.4f} | {theirs:.4f} | {ours / theirs:.2f} | "
            f"{told:.4f} | {told / ours:.2f} | {nodes:.1f} |"
        )


HEAD = """# More rows, rare classes

    DRUMLIN_DATA=... OMP_NUM_THREADS=1 python -m benchmarks.accuracy.size {most}

writes this page: one fit per line (means of five splits of magic, of three draws of smooth),
{test} test rows if there are, seconds of CPU of one thread on a shared machine. Error in
percent and log-loss; of friedman1 (noise 1) root mean square, what 90 % intervals hold in percent,
and `noise_std_`. *told* is `loo_log_loss_`. Boosting is scikit-learn's HistGradientBoosting with
its defaults. Least error: smooth {smooth:.2f}, linear {linear:.2f}. Generators:
benchmarks/accuracy/generators.py.{kept}

![Learning curves](images/size.png)

| problem | rows | error | log-loss | told | nodes | s | boosting: error | log-loss | s |
|---|---|---|---|---|---|---|---|---|---|
"""
KEPT = """ Lines of more than {rows} rows are of an earlier run (`--keep {rows}`): what has changed
since concerns smaller tables only."""
ONLY = """ Lines of {only} are of a later run (`--only`): what has changed
since concerns these only."""
RARE_HEAD = """
## Rare classes

Ten normal inputs, shifted by 1 in the second class; logistic regression is the model that is
right. Means of {draws} draws, 100000 test rows.

| rows | % positive | log-loss | logistic regression | ratio | told | told / test | nodes |
|---|---|---|---|---|---|---|---|
"""


def draw_curves(found: list[Line], path: Path) -> None:
    """Error against rows, a panel for every problem."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(2, 3, figsize=(10, 6), layout="constrained")
    for name, panel in zip(SIZES, panels.flat, strict=True):
        own = [line for line in found if line.problem == name]
        rows = [line.rows for line in own]
        panel.plot(rows, [line.error for line in own], "o-", label="drumlin")
        panel.plot(rows, [line.boosting_error for line in own], "s--", label="boosting")
        if name in GENERATORS:
            panel.axhline(GENERATORS[name][1](), color="gray", lw=1, label="least")
        panel.set(xscale="log", title=name, xlabel="rows")
        panel.set_xticks(rows, [f"{n / 1000:g}k" for n in rows], minor=False)
        panel.minorticks_off()
        panel.set_ylabel("RMSE" if name == "friedman1" else "error, %")
        panel.legend()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Measure, write the page and its picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("most", type=int, nargs="?", default=2_000_000)
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/size.md"))
    parser.add_argument("--keep", type=int, metavar="ROWS", help="lines of more rows stay")
    parser.add_argument("--only", nargs="+", choices=SIZES, help="measure these problems")
    args = parser.parse_args()
    kept = lines_of_page(args.output, args.keep, args.only)
    found = list(lines(args.most, kept))
    least = {name: bayes() for name, (_, bayes) in GENERATORS.items()}
    told = KEPT.format(rows=args.keep) if args.keep is not None else ""
    told += ONLY.format(only=", ".join(args.only)) if args.only else ""
    text = HEAD.format(most=args.most, test=N_TEST, kept=told, **least)
    for line in found:
        cells = [f"{x:.4g}" if isinstance(x, float) else str(x) for x in astuple(line)]
        text += f"| {' | '.join(cells)} |\n"
    text += RARE_HEAD.format(draws=RARE_DRAWS) + "\n".join(rare_lines()) + "\n"
    args.output.write_text(text)
    draw_curves(found, args.output.parent / "images" / "size.png")


if __name__ == "__main__":
    main()
