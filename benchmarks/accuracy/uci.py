"""The regressions with published splits: error, log-likelihood and coverage.

``python -m benchmarks.accuracy.uci [splits] [-o docs/uci.md]`` fits every table on its first splits
(all twenty unless told) and writes a table. Times are seconds of CPU.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import astuple, dataclass
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
test rows that the 90 % intervals of `predict(return_std=True)` and of `predict_interval` hold;
seconds of CPU, one fit. HistGB is scikit-learn's HistGradientBoostingRegressor with its defaults.

| table | rows | RMSE | log-likelihood | std holds | interval holds | nodes | s | HistGB | s |
|---|---|---|---|---|---|---|---|---|---|
"""
REPEATED_HEAD = """
## Rows that stand in both parts

Percent of test rows whose inputs are those of a training row, to the last digit, and root mean
squares of the others. Who knows rows by heart gets the first for nothing.

| table | in both, % | all: drumlin | HistGB | others: drumlin | HistGB | difference |
|---|---|---|---|---|---|---|
"""
PUBLISHED_HEAD = """
## Beside what was published

RMSE / log-likelihood, as printed there.

| table | DrumlinRegressor | probabilistic backpropagation | dropout | deep ensembles |
|---|---|---|---|---|
"""
TARGETS_HEAD = """
## Targets

| table | RMSE | log-likelihood | 90 % of std hold 87-93 % | 90 % intervals |
|---|---|---|---|---|
"""


def fitted(model, data: Bunch) -> float:
    """Fit the training rows; return seconds of CPU."""
    begin = time.process_time()
    model.fit(data.X[data.train], data.y[data.train])
    return time.process_time() - begin


@dataclass(frozen=True)
class Figures:
    """What was found on one split.

    Parameters
    ----------
    error, likelihood, held, interval, nodes, seconds : float
        Root mean square error, log-likelihood, percent that both kinds of intervals hold.
    theirs, their_seconds : float
        Of boosting.
    repeated : float
        Percent of test rows that are training rows, too.
    fresh, their_fresh : float
        Root mean square errors of the others.
    """

    error: float
    likelihood: float
    held: float
    interval: float
    nodes: float
    seconds: float
    theirs: float
    their_seconds: float
    repeated: float
    fresh: float
    their_fresh: float


def measured(name: str, split: int) -> Figures:
    """Fit ours and boosting on one split."""
    data = load_uci(name, split)
    X, y = data.X[data.test], data.y[data.test]
    ours, theirs = DrumlinRegressor(), HistGradientBoostingRegressor(random_state=0)
    seconds, their_seconds = fitted(ours, data), fitted(theirs, data)
    mean, deviation = ours.predict(X, return_std=True)
    errors, their_errors = mean - y, theirs.predict(X) - y
    z = errors / deviation
    low, high = ours.predict_interval(X, 0.9).T
    seen = {row.tobytes() for row in data.X[data.train]}
    fresh = np.array([row.tobytes() not in seen for row in X])
    found = Figures(
        error=_rms(errors),
        likelihood=-0.5 * float(np.mean(z**2 + np.log(2.0 * np.pi * deviation**2))),
        held=100.0 * float(np.mean(np.abs(z) < NINETY)),
        interval=100.0 * float(np.mean((low <= y) & (y <= high))),
        nodes=ours.n_nodes_,
        seconds=seconds,
        theirs=_rms(their_errors),
        their_seconds=their_seconds,
        repeated=100.0 * float(np.mean(~fresh)),
        fresh=_rms(errors[fresh]),
        their_fresh=_rms(their_errors[fresh]),
    )
    print(name, split, *(f"{value:.5g}" for value in astuple(found)), flush=True)
    return found


def _rms(errors: np.ndarray) -> float:
    return float(np.sqrt(np.mean(errors**2)))


def with_error(column: np.ndarray) -> str:
    """Mean ± standard error."""
    if len(column) < 2:
        return f"{column.mean():.3g}"
    return f"{column.mean():.3g} ± {column.std(ddof=1) / np.sqrt(len(column)):.2g}"


def measured_line(name: str, found: list[Figures]) -> str:
    """One line of the first table."""
    mean = _means(found)
    cells = [
        name,
        str(len(load_uci(name).train)),
        with_error(_column(found, "error")),
        with_error(_column(found, "likelihood")),
        f"{mean.held:.1f}",
        f"{mean.interval:.1f}",
        f"{mean.nodes:.0f}",
        f"{mean.seconds:.1f}",
        with_error(_column(found, "theirs")),
        f"{mean.their_seconds:.1f}",
    ]
    return f"| {' | '.join(cells)} |\n"


def repeated_line(name: str, found: list[Figures]) -> str:
    """One line on rows that stand in both parts."""
    mean = _means(found)
    difference = _column(found, "fresh") - _column(found, "their_fresh")
    cells = [name, f"{mean.repeated:.1f}"]
    cells += [f"{x:.3g}" for x in (mean.error, mean.theirs, mean.fresh, mean.their_fresh)]
    return f"| {' | '.join([*cells, with_error(difference)])} |\n"


def _column(found: list[Figures], name: str) -> np.ndarray:
    return np.array([getattr(figures, name) for figures in found])


def _means(found: list[Figures]) -> Figures:
    return Figures(*np.mean([astuple(figures) for figures in found], axis=0).tolist())


def target_line(name: str, found: list[Figures]) -> str:
    """Say what is met."""
    mean, table = _means(found), TABLES[name]
    wanted = "none"
    if np.isfinite(table.least_likelihood):
        wanted = _told(mean.likelihood >= table.least_likelihood, f">= {table.least_likelihood:g}")
    low, high = HELD
    cells = [
        _told(mean.error <= table.most_error, f"<= {table.most_error:g}"),
        wanted,
        *(_told(low <= held <= high, f"{held:.1f}") for held in (mean.held, mean.interval)),
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
    found = {name: [measured(name, split) for split in splits] for name in TABLES}
    text = HEAD.format(splits=args.splits)
    text += "".join(measured_line(*item) for item in found.items()) + REPEATED_HEAD
    text += "".join(repeated_line(*item) for item in found.items()) + PUBLISHED_HEAD
    for name, figures in found.items():
        mean = _means(figures)
        ours = f"{mean.error:.3g} / {mean.likelihood:.3g}"
        text += f"| {name} | {' | '.join([ours, *TABLES[name].published])} |\n"
    text += TARGETS_HEAD + "".join(target_line(*item) for item in found.items())
    args.output.write_text(text)


if __name__ == "__main__":
    main()
