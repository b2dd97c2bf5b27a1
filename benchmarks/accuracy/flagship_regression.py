"""The regressor beside a tuned SVR: diabetes and Friedman's three functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.accuracy import flagship_problems as problems
from benchmarks.accuracy.flagship_models import regress
from benchmarks.accuracy.flagship_report import (
    Settings,
    Target,
    edges,
    mean,
    signed,
    targets,
)
from benchmarks.accuracy.flagship_rivals import SVR_SETTINGS, Cache, tuned_svr
from drumlin.evaluation.measures import paired
from drumlin.experiments.formats import markdown_rows
from drumlin.experiments.problems import Problem

SETS: dict[str, Callable[[int], Problem]] = {
    "sklearn-diabetes": problems.diabetes_progression,
    **{f"friedman{kind}": partial(problems.friedman, kind) for kind in (1, 2, 3)},
}


def regression(settings: Settings, cache: Cache) -> str:
    """RMSE, size and coverage."""
    regress(settings.model, problems.friedman(1, 0, 100, 100))  # compiles
    rows, wanted, searches = [], [], []
    for name in SETS:
        splits = list(_splits(name, settings))
        ours = [regress(settings.model, problem) for problem in splits]
        svr = [cache.get(problem, SVR_SETTINGS, tuned_svr) for problem in splits]
        rows.append(_row(name, ours, svr))
        wanted += _targets(name, ours, svr)
        searches += svr
    header = [
        "set", "RMSE", "SVR", "difference, %", "nodes", "vectors", "90 % interval holds, %",
        "fit s", "search s",
    ]  # fmt: skip
    note = (
        f"Means over draws {settings.span(settings.draws)}; difference: ours minus theirs in "
        "percent of theirs, paired, ± standard error. Times in CPU seconds, those of the SVR "
        f"possibly from an earlier run. {edges(searches)}"
    )
    return "\n\n".join([markdown_rows(header, rows), note, targets(wanted)])


def regression_rivals(settings: Settings, cache: Cache) -> None:
    """Fill the cache for the regressor."""
    for name in SETS:
        for problem in _splits(name, settings):
            cache.get(problem, SVR_SETTINGS, tuned_svr)


def _splits(name: str, settings: Settings) -> Iterator[Problem]:
    for number in settings.numbers(settings.draws):
        yield SETS[name](number)


def _relative(ours: list[dict], svr: list[dict]) -> tuple[float, float]:
    """Difference of RMSE in percent of the mean of theirs."""
    scale = mean(svr, "rmse") / 100.0
    return paired([r["rmse"] / scale for r in ours], [r["rmse"] / scale for r in svr])


def _targets(name: str, ours: list[dict], svr: list[dict]) -> list[Target]:
    difference, spread = _relative(ours, svr)
    found = [
        Target(f"{name}, RMSE minus tuned SVR, %", difference, most=0.0, spread=spread),
        Target(f"{name}, mean nodes", mean(ours, "nodes"), most=15.0, digits=1),
    ]
    if name == "friedman1":
        known = ours[0]["coverage"] is not None
        coverage = mean(ours, "coverage") if known else None
        found.append(
            Target(f"{name}, 90 % interval holds, %", coverage, least=85.0, most=95.0, digits=1)
        )
    return found


def _row(name: str, ours: list[dict], svr: list[dict]) -> list[str]:
    known = ours[0]["coverage"] is not None
    return [
        name,
        f"{mean(ours, 'rmse'):.4g}",
        f"{mean(svr, 'rmse'):.4g}",
        signed(_relative(ours, svr)),
        f"{mean(ours, 'nodes'):.1f}",
        f"{mean(svr, 'vectors'):.0f}",
        f"{mean(ours, 'coverage'):.1f}" if known else "-",
        f"{mean(ours, 'seconds'):.3f}",
        f"{mean(svr, 'seconds'):.2f}",
    ]
