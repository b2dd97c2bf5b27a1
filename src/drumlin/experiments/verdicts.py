"""A verdict on every printed number, by one rule, from stored runs.

A mean differs from a printed one by noise where the difference is below two standard errors of
both together; below one, or below the rounding of the print, it is reproduced.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from drumlin.experiments import statistics
from drumlin.experiments.complexity import fixed_evaluations, tunable_evaluations
from drumlin.experiments.formats import Table
from drumlin.experiments.printed import EVALUATIONS, RUNNING_SECONDS, Count, Row, rows
from drumlin.experiments.published import CITATIONS, Figure
from drumlin.experiments.reasons import why

if TYPE_CHECKING:
    import pandas

REPRODUCED, NOISE = "reproduced", "within noise"
NOT_RERUN, NOT_RUN = "quoted in print, not rerun", "not run"
LOWER, HIGHER = "lower than print", "not reached"
"""Beyond two standard errors; of a size "smaller" and "larger"."""

TEST_ROWS = {"synth": 1000, "pima": 332, "vowel": 462, "double-moon-5": 2000, "double-moon-6": 2000}
"""Of problems that are printed with one test sample."""

TRAINING_ROWS = {"breast": 200, "diabetes": 468, "thyroid": 140}
SWARMS = {"breast": (20, 10), "diabetes": (20, 10), "thyroid": (20, 20)}
"""chen2010, section IV: iterations and particles."""

_SIMILAR = 2.0
"""Ratios of running times that differ by less are the same."""


class Estimate(NamedTuple):
    """Mean and standard deviation of n runs; the latter is NaN for one."""

    mean: float
    sd: float
    n: int

    @property
    def error(self) -> float:
        """Standard error of the mean, 0 where it is not known."""
        return self.sd / math.sqrt(self.n) if self.n > 1 else 0.0


class Verdict(NamedTuple):
    """What became of a printed row; ``size`` is None where none is printed or none is ours."""

    row: Row
    ours: Estimate | None
    nodes: Estimate | None
    error: str
    size: str | None
    why: str


def judged(printed: float, ours: Estimate, printed_error: float, rounding: float) -> str:
    """Compare a mean with a printed one.

    Parameters
    ----------
    printed : float
    ours : Estimate
    printed_error : float
        Standard error of the printed mean.
    rounding : float
        Half a unit of its last digit.

    Returns
    -------
    str
        One of REPRODUCED, NOISE, LOWER, HIGHER.
    """
    difference = ours.mean - printed
    error = math.hypot(ours.error, printed_error)
    if abs(difference) <= max(error, rounding) + 1e-9:
        return REPRODUCED
    if abs(difference) <= 2.0 * error:
        return NOISE
    return LOWER if difference < 0.0 else HIGHER


def verdicts(frames: list[pandas.DataFrame]) -> list[Verdict]:
    """One verdict per printed row.

    Parameters
    ----------
    frames : list of DataFrame
        Runs; the first frame that has a method on a set is the one that counts.
    """
    return [_verdict(row, frames) for row in rows()]


def _verdict(row: Row, frames: list[pandas.DataFrame]) -> Verdict:
    if row.rerun is None:
        return Verdict(row, None, None, NOT_RERUN, None, "")
    ours = _estimate(frames, row, "error")
    if ours is None:
        return Verdict(row, None, None, NOT_RUN, None, why(row, "error"))
    nodes = _estimate(frames, row, "nodes")
    error = judged(row.figure.error, ours, _printed_error(row, ours), _rounding(row.figure.error))
    size = _size_verdict(row, nodes)
    reasons = [why(row, "error")] if error == HIGHER else []
    reasons += [why(row, "size")] if size in ("smaller", "larger") else []
    return Verdict(row, ours, nodes, error, size, "; ".join(filter(None, reasons)))


def _size_verdict(row: Row, nodes: Estimate | None) -> str | None:
    figure = row.figure
    if figure.nodes is None or nodes is None:
        return None
    noise = (figure.nodes_sd or 0.0) / math.sqrt(row.n_printed)
    found = judged(figure.nodes, nodes, noise, _rounding(figure.nodes))
    return {LOWER: "smaller", HIGHER: "larger"}.get(found, found)


def _printed_error(row: Row, ours: Estimate) -> float:
    """Standard error of a printed mean: as printed, of its test sample, or as ours."""
    if row.figure.error_sd is not None:
        return row.figure.error_sd / math.sqrt(row.n_printed)
    if row.dataset in TEST_ROWS:
        p = row.figure.error / 100.0
        return 100.0 * math.sqrt(p * (1.0 - p) / TEST_ROWS[row.dataset])
    return ours.sd / math.sqrt(row.n_printed)


def _rounding(printed: float) -> float:
    digits = len(f"{printed:g}".partition(".")[2])
    return float(0.5 * 10.0**-digits)


def _estimate(frames: list[pandas.DataFrame], row: Row, column: str) -> Estimate | None:
    for frame in frames:
        runs = statistics.finished(frame)
        found = runs[(runs["method"] == row.rerun) & (runs["dataset"] == row.dataset)]
        values = found[column].dropna().astype(float)
        if len(values):
            return Estimate(float(values.mean()), float(values.std(ddof=1)), len(values))
    return None


# -------------------------------------------------------------------------------------- as tables
def verdict_table(source: str, found: list[Verdict]) -> Table:
    """All rows of a paper."""
    cells = [_cells(one) for one in found if one.row.source == source]
    header = ["where", "set", "row", "printed", "ours", "verdict"]
    note = "Test error in % ± standard deviation, size; (n) realisations or draws."
    return Table(f"verdicts-{source}", CITATIONS[source], header, cells, note)


def _cells(one: Verdict) -> list[str]:
    row, parts = one.row, [one.error]
    if one.size is not None:
        parts = [f"error {one.error}, size {one.size}"]
    if one.why:
        parts.append(one.why)
    return [row.where, row.dataset, _algorithm(row), _printed(row.figure), _ours(one),
            ": ".join(parts)]  # fmt: skip


def _algorithm(row: Row) -> str:
    return row.algorithm if row.rerun is None else f"{row.algorithm} (`{row.rerun}`)"


def _printed(figure: Figure) -> str:
    text = f"{figure.error:g}" + ("" if figure.error_sd is None else f" ± {figure.error_sd:g}")
    if figure.nodes is None:
        return text
    return f"{text}, {figure.nodes:g}" + ("" if not figure.nodes_sd else f" ± {figure.nodes_sd:g}")


def _ours(one: Verdict) -> str:
    if one.ours is None:
        return "-"
    text = f"{one.ours.mean:.2f}" + ("" if one.ours.n == 1 else f" ± {one.ours.sd:.1f}")
    if one.nodes is not None:
        text += f", {one.nodes.mean:.1f}"
    return f"{text} ({one.ours.n})"


def times_table(frames: list[pandas.DataFrame]) -> Table:
    """hong2014, table 11: seconds of all realisations, as ratios to the first set."""
    ours = {name: _total_seconds(frames, name) for name in RUNNING_SECONDS}
    first = next(iter(RUNNING_SECONDS))
    cells = []
    for name, printed in RUNNING_SECONDS.items():
        wanted, found = printed / RUNNING_SECONDS[first], ours[name] / ours[first]
        same = 1.0 / _SIMILAR <= found / wanted <= _SIMILAR
        verdict = REPRODUCED if same else "another ratio: other language, machine, widths"
        cells.append([name, f"{printed:g}", f"{wanted:.2f}", f"{ours[name]:.1f}", f"{found:.2f}",
                      verdict])  # fmt: skip
    header = ["set", "printed s", f"by {first}", "our CPU s", f"by {first}", "verdict"]
    note = (
        "Training and evaluation of 100 realisations; ratios to the first set are the same where "
        f"they differ by less than a factor {_SIMILAR:g}. Ours try nine widths each time."
    )
    return Table("times", "hong2014, table 11", header, cells, note)


def _total_seconds(frames: list[pandas.DataFrame], dataset: str) -> float:
    runs = statistics.finished(frames[0])
    found = runs[(runs["method"] == "hong2014") & (runs["dataset"] == dataset)]
    return float((found["fit_seconds"] + found["predict_seconds"]).sum())


def evaluations_table() -> Table:
    """chen2010: printed numbers of evaluations beside those of (38) and (39)."""
    cells = []
    for count in EVALUATIONS:
        found = evaluations(count)
        verdict = REPRODUCED if abs(found - count.printed) < 0.5 else HIGHER
        cells.append([count.dataset, count.algorithm, f"{count.nodes:g}", f"{count.printed:g}",
                      f"{found:g}", verdict])  # fmt: skip
    header = ["set", "row", "nodes", "printed", "by (38) or (39)", "verdict"]
    return Table("evaluations", "chen2010, column complexity", header, cells)


def evaluations(count: Count) -> float:
    """Evaluations by (38) or (39) of chen2010 for the printed size."""
    if count.algorithm == "ROLS-LOO":
        return fixed_evaluations(count.nodes, TRAINING_ROWS[count.dataset])
    return tunable_evaluations(count.nodes, *SWARMS[count.dataset])
