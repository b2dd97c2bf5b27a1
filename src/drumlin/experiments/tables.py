"""The tables of the reproduction, made from the records and nothing else.

The same records give the same text: no date, no machine, no order of arrival.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from drumlin.estimators import DrumlinClassifier
from drumlin.experiments import statistics
from drumlin.experiments.formats import Table
from drumlin.experiments.methods import BASELINE, METHODS, PAPERS
from drumlin.experiments.problems import SETS
from drumlin.experiments.protocol import FAILED, FIT, TUNE
from drumlin.experiments.published import CITATIONS, PUBLISHED, Figure

if TYPE_CHECKING:
    import pandas

    from drumlin.experiments.store import Store

NOTHING = "-"


def all_tables(store: Store) -> list[Table]:
    """Every table that the records of a store can fill.

    Parameters
    ----------
    store : Store

    Returns
    -------
    list of Table
    """
    frame, tunings = store.frame(FIT), store.frame(TUNE)
    tables = [
        published(frame),
        errors(frame),
        differences(frame),
        sizes(frame),
        log_losses(frame),
        seconds(frame, tunings),
        legend(frame),
        failures([frame, tunings]),
    ]
    return [table for table in tables if table.rows]


# ------------------------------------------------------------------------------------- the tables
def published(frame: pandas.DataFrame) -> Table:
    """What the papers print beside what their settings give here."""
    beside = [DrumlinClassifier.__name__, BASELINE]
    rows = []
    for citation, cls in PAPERS.items():
        for dataset, figure in PUBLISHED[citation].items():
            ours = [_error_and_size(frame, m, dataset) for m in (citation, cls.__name__, *beside)]
            if ours[0] != NOTHING:
                svm = PUBLISHED["raetsch2001"].get(dataset)
                rows.append([citation, dataset, _printed(figure), *ours, _printed(svm)])
    cited = "; ".join(f"{key}: {text}" for key, text in CITATIONS.items() if key in _first(rows))
    return Table(
        "published",
        "Published and reproduced",
        ["paper", "set", "published", "preset", "class default", *beside, "published SVM"],
        rows,
        "Test error in % (mean ± standard deviation over realisations), number of nodes or support "
        f"vectors. {cited}; published SVM: {CITATIONS['raetsch2001']}.",
    )


def errors(frame: pandas.DataFrame) -> Table:
    """Test errors of all methods on all sets, with average ranks."""
    sets = _sets(frame)
    mean = statistics.means(frame, "error")
    ranks = statistics.average_ranks(mean.reindex(columns=sets))
    rows = []
    for method in _methods(frame):
        cells = [_mean_and_sd(frame, method, dataset) for dataset in sets]
        rank = ranks.methods.get(method)
        rows.append([method, *cells, _overall(mean, method, 2), _number(rank, 2)])
    return Table(
        "errors",
        f"Test error in %{_span(frame)}",
        ["method", *sets, "mean", "rank"],
        rows,
        "Mean ± standard deviation over realisations; (n) where fewer are finished. Mean and "
        "average rank over sets, for methods with a result on each. Ranks that differ by less than "
        f"{_number(ranks.critical_difference, 2)} do not differ significantly (Nemenyi, 5 %).",
    )


def differences(frame: pandas.DataFrame) -> Table:
    """Paired differences to the tuned SVM."""
    sets = _sets(frame)
    rows = []
    for method in _methods(frame):
        found = [statistics.difference(frame, d, method, BASELINE) for d in sets]
        if method != BASELINE and any(found):
            rows.append([method, *map(_difference, found), *_over_sets(found)])
    return Table(
        "differences",
        f"Difference to the tuned SVM in points{_span(frame)}",
        ["method", *sets, "mean", "better / worse"],
        rows,
        f"Test error minus that of {BASELINE} on the same realisations (negative is better) ± "
        "standard error; in brackets the p-value of Wilcoxon's signed-rank test. Splits of a set "
        "share rows, so errors and p-values are somewhat too small. Last: number of sets with "
        "p < 0.05.",
    )


def sizes(frame: pandas.DataFrame) -> Table:
    """Nodes, support vectors or kernel columns."""
    return _means_table(
        frame, "nodes", "sizes", "Size", 1, "Nodes, support vectors or columns; mean."
    )


def log_losses(frame: pandas.DataFrame) -> Table:
    """Log-losses on the test rows."""
    return _means_table(
        frame, "log_loss", "log-loss", "Log-loss", 3,
        "Mean; of an SVM that is calibrated by Platt's method for the two SVMs.",
    )  # fmt: skip


def seconds(frame: pandas.DataFrame, tunings: pandas.DataFrame) -> Table:
    """CPU seconds of fits, predictions and searches."""
    done, searched = statistics.finished(frame), statistics.finished(tunings)
    rows = []
    for method in _methods(done):
        runs = done[done["method"] == method]
        search = searched[searched["method"] == method]["fit_seconds"]
        rows.append(
            [
                method,
                _number(1e3 * runs["fit_seconds"].median(), 1),
                _number(1e3 * runs["predict_seconds"].median(), 2),
                _number(1e3 * search.median(), 0) if len(search) else NOTHING,
            ]
        )
    return Table(
        "seconds",
        "Time in ms",
        ["method", "fit", "predict", "one search"],
        rows,
        "Median CPU time over all runs, one thread; predict: all test rows of a realisation.",
    )


def legend(frame: pandas.DataFrame) -> Table:
    """What the methods are."""
    rows = [[m, METHODS[m].about if m in METHODS else NOTHING] for m in _methods(frame)]
    versions = sorted({_versions(text) for text in frame["versions"].dropna()})
    original = frame["original"].dropna().astype(bool)
    note = (
        f"{int(original.sum())} of {len(original)} runs on original splits of the benchmark, the "
        f"others on seeded ones. Versions: {'; '.join(versions)}."
    )
    return Table("methods", "Methods", ["method", "what it is"], rows, note)


def failures(frames: Iterable[pandas.DataFrame]) -> Table:
    """Count what failed, by method, set and message."""
    rows = []
    for frame in frames:
        failed = frame[frame["status"] == FAILED]
        for key, runs in failed.groupby(["stage", "method", "dataset", "message"]):
            rows.append([*map(_one_line, key), str(len(runs))])
    return Table("failures", "Failures", ["stage", "method", "set", "message", "runs"], rows)


# -------------------------------------------------------------------------------------- the cells
def _means_table(
    frame: pandas.DataFrame, column: str, name: str, title: str, digits: int, note: str
) -> Table:
    sets = _sets(frame)
    mean = statistics.means(frame.astype({column: float}), column).reindex(columns=sets)
    rows = [
        [m, *(_number(value, digits) for value in mean.loc[m]), _overall(mean, m, digits)]
        for m in _methods(frame)
        if m in mean.index
    ]
    return Table(name, f"{title}{_span(frame)}", ["method", *sets, "mean"], rows, note)


def _sets(frame: pandas.DataFrame) -> list[str]:
    return _ordered(frame["dataset"], SETS)


def _methods(frame: pandas.DataFrame) -> list[str]:
    return _ordered(frame["method"], METHODS)


def _ordered(names: Iterable[str], known: Iterable[str]) -> list[str]:
    """Names in the order of the registry, unknown ones last."""
    found, order = set(names), list(known)
    return [name for name in order if name in found] + sorted(found - set(order))


def _span(frame: pandas.DataFrame) -> str:
    if frame.empty:
        return ""
    first, last = frame["realisation"].min(), frame["realisation"].max()
    return f", realisation {first}" if first == last else f", realisations {first}-{last}"


def _runs(frame: pandas.DataFrame, method: str, dataset: str) -> pandas.DataFrame:
    done = statistics.finished(frame)
    return done[(done["method"] == method) & (done["dataset"] == dataset)]


def _mean_and_sd(frame: pandas.DataFrame, method: str, dataset: str) -> str:
    values = _runs(frame, method, dataset)["error"]
    if values.empty:
        failed = ((frame["method"] == method) & (frame["dataset"] == dataset)).any()
        return "failed" if failed else NOTHING
    wanted = frame[frame["dataset"] == dataset]["realisation"].nunique()
    count = f" ({len(values)})" if len(values) < wanted else ""
    sd = f" ± {values.std(ddof=1):.1f}" if len(values) > 1 else ""
    return f"{values.mean():.2f}{sd}{count}"


def _error_and_size(frame: pandas.DataFrame, method: str, dataset: str) -> str:
    error = _mean_and_sd(frame, method, dataset)
    nodes = _runs(frame, method, dataset)["nodes"].dropna()
    return f"{error}, {nodes.mean():.1f}" if len(nodes) else error


def _printed(figure: Figure | None) -> str:
    if figure is None:
        return NOTHING
    sd = "" if figure.error_sd is None else f" ± {figure.error_sd:g}"
    nodes = "" if figure.nodes is None else f", {figure.nodes:g}"
    return f"{figure.error:g}{sd}{nodes}"


def _difference(found: statistics.Difference | None) -> str:
    if found is None:
        return NOTHING
    if found.n == 1:
        return f"{found.mean:+.2f}"
    return f"{found.mean:+.2f} ± {found.error:.2f} ({found.p:.2g})"


def _over_sets(found: list[statistics.Difference | None]) -> list[str]:
    """Mean over sets with its standard error, and on how many sets the difference is clear."""
    known = [d for d in found if d is not None]
    values = np.array([d.mean for d in known])
    better = sum(d.p < 0.05 and d.mean < 0 for d in known)
    worse = sum(d.p < 0.05 and d.mean > 0 for d in known)
    error = f" ± {values.std(ddof=1) / np.sqrt(len(values)):.2f}" if len(values) > 1 else ""
    return [f"{values.mean():+.2f}{error}", f"{better} / {worse} of {len(known)}"]


def _overall(mean: pandas.DataFrame, method: str, digits: int) -> str:
    """Mean over sets, if there is a value on each."""
    if method not in mean.index or mean.loc[method].isna().any():
        return NOTHING
    return _number(mean.loc[method].mean(), digits)


def _number(value: float | None, digits: int) -> str:
    return NOTHING if value is None or np.isnan(value) else f"{value:.{digits}f}"


def _first(rows: list[list[str]]) -> set[str]:
    return {row[0] for row in rows}


def _versions(text: str) -> str:
    return ", ".join(f"{package} {number}" for package, number in json.loads(text).items())


def _one_line(text: str) -> str:
    return " ".join(text.replace("|", "/").split())[:200]
