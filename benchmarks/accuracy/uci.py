"""The regressions with published splits: error, log-likelihood and coverage.

``python -m benchmarks.accuracy.uci [splits] [-o docs/uci.md]`` fits every table on its first splits
(all twenty unless told) and writes a table. Times are seconds of CPU.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.utils import Bunch

from drumlin import DrumlinRegressor
from drumlin.datasets import load_uci

N_SPLITS = 20
NINETY = 1.6449
"""Standard deviations on both sides of the mean that hold 90 % of a normal distribution."""


@dataclass(frozen=True)
class Table:
    """What others got, and what we want.

    Parameters
    ----------
    published : tuple of str
        RMSE / log-likelihood as printed: probabilistic backpropagation (Hernandez-Lobato and Adams
        2015), dropout (Gal and Ghahramani 2016), deep ensembles (Lakshminarayanan et al. 2017).
    most_error : float
    least_likelihood : float
    """

    published: tuple[str, str, str]
    most_error: float
    least_likelihood: float = -np.inf


TABLES = {
    "energy": Table(("1.80 / -2.04", "1.66 / -1.99", "2.09 / -1.38"), 0.75),
    "kin8nm": Table((".10 / .90", ".10 / .95", ".09 / 1.20"), 0.080, 1.05),
    "naval": Table((".01 / 3.73", ".01 / 3.80", ".00 / 5.63"), 0.0012),
    "wine-red": Table((".64 / -.97", ".62 / -.93", ".64 / -.94"), 0.62),
}
HELD = (87.0, 93.0)
"""Percent that intervals of 90 % shall hold."""

HEAD = """# Regressions with published splits

    DRUMLIN_DATA=... python -m benchmarks.accuracy.uci {splits}

writes this page: means over the first {splits} of the 20 splits of Hernandez-Lobato and Adams
(2015), ± standard error. Root mean square error, mean log-likelihood of a test row, percent of
test rows that the 90 % interval of `predict(return_std=True)` holds; seconds of CPU, one fit.
HistGB is scikit-learn's HistGradientBoostingRegressor with its defaults.

| table | rows | RMSE | log-likelihood | 90 % holds | nodes | s | HistGB: RMSE | s |
|---|---|---|---|---|---|---|---|---|
"""
PUBLISHED_HEAD = """
## Beside what was published

RMSE / log-likelihood, as printed there.

| table | DrumlinRegressor | probabilistic backpropagation | dropout | deep ensembles |
|---|---|---|---|---|
"""
TARGETS_HEAD = """
## Targets

| table | RMSE | log-likelihood | 90 % intervals hold 87-93 % |
|---|---|---|---|
"""


def fitted(model, data: Bunch) -> float:
    """Fit the training rows; return seconds of CPU."""
    begin = time.process_time()
    model.fit(data.X[data.train], data.y[data.train])
    return time.process_time() - begin


def measured(name: str, split: int) -> list[float]:
    """RMSE, log-likelihood, coverage, nodes and seconds; boosting's RMSE and seconds."""
    data = load_uci(name, split)
    X, y = data.X[data.test], data.y[data.test]
    ours, theirs = DrumlinRegressor(), HistGradientBoostingRegressor(random_state=0)
    seconds = fitted(ours, data), fitted(theirs, data)
    mean, deviation = ours.predict(X, return_std=True)
    errors = [float(np.sqrt(np.mean((f - y) ** 2))) for f in (mean, theirs.predict(X))]
    z = (y - mean) / deviation
    likelihood = -0.5 * float(np.mean(z**2 + np.log(2.0 * np.pi * deviation**2)))
    held = 100.0 * float(np.mean(np.abs(z) < NINETY))
    found = [errors[0], likelihood, held, ours.n_nodes_, seconds[0], errors[1], seconds[1]]
    print(name, split, *(f"{value:.5g}" for value in found), flush=True)
    return found


def with_error(column: np.ndarray) -> str:
    """Mean ± standard error."""
    if len(column) < 2:
        return f"{column.mean():.3g}"
    return f"{column.mean():.3g} ± {column.std(ddof=1) / np.sqrt(len(column)):.2g}"


def measured_line(name: str, figures: np.ndarray) -> str:
    """One line of the first table."""
    error, likelihood, held, nodes, seconds, theirs, their_seconds = figures.T
    cells = [name, str(len(load_uci(name).train)), with_error(error), with_error(likelihood)]
    cells += [f"{held.mean():.1f}", f"{nodes.mean():.0f}", f"{seconds.mean():.1f}"]
    return f"| {' | '.join([*cells, with_error(theirs), f'{their_seconds.mean():.1f}'])} |\n"


def target_line(name: str, figures: np.ndarray) -> str:
    """Say what is met."""
    error, likelihood, held = figures.mean(axis=0)[:3]
    table = TABLES[name]
    wanted = "none"
    if np.isfinite(table.least_likelihood):
        wanted = _told(likelihood >= table.least_likelihood, f">= {table.least_likelihood:g}")
    low, high = HELD
    cells = [
        _told(error <= table.most_error, f"<= {table.most_error:g}"),
        wanted,
        _told(low <= held <= high, f"{held:.1f}"),
    ]
    return f"| {name} | {' | '.join(cells)} |\n"


def _told(met: bool, rule: str) -> str:
    return f"{rule}: {'met' if met else '**not met**'}"


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("splits", type=int, nargs="?", default=N_SPLITS)
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/uci.md"))
    args = parser.parse_args()
    fitted(DrumlinRegressor(), load_uci("energy"))  # kernels are loaded
    splits = range(1, args.splits + 1)
    found = {name: np.array([measured(name, split) for split in splits]) for name in TABLES}
    text = HEAD.format(splits=args.splits)
    text += "".join(measured_line(*item) for item in found.items()) + PUBLISHED_HEAD
    for name, figures in found.items():
        ours = "{:.3g} / {:.3g}".format(*figures.mean(axis=0)[:2])
        text += f"| {name} | {' | '.join([ours, *TABLES[name].published])} |\n"
    text += TARGETS_HEAD + "".join(target_line(*item) for item in found.items())
    args.output.write_text(text)


if __name__ == "__main__":
    main()
