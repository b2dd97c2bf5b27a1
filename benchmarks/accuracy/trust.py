"""Whether leave-one-out tells the truth: coverage of sets and intervals, and figures against test.

``python -m benchmarks.accuracy.trust [draws] [-o docs/trust.md]`` fits every table on some draws
(three unless told; of small tables as many times more as they have fewer rows than 1000), and again
with 30 % of its rows held out for split-conformal prediction with the same scores. It writes the
tables between the marks of the page, and the picture beside it. ``--tables`` names some of them,
and ``--first`` the number of the first draw: others than the page has, to see what was chance.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import chi2
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from benchmarks.accuracy import flagship_problems
from drumlin import DrumlinClassifier, DrumlinRegressor
from drumlin.datasets import load_imbalanced, load_uci
from drumlin.experiments.problems import SETS, Problem, divided
from drumlin.trust import (
    class_calibration,
    class_conformity,
    interval_of,
    number_calibration,
    sets_of,
)

CONFIDENCE = 0.9
HELD_OUT = 0.3
N_DRAWS = 3
MOST_ROWS, MOST_TEST = 1000, 4000
BEGIN, END = "<!-- begin of the measured tables -->", "<!-- end of the measured tables -->"

TWO = ("banana", "breast", "diabetes", "flare", "german", "heart", "thyroid", "titanic", "waveform")
RARE = ("abalone9-18", "ecoli4", "haberman", "vehicle1", "winequality-red-8_vs_6-7", "yeast-1_vs_7")


# ---------------------------------------------------------------------- problems
def imbalanced(name: str, split: int) -> Problem:
    """Two thirds of a table with a rare class; inputs that are numbers only.

    Not divided class by class: then as many rows of a class would be in training whatever its test
    rows are, but leaving one out takes one away from its class, so sets would be too large.
    """
    data = load_imbalanced(name)
    X = data.X.drop(columns=data.categorical_features).to_numpy(dtype=np.float64)
    rows = np.arange(len(X))
    train, test = train_test_split(rows, test_size=1 / 3, random_state=split)
    return divided(name, split, X, np.asarray(data.y), train, test)


def uci(name: str, split: int) -> Problem:
    """A split of a regression, shortened."""
    data = load_uci(name, split=split + 1)
    return divided(name, split, data.X, data.y, data.train, data.test)


def heavy_tails(draw: int, n_train: int = 300, n_test: int = 2000) -> Problem:
    """Friedman's first function with noise of Student's distribution with two degrees."""
    problem = flagship_problems.friedman(1, draw, n_train, n_test)
    rng = np.random.default_rng(draw)
    noise = [rng.standard_t(2.0, len(y)) for y in (problem.y, problem.y_test)]
    y, y_test = problem.y + noise[0], problem.y_test + noise[1]
    return Problem("friedman1, heavy tails", draw, problem.X, y, problem.X_test, y_test)


def mixed_speakers(draw: int) -> Problem:
    """All rows of vowel, divided at random: test rows are of the speakers of the training rows."""
    known = SETS["vowel"].problem(1)
    X, y = np.vstack([known.X, known.X_test]), np.concatenate([known.y, known.y_test])
    rows = np.arange(len(y))
    train, test = train_test_split(rows, train_size=len(known.y), random_state=draw, stratify=y)
    return divided("vowel, speakers mixed", draw, X, y, train, test)


def several(name: str, n_train: int) -> Callable[[int], Problem]:
    """A table of several classes."""
    return lambda draw: flagship_problems.table(name, n_train, draw, MOST_TEST)


GROUPS: dict[str, dict[str, Callable[[int], Problem]]] = {
    "two classes": {name: lambda draw, name=name: SETS[name].problem(draw + 1) for name in TWO},
    "several classes": {
        "segment": several("segment", 600),
        "breiman-waveform": lambda draw: SETS["breiman-waveform"].problem(draw + 1),
        "vowel": lambda draw: SETS["vowel"].problem(1),
        "vowel, speakers mixed": mixed_speakers,
    },
    "rare classes": {name: lambda draw, name=name: imbalanced(name, draw) for name in RARE},
    "numbers": {
        "diabetes": flagship_problems.diabetes_progression,
        "friedman1": lambda draw: flagship_problems.friedman(1, draw, 200),
        "friedman2": lambda draw: flagship_problems.friedman(2, draw, 200),
        "friedman1, heavy tails": heavy_tails,
        "energy": lambda draw: uci("energy", draw),
        "wine-red": lambda draw: uci("wine-red", draw),
    },
}
"""Problems by group and name, from the number of a draw."""


# ---------------------------------------------------------------------- measures
@dataclass(frozen=True)
class Row:
    """What was found on one draw of a table.

    Parameters
    ----------
    n_train, n_test : int
    covered, size : tuple of float
        Part of the test rows that are in their sets (which may be empty) or intervals, and the mean
        size of these (default sets; widths over the spread of the targets): by leave-one-out, by
        rows held out.
    edge : float
        Part of the test rows that share their score with another one, the largest that is not too
        strange: a set that is not random holds all of them or none.
    by_class : tuple of float
        Part of the rarest class that is in its sets, and how much more than the confidence that may
        be, by few training rows of it (ranks are whole numbers) and by equal scores, as ``edge``;
        NaN for numbers.
    n_rare : tuple of int
        Its training and test rows; zeros for numbers.
    told, test : tuple of float
        Log-loss (numbers: NaN) and error (over the spread of the targets), by leave-one-out and on
        test rows.
    note : str
    """

    n_train: int
    n_test: int
    covered: tuple[float, float]
    size: tuple[float, float]
    edge: float
    by_class: tuple[float, float]
    n_rare: tuple[int, int]
    told: tuple[float, float]
    test: tuple[float, float]
    note: str


def shortened(problem: Problem, draw: int) -> Problem:
    """At most so many rows."""
    order = np.random.default_rng([draw, 1]).permutation(len(problem.y))[:MOST_ROWS]
    test = slice(0, MOST_TEST)
    X, y = problem.X[order], problem.y[order]
    return Problem(problem.name, draw, X, y, problem.X_test[test], problem.y_test[test])


def of_classes(problem: Problem, draw: int) -> Row:
    """Measure a classifier."""
    model = DrumlinClassifier().fit(problem.X, problem.y)
    labels = np.searchsorted(model.classes_, problem.y_test)
    rows = np.arange(len(labels))
    probabilities = model.predict_proba(problem.X_test)
    known = model._calibration
    if known is None:
        raise ValueError(f"{problem.name}: {model.loo_note_}")
    sets, sizes = [], []
    for calibration, p in ((known, probabilities), split_classes(problem, draw)):
        ask = [sets_of(calibration, p, CONFIDENCE, by_class=False, empty=e) for e in (True, False)]
        sets.append(float(ask[0][rows, labels].mean()))
        sizes.append(float(ask[1].sum(axis=1).mean()))
    by_class, n_rare = of_rarest(model, problem, labels)
    loss = log_loss(labels, probabilities, labels=np.arange(len(model.classes_)))
    error = float((probabilities.argmax(axis=1) != labels).mean())
    return Row(
        len(problem.y),
        len(labels),
        (sets[0], sets[1]),
        (sizes[0], sizes[1]),
        at_edge(class_conformity(probabilities)[rows, labels], known.threshold(CONFIDENCE)),
        by_class,
        n_rare,
        (model.loo_log_loss_, model.loo_error_),
        (float(loss), error),
        model.loo_note_,
    )


def of_rarest(
    model: Any, problem: Problem, labels: np.ndarray
) -> tuple[tuple[float, float], tuple[int, int]]:
    """Coverage of the rarest class by a threshold of its own, and its rows; see ``Row``."""
    rare = int(np.bincount(labels).argmin())
    mine = labels == rare
    inside = model.predict_set(problem.X_test, CONFIDENCE, by_class=True, empty=True)[mine, rare]
    n_rare = int((problem.y == model.classes_[rare]).sum())
    scores = class_conformity(model.predict_proba(problem.X_test))[mine, rare]
    edge = at_edge(scores, model._calibration.thresholds(CONFIDENCE)[rare])
    rank = np.ceil((n_rare + 1) * CONFIDENCE * (1.0 - 1e-9)) / (n_rare + 1)
    extra = min(float(rank), 1.0) - CONFIDENCE + edge
    return (float(inside.mean()), extra), (n_rare, int(mine.sum()))


def at_edge(scores: np.ndarray, limit: float) -> float:
    """Part of the scores that equal the largest one up to a limit, beside that one."""
    below = scores[scores <= limit]
    return float(((below == below.max()).sum() - 1) / len(scores)) if len(below) else 0.0


def split_classes(problem: Problem, draw: int) -> tuple[Any, np.ndarray]:
    """Calibration on rows held out, and probabilities of the test rows."""
    X, X_cal, y, y_cal = train_test_split(
        problem.X, problem.y, test_size=HELD_OUT, random_state=draw, stratify=problem.y
    )
    model = DrumlinClassifier().fit(X, y)
    labels = np.searchsorted(model.classes_, y_cal)
    known = class_calibration(model.predict_proba(X_cal), labels, np.ones(len(labels)))
    return known, model.predict_proba(problem.X_test)


def of_numbers(problem: Problem, draw: int) -> Row:
    """Measure a regressor."""
    loss = "huber" if "tails" in problem.name else "squared_error"
    model = DrumlinRegressor(loss=loss).fit(problem.X, problem.y)
    ends = [model.predict_interval(problem.X_test, CONFIDENCE)]
    X, X_cal, y, y_cal = train_test_split(
        problem.X, problem.y, test_size=HELD_OUT, random_state=draw
    )
    part = DrumlinRegressor(loss=loss).fit(X, y)
    mean, std = part.predict(X_cal, return_std=True)
    known = number_calibration(((mean - y_cal) / std)[:, None], np.ones(len(y_cal)))
    mean, std = part.predict(problem.X_test, return_std=True)
    ends.append(interval_of(known, mean[:, None], std[:, None], CONFIDENCE)[:, 0])
    y_test, spread = problem.y_test, problem.y.std()
    covered = [float(((e[:, 0] <= y_test) & (y_test <= e[:, 1])).mean()) for e in ends]
    widths = [float(np.diff(e).mean() / spread) for e in ends]
    error = float(np.sqrt(np.mean((model.predict(problem.X_test) - y_test) ** 2)))
    return Row(
        len(problem.y),
        len(y_test),
        (covered[0], covered[1]),
        (widths[0], widths[1]),
        0.0,
        (np.nan, np.nan),
        (0, 0),
        (np.nan, model.loo_error_ / spread),
        (np.nan, error / spread),
        model.loo_note_,
    )


def standard_error(n_train: int, n_test: int) -> float:
    """Of the coverage of one draw: of the threshold's rank, and of the test rows."""
    return float(np.sqrt(CONFIDENCE * (1.0 - CONFIDENCE) * (1.0 / (n_train + 2) + 1.0 / n_test)))


def measured(n_draws: int, tables: list[str], first: int) -> Iterator[tuple[str, str, list[Row]]]:
    """Rows of all tables, or of some, told as they come."""
    for group, problems in GROUPS.items():
        for name, make in problems.items():
            if tables and name not in tables:
                continue
            measure = of_numbers if group == "numbers" else of_classes
            more = max(1, MOST_ROWS // len(make(0).y))
            n_own = 1 if name == "vowel" else more * n_draws  # it has one published split
            draws = range(first, first + n_own)
            rows = [measure(shortened(make(draw), draw), draw) for draw in draws]
            print(name, len(rows), _coverage(name, rows), _figures(name, rows), flush=True)
            yield group, name, rows


# ---------------------------------------------------------------------- the page
def page(results: list[tuple[str, str, list[Row]]], n_draws: int) -> str:
    """Tables of coverage, sizes and figures."""
    lines = [
        f"    DRUMLIN_DATA=... python -m benchmarks.accuracy.trust {n_draws} -o docs/trust.md\n",
        f"Means over {n_draws} draws (of small tables more), at most {MOST_ROWS} training rows. "
        "Coverage in percent at a confidence of 90 %, sets that may be empty. Edge: part of the "
        "test rows that share the last score inside (equal rows): a set that is not random has "
        "all of them or none, so 90 % may become 90 % and that. z: the distance from there in "
        "standard errors (of the ranks of the training rows and of the test rows, or by the "
        "spread of the draws, if that is more). "
        "Size: mean number of classes of the default sets, or mean width over the targets' "
        "standard deviation. Split: split-conformal prediction with the same scores, 30 % of the "
        "rows held out. Rarest: coverage of the rarest class with `by_class=True`; extra: what it "
        "may have above 90 %, by its few training rows (the threshold is one of them: of 12 rows "
        "it covers 12 of 13) and by equal rows, as the edge.\n",
        "| table | rows | draws | coverage | edge | z | split | size | split | rarest | extra "
        "| z |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [_coverage(name, rows) for _, name, rows in results]
    lines += [
        f"\n{_overall('Coverage', [_coverage_z(rows) for rows in _exchangeable(results)])} "
        f"{_overall('Rarest class', [_rarest_z(rows) for rows in _of_classes(results)])}",
        "\nLeave-one-out figures against test rows, means over draws; ratio of the log-losses (of "
        "the errors for numbers), and the difference of the errors in standard errors of both.\n",
        "| table | log-loss told | test | ratio | error told | test | z |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    lines += [_figures(name, rows) for _, name, rows in results]
    lines.append(f"\n{_overall('Error told', [_error_z(rows) for rows in _of_classes(results)])}")
    lines.append("\n![leave-one-out against test](images/trust.png)\n")
    return "\n".join(lines)


def _mean(rows: list[Row], field: str, which: int) -> float:
    return float(np.mean([getattr(row, field)[which] for row in rows]))


def _z(covered: list[float], extra: float, n_train: int, n_test: int) -> float:
    """Standard errors between a mean coverage and what was asked for, or up to ``extra`` more."""
    n, mean = len(covered), float(np.mean(covered))
    doubt = standard_error(n_train, n_test) / np.sqrt(n)
    if n > 1:
        doubt = max(doubt, float(np.std(covered, ddof=1)) / np.sqrt(n))
    return float((mean - np.clip(mean, CONFIDENCE, CONFIDENCE + extra)) / doubt)


def _exchangeable(results: list[tuple[str, str, list[Row]]]) -> list[list[Row]]:
    """Rows of the tables whose test rows are like their training rows."""
    return [rows for _, name, rows in results if name != "vowel"]


def _of_classes(results: list[tuple[str, str, list[Row]]]) -> list[list[Row]]:
    return [rows for rows in _exchangeable(results) if rows[0].n_rare[1]]


def _overall(name: str, z: list[float]) -> str:
    """Say whether all z of a column together are more than chance."""
    squares = float(np.sum(np.square(z)))
    p = float(chi2.sf(squares, len(z)))
    beyond = int((np.abs(z) > 2.0).sum())
    return (
        f"{name}, all tables but `vowel`: sum of squared z {squares:.1f} of {len(z)} tables "
        f"(p = {p:.2g}); beyond 2: {beyond}; mean z {np.mean(z):+.2f}."
    )


def _coverage_z(rows: list[Row]) -> float:
    first, edge = rows[0], float(np.mean([row.edge for row in rows]))
    return _z([row.covered[0] for row in rows], edge, first.n_train, first.n_test)


def _rarest_z(rows: list[Row]) -> float:
    extra = _mean(rows, "by_class", 1)
    return _z([row.by_class[0] for row in rows], extra, *rows[0].n_rare)


def _coverage(name: str, rows: list[Row]) -> str:
    first, edge = rows[0], float(np.mean([row.edge for row in rows]))
    z = _coverage_z(rows)
    rare, extra = _mean(rows, "by_class", 0), _mean(rows, "by_class", 1)
    of_rare = _rarest_z(rows) if first.n_rare[1] else 0
    cells = [
        name,
        f"{first.n_train}",
        f"{len(rows)}",
        f"{100 * _mean(rows, 'covered', 0):.1f}",
        f"{100 * edge:.1f}" if edge > 0.005 else "",
        f"{z:+.1f}",
        f"{100 * _mean(rows, 'covered', 1):.1f}",
        f"{_mean(rows, 'size', 0):.2f}",
        f"{_mean(rows, 'size', 1):.2f}",
        "" if np.isnan(rare) else f"{100 * rare:.1f}",
        "" if np.isnan(rare) else f"{100 * extra:.1f}",
        "" if np.isnan(rare) else f"{of_rare:+.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _error_z(rows: list[Row]) -> float:
    """Standard errors of both between the error told and the test's."""
    told, test = _mean(rows, "told", 1), _mean(rows, "test", 1)
    per_row = (1.0 / rows[0].n_test + 1.0 / rows[0].n_train) / len(rows)
    return float((told - test) / np.sqrt(max(test * (1 - test), per_row) * per_row))


def _figures(name: str, rows: list[Row]) -> str:
    told, test = ([_mean(rows, field, k) for k in (0, 1)] for field in ("told", "test"))
    of_numbers = np.isnan(test[0])
    ratio = told[1] / test[1] if of_numbers else told[0] / test[0]
    cells = [
        name,
        *("" if np.isnan(value) else f"{value:.3f}" for value in (told[0], test[0])),
        f"{ratio:.2f}",
        *(f"{value:.3g}" for value in (told[1], test[1])),
        "" if of_numbers else f"{_error_z(rows):+.1f}",
    ]
    return "| " + " | ".join(cells) + " |"


def draw(results: list[tuple[str, str, list[Row]]], path: Path) -> None:
    """Draw leave-one-out against test: log-loss of classes, error of numbers, and coverage."""
    import matplotlib.pyplot as plt

    from drumlin.plotting._style import CLASSES, GRAY, LIGHT, styled

    with styled():
        figure, (left, right) = plt.subplots(1, 2, figsize=(10.0, 4.6))
        ends = np.array([0.02, 2.0])
        left.fill_between(ends, ends / 1.25, ends * 1.25, color=LIGHT, label="within 25 %")
        left.plot(ends, ends, color=GRAY, linewidth=1.0)
        for color, group in zip(CLASSES, GROUPS, strict=False):
            rows = [row for g, _, some in results if g == group for row in some]
            pairs = np.array([_pair(row) for row in rows])
            left.scatter(*pairs.T, s=18, color=color, label=group, zorder=3)
            sizes = np.array([(row.n_train, 100 * row.covered[0]) for row in rows])
            right.scatter(*sizes.T, s=18, color=color, zorder=3)
        left.set(xscale="log", yscale="log", xlabel="test", ylabel="told by leave-one-out")
        left.set_title("log-loss (numbers: error over spread)")
        left.legend()
        n = np.geomspace(100, 1200, 50)
        doubt = 200.0 * np.sqrt(CONFIDENCE * (1.0 - CONFIDENCE) * (1.0 / n + 1.0 / 500.0))
        label = "2 standard errors (500 test rows)"
        right.fill_between(n, 90 - doubt, 90 + doubt, color=LIGHT, label=label)
        right.axhline(90.0, color=GRAY, linewidth=1.0)
        right.set(xscale="log", xlabel="training rows", ylabel="coverage, %")
        right.set_title("sets and intervals of 90 %")
        right.legend(loc="center right")
        figure.savefig(path, dpi=130)


def _pair(row: Row) -> tuple[float, float]:
    """Log-loss on test rows and told; of numbers the errors."""
    which = 1 if np.isnan(row.test[0]) else 0
    return row.test[which], row.told[which]


def with_tables(text: str, tables: str) -> str:
    """Return a page with tables between its two marks."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{tables}\n{END}{rest.partition(END)[2]}"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("draws", nargs="?", type=int, default=N_DRAWS)
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--tables", nargs="+", default=[])
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    results = list(measured(options.draws, options.tables, options.first))
    tables = page(results, options.draws)
    print(tables)
    if options.out is not None:
        out = options.out
        out.write_text(with_tables(out.read_text(encoding="utf-8"), tables), encoding="utf-8")
        draw(results, out.parent / "images" / "trust.png")


if __name__ == "__main__":
    main()
