"""What a judged model shows: tables of measures, confusion, thresholds and coverage."""

from __future__ import annotations

import numpy as np
from scipy.stats import binomtest, norm

from drumlin._text import counted
from drumlin.evaluation import Judged
from drumlin.evaluation.measures import constant_class, operating_point
from drumlin.evaluation.numbers import FACTOR, RMSE
from drumlin.report.parts import Table, count, number, percent

THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""Rows of the threshold table."""

PRECISIONS = (0.5, 0.75, 0.9, 0.95, 0.99)
"""Rows of the table of precisions."""

COVERAGES = (0.5, 0.8, 0.9, 0.95)
"""Intervals whose coverage is checked."""


def measure_table(judged: Judged) -> Table:
    """Measures on the data beside those of the best constant answer and by leave-one-out."""
    data = f"{judged.data_name} ({counted(len(judged.X), 'row')})"
    names = list(dict.fromkeys([*judged.measures, *judged.loo]))
    columns = (judged.measures, judged.baseline, judged.loo)
    rows = [(sentence(m), *[shown_measure(m, c.get(m)) for c in columns]) for m in names]
    notes = [_baseline_words(judged)]
    if judged.seen:
        notes.append(
            "The model was fitted to these data: their figures flatter it, and only those by "
            "leave-one-out say something about new data."
        )
    if judged.is_classifier:
        wrong = int((judged.answers != judged.codes).sum())
        low, high = binomtest(wrong, len(judged.codes)).proportion_ci(method="wilson")
        notes.append(f"95 % interval of the error: {percent(low)} to {percent(high)}.")
    if FACTOR in judged.measures:
        notes.append(
            f"A typical factor is e to the power of the {RMSE} (log): 1.1 is 10 % off, up or down."
        )
    head = ("measure", data, "baseline", "leave-one-out (training)")
    return Table("Measures", head, rows, " ".join(notes))


def _baseline_words(judged: Judged) -> str:
    if not judged.is_classifier:
        return "The baseline says their mean of every row."
    label = judged.classes[constant_class(judged.codes, len(judged.classes), judged.decision)]
    if judged.decision.costs is None:
        return f"The baseline says “{label}”, their most frequent class, of every row."
    costs = ", ".join(
        f"{number(cost)} for “{name}”"
        for name, cost in zip(judged.classes, judged.decision.costs, strict=True)
    )
    return (
        f"Answers are those of least expected cost; a wrong one costs {costs}. The baseline says "
        f"“{label}” of every row, which costs least. Leave-one-out is of the most probable classes."
    )


def confusion_table(judged: Judged) -> Table:
    """Counts, one row per true class, shaded by their share of the row."""
    counts = judged.confusion
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    rows = [
        (label, *[count(n) for n in row], percent(shares[k, k]) if sum(row) else "—")
        for k, (label, row) in enumerate(zip(judged.classes, counts.tolist(), strict=True))
    ]
    columns = ("true class", *[f"predicted {label}" for label in judged.classes], "found")
    shades = [[*row, 0.0] for row in shares.tolist()]
    return Table("Confusion table", columns, rows, "Rows are true classes.", shades=shades)


def threshold_table(judged: Judged) -> Table:
    """What happens where the second of two classes is announced from a probability on."""
    alarm, miss = judged_costs(judged)
    thresholds = np.array(sorted({*THRESHOLDS, alarm / (alarm + miss)}))
    said = judged.probabilities[:, 1] >= thresholds[:, None]
    true = judged.codes == 1
    hits = (said & true).sum(axis=1)
    alarms, misses = (said & ~true).sum(axis=1), (~said & true).sum(axis=1)
    cost = (alarm * alarms + miss * misses) / len(true)
    rows = [
        (
            f"{thresholds[i]:.3g}",
            percent(hits[i] / said[i].sum()) if said[i].any() else "—",
            percent(hits[i] / true.sum()) if true.any() else "—",
            count(alarms[i]),
            count(misses[i]),
            number(cost[i]),
        )
        for i in range(len(thresholds))
    ]
    best = int(cost.argmin())
    label = judged.classes[1]
    columns = ("threshold", "precision", "recall", "false alarms", "misses", "cost per row")
    note = (
        f"“{label}” is announced where its probability is at least the threshold. A false "
        f"alarm costs {number(alarm)}, a miss {number(miss)}; honest probabilities cost least "
        f"at {alarm / (alarm + miss):.3g}. Least cost on these data: threshold "
        f"{thresholds[best]:.3g} (set off). The baselines: to announce it never costs "
        f"{number(miss * true.mean())} per row, always {number(alarm * (~true).mean())}."
    )
    return Table(f"Thresholds of “{label}”", columns, rows, note, marked=best)


def judged_costs(judged: Judged) -> list[float]:
    """Costs of wrong answers by class, 1 where nothing was said; of two: a false alarm, a miss."""
    costs = judged.decision.costs
    return [1.0] * len(judged.classes) if costs is None else costs.tolist()


def precision_table(judged: Judged) -> Table | None:
    """How much of the second class is found at a chosen precision; None where it never occurs."""
    true, probability = judged.codes == 1, judged.probabilities[:, 1]
    if not true.any():
        return None
    rows = []
    for wanted in PRECISIONS:
        recall, threshold = operating_point(true, probability, wanted)
        said = int((probability >= threshold).sum())
        shown = (percent(recall), f"{threshold:.3g}", count(said)) if said else ("—",) * 3
        rows.append((percent(wanted), *shown))
    label = judged.classes[1]
    note = (
        f"Baseline: announcing “{label}” of every row has a precision of {percent(true.mean())}. "
        "A threshold that is chosen here was chosen on these data."
    )
    columns = ("precision at least", "found (recall)", "threshold", "announced")
    return Table(f"“{label}” at a chosen precision", columns, rows, note)


def coverage_table(judged: Judged) -> Table | None:
    """How often intervals of the predictions held the target, where the model has them."""
    distances = judged.distances
    if distances is None:
        return None
    rows = [
        (percent(share), percent(float((distances <= norm.ppf(0.5 + share / 2)).mean())))
        for share in COVERAGES
    ]
    columns = ("interval", "targets inside")
    note = "Intervals are predictions ± standard deviations, of normal errors."
    return Table("Coverage of prediction intervals", columns, rows, note)


def shown_measure(name: str, value: float | None) -> str:
    """A measure as a text: shares in percent, what is not known as a dash."""
    if value is None:
        return "—"
    is_share = name in ("error", "balanced error") or name.startswith("recall")
    return percent(value) if is_share else number(value)


def sentence(name: str) -> str:
    """A measure's name as a row of a table begins."""
    return name[0].upper() + name[1:]
