"""The page of the comparison, made from the stored runs and nothing else.

Models are compared on the realisations of a table that all of them have. A model without any run
on a table has a dash there, and means are over the tables that every model has.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.accuracy.rivals_abilities import abilities
from benchmarks.accuracy.rivals_methods import DISTRIBUTIONS, MODELS, OTHERS_OF_OURS, OURS
from benchmarks.accuracy.rivals_problems import (
    CURVE_ROWS,
    CURVE_SETS,
    CURVES,
    TABLE_SETS,
)
from drumlin.evaluation.measures import over_sets
from drumlin.experiments.formats import markdown_rows
from drumlin.experiments.problems import NINE
from drumlin.experiments.statistics import difference, finished

HEAD = """# Beside what people use

    pip install torch==2.13.0 && pip install -e '.[all]' --group rivals  # best by themselves
    DRUMLIN_DATA=... OMP_NUM_THREADS=1 python -m benchmarks.accuracy.rivals

runs what [reproduction/rivals.sqlite](reproduction) lacks and writes this page from it
(`--models drumlin --again`: ours anew; `--tables-only`: the page alone). All models see the same
splits and have their defaults, but the SVC, which is tuned on the training rows of every split;
nothing was chosen on these tables. Times are CPU seconds of one thread on a shared machine; those
of the SVC include its search and calibration. Sizes are those of pickles. Runs of fastrvm beyond
the first, and of the papers' classes, are those of [drumlin reproduce](reproduction.md), with the
same splits and seeds. {versions}.{missing} Larger tables and learning curves beside boosting, of an
earlier commit: [earlier figures](rivals-earlier.md).

"""
SUMMARY = {
    "test error": ("error", "{:.2f} %", np.mean),
    "log-loss": ("log_loss", "{:.3f}", np.mean),
    "nodes or vectors": ("nodes", "{:.1f}", np.mean),
    "size, kB": ("kilobytes", "{:.1f}", np.median),
    "fit, seconds": ("fit_seconds", "{:.3g}", np.median),
    "predict, µs a row": ("microseconds", "{:.3g}", np.median),
}
"""Lines of a summary: column, format, and what is taken over the tables."""


def prepared(frame: pd.DataFrame) -> pd.DataFrame:
    """Finished runs with sizes in kB and times per row."""
    runs = finished(frame).copy()
    told = [json.loads(text).get("bytes", np.nan) for text in runs["settings"]]
    runs["kilobytes"] = np.array(told) / 1000.0  # not told by earlier runs
    rows = {name: _test_rows(name) for name in runs["dataset"].unique()}
    runs["microseconds"] = 1e6 * runs["predict_seconds"] / runs["dataset"].map(rows)
    return runs


def _test_rows(name: str) -> int:
    return len((TABLE_SETS | CURVE_SETS)[name].problem(1).y_test)


def beside(runs: pd.DataFrame, models: Sequence[str], sets: Sequence[str]) -> pd.DataFrame:
    """Runs of these models on the realisations of every set that all of them have."""
    some = runs[runs["method"].isin(models) & runs["dataset"].isin(sets)]
    there = some.groupby("dataset")["method"].transform("nunique")
    here = some.groupby(["dataset", "realisation"])["method"].transform("nunique")
    return some[here == there]


def means(runs: pd.DataFrame, column: str, models: Sequence[str]) -> pd.DataFrame:
    """Means over realisations: a row for every set, a column for every model."""
    table = runs.pivot_table(index="dataset", columns="method", values=column, dropna=False)
    order = [name for name in TABLE_SETS | CURVE_SETS if name in table.index]
    return table.reindex(index=order, columns=list(models))


def per_table(table: pd.DataFrame, digits: int) -> str:
    """One line for every table, the best in bold, then means and who is ahead how often."""
    rows, table = [], table.dropna(axis="columns", how="all")
    for name, values in table.iterrows():
        cells = ["-" if np.isnan(v) else f"{v:.{digits}f}" for v in values]
        best = f"{values.min():.{digits}f}"
        rows.append([str(name), *(f"**{c}**" if c == best else c for c in cells)])
    full = table.dropna()
    overall = f"**mean** of {len(full)}" if len(full) < len(table) else "**mean**"
    if len(full):
        rows.append([overall, *(f"{v:.{digits}f}" for v in full.mean())])
    rows.append(["drumlin better / worse", "", *(_record(table, m) for m in table.columns[1:])])
    return markdown_rows(["table", *table.columns], rows)


def _record(table: pd.DataFrame, model: str) -> str:
    """How often we are better, how often worse."""
    gap = table[model] - table[OURS]
    return f"{(gap > 0).sum()} / {(gap < 0).sum()}"


def summary(runs: pd.DataFrame, models: Sequence[str], sets: Sequence[str]) -> str:
    """Models beside each other, one line for every measure, over the sets that all have."""
    some = beside(runs, models, sets)
    whole = means(some, "error", models).dropna().index
    rows = []
    for label, (column, style, over) in SUMMARY.items():
        table = means(some, column, models).loc[whole]
        rows.append(
            [label, *("-" if t.isna().any() else style.format(over(t)) for _, t in table.items())]
        )
    return markdown_rows([_title(some, whole), *models], rows)


def _title(runs: pd.DataFrame, sets: Sequence[str]) -> str:
    """How many tables and realisations a summary is over."""
    counts = runs[runs["dataset"].isin(sets)].groupby("dataset")["realisation"].nunique()
    least, most = counts.min(), counts.max()
    times = f"{least}" if least == most else f"{least}-{most}"
    return f"{len(sets)} tables, {times} split{'s' if most > 1 else ''} each"


def differences(runs: pd.DataFrame, models: Sequence[str]) -> str:
    """Paired differences to ours over the nine sets, with their standard errors."""
    rows = []
    for model in models[1:]:
        cells = [model]
        for column, digits in (("error", 2), ("log_loss", 4)):
            found = [difference(runs, name, model, OURS, column) for name in NINE]
            mean, error = over_sets([(one.mean, one.error) for one in found if one])
            cells.append(f"{mean:+.{digits}f} ± {error:.{digits}f}")
        rows.append(cells)
    return markdown_rows(["minus drumlin", "error, points", "log-loss"], rows)


def losses(table: pd.DataFrame, least: float) -> str:
    """Tables where another model is clearly better, the worst first."""
    gap = table[OURS] - table.min(axis=1)
    lost = gap[gap >= least].sort_values(ascending=False)
    best = table.idxmin(axis=1)
    return "; ".join(f"{name} ({best[name]}, {gap[name]:.1f} points)" for name in lost.index)


def draw_curves(frame: pd.DataFrame, path: Path) -> None:
    """Error against rows, a panel for every problem; nothing before there are runs."""
    if not frame["dataset"].isin(CURVE_SETS).any():
        return
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    models = _columns(frame)
    table = means(finished(frame), "error", models)
    figure, panels = plt.subplots(1, len(CURVES), figsize=(11, 3.4), layout="constrained")
    for name, panel in zip(CURVES, panels, strict=True):
        for model in models:
            errors = [table[model].get(f"{name}, {rows} rows", np.nan) for rows in CURVE_ROWS]
            bold = {"lw": 3.0, "color": "black", "zorder": 9} if model == OURS else {"lw": 1.2}
            panel.plot(CURVE_ROWS, errors, "o-", ms=4, label=model, **bold)
        panel.set(xscale="log", title=name, xlabel="rows")
        panel.set_xticks(CURVE_ROWS, [str(rows) for rows in CURVE_ROWS])
        panel.minorticks_off()
    panels[0].set_ylabel("error, %")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside right", frameon=False)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _columns(frame: pd.DataFrame) -> list[str]:
    """Ours and the rivals that have a run on each of the nine sets."""
    known = finished(frame).groupby("method")["dataset"].agg(set)
    rivals = [name for name in MODELS if name in known.index and name not in OTHERS_OF_OURS]
    return [name for name in rivals if known[name] >= set(NINE)]


def _unfinished(frame: pd.DataFrame, models: Sequence[str]) -> str:
    """What is known of models that are no column yet."""
    told = []
    for name in MODELS:
        runs = finished(frame)[finished(frame)["method"] == name]
        if name not in (*models, *OTHERS_OF_OURS):
            some = [
                f"{r.dataset} {r.error:.2f} %, fit {r.fit_seconds:.1f} s" for r in runs.itertuples()
            ]
            told.append(f"{name} ({'; '.join(some) or 'not installed or not run'})")
    return f" Not on all of the nine sets yet: {', '.join(told)}." if told else ""


def quick_models(runs: pd.DataFrame) -> list[str]:
    """Ours and the rivals with more than one realisation of every set of the nine."""
    counts = runs[runs["dataset"].isin(NINE)].groupby(["method", "dataset"]).size().unstack()
    return [m for m in _columns(runs) if m in counts.index and (counts.loc[m] > 1).all()]


def _versions(frame: pd.DataFrame, models: Sequence[str]) -> str:
    """Newest version of every package that was used."""
    found: dict[str, str] = {}
    for text in frame.sort_values("finished")["versions"].dropna():
        found |= json.loads(text)
    names = [*dict.fromkeys(DISTRIBUTIONS[m] for m in models if m in DISTRIBUTIONS), "torch"]
    return ", ".join(f"{name} {found[name]}" for name in names if name in found)


def _failed(frame: pd.DataFrame) -> str:
    """What failed, with its message."""
    failed = frame[frame["status"] == "failed"]
    told = [f"{f.method} on {f.dataset}: {f.message:.120}" for f in failed.itertuples()]
    return f"Failed: {'; '.join(told)}.\n\n" if told else ""


Section = tuple[str, Callable[[], str]]
"""A heading and what makes its text."""


def page(frame: pd.DataFrame) -> str:
    """Return the text of the page."""
    runs, models = prepared(frame), _columns(frame)
    text = HEAD.format(versions=_versions(frame, models), missing=_unfinished(frame, models))
    for heading, body in _sections(runs, models):
        text += f"## {heading}\n\n{body()}\n\n"
    return text + _failed(frame) + f"## What each can and cannot do\n\n{abilities(models)}\n"


def _sections(runs: pd.DataFrame, models: list[str]) -> list[Section]:
    all_of = beside(runs, models, list(TABLE_SETS))
    curves = beside(runs, models, list(CURVE_SETS))
    quick = quick_models(runs)
    ours = [OURS, *(name for name in OTHERS_OF_OURS if name in set(runs["method"]))]
    error = means(all_of, "error", models)
    sections: list[Section] = [
        ("In short", lambda: summary(runs, models, list(TABLE_SETS)) + "\n\n" + _losing(error)),
        ("Error, %", lambda: per_table(error, 2)),
        ("Log-loss", lambda: per_table(means(all_of, "log_loss", models), 4)),
    ]
    if len(quick) > 1:
        sections.append(("More splits of the nine sets", lambda: _more(runs, quick)))
    if len(curves):
        text = CURVE_TEXT + per_table(means(curves, "error", models), 2)
        sections.append(("Learning curves", lambda: text))
    return [*sections, ("Our other estimators", lambda: _others(runs, ours))]


CURVE_TEXT = "![Error against rows](images/rivals.png)\n\nError, %, one split of each size.\n\n"


def _losing(error: pd.DataFrame) -> str:
    return (
        f"Where another model is better by half a point or more: {losses(error, 0.5)}. One split "
        "of a small table is a noisy judge: a point or two, either way, mean little. Over 20 "
        "splits of the nine sets drumlin and the tuned SVC do not differ ([results]"
        "(flagship-results.md))."
    )


def _more(runs: pd.DataFrame, models: list[str]) -> str:
    return summary(runs, models, NINE) + "\n\n" + differences(runs, models)


def _others(runs: pd.DataFrame, models: list[str]) -> str:
    """The classes of the papers with their defaults, on the same splits."""
    some = beside(runs, models, list(TABLE_SETS))
    text = "Defaults of the classes that hold the papers' methods; error, %, the same splits.\n\n"
    text += per_table(means(some, "error", models), 2)
    return text + "\n\n" + summary(runs, models, list(TABLE_SETS))
